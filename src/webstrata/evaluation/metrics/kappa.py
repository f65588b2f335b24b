"""Cohen's kappa."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from webstrata.evaluation.metrics.contingency import contingency_table

__all__ = ["cohen_kappa"]


def cohen_kappa(truth: ArrayLike, predicted: ArrayLike, weights: ArrayLike | None = None) -> float:
    r"""Agreement of two people on the class of each item, corrected for chance.

    With :math:`p_o` the share of items that both put into the same class, and :math:`p_e = \sum_c p_c q_c` the share
    that they would if each drew classes at random in the proportions that they use,
    :math:`\kappa = (p_o - p_e) / (1 - p_e)`: 1 for full agreement, 0 on average for none.

    Parameters
    ----------
    truth, predicted
        One integer label per item; unlike those of segments, the same number is the same class on both sides.
    weights
        The weight of each item, such as its number of words; 1 if left out.

    Notes
    -----
    Where both use one and the same class only, or there are no items, the formula is 0/0 and the value is 1.

    Examples
    --------
    The example of the reference, 200 items by three classes:

    >>> table = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]
    >>> pairs = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    >>> round(cohen_kappa(*zip(*pairs)), 3)
    0.492

    References
    ----------
    J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20 (1960).
    """
    table = contingency_table(truth, predicted, weights)
    total = float(table.cells.sum())
    if not total:
        return 1.0
    same = table.truth_labels[table.row] == table.predicted_labels[table.column]
    observed = float(table.cells[same].sum()) / total
    _, rows, columns = np.intersect1d(table.truth_labels, table.predicted_labels, return_indices=True)
    expected = float((table.row_totals[rows] / total * (table.column_totals[columns] / total)).sum())
    return (observed - expected) / (1 - expected) if expected < 1 else 1.0
