"""Extended BCubed against its definition, item by item, and the examples of its authors."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webstrata.evaluation.metrics import extended_bcubed

ITEMS = 7
segments = st.lists(st.lists(st.integers(0, ITEMS - 1), max_size=ITEMS), max_size=5)
labels = st.lists(st.integers(-1, 3), min_size=ITEMS, max_size=ITEMS)
weightings = st.lists(st.integers(0, 5), min_size=ITEMS, max_size=ITEMS)


def precision_by_definition(truth: list[list[int]], predicted: list[list[int]], weights: list[float]) -> float | None:
    """Amigo et al., section 5, on pairs of items, with weights; None where no item is in a predicted segment."""
    items = range(len(weights))
    category = [{n for n, segment in enumerate(truth) if i in segment} for i in items]
    cluster = [{n for n, segment in enumerate(predicted) if i in segment} for i in items]
    above = below = 0.0
    for e in items:
        partners = [p for p in items if cluster[e] & cluster[p] and weights[p]]
        if not partners or not weights[e]:
            continue
        multiplicity = {
            p: min(len(cluster[e] & cluster[p]), len(category[e] & category[p])) / len(cluster[e] & cluster[p])
            for p in partners
        }
        mean = sum(weights[p] * multiplicity[p] for p in partners) / sum(weights[p] for p in partners)
        above += weights[e] * mean
        below += weights[e]
    return above / below if below else None


def by_definition(truth: list[list[int]], predicted: list[list[int]], weights: list[float]) -> tuple[float, float]:
    precision = precision_by_definition(truth, predicted, weights)
    recall = precision_by_definition(predicted, truth, weights)
    return (1.0, 1.0) if precision is recall is None else (precision or 0.0, recall or 0.0)


def as_segments(label: list[int]) -> list[list[int]]:
    return [[i for i, number in enumerate(label) if number == n] for n in range(max(label) + 1)]


@given(segments, segments, weightings)
def test_overlapping_equals_the_definition(
    truth: list[list[int]], predicted: list[list[int]], weights: list[float]
) -> None:
    score = extended_bcubed(truth, predicted, weights)
    assert (score.precision, score.recall) == pytest.approx(by_definition(truth, predicted, weights))


@given(labels, labels, weightings)
def test_flat_equals_the_definition(truth: list[int], predicted: list[int], weights: list[float]) -> None:
    score = extended_bcubed(as_segments(truth), as_segments(predicted), weights)
    expected = by_definition(as_segments(truth), as_segments(predicted), weights)
    assert (score.precision, score.recall) == pytest.approx(expected)


@given(labels, labels, weightings)
def test_flat_and_overlapping_ways_agree(truth: list[int], predicted: list[int], weights: list[float]) -> None:
    # Each segment twice on both sides doubles all counts of shared segments, which leaves the multiplicities as they
    # are, but takes the way through the pairs of groups.
    flat = extended_bcubed(as_segments(truth), as_segments(predicted), weights)
    doubled = extended_bcubed(as_segments(truth) * 2, as_segments(predicted) * 2, weights)
    assert (doubled.precision, doubled.recall) == pytest.approx((flat.precision, flat.recall))


@given(segments, segments, weightings, st.permutations(range(ITEMS)), st.randoms())
def test_symmetric_bounded_and_blind_to_order(
    truth: list[list[int]],
    predicted: list[list[int]],
    weights: list[float],
    places: list[int],
    shuffler: random.Random,
) -> None:
    score = extended_bcubed(truth, predicted, weights)
    assert 0 <= min(score.precision, score.recall) <= max(score.precision, score.recall) <= 1
    back = extended_bcubed(predicted, truth, weights)
    assert (back.precision, back.recall) == pytest.approx((score.recall, score.precision))
    assert extended_bcubed(truth, truth, weights).f == pytest.approx(1)
    moved = [0.0] * ITEMS
    for item, place in enumerate(places):
        moved[place] = weights[item]
    again = extended_bcubed(
        [[places[i] for i in segment] for segment in shuffler.sample(truth, len(truth))],
        [[places[i] for i in segment] for segment in shuffler.sample(predicted, len(predicted))],
        moved,
    )
    assert (again.precision, again.recall) == pytest.approx((score.precision, score.recall))


@given(segments, segments, weightings)
def test_weights_are_repetitions(truth: list[list[int]], predicted: list[list[int]], weights: list[int]) -> None:
    first = np.cumsum([0, *weights])

    def repeated(side: list[list[int]]) -> list[list[int]]:
        return [[copy for i in segment for copy in range(first[i], first[i + 1])] for segment in side]

    weighted = extended_bcubed(truth, predicted, weights)
    copied = extended_bcubed(repeated(truth), repeated(predicted), np.ones(first[-1]))
    assert (weighted.precision, weighted.recall) == pytest.approx((copied.precision, copied.recall))


def test_chunks_of_pairs_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    truth, predicted = ([rng.choice(60, rng.integers(1, 30)) for _ in range(12)] for _ in range(2))
    whole = extended_bcubed(truth, predicted, np.arange(60))
    monkeypatch.setattr("webstrata.evaluation.metrics.bcubed._PAIRS_AT_ONCE", 100)
    chunked = extended_bcubed(truth, predicted, np.arange(60))
    assert (chunked.precision, chunked.recall) == pytest.approx((whole.precision, whole.recall), rel=1e-12)


def test_worked_example() -> None:
    # Items 0 to 3, truth {0,1} {2,3}, one cluster of 0, 1, 2: precision of 0 and 1 is 2/3, of 2 is 1/3; recall is 1, 1,
    # 1/2, 0. Item 3 is in no cluster, so it has no precision.
    score = extended_bcubed([[0, 1], [2, 3]], [[0, 1, 2]], [1, 1, 1, 1])
    assert score.precision == pytest.approx((2 / 3 + 2 / 3 + 1 / 3) / 3)
    assert score.recall == pytest.approx((1 + 1 + 1 / 2 + 0) / 4)


def test_items_outside_the_truth_cost_precision_only() -> None:
    score = extended_bcubed([[0]], [[0], [1]], [1, 1])
    assert (score.precision, score.recall) == (0.5, 1.0)


@pytest.mark.parametrize(
    ("truth", "predicted", "weights", "value"),
    [
        ([], [], [], 1.0),
        ([], [], [1, 1], 1.0),
        ([[0]], [], [1, 1], 0.0),
        ([], [[0]], [1, 1], 0.0),
        ([[0]], [[1]], [1, 1], 0.0),
        ([[0]], [[]], [0, 0], 1.0),
        ([[0], [0]], [], [1], 0.0),
    ],
)
def test_empty_sides(truth: list[list[int]], predicted: list[list[int]], weights: list[float], value: float) -> None:
    score = extended_bcubed(truth, predicted, weights)
    assert (score.precision, score.recall, score.f) == (value, value, value)


@pytest.mark.parametrize("segment", [[-1], [0, 2]])
def test_unknown_items_are_named(segment: list[int]) -> None:
    with pytest.raises(ValueError, match="items"):
        extended_bcubed([segment], [], [1, 1])


def test_nested_segments_over_many_items_are_grouped() -> None:
    n = 200_000  # the pairs of single items would be 4e10
    halves = [np.arange(n // 2), np.arange(n // 2, n)]
    score = extended_bcubed([np.arange(n), *halves], [np.arange(n)], np.ones(n))
    assert score.precision == 1.0
    assert score.recall == pytest.approx(0.75)  # half of the partners share two true segments and one predicted
