"""Kohlschütter 2011 §4.3.2 and §4.4.4: distributions of words, densities and sentences on several collections."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np

from webstrata.drawing.charts import Series, line_chart
from webstrata.evaluation.papers.kohlschuetter_2011_strata import fit_table
from webstrata.evaluation.papers.thesis_pages import ThesisPages
from webstrata.evaluation.reports.document import Figure, Part
from webstrata.evaluation.reports.tables import Cell, ReportTable
from webstrata.files import files_below
from webstrata.page import Page, parse
from webstrata.statistics import figures
from webstrata.statistics.analyses import (
    cut_off,
    density_against_words,
    full_stop,
    strata,
    token_lengths,
    writer,
)
from webstrata.statistics.densities import OneBeta
from webstrata.statistics.fitting import fit_model
from webstrata.statistics.surveys import Survey, survey_page
from webstrata.text import count_words, sentences

__all__ = ["PARTS", "answers"]

_DENSITIES = 21
_SITE_PAGES = 300

#: The printed figures, for the news pages (§4.4.4) or for Webspam UK-2007 (§4.3) where marked.
_PRINTED = {
    "geometric P_T(N) (4.20)": "0.3145",
    "its adjusted R²": "0.967",
    "mixture P_N(S) (4.21)": "0.7586",
    "mixture P_S(N)": "0.3968",
    "mixture P_L(N)": "0.04369",
    "adjusted R² of the mixture": "0.988",
    "two betas and a normal (4.18), R²": "0.997",
    "boundary of the strata": "8 (Webspam)",
    "words in units of 11 words and more": "345,175",
    "words in densities of 11 and more": "358,428",
    "words in units with a full stop": "69 % (Webspam)",
    "information gain of density, bits": "0.711 (Webspam)",
    "accuracy of a threshold": "91.4 % (Webspam)",
    "removed by the cut-off": "23 % (Webspam)",
    "of repeated texts, removed": "84 % (Webspam)",
}


def _strata(data: ThesisPages) -> Iterator[Part]:
    """Equations 4.18, 4.20 and 4.21 on all collections: the random writer, and the strata."""
    surveys = {
        "L3S-GN1": data.news_survey,
        "CleanEval": data.clean_survey,
        "WCXB": data.web_blocks,
        **{folder.name: Survey.of(survey_page(page) for page in _some_pages(folder)) for folder in data.setting.sites},
    }
    columns = {"thesis": _PRINTED, **{name: answers(survey) for name, survey in surveys.items()}}
    rows = dict.fromkeys(row for column in columns.values() for row in column)
    lines = tuple((row, *(column.get(row, "") for column in columns.values())) for row in rows)
    yield ReportTable("strata-by-collection", "Strata of all collections, blocks as units", ("", *columns), lines)
    title = "Equations 4.20 and 4.21: blocks of the news pages by their number of words"
    yield Figure("figure-4.25", title, figures.words_curves(data.news_survey, writer(data.news_survey)))
    yield _WHY_STRATA


_WHY_STRATA = """Figure 4.25 draws the two random writers: one who ends a block with a fixed chance after each word
(P_T(N)), and one with two kinds of blocks, short (S) and long (L). The column L3S-GN1 has the thesis's own pages: every
parameter is within 5 % of the printed one. What is left is due to the parser, which makes a few more short blocks;
hidden blocks are not counted here."""


def answers(survey: Survey) -> dict[str, str]:
    """The rows of the table of strata."""
    text, dense, stop, cut = writer(survey), strata(survey), full_stop(survey), cut_off(survey)
    one, two, best = text.one, text.two, dense.fits["two betas and a normal"]
    by_words, by_density = density_against_words(survey)
    return {
        "geometric P_T(N) (4.20)": f"{one.model.p:.4f}" if one else "",
        "its adjusted R²": f"{one.goodness.adjusted_r2:.3f}" if one else "",
        "mixture P_N(S) (4.21)": f"{two.model.short:.4f}" if two else "",
        "mixture P_S(N)": f"{two.model.p_short:.4f}" if two else "",
        "mixture P_L(N)": f"{two.model.p_long:.5f}" if two else "",
        "adjusted R² of the mixture": f"{two.goodness.adjusted_r2:.3f}" if two else "",
        "two betas and a normal (4.18), R²": f"{best.goodness.r2:.3f}" if best else "",
        "two strata by AIC": "yes" if dense.two else "no",
        "boundary of the strata": "" if dense.boundary is None else f"{dense.boundary:.1f}",
        "words below it": f"{dense.below / max(1, dense.below + dense.above):.1%}",
        "words in units of 11 words and more": f"{by_words:,}",
        "words in densities of 11 and more": f"{by_density:,}",
        "words in units with a full stop": f"{int(stop.with_stop.sum()) / max(1, survey.tokens):.1%}",
        "information gain of density, bits": f"{stop.gain:.3f}",
        "accuracy of a threshold": f"{stop.accuracy:.1%} from {stop.threshold} on",
        "mean length of a word": f"{token_lengths(survey)[0]:.2f}",
        "removed by the cut-off": f"{cut.sparse / max(1, cut.tokens):.1%}",
        "of repeated texts, removed": f"{cut.both / max(1, cut.frequent):.1%}",
    }


def _some_pages(folder: object) -> Iterator[Page]:
    """Pages of a whole site, chosen at random with a fixed seed."""
    files = [path for path in files_below(folder) if path.suffix in (".html", ".htm")]  # type: ignore[arg-type]
    for path in sorted(random.Random(1).sample(files, min(_SITE_PAGES, len(files)))):
        yield parse(path.read_bytes())


def _figure_4_22(data: ThesisPages) -> Iterator[Part]:
    """Figure 4.22: words of CleanEval by text density, beside the other collections."""
    lines: list[tuple[Cell, ...]] = []
    series = []
    x = list(range(1, _DENSITIES))
    for name, survey in (("CleanEval", data.clean_survey), ("L3S-GN1", data.news_survey), ("WCXB", data.web_blocks)):
        counts = survey.histogram("tokens by density")
        shares = np.zeros(_DENSITIES)
        np.add.at(shares, np.minimum(np.arange(len(counts)), _DENSITIES - 1), counts / max(1, counts.sum()))
        series.append(Series(name, x, shares[1:].tolist()))
        lines.append((name, survey.tokens, float(shares[:11].sum())))
    title = "Figure 4.22: words by text density"
    chart = line_chart(series, title=title, x="text density, rounded (20: and more)", y="share of words", low=0)
    yield Figure("figure-4.22", title, chart)
    header = ("collection", "words", "share of a density below 11")
    yield ReportTable("figure-4.22", "Figure 4.22 in numbers", header, tuple(lines))
    yield (
        'The thesis says that in CleanEval "only very little words" have a density below 11, so that keeping all'
        " text is a good strategy there. The table has the share."
    )


def _figure_4_23(data: ThesisPages) -> Iterator[Part]:
    """Figure 4.23: words of the news pages by the length of their block."""
    survey = data.news_survey
    title = "Figure 4.23: words by the number of words of their block, and class"
    yield Figure("figure-4.23", title, figures.by_class(survey, "units by words", title=title, x="words of a block"))
    longest = len(survey.histogram("units by words")) - 1
    lines: tuple[tuple[Cell, ...], ...] = (
        ("longest block, words", longest, 1122),
        ("words in blocks of 11 words and more", density_against_words(survey)[0], 345_175),
        ("words in blocks of a density of 11 and more", density_against_words(survey)[1], 358_428),
    )
    yield ReportTable("figure-4.23", "§4.4.4 in numbers", ("", "here", "thesis"), lines)
    yield (
        "Words and density select nearly the same text, 3.8 % apart in the thesis. The labels of the classes are those"
        " of the assessors."
    )


def _sentences(data: ThesisPages) -> Iterator[Part]:
    """§4.3.2: a beta distribution of the lengths of sentences."""
    counts = Counter(
        count_words(sentence) for item in data.clean for line in (item.gold.text or "").splitlines()
        for sentence in sentences(line) if sentence.rstrip("\"')”’").endswith((".", "!", "?"))
    )  # fmt: skip
    x = np.arange(1, 80)
    y = np.array([counts[length] for length in x.tolist()], np.float64)
    if not y.any():
        yield "There is no sentence in these pages."
        return
    y /= sum(counts.values())
    fit = fit_model(OneBeta, x, y)
    series = [
        Series("sentences", x.tolist(), y.tolist(), points=True),
        Series("beta distribution", x.tolist(), fit.model.pdf(x).tolist()),
    ]
    title = f"§4.3.2: lengths of {sum(counts.values()):,} sentences of CleanEval"
    yield Figure("sentences", title, line_chart(series, title=title, x="words", y="share of sentences", low=0))
    yield fit_table("sentences", "§4.3.2 in numbers: one beta distribution", {"length of sentences": fit})
    yield (
        "The thesis fits the Brown Corpus, which is not among our data. The gold text of CleanEval is that of pages of"
        " all kinds, found by a search engine; lines that do not end like a sentence are left out."
    )


#: The tables and figures by name.
PARTS = {
    "strata-by-collection": _strata,
    "figure-4.22": _figure_4_22,
    "figure-4.23": _figure_4_23,
    "sentences": _sentences,
}
