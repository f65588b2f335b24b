"""Cohen's kappa against another implementation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from webstrata.evaluation.metrics import cohen_kappa


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 5)), min_size=1, max_size=40))
def test_kappa_is_that_of_scikit_learn(items: list[tuple[int, int, int]]) -> None:
    truth, predicted, weights = (np.array(column) for column in zip(*items, strict=True))
    if len({*truth.tolist(), *predicted.tolist()}) == 1:
        assert cohen_kappa(truth, predicted, weights) == 1
        return
    expected = cohen_kappa_score(truth, predicted, sample_weight=weights)
    assert cohen_kappa(truth, predicted, weights) == pytest.approx(expected)
    assert cohen_kappa(predicted, truth, weights) == pytest.approx(expected)


def test_agreement_on_nothing_is_perfect() -> None:
    assert cohen_kappa([], []) == 1
    assert cohen_kappa([1, 1], [2, 2]) == 0
