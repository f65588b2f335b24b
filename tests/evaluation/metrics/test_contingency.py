"""The contingency table against counting by hand."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webstrata.evaluation.metrics import contingency_table

labellings = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(0, 9)), max_size=40)


@given(labellings)
def test_cells_are_the_counts_of_the_pairs(tokens: list[tuple[int, int, int]]) -> None:
    truth, predicted = [t for t, _, _ in tokens], [p for _, p, _ in tokens]
    table = contingency_table(truth, predicted)
    counted = {
        (int(table.truth_labels[i]), int(table.predicted_labels[j])): int(n)
        for i, j, n in zip(table.row, table.column, table.cells, strict=True)
    }
    assert counted == Counter(zip(truth, predicted, strict=True))
    assert dict(zip(table.truth_labels.tolist(), table.row_totals.tolist(), strict=True)) == Counter(truth)
    assert dict(zip(table.predicted_labels.tolist(), table.column_totals.tolist(), strict=True)) == Counter(predicted)


@given(labellings)
def test_integer_weights_are_repetitions(tokens: list[tuple[int, int, int]]) -> None:
    columns = np.array(tokens, dtype=np.int64).reshape(-1, 3)
    weighted = contingency_table(columns[:, 0], columns[:, 1], columns[:, 2])
    repeated = contingency_table(np.repeat(columns[:, 0], columns[:, 2]), np.repeat(columns[:, 1], columns[:, 2]))
    assert sorted(n for n in weighted.cells.tolist() if n) == sorted(repeated.cells.tolist())


def test_counts_are_integers_and_weights_are_floats() -> None:
    assert contingency_table([1], [1]).cells.dtype == np.int64
    assert contingency_table([1], [1], [0.5]).cells.dtype == np.float64


def test_many_labels_need_no_dense_table() -> None:
    n = 200_000  # a dense table would have 4e10 cells
    table = contingency_table(np.arange(n), np.arange(n)[::-1])
    assert table.cells.size == n


@pytest.mark.parametrize(
    ("truth", "predicted", "weights", "message"),
    [
        ([1, 2], [1], None, "same tokens"),
        ([1.5], [1], None, "integers"),
        ([[1]], [[1]], None, "vector"),
        ([1], [1], [1, 2], "one weight"),
        ([1], [1], [-1], "negative"),
        ([1], [1], [float("nan")], "finite"),
    ],
)
def test_wrong_input_is_named(truth: object, predicted: object, weights: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        contingency_table(truth, predicted, weights)  # type: ignore[arg-type]
