"""Tokens over text density: beta distributions, and a normal one between them (Kohlschütter 2011 §4.3.2).

A density is divided by ``x_norm``, which is above all densities that occur, so that it is between 0 and 1. The value of
a curve at a density is the share of the tokens there.

*Deviations.* Equations 4.15 to 4.18 have a factor c before the sum, and 4.18 has e and f inside the normal
distribution, which are redundant beside its mean and deviation. Here each part has a weight, and all are divided by
x_norm: c d of the thesis is weight / x_norm, and the mean of its normal part is (mu - f) / e in units of x_norm. The
weights from least squares add up to 1 as closely as the data do; maximum likelihood uses their proportions. Each weight
is at most 1.5, and a and b are at least 1, so that each part has one mode: otherwise a part that is infinite at density
0, where there is no text, would replace the text at 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from webstrata.errors import from_extra
from webstrata.statistics.fitting import positive, share, unpositive, unshare
from webstrata.text import Column

__all__ = ["Betas", "OneBeta", "ThreeBetas", "TwoBetas", "TwoBetasAndNormal"]

_HEAVIEST = 1.5
# Densities where the search for the modes of the parts starts: navigation, text between, and sentences.
_MODES = {1: ((2.0,), (6.0,), (11.0,)), 2: ((1.5, 11.0), (2.5, 12.5)), 3: ((1.5, 6.0, 11.0), (2.0, 8.0, 12.0))}


@dataclass(frozen=True)
class Betas:
    """Weighted beta distributions of density over ``x_norm``, and perhaps a normal one.

    Parameters
    ----------
    x_norm : divisor of densities
    weights : of the beta distributions, and of the normal one after them
    a, b : of each beta distribution
    mean, deviation : of the normal one, as densities
    """

    x_norm: float
    weights: tuple[float, ...]
    a: tuple[float, ...]
    b: tuple[float, ...]
    mean: float = 0.0
    deviation: float = 1.0

    count: ClassVar[int] = 1
    with_normal: ClassVar[bool] = False

    @classmethod
    def starts(cls, x: Column, y: Column) -> list[Self]:
        x_norm = float(np.max(x)) + 1
        found = []
        for modes in _MODES[cls.count]:
            for narrow in (1.0, 4.0):
                sizes = (20 * narrow, 40 * narrow, 60 * narrow)
                shape = [_shape(mode / x_norm, size) for mode, size in zip(modes, sizes, strict=False)]
                weights = (1 / (cls.count + cls.with_normal),) * (cls.count + cls.with_normal)
                a, b = (tuple(item[side] for item in shape) for side in (0, 1))
                found.append(cls(x_norm, weights, a, b, 7.0, 2.0))
        return found

    def free(self) -> Column:
        normal = (unpositive(self.mean), unpositive(self.deviation)) if self.with_normal else ()
        weights = (unshare(weight / _HEAVIEST) for weight in self.weights)
        return np.array([*weights, *(unpositive(value - 1) for value in (*self.a, *self.b)), *normal])

    def moved(self, free: Column) -> Self:
        parts, k = self.count + self.with_normal, self.count
        weights = [_HEAVIEST * share(value) for value in free[:parts]]
        shape = [1 + positive(value) for value in free[parts : parts + 2 * k]]
        values = [*weights, *shape, *(positive(value) for value in free[parts + 2 * k :])]
        # Sorted by mode, so that the first part has the lowest densities.
        shapes = sorted(
            zip(values[:k], values[parts : parts + k], values[parts + k : parts + 2 * k], strict=True),
            key=lambda item: item[1] / (item[1] + item[2]),
        )
        ordered, a, b = zip(*shapes, strict=True)
        normal = {"mean": values[-2], "deviation": values[-1]} if self.with_normal else {}
        return replace(self, weights=(*ordered, *weights[k:]), a=a, b=b, **normal)

    def parts(self, x: Column) -> list[Column]:
        """Each part of the curve, the normal one last."""
        with from_extra("stats", "scipy"):
            from scipy.special import betaln
        x = np.asarray(x, np.float64)
        inside = (x > 0) & (x < self.x_norm)
        at = np.where(inside, x / self.x_norm, 0.5)
        found = []
        for weight, a, b in zip(self.weights, self.a, self.b, strict=False):
            log = (a - 1) * np.log(at) + (b - 1) * np.log1p(-at) - betaln(a, b)
            found.append(np.where(inside, weight * np.exp(np.minimum(log, 700)) / self.x_norm, 0.0))
        if self.with_normal:
            z = (x - self.mean) / self.deviation
            found.append(self.weights[-1] * np.exp(-z * z / 2) / (self.deviation * np.sqrt(2 * np.pi)))
        return found

    def pdf(self, x: Column) -> Column:
        return np.asarray(np.sum(self.parts(x), axis=0))

    def cdf(self, x: Column) -> Column:
        with from_extra("stats", "scipy"):
            from scipy.special import betainc, ndtr
        x = np.asarray(x, np.float64)
        at = np.clip(x / self.x_norm, 0, 1)
        found = [w * betainc(a, b, at) for w, a, b in zip(self.weights, self.a, self.b, strict=False)]
        if self.with_normal:
            found.append(self.weights[-1] * ndtr((x - self.mean) / self.deviation))
        return np.asarray(np.sum(found, axis=0) / sum(self.weights))

    def chance(self, x: Column) -> Column:
        """The probability of each rounded density from 1 to x_norm: the area from half a word below to half above."""
        bounds = self.cdf(np.array([0.5, self.x_norm - 0.5]))
        return np.asarray(
            (self.cdf(np.asarray(x) + 0.5) - self.cdf(np.asarray(x) - 0.5)) / max(bounds[1] - bounds[0], 1e-300)
        )

    def modes(self) -> tuple[float, ...]:
        """The density at which each beta distribution has its mode."""
        return tuple(
            self.x_norm * min(1.0, max(0.0, (a - 1) / (a + b - 2))) if a + b > 2 else 0.0
            for a, b in zip(self.a, self.b, strict=True)
        )

    def equation(self) -> str:
        terms = [
            f"{w:.3g} beta(x/{self.x_norm:g}; {a:.4g}, {b:.4g})"
            for w, a, b in zip(self.weights, self.a, self.b, strict=False)
        ]
        if self.with_normal:
            terms.append(f"{self.weights[-1]:.3g} × {self.x_norm:g} normal(x; {self.mean:.4g}, {self.deviation:.4g})")
        return f"f(x) = ({' + '.join(terms)}) / {self.x_norm:g}"


def _shape(mode: float, size: float) -> tuple[float, float]:
    """a and b of a beta distribution with this mode and a + b."""
    return 1 + mode * (size - 2), 1 + (1 - mode) * (size - 2)


@dataclass(frozen=True)
class OneBeta(Betas):
    """One beta distribution (Kohlschütter 2011 equation 4.15).

    >>> OneBeta(20.0, (1.0,), (3.0,), (9.0,)).modes()
    (4.0,)
    """


@dataclass(frozen=True)
class TwoBetas(Betas):
    """Two beta distributions (Kohlschütter 2011 equation 4.16)."""

    count: ClassVar[int] = 2


@dataclass(frozen=True)
class ThreeBetas(Betas):
    """Three beta distributions (Kohlschütter 2011 equation 4.17).

    *Deviation.* The thesis gives each a third; here their weights are fitted.
    """

    count: ClassVar[int] = 3


@dataclass(frozen=True)
class TwoBetasAndNormal(Betas):
    """Two beta distributions, and a normal one for the text between (Kohlschütter 2011 equation 4.18)."""

    count: ClassVar[int] = 2
    with_normal: ClassVar[bool] = True
