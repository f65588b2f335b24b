"""The analyses of Kohlschütter 2011 §4.3 and §4.4.4, each a function of a survey.

If a survey is too small for a fit, the fit is None, and the counts are given all the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from webstrata.errors import InputError
from webstrata.statistics.blocks import Geometric, NegativeHypergeometric, TwoGeometrics
from webstrata.statistics.densities import Betas, OneBeta, ThreeBetas, TwoBetas, TwoBetasAndNormal
from webstrata.statistics.fitting import Fit, Fittable, Method, fit_model
from webstrata.statistics.ranks import Lavalette, MenzerathAltmann
from webstrata.statistics.surveys import BOUNDARY, Survey
from webstrata.text import Column

__all__ = [
    "CutOff",
    "DensityStrata",
    "FullStop",
    "RandomWriter",
    "Term",
    "crossing",
    "cut_off",
    "density_against_words",
    "frequency_ratio",
    "full_stop",
    "has_two_humps",
    "quotients",
    "rank_curves",
    "strata",
    "token_lengths",
    "typical_terms",
    "writer",
]

M = TypeVar("M", bound=Fittable)
# A text of this many units is template text (Kohlschütter 2011 §4.3.3).
_FREQUENT = 10
# Ranks that a curve is fitted to at most.
_MOST_RANKS = 1000
# Units of at least this many words are compared with units of at least this density (Kohlschütter 2011 §4.4.4).
_LAMBDA = 11


def _fit(kind: type[M], counts: Column, *, first: int = 1, method: Method = "least squares") -> Fit[M] | None:
    """A model of a histogram from the value ``first`` on; None if it has too few values."""
    some = counts[first:]
    total = some.sum()
    if not total:
        return None
    try:
        return fit_model(kind, np.arange(first, first + len(some)), some / total, method=method, counts=some)
    except InputError:
        return None


@dataclass(frozen=True)
class DensityStrata:
    """The strata of text: are there two, where is their boundary, and how many tokens are on either side?

    Attributes
    ----------
    fits : by least squares, by name
    likely : the fits of one and of two distributions by maximum likelihood
    boundary : the density between the modes where both parts of `TwoBetas` are equal; None if there is none
    below, above : tokens up to the rounded boundary, and above it; without a boundary, up to that of the thesis
    """

    fits: Mapping[str, Fit[Betas] | None]
    likely: Mapping[str, Fit[Betas] | None]
    boundary: float | None
    below: int
    above: int

    @property
    def two(self) -> bool:
        """Whether two distributions fit better than one by AIC, and their sum has two humps.

        With many words every bend of a curve is significant, so AIC alone would always choose two.
        """
        one, other = self.likely["one beta"], self.likely["two betas"]
        if one is None or other is None or one.goodness.aic is None or other.goodness.aic is None:
            return False
        shown = self.fits["two betas"]
        return other.goodness.aic < one.goodness.aic and shown is not None and has_two_humps(shown.model)


_KINDS: dict[str, type[Betas]] = {
    "one beta": OneBeta,
    "two betas": TwoBetas,
    "three betas": ThreeBetas,
    "two betas and a normal": TwoBetasAndNormal,
}


def strata(survey: Survey) -> DensityStrata:
    """The strata of a survey (Kohlschütter 2011 §4.3.2, equations 4.15 to 4.18)."""
    tokens = survey.histogram("tokens by density")
    fits = {name: _fit(kind, tokens) for name, kind in _KINDS.items()}
    likely = {name: _fit(_KINDS[name], tokens, method="maximum likelihood") for name in ("one beta", "two betas")}
    two = fits["two betas"]
    boundary = crossing(two.model) if two is not None else None
    place = int(BOUNDARY if boundary is None else np.floor(boundary + 0.5))
    return DensityStrata(fits, likely, boundary, int(tokens[: place + 1].sum()), int(tokens[place + 1 :].sum()))


def crossing(model: Betas) -> float | None:
    """The density between the modes where the first and the last beta distribution are equal; None if they never are.

    >>> round(crossing(TwoBetas(20.0, (0.5, 0.5), (3.0, 17.0), (17.0, 3.0))), 6)
    10.0
    """
    low, high = model.modes()[0], model.modes()[-1]
    if not high > low:
        return None
    x = np.linspace(max(low, 1e-6), high, 4001)
    parts = model.parts(x)
    above = parts[model.count - 1] >= parts[0]
    if above[0] or not above[-1]:
        return None
    return float(x[int(np.argmax(above))])


def has_two_humps(model: Betas) -> bool:
    """Whether a curve falls between the modes of its first and last part, from the density of 1 on.

    >>> apart, near = ((3.0, 17.0), (17.0, 3.0)), ((9.0, 10.0), (10.0, 9.0))
    >>> [has_two_humps(TwoBetas(20.0, (0.5, 0.5), a, b)) for a, b in (apart, near)]
    [True, False]
    """
    low, high = max(1.0, model.modes()[0]), model.modes()[-1]
    if not high > low:
        return False
    curve = model.pdf(np.linspace(low, high, 401))
    return bool(curve.min() < 0.95 * min(curve[0], curve[-1]))


@dataclass(frozen=True)
class FullStop:
    """The full stop as a criterion that separates the strata.

    Attributes
    ----------
    with_stop, without : tokens of units with a full stop and without, by density
    gain : bits of information that the density of a unit gives about its having a full stop
    threshold, accuracy : units from this density on are predicted to have one; share of correct predictions
    fits : a beta distribution for each side
    """

    with_stop: Column
    without: Column
    gain: float
    threshold: int
    accuracy: float
    fits: Mapping[str, Fit[OneBeta] | None]


def full_stop(survey: Survey) -> FullStop:
    """The full stop as a criterion (Kohlschütter 2011 §4.3.2, figure 4.17)."""
    tokens, units = survey.histogram("tokens by density"), survey.histogram("units by density")
    stopped = _padded(survey.histogram("stopped tokens by density"), len(tokens))
    stopped_units = _padded(survey.histogram("stopped units by density"), len(units))
    total = max(1, int(units.sum()))
    inner = sum(
        (count / total) * _entropy(stop / count)
        for count, stop in zip(units.tolist(), stopped_units.tolist(), strict=True)
        if count
    )
    # Correct are units below the threshold without a full stop, and units from it on with one.
    right = np.concatenate(([0], np.cumsum(units - stopped_units))) + np.concatenate(
        (np.cumsum(stopped_units[::-1])[::-1], [0])
    )
    threshold = int(np.argmax(right))
    fits = {"with full stop": _fit(OneBeta, stopped), "without": _fit(OneBeta, tokens - stopped)}
    gain = _entropy(stopped_units.sum() / total) - inner
    return FullStop(stopped, tokens - stopped, gain, threshold, float(right[threshold]) / total, fits)


def _padded(counts: Column, length: int) -> Column:
    return np.concatenate([counts, np.zeros(max(0, length - len(counts)), np.int64)])[:length]


def _entropy(p: float) -> float:
    return 0.0 if p <= 0 or p >= 1 else float(-(p * np.log2(p) + (1 - p) * np.log2(1 - p)))


@dataclass(frozen=True)
class Term:
    """A term, its typicality, and the number of documents that have it in sparse text and in dense text."""

    term: str
    typicality: float
    low: int
    high: int


def typical_terms(survey: Survey, *, least: int = 100) -> list[Term]:
    """The terms of at least ``least`` documents, from those typical of sparse text to those of dense (equation 4.19).

    >>> survey = Survey({("documents", "all", 0): 99}, {"home": (99, 0, 99), "whether": (0, 9, 9)})
    >>> [(term.term, round(term.typicality, 2)) for term in typical_terms(survey, least=1)]
    [('home', -1.0), ('whether', 0.5)]
    """
    base = np.log(survey.documents + 1) if survey.documents else 1.0
    found = [
        Term(term, float(np.log((high + 1) / (low + 1)) / base), low, high)
        for term, (low, high, documents) in survey.terms.items()
        if documents >= least
    ]
    return sorted(found, key=lambda item: (item.typicality, item.term))


@dataclass(frozen=True)
class RandomWriter:
    """The random writer: distributions of the number of words of a unit."""

    one: Fit[Geometric] | None
    two: Fit[TwoGeometrics] | None
    likely: Fit[TwoGeometrics] | None


def writer(survey: Survey) -> RandomWriter:
    """The geometric distribution and the mixture of two (Kohlschütter 2011 §4.4.4, equations 4.20 and 4.21)."""
    units = survey.histogram("units by words")
    return RandomWriter(
        _fit(Geometric, units),
        _fit(TwoGeometrics, units),
        _fit(TwoGeometrics, units, method="maximum likelihood"),
    )


def token_lengths(survey: Survey) -> tuple[float, Fit[OneBeta] | None]:
    """The mean length of a word, and a beta distribution of lengths (figure 4.15)."""
    lengths = survey.histogram("tokens by length")
    mean = float(lengths @ np.arange(len(lengths)) / max(1, lengths.sum()))
    return mean, _fit(OneBeta, lengths)


def density_against_words(survey: Survey) -> tuple[int, int]:
    """Words in units of at least 11 words, and in units of a density of at least 11 (Kohlschütter 2011 §4.4.4)."""
    units = survey.histogram("units by words")
    tokens = units * np.arange(len(units))
    return int(tokens[_LAMBDA:].sum()), int(survey.histogram("tokens by density")[_LAMBDA:].sum())


@dataclass(frozen=True)
class CutOff:
    """The words that the density cut-off removes, beside those that fingerprints find.

    Attributes
    ----------
    tokens : all words
    sparse : words that the cut-off removes
    frequent : words of texts that occur in at least ten units
    both : words that both find
    curve : Lavalette's law over the frequencies of texts
    """

    tokens: int
    sparse: int
    frequent: int
    both: int
    curve: Fit[Lavalette] | None


def cut_off(survey: Survey) -> CutOff:
    """The cut-off beside fingerprints (Kohlschütter 2011 §4.3.3, figure 4.18)."""
    sparse = sum(low for _, low, _ in survey.repeats.values())
    dense = sum(high for _, _, high in survey.repeats.values())
    often = [(low, high) for units, (_, low, high) in survey.repeats.items() if units >= _FREQUENT]
    both = sum(low for low, _ in often)
    return CutOff(sparse + dense, sparse, both + sum(high for _, high in often), both, _lavalette(survey))


def frequency_ratio(terms: Sequence[Term]) -> tuple[Column, Column, Fit[Lavalette] | None]:
    """How many more documents have a term in dense text than in sparse text, by rank, with Lavalette's law.

    Ranks are shares of all, values are divided by the largest (Kohlschütter 2011 §4.3.2, figure 4.16). One document is
    added on both sides, as in equation 4.19, because most rare terms are on one side only.
    """
    ratios = np.sort([(term.high + 1) / (term.low + 1) for term in terms])[::-1]
    ranks, values = _by_rank(ratios / max(1.0, float(ratios.max(initial=0.0))), np.ones(len(ratios)))
    shares = ranks / (len(ratios) + 1)
    return shares, values, _fitted(Lavalette, shares, values)


def _lavalette(survey: Survey) -> Fit[Lavalette] | None:
    frequencies = np.array(sorted(survey.repeats, reverse=True), np.float64)
    texts = np.array([survey.repeats[int(units)][0] for units in frequencies.tolist()], np.float64)
    # The texts of one frequency are one point, at their middle rank: nearly all texts occur once.
    ranks = np.cumsum(texts) - texts / 2 + 0.5
    return _fitted(Lavalette, ranks / (texts.sum() + 1), frequencies)


_RANKED = {
    "text density": "documents by density",
    "token length": "documents by token length",
    "density over length": "documents by density over length",
}


def rank_curves(survey: Survey) -> dict[str, tuple[Column, Column, Fit[MenzerathAltmann] | None]]:
    """Mean density, mean token length and their quotient by rank, divided by the largest, with Menzerath-Altmann's law.

    Each has its ranks, values, and fit (Kohlschütter 2011 §4.3.2, equations 4.11 and 4.12, figure 4.13). Of many
    documents, a thousand ranks at equal distances are taken.
    """
    found = {}
    for name, measure in _RANKED.items():
        counts = survey.histogram(measure)
        places = np.flatnonzero(counts)[::-1]
        ranks, values = _by_rank(places / max(1, int(places.max(initial=1))), counts[places])
        found[name] = (ranks, values, _fitted(MenzerathAltmann, ranks, values))
    return found


def _by_rank(values: Column, times: Column) -> tuple[Column, Column]:
    """Ranks from 1 on and the value at each, of values that occur several times, largest first."""
    last = np.cumsum(times)
    count = int(last[-1]) if len(last) else 0
    ranks = np.unique(np.linspace(1, count, min(count, _MOST_RANKS)).astype(np.int64)) if count else np.zeros(0)
    return ranks.astype(np.float64), np.asarray(values[np.searchsorted(last, ranks)])


def _fitted(kind: type[M], ranks: Column, values: Column) -> Fit[M] | None:
    try:
        return fit_model(kind, ranks, values) if len(ranks) else None
    except InputError:
        return None


def quotients(survey: Survey) -> Fit[NegativeHypergeometric] | None:
    """Frumkina's law: quotients of neighbouring densities (Kohlschütter 2011 equations 4.2 and 4.9, figure 4.12).

    *Deviation.* Equation 4.9 as printed divides a quotient by a density, and would always give 1; here the
    difference of densities is divided. Classes count from 0 on, as in equation 4.2.
    """
    return _fit(NegativeHypergeometric, survey.histogram("steps by quotient")[1:], first=0, method="maximum likelihood")
