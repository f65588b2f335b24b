"""Goodness of fit: R², adjusted R² and RMSE as the papers print them; log-likelihood and AIC, which they lack."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webstrata.errors import from_extra
from webstrata.text import Column

__all__ = ["ChiSquare", "Goodness", "chi_square", "goodness"]


@dataclass(frozen=True, kw_only=True)
class Goodness:
    """Goodness of a fit.

    Attributes
    ----------
    r2 : 1 minus the sum of squared errors divided by that of the mean
    adjusted_r2 : R² adjusted for p parameters and n values, 1 - (1 - R²)(n - 1) / (n - p - 1)
    rmse : root of the mean squared error
    log_likelihood, aic : of the counts, for a fit by maximum likelihood; else None
    """

    r2: float
    adjusted_r2: float
    rmse: float
    log_likelihood: float | None = None
    aic: float | None = None


def goodness(
    y: Column, predicted: Column, parameters: int, *, counts: Column | None = None, chance: Column | None = None
) -> Goodness:
    """The goodness of a curve.

    Parameters
    ----------
    y : observed values
    predicted : values of the curve
    parameters : number of fitted parameters
    counts, chance : frequency of each value, and its probability by the distribution

    >>> found = goodness(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 2.0, 4.0, 4.0]), 1)
    >>> round(found.r2, 9), round(found.adjusted_r2, 9), found.rmse, found.aic
    (0.8, 0.7, 0.5, None)
    """
    errors = float(((y - predicted) ** 2).sum())
    spread = float(((y - y.mean()) ** 2).sum())
    r2 = 1 - errors / spread if spread else float(errors == 0)
    free = len(y) - parameters - 1
    adjusted = 1 - (1 - r2) * (len(y) - 1) / free if free > 0 else float("nan")
    likelihood = aic = None
    if counts is not None and chance is not None:
        seen = counts > 0
        likelihood = float((counts[seen] * np.log(np.maximum(chance[seen], 1e-300))).sum())
        aic = 2 * parameters - 2 * likelihood
    return Goodness(
        r2=r2,
        adjusted_r2=adjusted,
        rmse=float(np.sqrt(errors / len(y))),
        log_likelihood=likelihood,
        aic=aic,
    )


@dataclass(frozen=True, kw_only=True)
class ChiSquare:
    """Pearson's test of a fit, as the Altmann-Fitter prints it.

    Attributes
    ----------
    statistic : the sum of (observed - expected)² / expected
    freedom : degrees of freedom: classes less fitted parameters less 1
    p : the probability of a larger statistic if the model is true
    c : the statistic divided by the number of observations; below 0.01 the fit is called very good
    """

    statistic: float
    freedom: int
    p: float
    c: float


def chi_square(counts: Column, expected: Column, parameters: int) -> ChiSquare:
    """Pearson's test of expected frequencies. The last classes are joined until one is expected at least once.

    >>> found = chi_square(np.array([6.0, 3.0, 1.0]), np.array([5.0, 4.5, 0.5]), 0)
    >>> found.statistic, found.freedom, found.c
    (0.4, 1, 0.04)
    """
    with from_extra("stats", "scipy"):
        from scipy.stats import chi2
    seen, model = np.asarray(counts, np.float64), np.asarray(expected, np.float64)
    while len(model) > 1 and model[-1] < 1:
        seen = np.append(seen[:-2], seen[-2:].sum())
        model = np.append(model[:-2], model[-2:].sum())
    statistic = float(((seen - model) ** 2 / model).sum())
    freedom = len(model) - parameters - 1
    p = float(chi2.sf(statistic, freedom)) if freedom > 0 else float("nan")
    return ChiSquare(statistic=statistic, freedom=freedom, p=p, c=statistic / max(float(seen.sum()), 1.0))
