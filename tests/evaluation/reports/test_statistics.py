"""Intervals and tests against other implementations and by brute force."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap
from statsmodels.stats.multitest import multipletests

from webstrata.errors import InputError
from webstrata.evaluation.reports.statistics import bootstrap_mean, compare_all, holm

pytestmark = pytest.mark.slow


def test_the_interval_is_scipys() -> None:
    values = np.random.default_rng(1).beta(2, 5, 300)
    ours = bootstrap_mean(values, resamples=5000)
    theirs = bootstrap((values,), np.mean, method="percentile", n_resamples=5000, rng=np.random.default_rng(2))
    assert ours.mean == values.mean()
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval), abs=0.002)


def test_the_interval_contains_the_true_mean_at_its_confidence() -> None:
    random = np.random.default_rng(3)
    intervals = [bootstrap_mean(random.exponential(1, 60), resamples=400, seed=i) for i in range(200)]
    assert 0.86 <= np.mean([item.low <= 1 <= item.high for item in intervals]) <= 0.99


def test_the_same_seed_is_the_same_interval() -> None:
    values = list(np.random.default_rng(0).random(50))
    assert bootstrap_mean(values, seed=1) == bootstrap_mean(values, seed=1) != bootstrap_mean(values, seed=2)
    assert bootstrap_mean([1.0]).low == 1
    with pytest.raises(InputError):
        bootstrap_mean([])


def exhaustive(differences: list[float]) -> float:
    """The share of all signs that give a mean at least as far from zero, on the side that has fewer, twice."""
    means = [np.mean([sign * x for sign, x in zip(signs, differences, strict=True)])
             for signs in product((1, -1), repeat=len(differences))]  # fmt: skip
    seen, slack = np.mean(differences), 1e-12
    above, below = np.mean([m >= seen - slack for m in means]), np.mean([m <= seen + slack for m in means])
    return float(min(1.0, 2 * min(above, below)))


@settings(max_examples=25)
@given(st.lists(st.integers(-20, 20).map(lambda x: x / 16), min_size=1, max_size=8))
def test_the_paired_test_by_brute_force(differences: list[float]) -> None:
    (pair,) = compare_all({"a": differences, "b": [0.0] * len(differences)})
    decided = [x for x in differences if x]
    assert pair.p == pytest.approx(exhaustive(decided) if decided else 1.0)
    assert pair.difference.mean == pytest.approx(np.mean(differences))


def test_a_small_difference_everywhere_beats_a_large_one_by_chance() -> None:
    random = np.random.default_rng(0)
    base = random.uniform(0, 1, 80)
    pairs = compare_all({"a": list(base), "b": list(base - 0.01), "c": list(random.uniform(0, 1, 80))})
    found = {(pair.first, pair.second): pair for pair in pairs}
    assert found["a", "b"].p_holm < 0.001
    assert found["a", "c"].p > 0.05
    with pytest.raises(InputError):
        compare_all({"a": [1.0], "b": [1.0, 2.0]})


@settings(max_examples=30)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_is_statsmodels(chances: list[float]) -> None:
    assert holm(chances) == pytest.approx(list(multipletests(chances, method="holm")[1]))
