"""Weninger & Hsu 2008: tables 1 and 2, the ROC curve of figure 6, and figures 1 to 5, on CleanEval and L3S-GN1.

The paper's 176 pages, search results for the word "the", no longer exist. Its methods run on other pages here, so its
figures are printed for orientation and cannot be expected to agree.

Deviations: words are compared as bags, the paper uses a diff. Accuracy counts all words that the page shows. Rates are
means over pages, and the curve is drawn from corner to corner; the paper does not say how it averaged its rates or
closed its curve.

Reference: T. Weninger and W. H. Hsu, Web content extraction through histogram clustering, ANNIE 2008.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from webstrata._once import once
from webstrata.drawing.charts import Series, line_chart
from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.evaluation.datasets.l3s_gn1 import BOILERPLATE, crawled_html
from webstrata.evaluation.metrics import word_score
from webstrata.evaluation.papers.catalogue import PaperData
from webstrata.evaluation.papers.experiments import labelled_page
from webstrata.evaluation.papers.weninger_hsu_2008_figures import page_figures
from webstrata.evaluation.reports.document import Figure, Part
from webstrata.evaluation.reports.tables import Cell, ReportTable
from webstrata.extraction.result import Extraction
from webstrata.extraction.shallow import KeepAll
from webstrata.extraction.ttr import TTREM, Histogram, Lines, Mode, TTRFarthestFirst, TTRKMeans, TTRThreshold, histogram
from webstrata.page import Page, parse
from webstrata.text import Column
from webstrata.workers.parallel import in_processes

__all__ = [
    "CLUSTERINGS",
    "COEFFICIENTS",
    "DATA",
    "PARTS",
    "TABLE_1",
    "TABLE_2",
    "MethodRates",
    "curve",
    "measure",
    "methods",
]

COEFFICIENTS = range(20)
_LINES: tuple[Lines, ...] = ("source", "blocks")
CLUSTERINGS = {"farthest first": TTRFarthestFirst, "k-means": TTRKMeans, "EM": TTREM}
#: Table 1: mean, median, standard deviation and number of pages with 100%, of precision and of recall.
TABLE_1 = {"precision": (0.5597, 0.6106, 0.3465, 2), "recall": (0.9449, 0.9951, 0.1742, 75)}
#: Table 2: median and mean of accuracy, precision and recall.
TABLE_2: dict[tuple[Mode, str], tuple[float, ...]] = {
    ("density", "farthest first"): (0.8496, 0.7787, 0.7210, 0.6031, 0.9899, 0.9391),
    ("density", "k-means"): (0.7839, 0.7483, 0.5871, 0.5255, 0.9966, 0.9582),
    ("density", "EM"): (0.7249, 0.6975, 0.4570, 0.4462, 1.0000, 0.9309),
    ("distance", "farthest first"): (0.7952, 0.7233, 0.9412, 0.7353, 0.9018, 0.8050),
    ("distance", "k-means"): (0.8178, 0.7690, 0.6749, 0.5968, 0.9880, 0.9276),
    ("distance", "EM"): (0.7798, 0.7461, 0.5780, 0.5229, 0.9967, 0.9579),
}


class _Method(Protocol):
    """A method that decides by a histogram."""

    @property
    def lines(self) -> Lines: ...

    def decide(self, page: Page, bars: Histogram) -> Extraction: ...


def methods() -> dict[str, _Method]:
    """Every method by the name of its row."""
    found: dict[str, _Method] = {}
    for lines in _LINES:
        for coefficient in COEFFICIENTS:
            found[f"{lines}/threshold/{coefficient}"] = TTRThreshold(coefficient=coefficient, lines=lines)
        for mode, name in TABLE_2:
            found[f"{lines}/{mode}/{name}"] = CLUSTERINGS[name](mode=mode, lines=lines)
    found["source/threshold/text"] = TTRThreshold(sigma=None)
    return found


def measure(task: tuple[bytes, str | None, str]) -> dict[str, tuple[float, float, float, float]]:
    """Precision, recall, accuracy and false-positive rate of each method on a page."""
    html, encoding, gold = task
    page = parse(html, encoding=encoding)
    everything = word_score(gold, KeepAll()(page).text).retrieved or 0.0
    bars = {lines: histogram(page, lines=lines) for lines in _LINES}
    texts = {name: method.decide(page, bars[method.lines]).text for name, method in methods().items()}
    # Many methods give the same text: each text is scored once.
    rates = {text: _rates(gold, everything, text) for text in set(texts.values())}
    return {name: rates[text] for name, text in texts.items()}


def _rates(gold: str, everything: float, text: str) -> tuple[float, float, float, float]:
    score = word_score(gold, text)
    hits, retrieved, relevant = score.hits or 0.0, score.retrieved or 0.0, score.relevant or 0.0
    # True negatives; a gold text may have words that the page does not.
    rest = max(everything - retrieved - relevant + hits, 0.0)
    total = retrieved + relevant - hits + rest
    wrong = retrieved - hits
    return (
        score.precision,
        score.recall,
        (hits + rest) / total if total else 1.0,
        wrong / (wrong + rest) if wrong + rest else 0.0,
    )


#: For each method, a row for each page: precision, recall, accuracy and false-positive rate.
Rates = dict[str, Column]


@dataclass(frozen=True)
class MethodRates(PaperData):
    """The rates of every method on every page of both data sets."""

    @once
    def rates(self) -> dict[str, Rates]:
        """By the name of the data set; the pages are as they were crawled, because their lines matter."""
        limit = self.setting.pages
        cleaneval, l3s_gn1 = (find_dataset(name).items(limit) for name in ("cleaneval", "l3s-gn1"))
        clean = [(item.inputs["html"].page().source, "utf-8", item.gold.text or "") for item in cleaneval]
        news = [(html, "utf-8", item.gold.text or "") for item, html in zip(l3s_gn1, crawled_html(), strict=False)]
        return {"CleanEval": self._measured("CleanEval", clean), "L3S-GN1": self._measured("L3S-GN1", news)}

    def _measured(self, name: str, pages: list[tuple[bytes, str, str]]) -> Rates:
        rates = in_processes(measure, pages, self.setting.jobs)
        results = list(self.tracked(f"{name}: {len(methods())} methods", rates, len(pages)))
        return {name: np.array([result[name] for result in results]) for name in methods()}


def _figures_1_to_5(data: MethodRates) -> Iterator[Part]:
    """Figures 1 to 5: the text-to-tag ratios of a page, line by line."""
    yield _ABOUT_15
    if data.setting.page is not None:
        yield f"The page is `{data.setting.page.name}`."
        yield from page_figures(parse(data.setting.page.read_bytes()))
        return
    page = parse(next(iter(crawled_html())), encoding="utf-8")
    labelled, labels = labelled_page(next(find_dataset("l3s-gn1").items(1)))
    content = {labelled.blocks[row].text for row in np.flatnonzero(labels != BOILERPLATE).tolist()}
    yield from page_figures(page, content=content)
    yield _WHY_15


_ABOUT_15 = """The *text-to-tag ratio* h of a line of the source is its number of characters of text divided by its
number of tags. A paragraph has many characters and few tags, a menu the reverse. h' is h smoothed over neighbouring
lines, g' how much h' changes from a line to the next ones, and σ the standard deviation of h: a line above it is
content by the simplest method of the paper, the *threshold*. *Clustering* puts lines with similar h' and g' together
(figure 5)."""

_WHY_15 = """The paper shows a page of The Hutchinson News (figures 1 and 4) and the Declaration of Independence (2, 3),
which are not published. This is the first page of L3S-GN1, whose content people marked; `--page FILE` draws another. As
in the paper, content stands out as a run of high bars, its two ends as peaks of g', and in figure 5 the lines without
content lie near the origin."""


def _table_1(data: MethodRates) -> Iterator[Part]:
    """Table 1: precision and recall of the threshold at one standard deviation."""
    for name, found in data.rates.items():
        lines: list[tuple[Cell, ...]] = []
        for measured, column in (("precision", 0), ("recall", 1)):
            lines.append((measured, "paper (176 pages)", *TABLE_1[measured]))
            for method, title in (
                ("source/threshold/1", "source lines"),
                ("blocks/threshold/1", "blocks as lines"),
                ("source/threshold/text", "source lines, smoothed wider"),
            ):
                values = found[method][:, column]
                numbers = float(values.mean()), float(np.median(values)), float(values.std()), int((values == 1).sum())
                lines.append((measured, title, *numbers))
        header = ("measure", "lines", "mean", "median", "deviation", "pages at 100%")
        yield ReportTable(f"table-1-{name.lower()}", f"Table 1 on {name}: threshold at 1σ", header, tuple(lines))
    yield _WHY_1


_WHY_1 = """*Precision* is the share of content in the words that were kept, *recall* the share of the content that
was kept; the last column counts pages without a mistake. The method also runs on *blocks as lines*, since modern
pages have lines of any length, and *smoothed wider*, by another reading of the paper. Recall on news pages is that
of the paper, and lower on CleanEval. Precision is higher here: the paper's pages are the results of a search engine
for the word "the", of any kind; those of CleanEval were chosen for their text, and those of L3S-GN1 are news
articles."""


def _table_2(data: MethodRates) -> Iterator[Part]:
    """Table 2: accuracy, precision and recall of three clusterings in two modes."""
    for name, found in data.rates.items():
        lines: list[tuple[Cell, ...]] = []
        for (mode, clustering), printed in TABLE_2.items():
            lines.append((mode, clustering, "paper", *printed))
            for kind in ("source", "blocks"):
                values = found[f"{kind}/{mode}/{clustering}"]
                numbers = [float(how(values[:, column])) for column in (2, 0, 1) for how in (np.median, np.mean)]
                lines.append((mode, clustering, kind, *numbers))
        measures = [f"{each} {how}" for each in ("accuracy", "precision", "recall") for how in ("median", "mean")]
        header = ("mode", "clustering", "lines", *measures)
        yield ReportTable(f"table-2-{name.lower()}", f"Table 2 on {name}: three clusters", header, tuple(lines))
    yield _WHY_2


_WHY_2 = """*Accuracy* is the share of all words that were judged rightly. *Distance* takes the clusters as they are,
*density* gives each line to the likeliest cluster. *Farthest first*, *k-means* and *EM* (expectation maximisation) are
general methods of clustering, here with three clusters; the lines of the one nearest to the origin are left out. The
winner of the paper, farthest first, is among the best on the news pages of L3S-GN1 and among the last on CleanEval,
where EM is best, which is last in the paper. Farthest first
keeps least: that is right where one article stands among much else, and loses text on a page that is content
throughout. So the order of the clusterings belongs to the pages, and the paper's is not one of the methods alone."""


