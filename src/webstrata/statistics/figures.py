"""The figures of Kohlschütter 2011 §4.3 and §4.4.4 as SVG, from surveys."""

from __future__ import annotations

import numpy as np

from webstrata.drawing.charts import Series, line_chart, stacked_chart, thinned
from webstrata.statistics.analyses import DensityStrata, FullStop, RandomWriter, Term, rank_curves
from webstrata.statistics.surveys import Survey
from webstrata.text import Column

__all__ = ["by_class", "density_curve", "length_curve", "rank_chart", "stop_curves", "typicality_curve", "words_curves"]

_FINE = 8
# Columns of the stacked charts: more are illegible.
_DENSITIES, _WORDS = 20, 40


def _shares(counts: Column) -> Column:
    return np.asarray(counts / max(1, int(counts.sum())))


def density_curve(survey: Survey, found: DensityStrata) -> str:
    """Tokens by density with the best model and its parts (figures 4.14 and 4.26)."""
    tokens = survey.histogram("tokens by density")
    shares = _shares(tokens[1:])
    series = [Series("tokens", np.arange(1, len(tokens)).tolist(), shares.tolist(), points=True)]
    best = found.fits["two betas and a normal"] or found.fits["two betas"]
    if best is not None:
        x = np.linspace(0.5, len(tokens) - 0.5, _FINE * len(tokens))
        series.append(Series("model", x.tolist(), best.model.pdf(x).tolist()))
        names = ("sparse text", "dense text", "between")
        for name, part in zip(names, best.model.parts(x), strict=False):
            series.append(Series(name, x.tolist(), part.tolist()))
    return line_chart(series, x="text density (words a line)", y="share of tokens", low=0)


def length_curve(survey: Survey, fit: object) -> str:
    """Words by length, with a beta distribution (figure 4.15)."""
    lengths = survey.histogram("tokens by length")[:31]
    x = np.arange(1, len(lengths))
    series = [Series("tokens", x.tolist(), _shares(lengths[1:]).tolist(), points=True)]
    model = getattr(fit, "model", None)
    if model is not None:
        fine = np.linspace(0.5, len(lengths), _FINE * len(lengths))
        series.append(Series("beta distribution", fine.tolist(), model.pdf(fine).tolist()))
    return line_chart(series, x="characters of a word", y="share of tokens", low=0)


def typicality_curve(terms: list[Term]) -> str:
    """Typicality of terms by rank (after figure 4.16)."""
    values = [term.typicality for term in terms]
    places = np.linspace(0, 100, len(values)).tolist() if values else []
    kept = [place for place, _ in thinned(values)]
    series = [Series("terms", [places[place] for place in kept], [values[place] for place in kept])]
    return line_chart(series, x="terms by rank (%)", y="typicality", low=-0.5, high=0.5)


def stop_curves(found: FullStop) -> str:
    """Tokens by density, with and without a full stop (figure 4.17)."""
    total = max(1, int(found.with_stop.sum() + found.without.sum()))
    x = list(range(len(found.with_stop)))
    series = [
        Series("units with a full stop", x, (found.with_stop / total).tolist()),
        Series("units without", x, (found.without / total).tolist()),
    ]
    return line_chart(series, x="text density (words a line)", y="share of tokens", low=0)


def rank_chart(survey: Survey) -> str:
    """Mean density and mean token length of documents by rank (figure 4.13)."""
    series = []
    for name, (ranks, values, fit) in rank_curves(survey).items():
        series.append(Series(name, ranks.tolist(), values.tolist(), points=True))
        if fit is not None and len(ranks):
            series.append(Series(f"{name}: {fit.model.equation()}", ranks.tolist(), fit.model.pdf(ranks).tolist()))
    return line_chart(series, x="documents by rank", y="mean over the largest", low=0, high=1)


def words_curves(survey: Survey, found: RandomWriter) -> str:
    """Units by words, with one and two geometric distributions (equations 4.20 and 4.21)."""
    units = survey.histogram("units by words")[: 3 * _WORDS]
    x = np.arange(1, max(2, len(units)))
    shares = np.zeros(len(x))
    shares[: len(units) - 1] = _shares(survey.histogram("units by words"))[1 : len(units)]
    series = [Series("units", x.tolist(), shares.tolist(), points=True)]
    for name, fit in (("one geometric distribution", found.one), ("short and long text", found.two)):
        if fit is not None:
            # Below the rarest point there is no data to compare with.
            y = fit.model.pdf(x)
            shown = y >= shares[shares > 0].min(initial=1) / 2
            series.append(Series(name, x[shown].tolist(), y[shown].tolist()))
    return line_chart(series, x="words of a unit", y="share of units", log=True)


def by_class(survey: Survey, measure: str, *, title: str, x: str) -> str:
    """Stacked columns of the classes (figures 4.23 and 4.24)."""
    most = _DENSITIES if "density" in measure else _WORDS
    layers = {}
    for name in survey.classes:
        counts = survey.histogram(measure, name)
        if "words" in measure:
            counts = counts * np.arange(len(counts))
        column = np.zeros(most + 1)
        np.add.at(column, np.minimum(np.arange(len(counts)), most), counts)
        layers[name] = column[1:].tolist()
    columns = [str(n) if n % (1 if most == _DENSITIES else 5) == 0 or n == 1 else "" for n in range(1, most + 1)]
    return stacked_chart(columns, layers, title=title, x=f"{x} ({most}: and more)", y="words")
