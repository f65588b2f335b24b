"""Extended BCubed precision, recall and F of overlapping, weighted clusterings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from webstrata.errors import InputError
from webstrata.evaluation.metrics.contingency import contingency_table, label_vector, weight_vector
from webstrata.evaluation.metrics.score import Score

__all__ = ["extended_bcubed"]

# Entries of the pair matrices that are held at once: 32 MB per matrix of floats.
_PAIRS_AT_ONCE = 1 << 23


def extended_bcubed(truth: Sequence[ArrayLike], predicted: Sequence[ArrayLike], weights: ArrayLike) -> Score:
    r"""BCubed precision, recall and F of two sets of segments, which may overlap or nest and need not cover the page.

    With :math:`C(e)` the predicted and :math:`L(e)` the true segments that hold item *e*, two items that share a
    predicted segment have the multiplicity precision

    .. math:: \frac{\min(|C(e) \cap C(e')|, |L(e) \cap L(e')|)}{|C(e) \cap C(e')|}

    The precision of *e* is its mean over all :math:`e'` that share a predicted segment with *e* (*e* itself is one of
    them), and the precision of the clustering is the mean over all *e*. Recall is the same with both sides exchanged.
    Where no segments overlap these are the BCubed measures of Bagga and Baldwin.

    Parameters
    ----------
    truth, predicted
        One array of item numbers per segment; an item counts once per segment. A segment that is listed twice counts
        twice, as the outer and the inner of two nested segments of equal extent do.
    weights
        The weight of each item, which fixes the number of items: the characters of each block, or 1 for each DOM
        node. Both means are weighted, as if an item of weight *w* were *w* items with the same segments.

    Notes
    -----
    An item in no predicted segment has no precision and is left out of that mean, and so recall for items in no true
    segment; an item in a predicted segment but in no true one has precision 0 and stays in. Where one side has no
    item of positive weight, both ratios are 0; where neither has, they are 1.

    Where each item is in at most one segment per side the time is that of sorting the items. Otherwise items that are
    in exactly the same segments are taken together, and time is quadratic only in the number of different memberships,
    memory linear in it.

    Examples
    --------
    Two blocks of a page, of 30 and 10 characters, that truth keeps apart and the prediction joins:

    >>> score = extended_bcubed([[0], [1]], [[0, 1]], [30, 10])
    >>> score.precision, score.recall
    (0.625, 1.0)

    A second, inner segment that only the truth has costs recall:

    >>> extended_bcubed([[0, 1], [0]], [[0, 1]], [1, 1]).recall
    0.875

    References
    ----------
    E. Amigó, J. Gonzalo, J. Artiles and F. Verdejo, A comparison of extrinsic clustering evaluation metrics based on
    formal constraints, Information Retrieval 12 (2009), section 5. J. Kiesel et al., Web page segmentation revisited,
    CIKM 2020, has the use for web pages.
    """
    weight = weight_vector(weights, np.asarray(weights).size)
    found = [_members(segment, weight) for segment in predicted]
    wanted = [_members(segment, weight) for segment in truth]
    label_found, label_wanted = _flat_labels(found, weight.size), _flat_labels(wanted, weight.size)
    if label_found is not None and label_wanted is not None:
        precision, recall = _flat(label_wanted, label_found, weight)
    else:
        precision, recall = _overlapping(wanted, found, weight)
    if precision is None and recall is None:
        return Score.from_ratios(1.0, 1.0)
    return Score.from_ratios(min(precision or 0.0, 1.0), min(recall or 0.0, 1.0))


def _members(segment: ArrayLike, weight: NDArray[np.float64]) -> NDArray[np.int64]:
    """The different items of the segment that have any weight."""
    items = np.unique(label_vector(segment)).astype(np.int64)
    if items.size and not 0 <= items[0] <= items[-1] < weight.size:
        raise InputError(f"items must be numbers from 0 to {weight.size - 1}: found {items[0]} and {items[-1]}")
    return items[weight[items] > 0]


def _flat_labels(segments: Sequence[NDArray[np.int64]], size: int) -> NDArray[np.int64] | None:
    """For each item the number of its segment, -1 for none; None if any item is in two segments."""
    label = np.full(size, -1, dtype=np.int64)
    for number, items in enumerate(segments):
        if np.any(label[items] >= 0):
            return None
        label[items] = number
    return label


def _flat(
    truth: NDArray[np.int64], predicted: NDArray[np.int64], weight: NDArray[np.float64]
) -> tuple[float | None, float | None]:
    """Precision and recall from the contingency table; None for a side that has no items."""
    table = contingency_table(truth, predicted, weight)
    assigned = (table.truth_labels >= 0)[table.row] & (table.predicted_labels >= 0)[table.column] & (table.cells > 0)
    cells = table.cells[assigned]

    def mean(labels: NDArray[np.integer], totals: NDArray[np.float64], index: NDArray[np.int64]) -> float | None:
        whole = float(totals[labels >= 0].sum())
        return float(np.sum(cells * (cells / totals[index[assigned]]))) / whole if whole else None

    return (
        mean(table.predicted_labels, table.column_totals.astype(np.float64), table.column),
        mean(table.truth_labels, table.row_totals.astype(np.float64), table.row),
    )


def _overlapping(
    truth: Sequence[NDArray[np.int64]], predicted: Sequence[NDArray[np.int64]], weight: NDArray[np.float64]
) -> tuple[float | None, float | None]:
    """Precision and recall over pairs of groups of items; None for a side that has no items."""
    group, count = _signatures([*truth, *predicted], weight.size)
    mass = np.bincount(group, weights=weight, minlength=count).astype(np.float64)
    in_truth, in_predicted = _membership(truth, group, count), _membership(predicted, group, count)
    precision, recall = np.zeros(count), np.zeros(count)
    step = max(_PAIRS_AT_ONCE // count, 1)
    for start in range(0, count, step):
        rows = slice(start, start + step)
        shared_truth = in_truth[rows] @ in_truth.T
        shared_predicted = in_predicted[rows] @ in_predicted.T
        both = np.minimum(shared_truth, shared_predicted)
        precision[rows] = _mean_over_partners(both, shared_predicted, mass)
        recall[rows] = _mean_over_partners(both, shared_truth, mass)
    return (
        _weighted_mean(precision, mass * in_predicted.any(axis=1)),
        _weighted_mean(recall, mass * in_truth.any(axis=1)),
    )


def _signatures(segments: Sequence[NDArray[np.int64]], size: int) -> tuple[NDArray[np.int64], int]:
    """Number items so that two have the same number if and only if they are in the same segments.

    Partition refinement: each segment gives its members a new number per old number.
    """
    group = np.zeros(size, dtype=np.int64)
    fresh = 1
    for items in segments:
        old, renumbered = np.unique(group[items], return_inverse=True)
        group[items] = fresh + renumbered
        fresh += old.size
    used, group = np.unique(group, return_inverse=True)
    return group.astype(np.int64), used.size


def _membership(segments: Sequence[NDArray[np.int64]], group: NDArray[np.int64], count: int) -> NDArray[np.float32]:
    """Matrix of groups by segments, 1 where the group is in it; products of it count shared segments exactly."""
    matrix = np.zeros((count, len(segments)), dtype=np.float32)
    for number, items in enumerate(segments):
        matrix[group[items], number] = 1
    return matrix


def _mean_over_partners(
    both: NDArray[np.float32], shared: NDArray[np.float32], mass: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Per row, the weighted mean of both / shared over the columns that share anything; 0 where none does."""
    partner = shared > 0
    multiplicity = np.divide(both, shared, out=np.zeros(both.shape), where=partner)
    whole = partner @ mass
    return np.divide(multiplicity @ mass, whole, out=np.zeros(len(both)), where=whole > 0)


def _weighted_mean(values: NDArray[np.float64], mass: NDArray[np.float64]) -> float | None:
    whole = float(mass.sum())
    return float(values @ mass) / whole if whole else None
