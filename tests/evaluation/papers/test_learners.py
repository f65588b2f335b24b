"""The learners against definitions, brute force and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from webstrata.evaluation.papers.learners import Classifier, DecisionTree, LinearSVM, OneR, ZeroR
from webstrata.text import Column

RANDOM = np.random.default_rng(1)
X = RANDOM.normal(size=(600, 4))
Y = ((X[:, 1] > 0.3) ^ (RANDOM.random(600) < 0.1)).astype(np.int64)
WEIGHT = RANDOM.integers(1, 20, 600).astype(float)


def errors(learner: Classifier, x: Column, y: Column, weight: Column) -> float:
    return float(weight[learner.predict(x).argmax(axis=1) != y].sum())


@pytest.mark.parametrize(
    "learner", [ZeroR(), OneR(least=50), DecisionTree(least=50), DecisionTree(least=50, prune=True)]
)
def test_probabilities_sum_to_one(learner: Classifier) -> None:
    learner.fit(X, Y, WEIGHT)
    np.testing.assert_allclose(learner.predict(X).sum(axis=1), 1)


def test_zero_r_takes_the_class_with_the_most_weight() -> None:
    learner = ZeroR()
    learner.fit(np.zeros((3, 0)), np.array([0, 0, 1]), np.array([1.0, 1.0, 5.0]))
    np.testing.assert_allclose(learner.predict(np.zeros((1, 0))), [[2 / 7, 5 / 7]])


def test_one_r_takes_the_telling_feature_and_cuts_it_there() -> None:
    learner = OneR(least=200)
    learner.fit(X, Y, WEIGHT)
    assert learner.feature == 1
    assert learner.leaves == 2
    assert abs(float(learner.cuts[0]) - 0.3) < 0.1


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 1), st.integers(1, 9)), min_size=1, max_size=40))
def test_one_r_with_no_least_bucket_errs_where_every_value_does(rows: list[tuple[int, int, int]]) -> None:
    x, y, weight = (np.array(column) for column in zip(*rows, strict=True))
    learner = OneR(least=0)
    learner.fit(x[:, None].astype(float), y, weight.astype(float))
    # An interval of one value each is the finest that 1R can make; joined neighbours choose the same class.
    best = sum(
        min(sum(w for v, c, w in rows if v == value and c == kind) for kind in (0, 1))
        for value in {v for v, _, _ in rows}
    )
    assert errors(learner, x[:, None].astype(float), y, weight) == best


def test_a_tree_is_scikit_learns_with_the_weight_of_leaves() -> None:
    learner = DecisionTree(least=300)
    learner.fit(X, Y, WEIGHT)
    tree = DecisionTreeClassifier(criterion="entropy", min_weight_fraction_leaf=300 / WEIGHT.sum(), random_state=0)
    tree.fit(X, Y, sample_weight=WEIGHT)
    np.testing.assert_allclose(learner.predict(X), tree.predict_proba(X))
    assert learner.leaves == tree.get_n_leaves()
    _, reached = np.unique(learner.predict(X), axis=0, return_inverse=True)
    assert np.bincount(reached.reshape(-1), WEIGHT).min() >= 300


def test_reduced_error_pruning_keeps_signal_and_cuts_noise() -> None:
    full, pruned = DecisionTree(least=5), DecisionTree(least=5, prune=True)
    full.fit(X, Y, WEIGHT)
    pruned.fit(X, Y, WEIGHT)
    assert full.leaves is not None
    assert pruned.leaves is not None
    assert 2 <= pruned.leaves < full.leaves / 3
    fresh = RANDOM.normal(size=(2000, 4))
    truth, ones = (fresh[:, 1] > 0.3).astype(np.int64), np.ones(2000)
    assert errors(pruned, fresh, truth, ones) < errors(full, fresh, truth, ones)


def test_no_cut_of_a_pruned_tree_errs_more_on_held_out_data() -> None:
    pruned = DecisionTree(least=5, prune=True)
    pruned.fit(X, Y, WEIGHT)
    held_out = np.random.default_rng(0).permutation(len(Y))[: len(Y) // 3]
    unpruned = DecisionTree(least=5)
    rest = np.setdiff1d(np.arange(len(Y)), held_out)
    unpruned.fit(X[rest], Y[rest], WEIGHT[rest])
    after, before = (errors(t, X[held_out], Y[held_out], WEIGHT[held_out]) for t in (pruned, unpruned))
    assert after <= before


def test_a_tree_has_no_more_leaves_than_it_may() -> None:
    learner = DecisionTree(least=5, max_leaves=4)
    learner.fit(X, Y, WEIGHT)
    assert learner.leaves == 4


def test_the_machine_finds_a_line_and_gives_decisions() -> None:
    learner = LinearSVM()
    y = (X[:, 0] + X[:, 2] > 0).astype(np.int64)
    learner.fit(X, y, WEIGHT)
    assert set(np.unique(learner.predict(X)).tolist()) == {0.0, 1.0}
    assert errors(learner, X, y, np.ones(len(y))) <= 6
