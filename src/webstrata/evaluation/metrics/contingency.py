"""The contingency table of two labellings of the same tokens, kept sparse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from webstrata.errors import InputError

__all__ = ["Contingency", "Totals", "contingency_table", "label_vector", "weight_vector"]

Totals: TypeAlias = NDArray[np.int64] | NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Contingency:
    """How many tokens (or how much weight) carry each pair of labels that occurs.

    ``cells[k]`` tokens carry ``truth_labels[row[k]]`` and ``predicted_labels[column[k]]``; pairs that never occur have
    no cell, so the table grows with the tokens and never with the product of the numbers of labels. The totals per
    label are ``row_totals`` and ``column_totals``. All are integers where no weights were given.
    """

    truth_labels: NDArray[np.integer]
    predicted_labels: NDArray[np.integer]
    row: NDArray[np.int64]
    column: NDArray[np.int64]
    cells: Totals
    row_totals: Totals
    column_totals: Totals


def contingency_table(truth: ArrayLike, predicted: ArrayLike, weights: ArrayLike | None = None) -> Contingency:
    """Count the pairs of labels of two labellings.

    Parameters
    ----------
    truth, predicted
        One integer label per token; the values have no meaning beyond being equal or not.
    weights
        One finite, non-negative weight per token; without it each token counts one.

    Notes
    -----
    Neighbouring tokens mostly share both labels, because a segment is a run of tokens. Runs of equal pairs are
    therefore summed first, which takes linear time, and only the runs are sorted.

    Examples
    --------
    >>> table = contingency_table([0, 0, 1, 1], [5, 5, 5, 7])
    >>> table.cells.tolist(), table.row.tolist(), table.column.tolist()
    ([2, 1, 1], [0, 1, 1], [0, 0, 1])
    >>> table.row_totals.tolist(), table.column_totals.tolist()
    ([2, 2], [3, 1])
    """
    x, y = label_vector(truth), label_vector(predicted)
    if x.size != y.size:
        raise InputError(f"both labellings must cover the same tokens: {x.size} and {y.size} labels")
    starts = np.flatnonzero(np.r_[np.ones(min(x.size, 1), bool), (x[1:] != x[:-1]) | (y[1:] != y[:-1])])
    mass: Totals = np.diff(starts, append=x.size).astype(np.int64)
    if weights is not None:
        mass = np.add.reduceat(weight_vector(weights, x.size), starts) if x.size else np.zeros(0)
    truth_labels, row = np.unique(x[starts], return_inverse=True)
    predicted_labels, column = np.unique(y[starts], return_inverse=True)
    width = max(predicted_labels.size, 1)
    pairs, cell = np.unique(row.astype(np.int64) * width + column, return_inverse=True)
    return Contingency(
        truth_labels=truth_labels,
        predicted_labels=predicted_labels,
        row=pairs // width,
        column=pairs % width,
        cells=_sums(cell, mass, pairs.size),
        row_totals=_sums(row, mass, truth_labels.size),
        column_totals=_sums(column, mass, predicted_labels.size),
    )


def label_vector(labels: ArrayLike) -> NDArray[np.integer]:
    """The labels as a one-dimensional integer array, or InputError."""
    vector = np.asarray(labels)
    if vector.ndim != 1:
        raise InputError(f"labels must be a vector, one per token, not of shape {vector.shape}")
    if vector.size == 0 or vector.dtype.kind == "b":
        return vector.astype(np.int64)
    if vector.dtype.kind not in "iu":
        raise InputError(f"labels must be integers, not {vector.dtype}")
    return vector


def weight_vector(weights: ArrayLike | None, size: int) -> NDArray[np.float64]:
    """The weights as floats, ones where there are none, or InputError if they are not ``size`` weights."""
    if weights is None:
        return np.ones(size)
    vector = np.asarray(weights, dtype=np.float64)
    if vector.shape != (size,):
        raise InputError(f"one weight per item is needed: {size} items, weights of shape {vector.shape}")
    if not np.all(np.isfinite(vector)) or np.any(vector < 0):
        raise InputError("weights must be finite and not negative")
    return vector


def _sums(index: NDArray[np.intp], mass: Totals, size: int) -> Totals:
    """Sum of mass per index; bincount adds in doubles, which are exact for integers up to 2**53 tokens."""
    sums = np.bincount(index, weights=mass, minlength=size).astype(np.float64)
    return sums.astype(np.int64) if mass.dtype.kind == "i" else sums
