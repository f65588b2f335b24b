"""Kohlschütter & Nejdl 2008: tables 1 and 2, figures 3 to 7.

Table 1 compares segmenters; table 2 and figure 6 are Zipf's law over the sizes of segments; figures 3 to 5 and 7 show
how the parameters of Block Fusion act on its accuracy.

The paper's 111 pages of Webspam UK-2007 are not published. Its experiments run on the pages of Kreuzer 2013 here, so
its figures are printed for orientation and cannot be expected to agree.

Reference: C. Kohlschütter and W. Nejdl, A densitometric approach to web page segmentation, CIKM 2008.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from statistics import fmean

from webstrata._once import once
from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.evaluation.metrics.segments import Truth
from webstrata.evaluation.papers.catalogue import PaperData
from webstrata.evaluation.papers.sweeps import (
    FUSIONS,
    ITERATIONS,
    THETAS,
    WIDTHS,
    iterations_chart,
    sweep_iterations,
    sweep_theta,
    sweep_width,
    theta_chart,
    truth_of,
    width_chart,
    zipf_chart,
)
from webstrata.evaluation.reports.document import Figure, Part
from webstrata.evaluation.reports.tables import Cell, ReportTable
from webstrata.segmentation import SEGMENTERS
from webstrata.segmentation.baselines import WordWrap

__all__ = ["DATA", "PARTS", "TABLE_1", "TABLE_2", "KreuzerPages"]


@dataclass(frozen=True)
class KreuzerPages(PaperData):
    """The pages of both Kreuzer data sets with their ground truth, as documents of a browser."""

    @once
    def truths(self) -> list[Truth]:
        """The segments of each page."""
        limit = self.setting.pages
        datasets = [find_dataset(name) for name in ("kreuzer-random", "kreuzer-popular")]
        items = chain.from_iterable(dataset.items(limit) for dataset in datasets)
        total = sum(dataset.size(limit) for dataset in datasets)
        return list(map(truth_of, self.tracked("reading pages", items, total)))


#: Table 1, on 111 pages of Webspam UK-2007: AdjRand, NMI, segments a page.
TABLE_1 = {
    "wordwrap": (0.25, 0.59, 25.0),
    "taggap": (0.43, 0.65, 69.43),
    "bf-plain": (0.60, 0.75, 27.72),
    "bf-smoothed": (0.62, 0.76, 19.77),
    "bf-rulebased": (0.79, 0.87, 21.24),
    "justrules": (0.78, 0.84, 17.64),
}
#: Table 2: C, b and error of the fits of Zipf's law.
TABLE_2 = {
    "bf-plain": (1.04024, 0.74899, 0.00438),
    "bf-smoothed": (1.03643, 0.73334, 0.00538),
    "bf-rulebased": (1.47937, 0.67028, 0.02096),
    "justrules": (1.08526, 0.70280, 0.01372),
}


def _table_1(data: KreuzerPages) -> Iterator[Part]:
    """Every segmenter of the paper. WordWrap is scored by its lines, which cut through blocks."""
    lines: list[tuple[Cell, ...]] = []
    for name, printed in data.tracked("table 1", TABLE_1.items(), len(TABLE_1)):
        segmenter = SEGMENTERS.make(name)
        scores = []
        for truth in data.truths:
            if isinstance(segmenter, WordWrap):
                labels = segmenter.lines_at(truth.page, truth.words.offsets)
                segments = int(labels[-1]) + 1 if len(labels) else 0
            else:
                found = segmenter(truth.page)
                labels, segments = found.labels()[truth.words.blocks], len(found)
            scores.append((*truth.agreement(labels), segments))
        lines.append((name, *(fmean(column) for column in zip(*scores, strict=True)), *printed))
    header = ("algorithm", "AdjRand", "NMI", "segments", "paper: AdjRand", "NMI", "segments")
    title = f"Table 1: average accuracies, {len(data.truths)} pages"
    yield ReportTable("table-1", title, header, tuple(lines))


def _figures_3_and_4(data: KreuzerPages) -> Iterator[Part]:
    """Accuracy by threshold: figure 3 for the plain and the smoothed algorithm, figure 4 for the rule-based one."""
    for number, name in zip((3, 3, 4), FUSIONS, strict=True):
        points = sweep_theta(data.truths, name, data.tracked(f"threshold of {name}", THETAS, len(THETAS)))
        yield Figure(f"figure-{number}-{name}", f"Figure {number}: threshold of {name}", theta_chart(name, points))


def _figure_5(data: KreuzerPages) -> Iterator[Part]:
    """Accuracy by width."""
    widths = {
        name: sweep_width(data.truths, name, data.tracked(f"width of {name}", WIDTHS, len(WIDTHS))) for name in FUSIONS
    }
    yield Figure("figure-5", "Figure 5: accuracy by wrap width", width_chart(widths))


def _figure_6(data: KreuzerPages) -> Iterator[Part]:
    """Zipf's law over the sizes of segments, and the parameters of the fits (table 2)."""
    chart, fits = zipf_chart(data.truths)
    lines = tuple((name, fit.c, fit.b, fit.error, *TABLE_2.get(name, (None, None, None))) for name, fit in fits.items())
    header = ("segments by", "C", "b", "error", "paper: C", "b", "error")
    yield ReportTable("table-2", "Table 2: parameters of Zipf distributions", header, lines)
    yield Figure("figure-6", "Figure 6: Zipf's law on the level of segments", chart)


def _figure_7(data: KreuzerPages) -> Iterator[Part]:
    """Error and number of segments after each iteration."""
    passes = {
        name: sweep_iterations(data.truths, name, data.tracked(f"iterations of {name}", ITERATIONS, len(ITERATIONS)))
        for name in FUSIONS
    }
    yield Figure("figure-7", "Figure 7: error and segments after each iteration", iterations_chart(passes))


DATA = KreuzerPages
#: The tables and figures by name.
PARTS = {
    "table-1": _table_1,
    "figures-3-and-4": _figures_3_and_4,
    "figure-5": _figure_5,
    "figure-6": _figure_6,
    "figure-7": _figure_7,
}
