"""Normalised mutual information against scikit-learn and the sum over all pairs of labels."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.evaluation.metrics import normalised_mutual_information as nmi

labellings = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=30)


def by_definition(truth: list[int], predicted: list[int]) -> float:
    n = len(truth)
    pairs = list(zip(truth, predicted, strict=True))

    def entropy(values: list[int]) -> float:
        return -sum(values.count(v) / n * math.log(values.count(v) / n) for v in set(values))

    information = sum(
        pairs.count((x, y)) / n * math.log(pairs.count((x, y)) * n / truth.count(x) / predicted.count(y))
        for x, y in set(pairs)
    )
    return information / math.sqrt(entropy(truth) * entropy(predicted))


@settings(deadline=None)  # the first example pays for importing the oracle
@given(labellings)
def test_equals_scikit_learn(tokens: list[tuple[int, int]]) -> None:
    sklearn = pytest.importorskip("sklearn.metrics")
    truth, predicted = [t for t, _ in tokens], [p for _, p in tokens]
    oracle = sklearn.normalized_mutual_info_score(truth, predicted, average_method="geometric")
    assert nmi(truth, predicted) == pytest.approx(oracle, abs=1e-9)


@given(labellings.filter(lambda tokens: min(len({t for t, _ in tokens}), len({p for _, p in tokens})) > 1))
def test_equals_the_definition(tokens: list[tuple[int, int]]) -> None:
    truth, predicted = [t for t, _ in tokens], [p for _, p in tokens]
    assert nmi(truth, predicted) == pytest.approx(by_definition(truth, predicted), abs=1e-12)


@given(labellings, st.permutations(range(5)), st.randoms())
def test_symmetric_bounded_and_blind_to_names_and_order(
    tokens: list[tuple[int, int]], names: list[int], random: object
) -> None:
    truth, predicted = [t for t, _ in tokens], [p for _, p in tokens]
    value = nmi(truth, predicted)
    assert 0 <= value <= 1
    assert nmi(predicted, truth) == pytest.approx(value, abs=1e-12)
    assert nmi([names[t] for t in truth], predicted) == pytest.approx(value, abs=1e-12)
    random.shuffle(tokens)  # type: ignore[attr-defined]
    assert nmi([t for t, _ in tokens], [p for _, p in tokens]) == pytest.approx(value, abs=1e-12)
    assert nmi(truth, [names[t] for t in truth]) == pytest.approx(1)


@pytest.mark.parametrize(
    ("truth", "predicted", "value"),
    [
        ([], [], 1.0),
        ([3], [8], 1.0),
        ([1, 1, 1], [2, 2, 2], 1.0),
        ([1, 2, 3], [3, 1, 2], 1.0),
        ([1, 1, 1], [1, 2, 3], 0.0),
        ([1, 2, 3], [1, 1, 1], 0.0),
    ],
)
def test_degenerate_cases(truth: list[int], predicted: list[int], value: float) -> None:
    assert nmi(truth, predicted) == pytest.approx(value)
