"""Weninger & Hsu 2008, figures 1 to 5 of any page: text-to-tag ratios by line, their slope, and both together."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from webstrata._escaping import one_line
from webstrata.drawing.charts import Series, line_chart
from webstrata.evaluation.reports.document import Figure
from webstrata.extraction.ttr import Histogram, histogram, slope, smooth
from webstrata.page import Page
from webstrata.text import Column

__all__ = ["content_lines", "page_figures"]


def page_figures(page: Page, *, content: Collection[str] | None = None) -> Iterator[Figure]:
    """Figures 1 to 5 of a page.

    Parameters
    ----------
    page : as it was crawled, because its lines matter
    content : the texts of the blocks that are content, if people marked them: figure 5 has them in another colour

    >>> from webstrata.page import parse
    >>> page = parse("<title>Silt</title>\\n<p>Home</p>\\n<p>A line of text.</p>\\n<p>Another line of text.</p>")
    >>> [figure.name for figure in page_figures(page)]
    ['figure-1', 'figure-2', 'figure-3', 'figure-3-derivatives', 'figure-4', 'figure-5']
    """
    bars = histogram(page)
    h = bars.ratio
    smoothed = smooth(h)
    derivative = smooth(slope(smoothed))
    change = np.abs(derivative)
    of = f" of {one_line(page.title, 40)}" if page.title else ""
    x = list(range(1, len(h) + 1))
    y = "text-to-tag ratio"
    yield _lines("figure-1", f"Figure 1: text-to-tag ratio{of}", {"h": h}, y)
    yield _lines("figure-2", f"Figure 2: not smoothed, σ = {_deviation(h):.2f}", {"h": h, "σ": _flat(h)}, y)
    title = f"Figure 3: smoothed, σ' = {_deviation(smoothed):.2f}"
    yield _lines("figure-3", title, {"h'": smoothed, "σ'": _flat(smoothed)}, y)
    title = "The second figure 3: change ĝ to the next three lines, smoothed"
    yield _lines("figure-3-derivatives", title, {"ĝ": derivative}, "change")
    yield _lines("figure-4", "Figure 4: absolute derivatives g'", {"g'": change}, "change")
    marks = None if content is None else content_lines(page, bars, content)
    groups = {"lines": np.ones(len(x), bool)} if marks is None else {"content": marks, "other lines": ~marks}
    series = [Series(name, smoothed[own].tolist(), change[own].tolist(), points=True) for name, own in groups.items()]
    title = "Figure 5: each line by both"
    chart = line_chart(series, title=title, x="h', smoothed text-to-tag ratio", y="g', smoothed change")
    yield Figure("figure-5", title, chart)


def content_lines(page: Page, bars: Histogram, content: Collection[str]) -> Column:
    """Whether each line has a part of a block with one of these texts.

    >>> from webstrata.page import parse
    >>> page = parse("<p>Home</p>\\n<p>A line\\nof text.</p>")
    >>> content_lines(page, histogram(page), {"A line of text."}).tolist()
    [False, True, True]
    """
    marks = np.zeros(len(bars.start), bool)
    for block in page.blocks:
        if block.text in content:
            start, stop = int(page.blocks.source_start[block.row]), int(page.blocks.source_stop[block.row])
            marks |= (bars.start < stop) & (bars.stop > start)
    return marks


def _deviation(values: Column) -> float:
    return float(np.std(values)) if len(values) else 0.0


def _flat(values: Column) -> Column:
    return np.full(len(values), _deviation(values))


def _lines(name: str, title: str, curves: dict[str, Column], y: str) -> Figure:
    series = [Series(label, list(range(1, len(values) + 1)), values.tolist()) for label, values in curves.items()]
    return Figure(name, title, line_chart(series, title=title, x="line of the source that has text or tags", y=y))
