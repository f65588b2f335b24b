"""The native sum of trees against LightGBM's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.errors import InputError
from webstrata.models.files import flatten
from webstrata.models.trees import MOST_LEAVES, Trees

lightgbm = pytest.importorskip("lightgbm")


def _booster(rows: int, seed: int, leaves: int = 12) -> tuple[object, np.ndarray]:
    random = np.random.default_rng(seed)
    matrix = random.normal(size=(rows, 7)).astype(np.float32)
    matrix[:, 0] = np.round(matrix[:, 0])
    truth = ((matrix[:, 0] + matrix[:, 1] * matrix[:, 2] > 0) ^ (random.random(rows) < 0.1)).astype(float)
    parameters = {"objective": "binary", "num_leaves": leaves, "verbosity": -1, "num_threads": 1, "seed": seed}
    return lightgbm.train(parameters, lightgbm.Dataset(matrix, truth), 20), matrix


@settings(max_examples=10)
@given(st.integers(0, 1000), st.integers(1, 70))
def test_sums_are_lightgbms(seed: int, rows: int) -> None:
    booster, matrix = _booster(400, seed)
    trees = Trees(**flatten(booster.dump_model()["tree_info"]))  # type: ignore[attr-defined]
    expected = booster.predict(matrix[:rows], raw_score=True)  # type: ignore[attr-defined]
    # The values of the leaves, of which 20 are added, are rounded to float32.
    np.testing.assert_allclose(trees.sums(matrix[:rows]), expected, atol=20 * 2**-22)


def _walk(tree: dict[str, Any], row: np.ndarray) -> float:
    node = tree["tree_structure"]
    while "split_feature" in node:
        node = node["left_child" if row[node["split_feature"]] <= node["threshold"] else "right_child"]
    return float(node["leaf_value"])


def test_trees_with_all_their_leaves_end_where_a_walk_ends() -> None:
    booster, matrix = _booster(400, 7, leaves=MOST_LEAVES)
    dumped = booster.dump_model()["tree_info"]  # type: ignore[attr-defined]
    expected = np.array([sum(_walk(tree, row) for tree in dumped) for row in matrix.astype(float)])
    np.testing.assert_allclose(Trees(**flatten(dumped)).sums(matrix), expected, atol=1e-5)


def _stump(feature: int = 0, tree: int = 0, leaves: int = ~1 & 2**32 - 1) -> Trees:
    """One node with two leaves, -1 and 1."""
    return Trees([feature], [0.5], [tree], [leaves], [[-1, 1, *[0] * (MOST_LEAVES - 2)]])


def test_a_row_on_a_threshold_goes_left() -> None:
    rows = np.array([[0.5], [np.nextafter(np.float32(0.5), np.float32(1))]], np.float32)
    assert _stump().sums(rows).tolist() == [-1, 1]


def test_nan_goes_left_and_does_not_change_other_rows() -> None:
    for place in range(16):
        for other in range(16):
            rows = np.full((16, 4), np.nan, np.float32)
            rows[place] = 1
            rows[other] = np.nan
            assert _stump(3).sums(rows).tolist() == [1 if i == place != other else -1 for i in range(16)]


def test_sums_are_added_to_some_rows() -> None:
    matrix = np.array([[0], [1], [1]], np.float32)
    out = np.array([10.0, 20.0, 30.0])
    _stump().add(matrix, np.array([2, 0], np.int32), out)
    assert out.tolist() == [9, 20, 31]
    for wrong in (-1, 3):
        with pytest.raises(ValueError, match=f"there is no row {wrong}"):
            _stump().add(matrix, np.array([wrong], np.int32), out)
    with pytest.raises(ValueError, match="there is no row 2"):
        _stump().add(matrix, np.array([2], np.int32), out[:2])


@settings(max_examples=10)
@given(st.integers(0, 1000), st.integers(1, 40))
def test_the_sums_of_classes_are_those_of_their_trees(seed: int, rows: int) -> None:
    booster, matrix = _booster(400, seed)
    dumped = booster.dump_model()["tree_info"]  # type: ignore[attr-defined]
    found = Trees(**flatten(dumped)).class_sums(matrix[:rows], 4)
    each = [Trees(**flatten(dumped[first : first + 5])).sums(matrix[:rows]) for first in range(0, 20, 5)]
    np.testing.assert_array_equal(found, np.transpose(each))
    with pytest.raises(InputError, match="20 trees cannot be divided into 3 classes"):
        Trees(**flatten(dumped)).class_sums(matrix, 3)


def test_no_trees_sum_to_nothing() -> None:
    trees = Trees(**flatten([]))
    assert len(trees) == 0
    assert trees.sums(np.zeros((3, 2), np.float32)).tolist() == [0, 0, 0]


def test_a_tree_of_one_leaf() -> None:
    trees = Trees(**flatten([{"tree_structure": {"leaf_value": 0.25}}]))
    assert trees.sums(np.zeros((2, 1), np.float32)).tolist() == [0.25, 0.25]


def test_too_few_features_are_refused() -> None:
    with pytest.raises(ValueError, match="5 features"):
        _stump(feature=4).sums(np.zeros((1, 4), np.float32))


def test_too_many_leaves_are_refused() -> None:
    booster, _ = _booster(5000, 1, leaves=MOST_LEAVES + 1)
    with pytest.raises(InputError, match="leaves"):
        flatten(booster.dump_model()["tree_info"])  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [({"feature": -1}, "negative feature"), ({"tree": 1}, "no values"), ({"tree": -1}, "no values")],
)
def test_nodes_that_lead_nowhere_are_refused(wrong: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _stump(**wrong)


def test_nodes_out_of_order_are_refused() -> None:
    with pytest.raises(ValueError, match="not sorted"):
        Trees([1, 0], [0, 0], [0, 0], [0, 0], np.zeros((1, MOST_LEAVES)))


def test_a_broken_set_of_leaves_reads_nothing_else() -> None:
    assert _stump(leaves=0).sums(np.ones((1, 1), np.float32)).tolist() == [0]
