"""The adjusted Rand index against scikit-learn, counting pairs, and exact fractions."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.evaluation.metrics import adjusted_rand

labellings = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=30)


def by_counting_pairs(truth: list[int], predicted: list[int]) -> Fraction:
    """Hubert and Arabie's index from all pairs of tokens, one at a time."""
    pairs = list(combinations(range(len(truth)), 2))
    together_truth = sum(truth[i] == truth[j] for i, j in pairs)
    together_predicted = sum(predicted[i] == predicted[j] for i, j in pairs)
    together_both = sum(truth[i] == truth[j] and predicted[i] == predicted[j] for i, j in pairs)
    if not pairs:
        return Fraction(1)
    expected = Fraction(together_truth * together_predicted, len(pairs))
    largest = Fraction(together_truth + together_predicted, 2)
    return (together_both - expected) / (largest - expected) if largest != expected else Fraction(1)


@given(labellings)
def test_equals_the_index_of_all_pairs(tokens: list[tuple[int, int]]) -> None:
    truth, predicted = [t for t, _ in tokens], [p for _, p in tokens]
    assert adjusted_rand(truth, predicted) == float(by_counting_pairs(truth, predicted))


@settings(deadline=None)  # the first example pays for importing the oracle
@given(labellings)
def test_equals_scikit_learn(tokens: list[tuple[int, int]]) -> None:
    sklearn = pytest.importorskip("sklearn.metrics")
    truth, predicted = [t for t, _ in tokens], [p for _, p in tokens]
    assert adjusted_rand(truth, predicted) == pytest.approx(sklearn.adjusted_rand_score(truth, predicted), abs=1e-12)


@given(labellings, st.permutations(range(5)), st.randoms())
def test_symmetric_bounded_and_blind_to_names_and_order(
    tokens: list[tuple[int, int]], names: list[int], random: object
) -> None:
    truth, predicted = [t for t, _ in tokens], [p for _, p in tokens]
    index = adjusted_rand(truth, predicted)
    assert -1 <= index <= 1
    assert adjusted_rand(predicted, truth) == index
    assert adjusted_rand([names[t] for t in truth], predicted) == index
    random.shuffle(tokens)  # type: ignore[attr-defined]
    assert adjusted_rand([t for t, _ in tokens], [p for _, p in tokens]) == index
    assert adjusted_rand(truth, [names[t] for t in truth]) == 1


@pytest.mark.parametrize(
    ("truth", "predicted", "value"),
    [
        ([], [], 1.0),
        ([3], [8], 1.0),
        ([1, 1, 1], [2, 2, 2], 1.0),
        ([1, 2, 3], [3, 1, 2], 1.0),
        ([1, 1, 1], [1, 2, 3], 0.0),
        ([0, 0, 1, 1], [0, 1, 0, 1], -0.5),
    ],
)
def test_degenerate_cases(truth: list[int], predicted: list[int], value: float) -> None:
    assert adjusted_rand(truth, predicted) == value


def test_ten_million_tokens_do_not_overflow() -> None:
    n = 10_000_000
    truth, predicted = np.zeros(n, np.int32), np.zeros(n, np.int32)
    truth[n // 2 :] = 1
    predicted[n // 2 + 1 :] = 1
    half, pairs = n // 2, n * (n - 1) // 2
    a = half * (half - 1)
    b = (half + 1) * half // 2 + (half - 1) * (half - 2) // 2
    s = half * (half - 1) // 2 + (half - 1) * (half - 2) // 2
    expected = Fraction(a * b, pairs)
    exact = (s - expected) / (Fraction(a + b, 2) - expected)
    assert adjusted_rand(truth, predicted) == float(exact)
