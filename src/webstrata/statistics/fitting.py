"""Fitting: least squares as the papers do it, and maximum likelihood, from starts that are always the same.

A model is a frozen dataclass of numbers. It gives the starts of the search, its numbers on a scale without bounds
(`free`), so that a search stays valid, and the model for such numbers. Searches are SciPy's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Literal, Protocol, Self, TypeVar

import numpy as np

from webstrata.errors import InputError, from_extra
from webstrata.statistics.goodness import Goodness, goodness
from webstrata.text import Column

__all__ = ["Fit", "Fittable", "Method", "fit_model", "positive", "share", "unpositive", "unshare"]

Method = Literal["least squares", "maximum likelihood"]
# Searches of maximum likelihood begin at this many of the starts, the likeliest ones.
_STARTS = 3


class Fittable(Protocol):
    """A curve or a distribution with numbers that can be fitted."""

    @classmethod
    def starts(cls, x: Column, y: Column) -> list[Self]:
        """The starts of the search."""
        ...

    def free(self) -> Column:
        """The fitted numbers, on a scale without bounds."""
        ...

    def moved(self, free: Column) -> Self:
        """The model with these numbers."""
        ...

    def pdf(self, x: Column) -> Column:
        """The value of the curve; for a distribution, its density or probability."""
        ...

    def chance(self, x: Column) -> Column | None:
        """The probability of each value of a histogram; None if the curve is not a distribution."""
        ...

    def equation(self) -> str:
        """The formula with its numbers."""
        ...


M = TypeVar("M", bound=Fittable)


@dataclass(frozen=True, kw_only=True)
class Fit(Generic[M]):
    """A fitted model.

    Attributes
    ----------
    model : with the numbers that fit best
    method : least squares or maximum likelihood
    converged : whether the search converged; if not, ``message`` has the reason
    goodness : R², RMSE and the like
    """

    model: M
    method: str
    converged: bool
    message: str
    goodness: Goodness

    def __str__(self) -> str:
        quality = f"R² {self.goodness.r2:.4f}, adjusted {self.goodness.adjusted_r2:.4f}, RMSE {self.goodness.rmse:.4g}"
        end = "" if self.converged else f" (not converged: {self.message})"
        return f"{self.model.equation()}: {quality}{end}"


def fit_model(
    kind: type[M], x: Column, y: Column, *, method: Method = "least squares", counts: Column | None = None
) -> Fit[M]:
    """The model of a kind that fits best.

    Parameters
    ----------
    kind : the class of the model
    x, y : the points; of a histogram, the values and their shares
    method : least squares over the points, or maximum likelihood of the counts
    counts : frequency of each value, for maximum likelihood

    Notes
    -----
    A fit by maximum likelihood is judged by the probabilities of the values, which sum to 1 over them, and has an AIC.
    One by least squares is judged by the curve, and has none: it is not the likeliest model of its kind, and its AIC
    beside those of others would mislead.
    """
    with from_extra("stats", "scipy"):
        from scipy.optimize import least_squares, minimize
    x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    seen = np.asarray(counts, np.float64) if counts is not None else None
    _check(x, y, seen)
    starts = kind.starts(x, y)
    needed = len(starts[0].free())
    if len(x) <= needed:
        raise InputError(
            f"{len(x)} values are too few for the {needed} numbers of {kind.__name__}: give at least {needed + 1}"
        )
    if method == "maximum likelihood":
        if seen is None or not seen.any():
            raise InputError("maximum likelihood needs counts, not all of them 0")
        if starts[0].chance(x) is None:
            raise InputError(f"maximum likelihood needs a distribution; {kind.__name__} is a curve: use least squares")
        # The least squares fit is a good start for maximum likelihood.
        best_squares = fit_model(kind, x, y, counts=counts).model
        search: Any = partial(_least, minimize, [best_squares, *starts], lambda model: _surprise(model, x, seen))
    else:
        search = partial(_least_squares, least_squares, starts, x, y)
    try:
        found, free = search()
    # The searches of SciPy raise these where the points are near the limits of floating-point numbers.
    except (ValueError, TypeError, OverflowError) as error:
        raise InputError(f"{kind.__name__} cannot be fitted to these points ({error}): scale them") from error
    model = starts[0].moved(free)
    chance = model.chance(x) if method == "maximum likelihood" else None
    judged = goodness(y, model.pdf(x) if chance is None else chance, needed, counts=seen, chance=chance)
    return Fit(model=model, method=method, converged=bool(found.success), message=str(found.message), goodness=judged)


def _surprise(model: Fittable, x: Column, counts: Column) -> float:
    """The mean of -log of the probabilities, which maximum likelihood minimizes."""
    chance = model.chance(x)
    assert chance is not None
    return -float((counts * np.log(np.maximum(chance, 1e-300))).sum()) / max(1.0, float(counts.sum()))


def _least(minimize: Any, starts: list[M], cost: Callable[[M], float]) -> tuple[Any, Column]:
    """The best result of searches from the likeliest starts."""
    best: Any = None
    for start in sorted(starts, key=cost)[:_STARTS]:

        def at(free: Column, start: M = start) -> float:
            value = cost(start.moved(free))
            return value if np.isfinite(value) else 1e300

        found = minimize(at, start.free(), method="L-BFGS-B", options={"ftol": 1e-13, "gtol": 1e-7, "maxiter": 1000})
        if best is None or found.fun < best.fun - 1e-12:
            best = found
    return best, best.x


def _least_squares(least_squares: Any, starts: list[M], x: Column, y: Column) -> tuple[Any, Column]:
    best: Any = None
    for start in starts:

        def errors(free: Column, start: M = start) -> Column:
            return np.asarray(np.nan_to_num(start.moved(free).pdf(x) - y, nan=1e3, posinf=1e3, neginf=-1e3))

        found = least_squares(errors, start.free(), x_scale="jac", ftol=1e-11, xtol=1e-11, gtol=1e-11, max_nfev=200)
        if best is None or found.cost < best.cost * (1 - 1e-9):
            best = found
    return best, best.x


def _check(x: Column, y: Column, counts: Column | None) -> None:
    """Refuse points that no curve can be fitted to."""
    if x.ndim != 1 or x.shape != y.shape or (counts is not None and counts.shape != x.shape):
        raise InputError("x, y and counts must be one-dimensional and equally long")
    if not len(x):
        raise InputError("a fit needs points: x and y are empty")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise InputError("a fit needs finite numbers: leave out the points that are NaN or infinite")
    if counts is not None and not (np.isfinite(counts).all() and (counts >= 0).all()):
        raise InputError("counts must be finite and at least 0")


def positive(free: float) -> float:
    """A number above zero from one without bounds."""
    return float(np.exp(np.clip(free, -50, 50)))


def unpositive(value: float) -> float:
    """The inverse of `positive`."""
    return float(np.log(max(value, 1e-20)))


def share(free: float) -> float:
    """A number between 0 and 1 from one without bounds.

    >>> share(0.0), round(share(unshare(0.3)), 12)
    (0.5, 0.3)
    """
    return float(1 / (1 + np.exp(-np.clip(free, -50, 50))))


def unshare(value: float) -> float:
    """The inverse of `share`."""
    value = min(max(value, 1e-12), 1 - 1e-12)
    return float(np.log(value / (1 - value)))
