"""Normalised mutual information."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from webstrata.evaluation.metrics.contingency import Totals, contingency_table

__all__ = ["normalised_mutual_information"]


def normalised_mutual_information(truth: ArrayLike, predicted: ArrayLike) -> float:
    r"""Share of information that two segmentations have in common, with the geometric mean of Strehl and Ghosh.

    .. math:: \mathrm{NMI}(X, Y) = \frac{I(X, Y)}{\sqrt{H(X) H(Y)}}

    Between 0 (independent) and 1 (equal partitions); symmetric, and the names of the labels do not matter. It is not
    corrected for chance: many small segments raise it.

    Parameters
    ----------
    truth, predicted
        One integer label per token. A label for "in no segment" counts as one segment of its own.

    Notes
    -----
    A single segment has no entropy. Where both sides are a single segment (or there are no tokens) the
    partitions are equal and the value is 1; where only one side is, nothing is shared and it is 0.

    Examples
    --------
    >>> round(normalised_mutual_information([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.8165
    >>> normalised_mutual_information([0, 0, 1, 1], [0, 1, 0, 1])
    0.0
    >>> normalised_mutual_information([4, 4], [2, 2])
    1.0

    References
    ----------
    A. Strehl and J. Ghosh, Cluster ensembles, Journal of Machine Learning Research 3 (2002), equation 2. Used by
    C. Kohlschütter and W. Nejdl, A densitometric approach to web page segmentation, CIKM 2008, section 5.2.
    """
    table = contingency_table(truth, predicted)
    segments = (table.row_totals.size, table.column_totals.size)
    if max(segments) <= 1:
        return 1.0
    if min(segments) == 1:
        return 0.0
    n = float(table.cells.sum())
    a, b = table.row_totals[table.row], table.column_totals[table.column]
    # Sums of logarithms and not the logarithm of n * n_ij / (a * b), whose products would not fit an integer.
    gain = np.log(table.cells) + np.log(n) - np.log(a) - np.log(b)
    information = float(np.sum(table.cells * gain)) / n
    common_scale = math.sqrt(_entropy(table.row_totals) * _entropy(table.column_totals))
    return min(max(information / common_scale, 0.0), 1.0)


def _entropy(totals: Totals) -> float:
    share = totals / totals.sum()
    return -float(np.sum(share * np.log(share)))
