"""The adjusted Rand index."""

from __future__ import annotations

from numpy.typing import ArrayLike

from webstrata.evaluation.metrics.contingency import Totals, contingency_table

__all__ = ["adjusted_rand"]


def adjusted_rand(truth: ArrayLike, predicted: ArrayLike) -> float:
    r"""Agreement of two segmentations on which pairs of tokens belong together, corrected for chance.

    With :math:`n_{ij}` tokens in segment *i* of one and *j* of the other, row sums :math:`a_i` and column sums
    :math:`b_j`, let :math:`S = \sum \binom{n_{ij}}{2}`, :math:`A = \sum \binom{a_i}{2}`,
    :math:`B = \sum \binom{b_j}{2}` and :math:`N = \binom{n}{2}`. Then

    .. math:: \mathrm{AdjRand} = \frac{S - AB/N}{(A + B)/2 - AB/N}

    1 for equal partitions, 0 on average for independent ones, never below -1. It is symmetric and does not depend
    on the names of the labels. The sums are integers of any size and there is one division, so the result is the
    double nearest to the exact value for any number of tokens.

    Parameters
    ----------
    truth, predicted
        One integer label per token. A label for "in no segment" counts as one segment of its own.

    Notes
    -----
    The formula is 0/0 only for fewer than two tokens, for one segment on both sides, and for segments of one
    token on both sides. The partitions are then equal and the index is 1.

    Examples
    --------
    >>> adjusted_rand([0, 0, 1, 1], [7, 7, 3, 3])
    1.0
    >>> adjusted_rand([0, 0, 1, 1], [0, 0, 1, 2])
    0.5714285714285714
    >>> adjusted_rand([], [])
    1.0

    References
    ----------
    L. Hubert and P. Arabie, Comparing partitions, Journal of Classification 2 (1985), equation 5. Used by
    C. Kohlschütter and W. Nejdl, A densitometric approach to web page segmentation, CIKM 2008, section 5.2.
    """
    table = contingency_table(truth, predicted)
    s, a, b = _pairs(table.cells), _pairs(table.row_totals), _pairs(table.column_totals)
    tokens = int(table.cells.sum())
    n = tokens * (tokens - 1) // 2
    # Both sides of the fraction times 2N, so that every term is an integer.
    denominator = n * (a + b) - 2 * a * b
    return 2 * (n * s - a * b) / denominator if denominator else 1.0


def _pairs(counts: Totals) -> int:
    """Sum of n(n - 1)/2: below 2**63 for up to four thousand million tokens in all."""
    return int((counts * (counts - 1) // 2).sum())
