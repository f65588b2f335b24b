"""The learners of Kohlschütter 2011 §4.4.3, which took them from Weka: ZeroR, 1R, C4.8 and SMO, on weighted instances.

The weight of an instance is the number of words of its block. Each learner has ``fit(x, y, weight)`` and ``predict``,
which gives one row of class probabilities for each instance; ``leaves`` counts the rules of a tree. Classes are 0, 1,
and so on. Trees and the support vector machine are scikit-learn's (extra ``eval``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from webstrata.errors import from_extra
from webstrata.text import Column

__all__ = ["Classifier", "DecisionTree", "LinearSVM", "OneR", "ZeroR"]


class Classifier(Protocol):
    """Learns from weighted instances, then predicts probabilities of classes."""

    leaves: int | None

    def fit(self, x: Column, y: Column, weight: Column) -> None: ...

    def predict(self, x: Column) -> Column: ...


def _shares(y: Column, weight: Column, classes: int) -> Column:
    """The share of each class in the weight; equal shares if the total weight is 0."""
    total = np.bincount(y, weight, minlength=classes)
    return total / total.sum() if total.sum() else np.full(classes, 1 / classes)


@dataclass
class ZeroR:
    """Always the class with the most weight."""

    leaves: int | None = None
    _shares: Column = field(default_factory=lambda: np.zeros(0), repr=False)

    def fit(self, x: Column, y: Column, weight: Column) -> None:
        self._shares = _shares(y, weight, int(y.max()) + 1)

    def predict(self, x: Column) -> Column:
        return np.tile(self._shares, (len(x), 1))


@dataclass
class OneR:
    """The best rule on one feature: its values cut in intervals, each with a class (Holte 1993).

    In the order of the values, an interval ends when its commonest class weighs ``least`` and the next value is of
    another class; neighbours of the same class are joined. The feature with the least weight of errors on the training
    data is used.

    Parameters
    ----------
    least : least weight of the commonest class of an interval

    >>> rule = OneR(least=2)
    >>> rule.fit(np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([0, 0, 1, 1]), np.ones(4))
    >>> rule.cuts.tolist(), rule.predict(np.array([[2.4], [9.0]])).argmax(axis=1).tolist()
    ([2.5], [0, 1])
    """

    least: float = 1000.0
    leaves: int | None = None
    feature: int = 0
    cuts: Column = field(default_factory=lambda: np.zeros(0))
    _probability: Column = field(default_factory=lambda: np.zeros(0), repr=False)

    def fit(self, x: Column, y: Column, weight: Column) -> None:
        classes, best = int(y.max()) + 1, np.inf
        for feature in range(x.shape[1]):
            cuts, counts = _intervals(x[:, feature], y, weight, classes, self.least)
            errors = float(counts.sum() - counts.max(axis=1).sum())
            if errors < best:
                best, self.feature, self.cuts = errors, feature, cuts
                self._probability = counts / counts.sum(axis=1, keepdims=True)
        self.leaves = len(self._probability)

    def predict(self, x: Column) -> Column:
        chosen: Column = self._probability[np.searchsorted(self.cuts, x[:, self.feature])]
        return chosen


def _intervals(values: Column, y: Column, weight: Column, classes: int, least: float) -> tuple[Column, Column]:
    """Where 1R cuts a feature, and the weight of each class in each interval."""
    distinct, place = np.unique(values, return_inverse=True)
    counts = np.bincount(place * classes + y, weight, minlength=len(distinct) * classes).reshape(-1, classes)
    majority = counts.argmax(axis=1).tolist()
    ends, kept, open_counts = [], [], np.zeros(classes)
    for row in range(len(distinct)):
        top = int(open_counts.argmax())
        if 0 < open_counts[top] >= least and majority[row] != top:
            ends.append(row)
            kept.append(open_counts)
            open_counts = np.zeros(classes)
        open_counts = open_counts + counts[row]
    kept.append(open_counts)
    joined, cuts = [kept[0]], []
    for end, interval in zip(ends, kept[1:], strict=True):
        if interval.argmax() == joined[-1].argmax():
            joined[-1] = joined[-1] + interval
        else:
            cuts.append((distinct[end - 1] + distinct[end]) / 2)
            joined.append(interval)
    # A tiny weight is added, so that intervals of blocks without words have probabilities.
    return np.array(cuts), np.array(joined) + 1e-9


@dataclass
class DecisionTree:
    """A tree grown by entropy, with a least weight in every leaf, and optionally pruned on held-out data.

    C4.8 compares *weight* with its least number of instances, so the 1,000 of the thesis are words and not blocks: its
    trees have up to 125 leaves, and 72,662 blocks could fill 72 at most.

    Parameters
    ----------
    least : least weight of a leaf
    max_leaves : the largest number of leaves, those with the most information first
    prune : prune by reduced error: one third of the data is held out, and from the leaves up each subtree that makes
        no fewer errors there than a leaf in its place becomes a leaf (Quinlan 1987)

    Deviations
    ----------
    scikit-learn grows by information gain, C4.8 by gain ratio. Without ``prune`` nothing is pruned, where C4.8 still
    prunes by its confidence of 0.25: these trees have more leaves than those of the thesis.
    """

    least: float = 1000.0
    max_leaves: int | None = None
    prune: bool = False
    leaves: int | None = None
    _tree: Any = field(default=None, repr=False)
    _leaf: Column = field(default_factory=lambda: np.zeros(0, np.int64), repr=False)
    _probability: Column = field(default_factory=lambda: np.zeros(0), repr=False)

    def fit(self, x: Column, y: Column, weight: Column) -> None:
        held_out = np.zeros(len(y), bool)
        if self.prune:
            held_out[np.random.default_rng(0).permutation(len(y))[: len(y) // 3]] = True
        grow = ~held_out
        self._grow(x[grow], y[grow], weight[grow])
        self._leaf = np.arange(self._tree.node_count)
        if self.prune:
            self._cut_back(x[held_out], y[held_out], weight[held_out])
        self.leaves = len(np.unique(self._leaf[self._tree.children_left == -1]))

    def _grow(self, x: Column, y: Column, weight: Column) -> None:
        with from_extra("eval", "scikit-learn"):
            from sklearn.tree import DecisionTreeClassifier
        share = min(self.least / weight.sum(), 0.5)
        grown = DecisionTreeClassifier(
            criterion="entropy", min_weight_fraction_leaf=share, max_leaf_nodes=self.max_leaves, random_state=0
        )
        grown.fit(x, y, sample_weight=weight)
        self._tree = grown.tree_
        counts = self._tree.value[:, 0, :]
        self._probability = counts / counts.sum(axis=1, keepdims=True)

    def _cut_back(self, x: Column, y: Column, weight: Column) -> None:
        tree = self._tree
        choice = self._probability.argmax(axis=1)
        path = tree.decision_path(x.astype(np.float32)).tocsc()
        as_leaf = np.zeros(tree.node_count)
        for node in range(tree.node_count):
            here = path.indices[path.indptr[node] : path.indptr[node + 1]]
            as_leaf[node] = weight[here][y[here] != choice[node]].sum()
        # Children have greater numbers than their parents: descending numbers go from the leaves up.
        as_tree, is_leaf = as_leaf.copy(), tree.children_left == -1
        for node in range(tree.node_count - 1, -1, -1):
            if not is_leaf[node]:
                below = as_tree[tree.children_left[node]] + as_tree[tree.children_right[node]]
                is_leaf[node] = as_leaf[node] <= below
                as_tree[node] = as_leaf[node] if is_leaf[node] else below
        cut = is_leaf.copy()
        for node in range(tree.node_count):
            if tree.children_left[node] != -1:
                for child in (tree.children_left[node], tree.children_right[node]):
                    if cut[node]:
                        self._leaf[child] = self._leaf[node]
                        cut[child] = True

    def predict(self, x: Column) -> Column:
        chosen: Column = self._probability[self._leaf[self._tree.apply(x.astype(np.float32))]]
        return chosen


@dataclass
class LinearSVM:
    """A support vector machine with a linear kernel on standardised features, one class against the others.

    Like SMO in Weka it gives decisions, not probabilities: 1 for the chosen class, 0 for all others.

    Parameters
    ----------
    c : the price of an error, 1 as in Weka
    """

    c: float = 1.0
    leaves: int | None = None
    _model: Any = field(default=None, repr=False)

    def fit(self, x: Column, y: Column, weight: Column) -> None:
        with from_extra("eval", "scikit-learn"):
            from sklearn.pipeline import make_pipeline
            from sklearn.preprocessing import StandardScaler
            from sklearn.svm import LinearSVC
        self._model = make_pipeline(StandardScaler(), LinearSVC(C=self.c, dual=False, tol=1e-3, random_state=0))
        self._model.fit(x, y, linearsvc__sample_weight=weight / weight.mean())

    def predict(self, x: Column) -> Column:
        classes: int = len(self._model.classes_)
        one_hot: Column = np.eye(classes)[self._model.predict(x)]
        return one_hot
