"""Kohlschütter 2011 §4.4.3, the classification experiments: cross-validation on labelled blocks, information gain.

All measures are weighted by words: a block counts as often as it has words.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from webstrata.errors import InputError
from webstrata.evaluation.datasets.base import Item
from webstrata.evaluation.datasets.l3s_gn1 import COMMENTS, FULL_TEXT, HEADLINE, SUPPLEMENTAL
from webstrata.evaluation.metrics import label_scores, roc_auc
from webstrata.evaluation.papers.learners import Classifier, DecisionTree, LinearSVM, OneR, ZeroR
from webstrata.extraction.window import (
    ALL_FEATURES,
    CURRENT_FEATURES,
    QUOTIENT_FEATURES,
    WINDOW_FEATURES,
    feature_matrix,
    text_frequencies,
)
from webstrata.page import Page
from webstrata.text import Column

__all__ = [
    "TRIALS",
    "Instances",
    "LabelledPage",
    "Trial",
    "TrialResult",
    "cross_validate",
    "four_classes",
    "information_gain",
    "instances",
    "labelled_page",
    "two_classes",
]

#: A page, and the class of each of its blocks.
LabelledPage = tuple[Page, Column]


@dataclass(frozen=True, eq=False)
class Instances:
    """Labelled blocks of many pages: one row a block, with its label, its words and the number of its page."""

    names: tuple[str, ...]
    x: Column
    label: Column
    words: Column
    page: Column

    def columns(self, names: Iterable[str]) -> Column:
        """The features of these names."""
        return self.x[:, [self.names.index(name) for name in names]]


def instances(pages: Sequence[LabelledPage]) -> Instances:
    """The shown blocks of pages with all features; the frequency of a text is counted over these pages."""
    frequencies = text_frequencies(page for page, _ in pages)
    matrices = [feature_matrix(page, frequencies=frequencies) for page, _ in pages]
    return Instances(
        matrices[0].names,
        np.concatenate([matrix.values for matrix in matrices]),
        np.concatenate([labels[matrix.rows] for (_, labels), matrix in zip(pages, matrices, strict=True)]),
        np.concatenate([page.blocks.words[matrix.rows] for (page, _), matrix in zip(pages, matrices, strict=True)]),
        np.repeat(np.arange(len(pages)), [len(matrix.rows) for matrix in matrices]),
    )


def labelled_page(item: Item) -> LabelledPage:
    """The page and the labels of an item of L3S-GN1."""
    assert item.gold.labels is not None
    return item.inputs["html"].page(), item.gold.labels


def two_classes(label: Column) -> Column:
    """Boilerplate 0 or content 1. Related content is a list of links to other articles, so boilerplate.

    >>> two_classes(np.array([0, 1, 2, 3, 4, 5])).tolist()
    [0, 1, 1, 1, 0, 1]
    """
    return np.isin(label, (HEADLINE, FULL_TEXT, SUPPLEMENTAL, COMMENTS)).astype(np.int64)


def four_classes(label: Column) -> Column:
    """Boilerplate 0, full text and comments 1, headline 2, supplemental 3.

    >>> four_classes(np.array([0, 1, 2, 3, 4, 5])).tolist()
    [0, 2, 1, 3, 0, 1]
    """
    classes: Column = np.array([0, 2, 1, 3, 0, 1])[label]
    return classes


@dataclass(frozen=True)
class Trial:
    """A row of table 4.9: a learner on some features."""

    name: str
    learner: Callable[[], Classifier]
    features: tuple[str, ...]


def _in_window(*names: str) -> tuple[str, ...]:
    return tuple(f"{name} ({place})" for name in names for place in "PCN")


#: The rows of table 4.9, and the simplified trees once more with the number of leaves that they have there.
TRIALS = (
    Trial("ZeroR", ZeroR, ()),
    Trial("Only Avg. Sentence Length", OneR, ("average_sentence_length (C)",)),
    Trial("C4.8 Element Frequency (P/C/N)", DecisionTree, _in_window("frequency")),
    Trial("Only Avg. Word Length", OneR, ("average_word_length (C)",)),
    Trial("Only Number of Words", OneR, ("words (C)",)),
    Trial("Only Link Density", OneR, ("link_density (C)",)),
    Trial("1R over all features", OneR, ALL_FEATURES),
    Trial("C4.8 Link Density (P/C/N)", DecisionTree, _in_window("link_density")),
    Trial("C4.8 Number of Words (P/C/N)", DecisionTree, _in_window("words")),
    Trial("C4.8 All Local Features (C)", DecisionTree, CURRENT_FEATURES),
    Trial(
        "C4.8 NumWords + LinkDensity, simplified",
        lambda: DecisionTree(prune=True),
        _in_window("words", "link_density"),
    ),
    Trial(
        "C4.8 Text + LinkDensity, simplified",
        lambda: DecisionTree(prune=True),
        _in_window("text_density", "link_density"),
    ),
    Trial("C4.8 All Local Features (C) + TDQ", DecisionTree, (*CURRENT_FEATURES, *QUOTIENT_FEATURES)),
    Trial("C4.8 Text+Link Density (P/C/N)", DecisionTree, _in_window("text_density", "link_density")),
    Trial("C4.8 All Local Features (P/C/N)", DecisionTree, WINDOW_FEATURES),
    Trial("C4.8 All Local Features + Global Freq.", DecisionTree, ALL_FEATURES),
    Trial("SMO All Local Features + Global Freq.", LinearSVM, ALL_FEATURES),
    *(
        Trial(
            f"C4.8 {title} + LinkDensity, 8 leaves",
            lambda: DecisionTree(max_leaves=8),
            _in_window(feature, "link_density"),
        )
        for title, feature in (("NumWords", "words"), ("Text", "text_density"))
    ),
)


@dataclass(frozen=True)
class TrialResult:
    """The result of a cross-validation, in shares of words; ``leaves`` counts those of a model of all data."""

    trial: str
    dimensions: int
    precision: float
    recall: float
    f: float
    false_positive_rate: float
    auc: float
    leaves: int | None


def cross_validate(
    trial: Trial,
    data: Instances,
    classes: Callable[[Column], Column],
    *,
    folds: int = 10,
    by_page: bool = False,
) -> TrialResult:
    """For each fold, learn on the others and predict it; measure all predictions together.

    Parameters
    ----------
    trial, data : the learner with its features, and the training data
    classes : `two_classes` or `four_classes`
    folds : their number
    by_page : put all blocks of a page into one fold. The thesis shuffles blocks, so that neighbours of a block are in
        the training data; for a new page they are not
    """
    y, weight = classes(data.label), data.words.astype(np.float64)
    x = data.columns(trial.features)
    fold = _folds(data.page if by_page else np.arange(len(y)), y, folds)
    probability = np.zeros((len(y), int(y.max()) + 1))
    # Fewer pages than folds leave some folds empty.
    filled = np.unique(fold)
    if len(filled) < 2:
        raise InputError("cross-validation needs two pages at least")
    for each in filled.tolist():
        train, test = fold != each, fold == each
        learner = trial.learner()
        learner.fit(x[train], y[train], weight[train])
        probability[test] = learner.predict(x[test])
    learner = trial.learner()
    learner.fit(x, y, weight)
    scores = label_scores(y, probability.argmax(axis=1), weight)
    return TrialResult(
        trial.name,
        len(trial.features),
        scores.average.precision,
        scores.average.recall,
        scores.average.f,
        scores.false_positive_rate,
        _mean_auc(y, probability, weight),
        learner.leaves,
    )


def _folds(group: Column, y: Column, folds: int) -> Column:
    """The fold of each instance. Groups stay together; single instances are distributed class by class."""
    order = np.random.default_rng(0).permutation(int(group.max()) + 1)
    if len(order) == len(y):
        fold = np.empty(len(y), np.int64)
        dealt = order[np.argsort(y[order], kind="stable")]
        fold[dealt] = np.arange(len(y)) % folds
        return fold
    return (order % folds)[group]


def _mean_auc(y: Column, probability: Column, weight: Column) -> float:
    """Each class against the others, averaged by the weight of the classes, as Weka does."""
    share = np.bincount(y, weight) / weight.sum()
    return math.fsum(
        share[each] * roc_auc((y == each).astype(int), probability[:, each], weight) for each in range(len(share))
    )


def information_gain(x: Column, y: Column, weight: Column, *, bins: int = 64) -> Column:
    """The information gain of each feature in bits, its values cut in intervals of about equal weight.

    Parameters
    ----------
    x : one column a feature
    y : classes
    weight : the weight of each instance
    bins : the largest number of intervals. A value is never divided: a feature with two values has two intervals

    >>> x = np.array([[0.0, 5.0], [0.0, 6.0], [1.0, 5.0], [1.0, 6.0]])
    >>> information_gain(x, np.array([0, 0, 1, 1]), np.ones(4)).tolist()
    [1.0, 0.0]
    """
    classes = int(y.max()) + 1
    whole = _entropy(np.bincount(y, weight, minlength=classes)[None, :])[0]
    gains = []
    for column in x.T:
        distinct, place = np.unique(column, return_inverse=True)
        below = np.cumsum(np.bincount(place, weight))
        interval = np.minimum((below - np.bincount(place, weight) / 2) / below[-1] * bins, bins - 1).astype(np.int64)
        if len(distinct) <= bins:
            interval = np.arange(len(distinct))
        counts = np.bincount(interval[place] * classes + y, weight, minlength=bins * classes).reshape(-1, classes)
        gains.append(whole - float(_entropy(counts) @ counts.sum(axis=1)) / float(counts.sum()))
    return np.array(gains)


def _entropy(counts: Column) -> Column:
    """Entropy of each row in bits."""
    total = counts.sum(axis=1, keepdims=True)
    share = np.divide(counts, total, out=np.zeros_like(counts, dtype=np.float64), where=total > 0)
    bits: Column = -(share * np.log2(share, out=np.zeros_like(share), where=share > 0)).sum(axis=1)
    return bits
