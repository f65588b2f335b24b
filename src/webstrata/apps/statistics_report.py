"""The report of ``webstrata stats``: one HTML page, Markdown, and each table and figure as CSV and SVG."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from webstrata._escaping import unmarked
from webstrata.evaluation.reports.document import Figure, Part, write_document
from webstrata.evaluation.reports.tables import Cell, ReportTable
from webstrata.statistics import figures
from webstrata.statistics.analyses import (
    cut_off,
    density_against_words,
    full_stop,
    quotients,
    rank_curves,
    strata,
    token_lengths,
    typical_terms,
    writer,
)
from webstrata.statistics.fitting import Fit
from webstrata.statistics.surveys import BOUNDARY, Survey

__all__ = ["report_parts", "write_statistics"]

_TOP = 20


def write_statistics(folder: Path, survey: Survey, *, source: str) -> Path:
    """Write ``report.html``, ``report.md`` and the files of tables and figures; returns the path of ``report.html``.

    Parameters
    ----------
    folder : the output folder
    survey : the counts
    source : name of the pages that were counted, for people
    """
    return write_document(folder, "Strata in numbers", report_parts(survey, source=source))[0]


def report_parts(survey: Survey, *, source: str) -> Iterator[Part]:
    """The paragraphs, tables and figures of the report, in order."""
    yield (
        f"Counted in {source}: {survey.documents:,} documents with {survey.tokens:,} words. Text density is the number"
        " of words on a line of 80 characters; a menu has one or two, a paragraph ten and more."
    )
    yield from _strata(survey)
    yield from _words(survey)
    yield from _classes(survey)
    yield from _stops(survey)
    yield from _terms(survey)
    yield from _lengths(survey)
    yield from _templates(survey)
    yield from _laws(survey)


def _fit_line(name: str, fit: Fit[Any] | None) -> tuple[Cell, ...]:
    """A row of a table of fits."""
    if fit is None:
        return (name, "too few values", None, None, None, None, "")
    found = fit.goodness
    end = "" if fit.converged else f"not converged: {fit.message}"
    return (name, fit.model.equation(), found.r2, found.adjusted_r2, found.rmse, found.aic, end)


_FITS = ("model", "equation", "R²", "adjusted R²", "RMSE", "AIC", "")


def _percent(part: int, whole: int) -> str:
    return f"{part / max(1, whole):.1%}"


def _strata(survey: Survey) -> Iterator[Part]:
    found = strata(survey)
    yield "## Are there two kinds of text?"
    total = found.below + found.above
    if found.two:
        yield (
            f"Yes: the curve has two humps, and the second improves the fit despite its parameters (AIC). The boundary"
            f" is at {found.boundary or BOUNDARY:.1f} words a line: {_percent(found.below, total)} of the words are in"
            f" sparse text and {_percent(found.above, total)} in dense text."
        )
    else:
        yield (
            "No: the curve has one hump, or there is too little text to decide. Web pages mostly have two humps, books"
            " and single articles one."
        )
    yield Figure("density", "Words by text density, and the model of two strata", figures.density_curve(survey, found))
    yield (
        "Each point is the share of all words in text of that density. Two humps mean two strata: short text for"
        " navigation, and sentences."
    )
    lines = [_fit_line(name, fit) for name, fit in found.fits.items()]
    lines += [_fit_line(f"{name}, maximum likelihood", fit) for name, fit in found.likely.items()]
    yield ReportTable("density-fits", "Distributions of words over text density", _FITS, tuple(lines))


def _words(survey: Survey) -> Iterator[Part]:
    found = writer(survey)
    yield "## How long is a text?"
    if found.two is not None:
        model = found.two.model
        yield (
            f"{model.short:.1%} of the texts are short and end after {1 / model.p_short:.1f} words on average; the"
            f" others end after {1 / model.p_long:.1f}. The model is a writer who decides after each word whether to"
            " stop."
        )
    by_words, by_density = density_against_words(survey)
    yield (
        f"Texts of 11 words and more have {by_words:,} words, texts of a density of 11 and more have {by_density:,}."
        " Where the two are close, counting words does as well as density."
    )
    yield Figure("words", "Texts by their number of words", figures.words_curves(survey, found))
    yield (
        "Both axes are logarithmic. A single kind of text would follow the first curve; points above it are long text"
        " with another distribution."
    )
    lines = (
        _fit_line("one geometric", found.one),
        _fit_line("two geometrics", found.two),
        _fit_line("two geometrics, maximum likelihood", found.likely),
    )
    yield ReportTable("words-fits", "Distributions of texts over words", _FITS, lines)


def _classes(survey: Survey) -> Iterator[Part]:
    if len(survey.classes) < 2:
        return
    yield "## What is content?"
    chart = figures.by_class(survey, "tokens by density", title="Words by text density and class", x="text density")
    yield Figure("density-classes", "Words by text density and class", chart)
    yield (
        "The colours are the classes by an extractor or a person. If one colour ends near the density at which the"
        " other begins, density alone separates content from the rest."
    )
    chart = figures.by_class(survey, "units by words", title="Words by length of their text and class", x="words")
    yield Figure("words-classes", "Words by the number of words of their text and class", chart)
    yield (
        "The same by the length of texts in words. There are many short texts, but the long ones have most of the"
        " words."
    )


def _stops(survey: Survey) -> Iterator[Part]:
    found = full_stop(survey)
    yield "## Does a full stop separate the two?"
    inside, without = int(found.with_stop.sum()), int(found.without.sum())
    yield (
        f"{_percent(inside, inside + without)} of the words are in texts with a full stop. Density has"
        f" {found.gain:.3f} bits of information about it; predicting a full stop from a density of {found.threshold} on"
        f" is right {found.accuracy:.1%} of the time."
    )
    yield Figure("full-stop", "Words by text density, with and without a full stop", figures.stop_curves(found))
    yield (
        "Sentences end with a full stop and menus do not. If the two curves lie apart, the strata are those of"
        " sentences and of labels."
    )
    lines = tuple(_fit_line(name, fit) for name, fit in found.fits.items())
    yield ReportTable("full-stop-fits", "A beta distribution for each side", _FITS, lines)


def _terms(survey: Survey) -> Iterator[Part]:
    # The thesis asks for 100 of 316,448 documents; of a small crawl, for two at least.
    least = max(2, min(100, survey.documents // 100))
    terms = typical_terms(survey, least=least)
    yield "## Which words are typical?"
    if not terms:
        yield "Too few documents share words to answer this."
        return
    low, high = (sum(sign * term.typicality >= 0.05 for term in terms) for sign in (-1, 1))
    yield (
        f"Of {len(terms):,} terms in at least {least} documents, {_percent(low, len(terms))} are typical of sparse text"
        f" and {_percent(high, len(terms))} of dense text. Typicality is -1 for a term that all documents have in"
        " sparse text only, and 1 for one that all have in dense text only."
    )
    pairs = zip(terms[:_TOP], terms[::-1][:_TOP], strict=False)
    lines = tuple((unmarked(a.term, 40), a.typicality, unmarked(b.term, 40), b.typicality) for a, b in pairs)
    header = ("sparse text", "typicality", "dense text", "typicality ")
    yield ReportTable("terms", "The most typical terms", header, lines)
    yield Figure("typicality", "Typicality of terms by rank", figures.typicality_curve(terms))
    yield (
        "The steeper the ends, the more words occur in one stratum only. The flat middle has words of both strata, such"
        " as articles and names."
    )


def _lengths(survey: Survey) -> Iterator[Part]:
    mean, fit = token_lengths(survey)
    yield "## How long is a word?"
    yield (
        f"{mean:.2f} characters on average. Unlike density, length of words has one hump: the strata are not made of"
        " different words, but of different ways to put them together."
    )
    yield Figure("token-length", "Words by their number of characters", figures.length_curve(survey, fit))
    yield ReportTable("token-length-fits", "A beta distribution of lengths", _FITS, (_fit_line("one beta", fit),))


def _templates(survey: Survey) -> Iterator[Part]:
    found = cut_off(survey)
    yield "## How much is template?"
    yield (
        f"Leaving out texts of at most 5 words a line removes {_percent(found.sparse, found.tokens)} of the words."
        f" Texts that occur ten times or more have {_percent(found.frequent, found.tokens)} of the words;"
        f" the cut-off removes {_percent(found.both, found.frequent)} of these without looking at other pages."
    )
    yield ReportTable("frequency-fits", "Frequencies of texts by rank", _FITS, (_fit_line("Lavalette", found.curve),))


def _laws(survey: Survey) -> Iterator[Part]:
    yield "## Laws of language"
    yield Figure("ranks", "Documents by mean density and mean length of words", figures.rank_chart(survey))
    yield (
        "Documents are sorted by their mean, the greatest first. That both fall along a simple curve is what the law of"
        " Menzerath and Altmann expects of language."
    )
    lines = [_fit_line(f"Menzerath-Altmann: {name}", fit) for name, (_, _, fit) in rank_curves(survey).items()]
    lines.append(_fit_line("Frumkina: quotients of neighbouring densities", quotients(survey)))
    yield ReportTable("laws", "Laws and how well they fit", _FITS, tuple(lines))
