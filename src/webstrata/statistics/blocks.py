"""Distributions of integers: words of a block, and steps of density between neighbours.

*Random writer* (Kohlschütter 2011 §4.4.4): after each word the writer ends the block with some probability, so the
number of words is geometric from 1 on (4.20). Two kinds of text, short and long, end with different probabilities
(4.21). *Frumkina's law* (Kohlschütter & Nejdl 2008 §3, equation 2): the negative hypergeometric distribution.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from webstrata.errors import from_extra
from webstrata.statistics.fitting import positive, share, unpositive, unshare
from webstrata.text import Column

__all__ = ["Geometric", "NegativeHypergeometric", "TwoGeometrics"]


def _geometric(x: Column, p: float) -> Column:
    x = np.asarray(x, np.float64)
    return np.where(x >= 1, np.exp((x - 1) * np.log1p(-min(p, 1 - 1e-15))) * p, 0.0)


def _geometric_cdf(x: Column, p: float) -> Column:
    x = np.floor(np.asarray(x, np.float64))
    return np.where(x >= 1, -np.expm1(x * np.log1p(-min(p, 1 - 1e-15))), 0.0)


@dataclass(frozen=True)
class Geometric:
    """The 1-displaced geometric distribution (Kohlschütter 2011 equation 4.20).

    Parameters
    ----------
    p : P_T(N), the probability that a block ends after a word

    >>> Geometric(0.5).pdf(np.array([1, 2, 3])).tolist(), Geometric(0.5).mean
    ([0.5, 0.25, 0.125], 2.0)
    """

    p: float

    @property
    def mean(self) -> float:
        """The mean number of words."""
        return 1 / self.p

    @classmethod
    def starts(cls, x: Column, y: Column) -> list[Self]:
        return [cls(p) for p in (0.02, 0.1, 0.3, 0.6)]

    def free(self) -> Column:
        return np.array([unshare(self.p)])

    def moved(self, free: Column) -> Self:
        return replace(self, p=share(free[0]))

    def pdf(self, x: Column) -> Column:
        return _geometric(x, self.p)

    def cdf(self, x: Column) -> Column:
        return _geometric_cdf(x, self.p)

    def chance(self, x: Column) -> Column:
        return self.pdf(x)

    def equation(self) -> str:
        return f"P(x) = (1 - p)^(x-1) p, p = {self.p:.4g}"


@dataclass(frozen=True)
class TwoGeometrics:
    """A mixture of short and long text, each geometric (Kohlschütter 2011 equation 4.21).

    Parameters
    ----------
    short : P_N(S), the share of blocks that are short text
    p_short, p_long : P_S(N) and P_L(N), the probabilities that a block of either kind ends after a word

    >>> float(TwoGeometrics(0.75, 0.5, 0.1).pdf(np.array([1]))[0])
    0.4
    """

    short: float
    p_short: float
    p_long: float

    @classmethod
    def starts(cls, x: Column, y: Column) -> list[Self]:
        return [cls(s, a, b) for s in (0.4, 0.8) for a, b in ((0.3, 0.03), (0.6, 0.1))]

    def free(self) -> Column:
        return np.array([unshare(value) for value in (self.short, self.p_short, self.p_long)])

    def moved(self, free: Column) -> Self:
        short, one, other = (share(value) for value in free)
        # Short text has the larger probability to end.
        if one < other:
            short, one, other = 1 - short, other, one
        return replace(self, short=short, p_short=one, p_long=other)

    def pdf(self, x: Column) -> Column:
        return np.asarray(self.short * _geometric(x, self.p_short) + (1 - self.short) * _geometric(x, self.p_long))

    def cdf(self, x: Column) -> Column:
        return np.asarray(
            self.short * _geometric_cdf(x, self.p_short) + (1 - self.short) * _geometric_cdf(x, self.p_long)
        )

    def chance(self, x: Column) -> Column:
        return self.pdf(x)

    def equation(self) -> str:
        return (
            "P(x) = s (1 - p)^(x-1) p + (1 - s) (1 - q)^(x-1) q,"
            f" s = {self.short:.4g}, p = {self.p_short:.4g}, q = {self.p_long:.4g}"
        )


@dataclass(frozen=True)
class NegativeHypergeometric:
    """The negative hypergeometric distribution on 0 to n (Kohlschütter & Nejdl 2008 equation 2).

    It is the beta-binomial distribution of n trials with a = M and b = K - M, and is computed as such.

    Parameters
    ----------
    k, m : K and M of the paper
    n : the largest value

    >>> float(NegativeHypergeometric(2.0, 1.0, 3).pdf(np.array([0]))[0])
    0.25
    """

    k: float
    m: float
    n: int

    @classmethod
    def starts(cls, x: Column, y: Column) -> list[Self]:
        n = int(np.max(x))
        return [cls(k, m, n) for k, m in ((2.0, 0.2), (2.0, 1.0), (8.0, 2.0))]

    def free(self) -> Column:
        return np.array([unpositive(self.m), unpositive(self.k - self.m)])

    def moved(self, free: Column) -> Self:
        m, rest = (positive(value) for value in free)
        return replace(self, k=m + rest, m=m)

    def pdf(self, x: Column) -> Column:
        with from_extra("stats", "scipy"):
            from scipy.special import betaln, gammaln
        x = np.asarray(x, np.float64)
        inside = (x >= 0) & (x <= self.n) & (x == np.floor(x))
        at = np.where(inside, x, 0.0)
        ways = gammaln(self.n + 1) - gammaln(at + 1) - gammaln(self.n - at + 1)
        b = self.k - self.m
        log = ways + betaln(at + self.m, self.n - at + b) - betaln(self.m, b)
        return np.where(inside, np.exp(log), 0.0)

    def cdf(self, x: Column) -> Column:
        total = np.cumsum(self.pdf(np.arange(self.n + 1)))
        place = np.clip(np.floor(np.asarray(x, np.float64)), -1, self.n).astype(np.int64)
        return np.where(place >= 0, total[np.maximum(place, 0)], 0.0)

    def chance(self, x: Column) -> Column:
        return self.pdf(x)

    def equation(self) -> str:
        return f"P(x) = C(-M, x) C(-K+M, n-x) / C(-K, n), K = {self.k:.5g}, M = {self.m:.5g}, n = {self.n}"
