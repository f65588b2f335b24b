"""Axes hold their values, and their ticks are round and inside."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webstrata.drawing.axes import Axis

VALUES = st.lists(st.floats(-1e6, 1e6).map(lambda value: round(value, 4)), min_size=1, max_size=20)


@given(VALUES, st.floats(-100, 100), st.floats(-100, 100))
def test_values_lie_between_the_ends(values: list[float], start: float, stop: float) -> None:
    axis = Axis.over(values, start, stop)
    low, high = sorted((start, stop))
    for value in values:
        assert low - 1e-6 <= axis(value) <= high + 1e-6
    ticks = axis.ticks()
    assert 1 <= len(ticks) <= 8
    assert ticks == sorted(set(ticks))
    span = axis.high - axis.low
    assert all(axis.low - 1e-6 * span <= tick <= axis.high + 1e-6 * span for tick in ticks)


@given(st.lists(st.floats(1e-6, 1e9), min_size=1, max_size=20))
def test_a_logarithmic_axis_ticks_at_powers_of_ten(values: list[float]) -> None:
    axis = Axis.over(values, 0, 100, log=True)
    for value in values:
        assert -1e-6 <= axis(value) <= 100 + 1e-6
    for tick in axis.ticks():
        assert math.log10(tick) == pytest.approx(round(math.log10(tick)))


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0, 0.25, [0, 0.05, 0.1, 0.15, 0.2, 0.25]),
        (-0.1, 0.5, [-0.1, 0, 0.1, 0.2, 0.3, 0.4, 0.5]),
        (0, 19, [0, 5, 10, 15]),
    ],
)
def test_ticks(low: float, high: float, ticks: list[float]) -> None:
    assert Axis(low, high, False, 0, 1).ticks() == ticks


def test_axes_without_extent() -> None:
    assert Axis.over([], 0, 1) == Axis(1, 2, False, 0, 1)
    assert Axis.over([3], 0, 1, log=True) == Axis(3, 30, True, 0, 1)
