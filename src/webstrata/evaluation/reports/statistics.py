"""Confidence intervals by bootstrap, and significance tests of algorithms on the same pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from webstrata.errors import InputError, from_extra

__all__ = ["Interval", "PairedTest", "bootstrap_mean", "compare_all", "holm"]

# Page numbers of resampled means that are in memory at once: 8 MB.
_AT_ONCE = 1 << 20


@dataclass(frozen=True)
class Interval:
    """A mean, and its confidence interval."""

    mean: float
    low: float
    high: float


def bootstrap_mean(values: ArrayLike, *, resamples: int = 2000, seed: int = 0) -> Interval:
    """The mean of values with its 95 % percentile bootstrap interval.

    Samples of the same size are drawn with replacement; the interval cuts off equal parts of their means at both ends.
    The same seed gives the same interval.

    Parameters
    ----------
    values : one for each page
    resamples : the number of samples
    seed : of the random numbers

    >>> bootstrap_mean([0.5, 0.5, 0.5])
    Interval(mean=0.5, low=0.5, high=0.5)

    Reference: B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13.
    """
    column = np.asarray(values, np.float64)
    if not column.size:
        raise InputError("a mean needs at least one page")
    means = _resampled_means(column, resamples, np.random.default_rng(seed))
    low, high = np.quantile(means, [0.025, 0.975])
    return Interval(float(column.mean()), float(low), float(high))


def _resampled_means(column: np.ndarray, resamples: int, random: np.random.Generator) -> np.ndarray:
    step = max(_AT_ONCE // column.size, 1)
    parts = []
    for start in range(0, resamples, step):
        drawn = random.integers(column.size, size=(min(step, resamples - start), column.size), dtype=np.int32)
        parts.append(column[drawn].mean(axis=1))
    return np.concatenate(parts)


@dataclass(frozen=True)
class PairedTest:
    """Two algorithms on the same pages.

    ``difference`` is the mean of the first minus that of the second, with its bootstrap interval; ``p`` is the
    probability of such a difference if both were equally good, and ``p_holm`` the same, corrected for the number of
    comparisons.
    """

    first: str
    second: str
    pages: int
    difference: Interval
    p: float
    p_holm: float


def compare_all(values: Mapping[str, Sequence[float]], *, resamples: int = 9999, seed: int = 0) -> list[PairedTest]:
    """Every pair of algorithms by a paired randomisation test, corrected by Holm's method.

    If two algorithms are equally good, the sign of their difference on a page is random; the test compares the mean
    difference with those under random signs (under all signs, if there are few pages). It assumes no distribution.

    Parameters
    ----------
    values : for each algorithm, its values on the same pages in the same order
    resamples : the number of random signs
    seed : of the random numbers

    Reference: E. W. Noreen, Computer-intensive methods for testing hypotheses, 1989; S. Holm, A simple sequentially
    rejective multiple test procedure, Scandinavian Journal of Statistics 6 (1979).
    """
    pairs = list(combinations(values, 2))
    columns = {name: np.asarray(column, np.float64) for name, column in values.items()}
    if len({len(column) for column in columns.values()}) > 1:
        raise InputError(
            "algorithms can only be compared on the same pages, and these have different numbers of values"
        )
    differences = [columns[first] - columns[second] for first, second in pairs]
    chances = [_randomisation_test(difference, resamples, seed) for difference in differences]
    return [
        PairedTest(first, second, len(difference), bootstrap_mean(difference, seed=seed), p, corrected)
        for (first, second), difference, p, corrected in zip(pairs, differences, chances, holm(chances), strict=True)
    ]


def _randomisation_test(difference: np.ndarray, resamples: int, seed: int) -> float:
    with from_extra("eval", "scipy"):
        from scipy.stats import permutation_test
    # Equal pages are left out: a sign changes nothing there.
    decided = difference[difference != 0]
    # A single page is as likely with either sign.
    if decided.size < 2:
        return 1.0
    result = permutation_test(
        (decided,),
        lambda column, axis: np.mean(column, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=resamples,
        batch=max(_AT_ONCE // decided.size, 1),
        rng=np.random.default_rng(seed),
    )
    return float(result.pvalue)


def holm(chances: Sequence[float]) -> list[float]:
    """p-values corrected for their number: the smallest times n, the next times n - 1, never decreasing.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(chances)), key=chances.__getitem__)
    corrected = [0.0] * len(chances)
    highest = 0.0
    for rank, number in enumerate(order):
        highest = max(highest, min(1.0, (len(chances) - rank) * chances[number]))
        corrected[number] = highest
    return corrected
