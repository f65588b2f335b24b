"""The analysis of variance of Kreuzer 2013 chapter 8: the effects of algorithm, input, data set and metric on F."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import nan

import numpy as np

from webstrata.errors import InputError, from_extra
from webstrata.evaluation.scores import Row
from webstrata.text import Column

__all__ = ["FACTORS", "AnovaRow", "analyse_variance", "stars"]

#: The four variables by the thesis's names, and the columns of the scores that hold them.
FACTORS = {"algorithm": "algorithm", "html": "input", "dataset": "dataset", "metric": "metric"}


@dataclass(frozen=True)
class AnovaRow:
    """A line of table 8.1; F and p are NaN for the residuals."""

    term: str
    df: int
    sum_sq: float
    mean_sq: float
    f: float = nan
    p: float = nan


def analyse_variance(rows: Sequence[Row]) -> list[AnovaRow]:
    """A four-way analysis of variance of ``value`` with all interactions of two variables, by ordinary least squares.

    Sums of squares are sequential (type I) in the order of `FACTORS`, which is what R's ``aov`` prints. A variable
    that has one value only is left out. The equations are solved over the means of the cells, weighted by their rows,
    so that memory does not grow with the pages.

    Notes
    -----
    Each page is in many rows, which the analysis takes for independent, as the thesis does. The chances are therefore
    too small; the paired tests of `webstrata.evaluation.reports.statistics` do not have this fault.

    Reference: R. Kreuzer, A quantitative comparison of semantic web page segmentation algorithms, MSc thesis, Utrecht
    2013, table 8.1.
    """
    with from_extra("eval", "scipy"):
        from scipy.special import fdtrc
    cells: dict[tuple[str, ...], list[float]] = {}
    for row in rows:
        cells.setdefault(tuple(getattr(row, column) for column in FACTORS.values()), []).append(row.value)
    levels = {name: np.unique([cell[place] for cell in cells], return_inverse=True)[1]
              for place, name in enumerate(FACTORS)}  # fmt: skip
    varying = [name for name in FACTORS if len(cells) and levels[name].max() > 0]
    if not varying:
        raise InputError("an analysis of variance needs at least two algorithms, inputs, data sets or metrics")
    number = np.array([len(values) for values in cells.values()], np.float64)
    means = np.array([float(np.mean(values)) for values in cells.values()])
    within = sum(
        float(((np.array(values) - mean) ** 2).sum()) for values, mean in zip(cells.values(), means, strict=True)
    )
    terms = {name: _dummies(levels[name]) for name in varying}
    for one, other in combinations(varying, 2):
        products = terms[one][:, :, None] * terms[other][:, None, :]
        terms[f"{one}:{other}"] = products.reshape(len(means), -1)
    fitted = list(_explained(terms, means, np.sqrt(number)))
    left = float((number * means**2).sum()) + within - sum(found for _, _, found in fitted)
    df = int(number.sum()) - sum(rank for _, rank, _ in fitted)
    residual = left / df if df > 0 else nan
    found = []
    for term, rank, squares in fitted[1:]:
        if rank:
            f = squares / rank / residual if residual else nan
            found.append(AnovaRow(term, rank, squares, squares / rank, f, float(fdtrc(rank, df, f))))
    return [*found, AnovaRow("Residuals", df, left, residual)]


def _dummies(level: Column) -> Column:
    """A column for each level but the first."""
    return np.asarray(level[:, None] == np.arange(1, level.max() + 1), np.float64)


def _explained(terms: dict[str, Column], means: Column, weight: Column) -> Iterator[tuple[str, int, float]]:
    """The rank and the sum of squares that each term adds to those before it; the mean comes first."""
    basis = np.zeros((len(means), 0))
    target = weight * means
    for name, columns in {"mean": np.ones((len(means), 1)), **terms}.items():
        rest = weight[:, None] * columns
        scale = np.linalg.norm(rest, axis=0).max(initial=0.0)
        # Twice, against rounding.
        for _ in range(2):
            rest = rest - basis @ (basis.T @ rest)
        left, size, _ = np.linalg.svd(rest, full_matrices=False)
        new = left[:, size > 1e-9 * max(scale, 1.0)]
        yield name, new.shape[1], float(((new.T @ target) ** 2).sum())
        basis = np.hstack([basis, new])


def stars(p: float) -> str:
    """The sign that R prints for a chance.

    >>> stars(0.0001), stars(0.004), stars(0.03), stars(0.07), stars(0.5)
    ('***', '**', '*', '.', '')
    """
    return next((sign for bound, sign in ((0.001, "***"), (0.01, "**"), (0.05, "*"), (0.1, ".")) if p <= bound), "")
