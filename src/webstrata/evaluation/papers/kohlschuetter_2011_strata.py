"""Kohlschütter 2011 §4.3: two strata of text, their words, and the templates among them, on segments of WCXB."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from webstrata._escaping import unmarked
from webstrata.drawing.charts import Series, line_chart
from webstrata.evaluation.papers.kohlschuetter_2011_printed import FITS
from webstrata.evaluation.papers.thesis_pages import SegmentText, ThesisPages
from webstrata.evaluation.reports.document import Figure, Part
from webstrata.evaluation.reports.tables import Cell, ReportTable
from webstrata.sites.fingerprints import FREQUENT
from webstrata.statistics import figures
from webstrata.statistics.analyses import (
    Term,
    cut_off,
    frequency_ratio,
    full_stop,
    rank_curves,
    strata,
    token_lengths,
    typical_terms,
)
from webstrata.statistics.densities import TwoBetasAndNormal
from webstrata.statistics.fitting import Fit, fit_model
from webstrata.statistics.surveys import CUTOFF, Survey
from webstrata.text import Column, words

__all__ = ["PARTS", "fit_table"]

_TOP = 20
#: The least number of documents of a term: the thesis takes 100 of 316,448, and a two-hundredth of WCXB is 7.
_SHARE = 200


def fit_table(name: str, title: str, fits: Mapping[str, Fit[Any] | None]) -> ReportTable:
    """Fits beside those of the thesis, which `FITS` has by name."""
    lines: list[tuple[Cell, ...]] = []
    for what, fit in fits.items():
        printed = FITS.get(what, (None, None, ""))
        own: tuple[Cell, ...] = ("too few values", None, None)
        if fit is not None:
            own = (fit.model.equation(), fit.goodness.r2, fit.goodness.rmse)
        lines.append((what, *own, *printed))
    header = ("fit", "equation here", "R²", "RMSE", "thesis: R²", "RMSE", "parameters")
    return ReportTable(name, title, header, tuple(lines))


def _figure_4_13(data: ThesisPages) -> Iterator[Part]:
    """Figure 4.13: density, length of words and their quotient, documents by rank."""
    survey, _ = data.web
    title = "Figure 4.13: means of documents by rank, the greatest first"
    yield Figure("figure-4.13", title, figures.rank_chart(survey))
    curves = {name: fit for name, (_, _, fit) in rank_curves(survey).items()}
    yield fit_table("figure-4.13", "Figure 4.13 in numbers: fits of Menzerath and Altmann's law", curves)
    yield _WHY_413


_WHY_413 = """The law is y = C x^a + d. Its parameters trade off against each other: a tiny exponent with a huge factor
is nearly a logarithm, and any factor will do. Compare R². The thesis leaves out the 100 documents with the longest
words; here words of more than 100 characters count as 100, and no document is left out."""


def _figure_4_14(data: ThesisPages) -> Iterator[Part]:
    """Figure 4.14 and equations 4.15 to 4.18: the distribution of words over text density."""
    survey, _ = data.web
    found = strata(survey)
    title = "Figure 4.14: words by text density, the model and its parts"
    yield Figure("figure-4.14", title, figures.density_curve(survey, found))
    yield fit_table("figure-4.14", "Equations 4.16 to 4.18: distributions of density", found.fits)
    total = max(1, found.below + found.above)
    best = found.fits["two betas and a normal"]
    modes = best.model.modes() if best is not None else (None, None)
    lines: tuple[tuple[Cell, ...], ...] = (
        ("mode of the sparse stratum", modes[0], 1.99),
        ("mode of the dense stratum", modes[-1], 12.15),
        ("boundary of the strata", found.boundary, 8.0),
        ("share of words below it", found.below / total, 0.36),
    )
    yield ReportTable("strata", "Figure 4.14: the two strata", ("", "here", "thesis"), lines)
    yield _WHY_414


_WHY_414 = """A density is a number of words on a line of 80 characters. There are two humps, of navigation and of
sentences, and two beta distributions with a normal one between them fit them, as the thesis says. The sparse stratum is
smaller and denser here: pages of WCXB were chosen for having content. The d of 0.64 in the thesis is the weight of its
dense stratum."""


def _figure_4_15(data: ThesisPages) -> Iterator[Part]:
    """Figure 4.15: words by their number of characters."""
    survey, _ = data.web
    mean, fit = token_lengths(survey)
    yield Figure("figure-4.15", f"Figure 4.15: length of words, mean {mean:.2f}", figures.length_curve(survey, fit))
    yield fit_table("figure-4.15", "Figure 4.15 in numbers: one beta distribution", {"token length, one beta": fit})
    yield (
        "One hump: words of both strata are equally long. The thesis fits the means of documents or segments (its"
        " exponents put the mode at 5.3 characters, with a small deviation); here each word counts."
    )


def _terms_of(survey: Survey) -> list[Term]:
    return typical_terms(survey, least=max(2, survey.documents // _SHARE))


def _figure_4_16(data: ThesisPages) -> Iterator[Part]:
    """Figure 4.16: terms by the ratio of the documents that have them in dense and in sparse text."""
    terms = _terms_of(data.web[0])
    places, ratios, fit = frequency_ratio(terms)
    series = [Series("terms", places.tolist(), ratios.tolist(), points=True)]
    if fit is not None:
        series.append(Series(fit.model.equation(), places.tolist(), fit.model.pdf(places).tolist()))
    title = f"Figure 4.16: document frequency ratio of {len(terms):,} terms"
    chart = line_chart(series, title=title, x="rank as a share of all", y="ratio over the largest", low=0)
    yield Figure("figure-4.16", title, chart)
    yield fit_table("figure-4.16", "Figure 4.16 in numbers: Lavalette's law", {"document frequency ratio": fit})
    base = np.log(data.web[0].documents + 1)
    # 0.05 of the logarithm to the base of the thesis's number of documents.
    same = 0.05 * np.log(316_449) / base
    shares = [sum(sign * term.typicality >= bound for term in terms) / max(1, len(terms))
              for bound in (0.05, same) for sign in (-1, 1)]  # fmt: skip
    lines = (
        ("typical of sparse text: -0.05 and less", shares[0], 0.2),
        ("typical of dense text: 0.05 and more", shares[1], 0.427),
        (f"of sparse text, by the ratio of the thesis: -{same:.3f} and less", shares[2], 0.2),
        (f"of dense text, by the ratio of the thesis: {same:.3f} and more", shares[3], 0.427),
    )
    yield ReportTable("typical", "§4.3.2: shares of terms", ("terms", "here", "thesis"), lines)
    yield _WHY_416


_WHY_416 = """Typicality is a logarithm to the base of the number of documents, so that 0.05 means another ratio in
another collection: the last two rows have the ratio of the thesis. Far more terms are typical of dense text here: pages
of WCXB were chosen for having content, and only 18 % of their words are sparse, half as many as in the thesis. The
curve is the same, with the exponent of the thesis."""


def _tables_4_4_and_4_5(data: ThesisPages) -> Iterator[Part]:
    """Tables 4.4 and 4.5: the most typical terms."""
    survey, segments = data.web
    title = f"Table 4.4: terms of sparse segments (density {CUTOFF} and less), by how often the segment occurs"
    yield _pairs("table-4.4", title, _terms_of_templates(survey, segments), "in templates", "in other segments")
    yield _pairs("table-4.5", "Table 4.5: terms of the two strata", _terms_of(survey), "sparse text", "dense text")
    yield _WHY_44


_WHY_44 = f"""Typicality is 1 for a term that all documents have on the right side only, -1 on the left side only. Table
4.5 is as in the thesis: words of menus against words of sentences; shops and forums of 2007 had other words. In table
4.4, templates are segments on {FREQUENT} pages and more (100 in the thesis, in a collection two hundred times as
large). Since few segments of WCXB are on that many pages, its left column has the words of the menus of a few sites
with many pages, and its right column words of all kinds."""


def _pairs(name: str, title: str, terms: Sequence[Term], low: str, high: str) -> ReportTable:
    pairs = zip(terms[:_TOP], terms[::-1][:_TOP], strict=False)
    lines = tuple((unmarked(a.term, 40), a.typicality, unmarked(b.term, 40), b.typicality) for a, b in pairs)
    return ReportTable(name, title, (low, "typicality", high, "typicality "), lines)


def _terms_of_templates(survey: Survey, segments: Sequence[SegmentText]) -> list[Term]:
    """The terms of sparse segments, those of frequent segments first (table 4.4)."""
    frequency = _frequencies(segments)
    sides: dict[str, tuple[set[int], set[int]]] = defaultdict(lambda: (set(), set()))
    for segment in segments:
        if segment.density <= CUTOFF and segment.fingerprint:
            side = 0 if frequency[segment.fingerprint] >= FREQUENT else 1
            for term in set(words(segment.text.lower())):
                sides[term][side].add(segment.page)
    terms = {term: (len(low), len(high), len(low | high)) for term, (low, high) in sides.items()}
    return typical_terms(Survey(survey.counts, terms), least=max(2, survey.documents // _SHARE))


def _figure_4_17(data: ThesisPages) -> Iterator[Part]:
    """Figure 4.17: the full stop separates the strata."""
    survey, _ = data.web
    found = full_stop(survey)
    title = "Figure 4.17: words by text density, with and without a full stop"
    yield Figure("figure-4.17", title, figures.stop_curves(found))
    fits = {f"full stop, {name}": fit for name, fit in found.fits.items()}
    yield fit_table("figure-4.17", "Figure 4.17 in numbers: a beta distribution for each side", fits)
    inside = int(found.with_stop.sum()) / max(1, survey.tokens)
    lines: tuple[tuple[Cell, ...], ...] = (
        ("share of words with a full stop", inside, 0.69),
        ("information gain of density, bits", found.gain, 0.711),
        (f"accuracy of a threshold (here {found.threshold})", found.accuracy, 0.914),
    )
    yield ReportTable("full-stop", "§4.3.2: the full stop", ("", "here", "thesis"), lines)
    yield (
        "The thesis prints 4.18·10^7 words without a full stop as 69 % and 9.50·10^7 with one as 31 %; the percentages"
        " are exchanged, and 69 % have one. Bits of information cannot exceed the entropy of the full stop itself,"
        " which is smaller here because more segments are short."
    )


def _tables_4_6_and_4_7(data: ThesisPages) -> Iterator[Part]:
    """Tables 4.6 and 4.7: the most frequent segments, and rare sparse ones."""
    _, segments = data.web
    frequency = _frequencies(segments)
    shown: dict[int, str] = {}
    for segment in segments:
        shown.setdefault(segment.fingerprint, unmarked(segment.text, 60))
    lines = tuple((times, shown[key]) for key, times in frequency.most_common(3 * _TOP))
    yield ReportTable("table-4.6", "Table 4.6: the most frequent segments", ("pages", "segment"), lines)
    rare = [
        segment
        for segment in segments
        if segment.density <= CUTOFF and segment.fingerprint and frequency[segment.fingerprint] <= 3
    ]
    chosen = np.random.default_rng(1).permutation(len(rare))[:14]
    sample = tuple((frequency[rare[place].fingerprint], unmarked(rare[place].text, 60)) for place in chosen.tolist())
    title = f"Table 4.7: a random sample of rare segments of density {CUTOFF} and less"
    yield ReportTable("table-4.7", title, ("pages", "segment"), sample)
    yield (
        "As in the thesis, what repeats is navigation (its first three are Home, Search and Contact Us), and rare"
        " sparse text is titles, names, dates and prices."
    )


def _frequencies(segments: Sequence[SegmentText]) -> Counter[int]:
    """The number of pages that have a segment of each fingerprint. A single page may repeat a date a thousand times."""
    return Counter(
        key for key, _ in {(segment.fingerprint, segment.page) for segment in segments if segment.fingerprint}
    )


def _figure_4_18(data: ThesisPages) -> Iterator[Part]:
    """Figure 4.18: how often segments occur, by rank."""
    survey, segments = data.web
    counts = np.sort(list(_frequencies(segments).values()))[::-1]
    repeats = {times: (texts, 0, 0) for times, texts in Counter(counts.tolist()).items()}
    fit = cut_off(Survey(survey.counts, repeats=repeats)).curve
    places = np.unique(np.geomspace(1, max(1, len(counts)), 200).astype(int)) - 1
    x = (places + 1) / (len(counts) + 1)
    series = [Series("segments", x.tolist(), counts[places].tolist() if len(counts) else [], points=True)]
    if fit is not None:
        series.append(Series(fit.model.equation(), x.tolist(), fit.model.pdf(x).tolist()))
    title = f"Figure 4.18: pages that have each of {len(counts):,} different segments"
    chart = line_chart(series, title=title, x="rank as a share of all", y="pages", log=True)
    yield Figure("figure-4.18", title, chart)
    yield fit_table("figure-4.18", "Figure 4.18 in numbers: Lavalette's law", {"segment frequency": fit})
    yield "Both axes are logarithmic: a straight line would be Zipf's law. Most segments are on one page."


def _figure_4_19(data: ThesisPages) -> Iterator[Part]:
    """Figure 4.19: the templates that fingerprints find, and what the density cut-off finds of them."""
    _, segments = data.web
    frequency = _frequencies(segments)
    template = [segment for segment in segments if frequency[segment.fingerprint] >= FREQUENT]
    everything = _by_density(segments)
    sides = {
        "all segments": everything,
        "templates with a full stop": _by_density([s for s in template if s.stopped], len(everything)),
        "templates without": _by_density([s for s in template if not s.stopped], len(everything)),
    }
    x = list(range(len(everything)))
    series = [Series(name, x, (counts / max(1, everything.sum())).tolist()) for name, counts in sides.items()]
    title = f"Figure 4.19: words of templates (on {FREQUENT} pages and more) by text density"
    yield Figure("figure-4.19", title, line_chart(series, title=title, x="text density", y="share of words", low=0))
    own = _by_density(template, len(everything))
    values = own[1:]
    fit = None
    if np.count_nonzero(values) > 8:
        fit = fit_model(TwoBetasAndNormal, np.arange(1, len(own)), values / values.sum())
    yield fit_table("figure-4.19", "Figure 4.19 in numbers: density of templates", {"templates": fit})
    total, found, sparse = int(everything.sum()), int(own.sum()), int(everything[: CUTOFF + 1].sum())
    both = int(own[: CUTOFF + 1].sum())
    lines: tuple[tuple[Cell, ...], ...] = (
        ("words in templates", found / max(1, total), 0.28),
        (f"words of density {CUTOFF} and less", sparse / max(1, total), 0.23),
        (f"of the words in templates, of density {CUTOFF} and less", both / max(1, found), 0.84),
        ("of the words in templates, with a full stop", int(sides["templates with a full stop"].sum()) / max(1, found),
         0.47),
        ("of the sparse words, in templates without a full stop",
         int(sides["templates without"][: CUTOFF + 1].sum()) / max(1, sparse), 0.63),
    )  # fmt: skip
    yield ReportTable("templates", "§4.3.3: fingerprints and the cut-off", ("share", "here", "thesis"), lines)
    yield _WHY_419


_WHY_419 = """WCXB has one page of most sites, so a text repeats only if many sites use it: fingerprints find a small
part of the templates, mostly labels without a full stop. The thesis counts whole sites, whose footers are sentences
that repeat; on pages of your own sites, `webstrata stats` counts the same. One of its numbers is doubtful: it says that
the cut-off removes 84 % of the words that fingerprints find (§4.3.3), but 47 % of these words are sparse by its summary
(§4.3.4), and 84 % is the quotient of the two shares, 23 % and 28 %."""


def _by_density(segments: Iterable[SegmentText], length: int = 1) -> Column:
    pairs = [(segment.density, segment.words) for segment in segments]
    table = np.array(pairs, np.int64).reshape(-1, 2)
    return np.asarray(np.bincount(table[:, 0], table[:, 1], minlength=length))


#: The tables and figures by name.
PARTS = {
    "figure-4.13": _figure_4_13,
    "figure-4.14": _figure_4_14,
    "figure-4.15": _figure_4_15,
    "figure-4.16": _figure_4_16,
    "tables-4.4-and-4.5": _tables_4_4_and_4_5,
    "figure-4.17": _figure_4_17,
    "tables-4.6-and-4.7": _tables_4_6_and_4_7,
    "figure-4.18": _figure_4_18,
    "figure-4.19": _figure_4_19,
}
