"""The native sum of trees against LightGBM's own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.extract._trees import Trees
from webstrata.extract.model import flatten

lightgbm = pytest.importorskip("lightgbm")


def _booster(rows: int, seed: int, leaves: int = 12) -> tuple[object, np.ndarray]:
    random = np.random.default_rng(seed)
    matrix = random.normal(size=(rows, 7)).astype(np.float32)
    matrix[:, 0] = np.round(matrix[:, 0])
    truth = ((matrix[:, 0] + matrix[:, 1] * matrix[:, 2] > 0) ^ (random.random(rows) < 0.1)).astype(float)
    parameters = {"objective": "binary", "num_leaves": leaves, "verbosity": -1, "num_threads": 1, "seed": seed}
    return lightgbm.train(parameters, lightgbm.Dataset(matrix, truth), 20), matrix


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 70))
def test_sums_are_lightgbms(seed: int, rows: int) -> None:
    booster, matrix = _booster(400, seed)
    trees = Trees(**flatten(booster.dump_model()["tree_info"]))  # type: ignore[attr-defined]
    expected = booster.predict(matrix[:rows], raw_score=True)  # type: ignore[attr-defined]
    np.testing.assert_allclose(trees.sums(matrix[:rows]), expected, atol=1e-5)


def test_a_row_on_a_threshold_goes_left() -> None:
    trees = Trees([0], [1], [0, 0, 0], [0.5, np.inf, np.inf], [1, 1, 2], [0, -1, 1])
    assert trees.sums(np.array([[0.5], [np.nextafter(np.float32(0.5), np.float32(1))]], np.float32)).tolist() == [-1, 1]


def test_no_trees_sum_to_nothing() -> None:
    trees = Trees(**flatten([]))
    assert len(trees) == 0
    assert trees.sums(np.zeros((3, 2), np.float32)).tolist() == [0, 0, 0]


def test_too_few_features_are_refused() -> None:
    trees = Trees([0], [1], [4, 0, 0], [0.5, np.inf, np.inf], [1, 1, 2], [0, -1, 1])
    with pytest.raises(ValueError, match="5 features"):
        trees.sums(np.zeros((1, 4), np.float32))


@pytest.mark.parametrize("child", [[1, 1, 9], [2, 1, 2], [-1, 1, 2]])
def test_nodes_that_lead_nowhere_are_refused(child: list[int]) -> None:
    with pytest.raises(ValueError, match="no trees"):
        Trees([0], [1], [0, 0, 0], [0.5, np.inf, np.inf], child, [0, 0, 0])
