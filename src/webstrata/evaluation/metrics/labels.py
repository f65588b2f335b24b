"""Scores of block labels (content or boilerplate, or more classes), weighted by tokens."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from webstrata.errors import InputError
from webstrata.evaluation.metrics.contingency import Contingency, contingency_table, label_vector, weight_vector
from webstrata.evaluation.metrics.score import Score

__all__ = ["ClassScore", "LabelScores", "label_scores", "roc_auc"]


@dataclass(frozen=True)
class ClassScore:
    """How well one class was separated from all others; the counts of ``score`` are weights.

    ``false_positive_rate`` is FP / (FP + TN), and 0 where every block is of the class.
    """

    label: int
    score: Score
    false_positive_rate: float


@dataclass(frozen=True)
class LabelScores:
    """Scores per class in ascending order of the labels, and averages weighted by the true size of each class."""

    classes: tuple[ClassScore, ...]
    average: Score
    false_positive_rate: float
    accuracy: float


def label_scores(truth: ArrayLike, predicted: ArrayLike, weights: ArrayLike | None = None) -> LabelScores:
    r"""Precision, recall, F1 and false-positive rate per class and on average, and accuracy.

    Averages are those that Weka prints: with :math:`n_c` the weight of the blocks that truly are of class *c*, the
    average of a measure *m* is :math:`\sum_c n_c m_c / \sum_c n_c`. The averaged F1 is thus the mean of the F1 of the
    classes and not the harmonic mean of averaged precision and recall; averaged recall equals accuracy.

    Parameters
    ----------
    truth, predicted
        One integer label per block. The classes are all labels that occur on either side.
    weights
        The weight of each block, as a rule its number of words; 1 if left out.

    Notes
    -----
    A class that was never predicted has precision 0. Where the weights sum to 0, the averages and accuracy are 1
    and the false-positive rate is 0.

    Examples
    --------
    Always predicting the larger of two classes, as the first row of table 4.9 in the reference does:

    >>> scores = label_scores([1, 0], [1, 1], weights=[638, 362])
    >>> [round(100 * x, 1) for x in (scores.average.precision, scores.average.recall, scores.average.f)]
    [40.7, 63.8, 49.7]
    >>> scores.false_positive_rate
    0.638

    References
    ----------
    C. Kohlschütter, Exploiting links and text structure on the Web, PhD thesis, Hannover 2011, table 4.9.
    """
    table = contingency_table(truth, predicted, weights)
    labels = np.union1d(table.truth_labels, table.predicted_labels)
    classes = tuple(_class_score(int(label), table) for label in labels)
    total = float(table.cells.sum())
    if not total:
        return LabelScores(classes, Score.from_ratios(1.0, 1.0), 0.0, 1.0)

    share = [(each.score.relevant or 0.0) / total for each in classes]

    def mean(values: Iterable[float]) -> float:
        # The shares are rounded, so their sum can be a little more than 1.
        return min(math.fsum(map(operator.mul, share, values)), 1.0)

    correct = table.truth_labels[table.row] == table.predicted_labels[table.column]
    return LabelScores(
        classes=classes,
        average=Score(
            precision=mean(each.score.precision for each in classes),
            recall=mean(each.score.recall for each in classes),
            f=mean(each.score.f for each in classes),
        ),
        false_positive_rate=mean(each.false_positive_rate for each in classes),
        accuracy=min(float(table.cells[correct].sum()) / total, 1.0),
    )


def _class_score(label: int, table: Contingency) -> ClassScore:
    of_class = (table.truth_labels == label)[table.row]
    called_so = (table.predicted_labels == label)[table.column]
    hits = float(table.cells[of_class & called_so].sum())
    false_positives = float(table.cells[~of_class & called_so].sum())
    misses = float(table.cells[of_class & ~called_so].sum())
    others = float(table.cells[~of_class].sum())
    return ClassScore(
        label=label,
        score=Score.from_counts(hits, retrieved=hits + false_positives, relevant=hits + misses),
        false_positive_rate=min(false_positives / others, 1.0) if others else 0.0,
    )


def roc_auc(truth: ArrayLike, score: ArrayLike, weights: ArrayLike | None = None) -> float:
    r"""Area under the ROC curve: the chance that a positive block scores higher than a negative one.

    .. math:: \mathrm{AUC} = \frac{\sum_{p} \sum_{n} w_p w_n ([s_p > s_n] + [s_p = s_n] / 2)}{\sum_p w_p \sum_n w_n}

    Equal scores count half, which is the trapezoidal rule on the curve. Only the order of the scores matters.

    Parameters
    ----------
    truth
        1 or True for each positive block, 0 or False for each negative one.
    score
        One number per block, higher for positive ones; infinite scores are allowed, NaN is not.
    weights
        The weight of each block; 1 if left out.

    Returns
    -------
    float
        Between 0 and 1; NaN where one of the two classes has no weight, for then there is no order to judge.

    Examples
    --------
    >>> roc_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    >>> roc_auc([0, 1, 1], [5, 5, 5])
    0.5

    References
    ----------
    J. A. Hanley and B. J. McNeil, The meaning and use of the area under a receiver operating characteristic (ROC)
    curve, Radiology 143 (1982).
    """
    positive = label_vector(truth)
    values = np.asarray(score, dtype=np.float64)
    if values.shape != positive.shape:
        raise InputError(f"one score per block is needed: {positive.size} blocks, scores of shape {values.shape}")
    if np.any(np.isnan(values)):
        raise InputError("scores must not be NaN")
    if not np.all((positive == 0) | (positive == 1)):
        raise InputError("truth must be 0 or 1")
    weight = weight_vector(weights, positive.size)
    ranks, rank = np.unique(values, return_inverse=True)
    positives = np.bincount(rank, weights=weight * (positive == 1), minlength=ranks.size)
    negatives = np.bincount(rank, weights=weight * (positive == 0), minlength=ranks.size)
    if not positives.sum() or not negatives.sum():
        return math.nan
    below = np.cumsum(negatives) - negatives
    area = float(positives @ (below + negatives / 2)) / (float(positives.sum()) * float(negatives.sum()))
    return min(area, 1.0)
