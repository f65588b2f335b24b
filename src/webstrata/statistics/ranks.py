"""Curves of values by rank: Zipf, Lavalette, Menzerath-Altmann. They are not distributions and have no likelihood."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from webstrata.errors import InputError
from webstrata.statistics.fitting import positive, unpositive
from webstrata.text import Column

__all__ = ["Lavalette", "MenzerathAltmann", "Zipf", "ZipfFit", "fit_zipf"]


class _Curve(ABC):
    """A curve of values by rank."""

    @abstractmethod
    def pdf(self, x: Column) -> Column:
        """The value at each rank."""

    def cdf(self, x: Column) -> Column:
        """The cumulative sum of the values, divided by their total."""
        values = np.cumsum(self.pdf(x))
        return np.asarray(values / values[-1])

    def chance(self, x: Column) -> None:
        return None


class _Power(_Curve):
    """y = C base(x)^-exponent. Subclasses are dataclasses of C and the exponent."""

    @staticmethod
    @abstractmethod
    def _base(x: Column) -> Column: ...

    def _numbers(self) -> tuple[float, float]:
        c, exponent = vars(self).values()
        return c, exponent

    def free(self) -> Column:
        c, exponent = self._numbers()
        return np.array([unpositive(c), exponent])

    def moved(self, free: Column) -> Self:
        return type(self)(positive(free[0]), float(free[1]))  # type: ignore[call-arg]

    def pdf(self, x: Column) -> Column:
        c, exponent = self._numbers()
        return np.asarray(c * self._base(np.asarray(x, np.float64)) ** -exponent)


@dataclass(frozen=True)
class Zipf(_Power):
    """y = C x^-b (Kohlschütter & Nejdl 2008 equation 3).

    >>> Zipf(2.0, 1.0).pdf(np.array([1, 2, 4])).tolist()
    [2.0, 1.0, 0.5]
    """

    c: float
    b: float

    @classmethod
    def starts(cls, x: Column, y: Column) -> list[Self]:
        top = max(float(np.max(y)), 1e-12)
        return [cls(top, b) for b in (0.3, 1.0, 2.0)]

    @staticmethod
    def _base(x: Column) -> Column:
        return x

    def equation(self) -> str:
        return f"y = {self.c:.4g} x^-{self.b:.4g}"


@dataclass(frozen=True)
class Lavalette(_Power):
    """y = C (x / (1 - x))^-a, ranks as shares of all ranks (Kohlschütter 2011 §4.3.2): a fall at both ends.

    >>> Lavalette(1.0, 1.0).pdf(np.array([0.5])).tolist()
    [1.0]
    """

    c: float
    a: float

    @classmethod
    def starts(cls, x: Column, y: Column) -> list[Self]:
        middle = max(float(np.median(y)), 1e-12)
        return [cls(middle, a) for a in (0.2, 0.7, 1.5)]

    @staticmethod
    def _base(x: Column) -> Column:
        return np.asarray(x / (1 - x))

    def equation(self) -> str:
        return f"y = {self.c:.4g} (x / (1 - x))^-{self.a:.4g}"


@dataclass(frozen=True)
class MenzerathAltmann(_Curve):
    """y = C x^a + d (Kohlschütter 2011 equation 4.12; 4.11 with a_0 and all from a_2 on at zero, which fits too).

    >>> MenzerathAltmann(2.0, -1.0, 1.0).pdf(np.array([1, 2])).tolist()
    [3.0, 2.0]
    """

    c: float
    a: float
    d: float

    @classmethod
    def starts(cls, x: Column, y: Column) -> list[Self]:
        low, high = float(np.min(y)), float(np.max(y))
        rise = max(high - low, 1e-9)
        return [cls(rise, -0.1, low), cls(rise, -1.0, low), cls(rise / 10, -0.02, low - rise)]

    def free(self) -> Column:
        return np.array([self.c, self.a, self.d])

    def moved(self, free: Column) -> Self:
        c, a, d = (float(value) for value in free)
        return replace(self, c=c, a=a, d=d)

    def pdf(self, x: Column) -> Column:
        return np.asarray(self.c * np.asarray(x, np.float64) ** np.clip(self.a, -50, 50) + self.d)

    def equation(self) -> str:
        return f"y = {self.c:.4g} x^{self.a:.4g} + {self.d:.4g}"


@dataclass(frozen=True)
class ZipfFit:
    """y = C x^-b (Kohlschütter & Nejdl 2008 equation 3), and the root mean square error of the fit."""

    c: float
    b: float
    error: float


def fit_zipf(y: Column) -> ZipfFit:
    """Least squares fit of y = C x^-b to the values at the ranks 1, 2, ...

    The best C follows from b, so one search over b is enough.

    >>> fit = fit_zipf(1.5 * np.arange(1, 50.0) ** -0.7)
    >>> round(fit.c, 6), round(fit.b, 6), round(fit.error, 6)
    (1.5, 0.7, 0.0)
    """
    if len(y) < 2:
        raise InputError(f"a fit needs at least two values, not {len(y)}")
    x = np.arange(1, len(y) + 1, dtype=np.float64)

    def at(b: float) -> tuple[float, float]:
        power = x**-b
        c = float(y @ power / (power @ power))
        return c, float(np.sqrt(np.mean((y - c * power) ** 2)))

    # A coarse grid finds the neighbourhood of the minimum, a golden-section search the minimum.
    grid = np.linspace(0, 4, 81)
    middle = int(np.argmin([at(b)[1] for b in grid.tolist()]))
    low, high = float(grid[max(middle - 1, 0)]), float(grid[min(middle + 1, 80)])
    golden = (5**0.5 - 1) / 2
    while high - low > 1e-9:
        left, right = high - golden * (high - low), low + golden * (high - low)
        if at(left)[1] < at(right)[1]:
            high = right
        else:
            low = left
    b = (low + high) / 2
    return ZipfFit(at(b)[0], b, at(b)[1])