def _figure_6(data: MethodRates) -> Iterator[Part]:
    """Figure 6: the ROC curve of threshold partitioning, and the area under it."""
    series: list[Series] = []
    areas: list[tuple[Cell, ...]] = [("paper", "source", 0.9874)]
    for name, found in data.rates.items():
        for kind in ("source", "blocks"):
            false, true, area = curve(found, kind)
            series.append(Series(f"{name}, {kind}: AUC {area:.1%}", false, true))
            areas.append((name, kind, area))
    yield ReportTable(
        "figure-6", "Figure 6 in numbers: area under the ROC curve", ("pages", "lines", "AUC"), tuple(areas)
    )
    title = "Threshold at 0σ' to 19σ'"
    chart = line_chart(series, title=title, x="false positive rate", y="true positive rate", low=0, high=1)
    yield Figure("figure-6", "Figure 6: ROC curve of threshold partitioning", chart)
    yield _WHY_6


_WHY_6 = """Each point is one threshold: to the right, more of the boilerplate is kept, upwards more of the content.
The area (AUC) is 1 for a method that separates both. The paper says neither how it averaged rates over pages nor how
it closed its curve, and pages with much boilerplate give a larger area. Ours takes means over pages and closes the
curve at the corners."""


def curve(found: Rates, lines: str) -> tuple[list[float], list[float], float]:
    """False and true positive rate for each coefficient, means over pages, and the area under them.

    >>> each = {f"source/threshold/{coefficient}": np.array([[0, 0.5, 0, 0.5]]) for coefficient in COEFFICIENTS}
    >>> curve(each, "source")[2]
    0.5
    """
    measured = (found[f"{lines}/threshold/{coefficient}"] for coefficient in COEFFICIENTS)
    points = sorted((float(each[:, 3].mean()), float(each[:, 1].mean())) for each in measured)
    false, true = zip(*[(0.0, 0.0), *points, (1.0, 1.0)], strict=True)
    return list(false), list(true), float(np.trapezoid(true, false))


DATA = MethodRates
#: The tables and figures by name.
PARTS = {"figures-1-to-5": _figures_1_to_5, "table-1": _table_1, "table-2": _table_2, "figure-6": _figure_6}
