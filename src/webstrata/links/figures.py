"""Drawings of link graphs and rankings: figures 3.1 to 3.6 of Kohlschütter 2011."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from webstrata.drawing.charts import Series, line_chart, thinned
from webstrata.drawing.svg import PALETTE, picture, text
from webstrata.links.statistics import LinkStatistics
from webstrata.text import Column

__all__ = ["convergence", "draw_dots", "links_between", "pages_per_partition", "pages_per_site"]

_CELL, _MARGIN, _HEAD = 8, 12, 36


def draw_dots(counts: Column, *, title: str) -> str:
    """A dot plot (figures 3.1 and 3.2): the darker a cell, the more links, on a logarithmic scale.

    >>> draw_dots(np.array([[0, 3], [1, 0]]), title="t").count("<rect class='dot'")
    2
    """
    most = math.log1p(float(counts.max(initial=0))) or 1.0
    parts = [text(_MARGIN, 24, title, size=15, weight="bold")]
    for row, column in zip(*(places.tolist() for places in np.nonzero(counts)), strict=True):
        shade = math.log1p(float(counts[row, column])) / most
        x, y = _MARGIN + column * _CELL, _HEAD + row * _CELL
        parts.append(
            f"<rect class='dot' x='{x}' y='{y}' width='{_CELL}' height='{_CELL}' fill='{PALETTE[0]}' "
            f"fill-opacity='{0.08 + 0.92 * shade:.2f}'><title>{int(counts[row, column])}</title></rect>"
        )
    side = len(counts) * _CELL
    return picture(side + 2 * _MARGIN, side + _HEAD + _MARGIN, parts, alone=True)


def pages_per_site(found: LinkStatistics) -> str:
    """Pages per site, in each partition and in all of them (figure 3.3), on logarithmic axes."""
    chosen = {f"partition {number}": found.site_partition == number for number in range(len(found.partition_pages))}
    series = [_sizes("all", found.site_pages), *(_sizes(name, found.site_pages[part]) for name, part in chosen.items())]
    return line_chart(series, x="sites, the largest first", y="pages", title="Pages per site", log=True)


def _sizes(name: str, sizes: Column) -> Series:
    points = list(thinned(sizes.tolist())) if len(sizes) else []
    return Series(name, [place + 1 for place, _ in points], [size for _, size in points])


def pages_per_partition(found: LinkStatistics) -> str:
    """Pages per partition (figure 3.4)."""
    numbers = list(range(len(found.partition_pages)))
    series = Series("pages", numbers, found.partition_pages.tolist(), points=True)
    return line_chart([series], x="partition", y="pages", title="Pages per partition", low=0)


def links_between(found: LinkStatistics) -> str:
    """Links from each partition to the others, and from the others to it (figure 3.5)."""
    links = found.partition_links
    others = links.sum(axis=1) - np.diag(links)
    numbers = list(range(len(links)))
    series = [
        Series("to other partitions", numbers, others.tolist(), points=True),
        Series("from other partitions", numbers, (links.sum(axis=0) - np.diag(links)).tolist(), points=True),
    ]
    return line_chart(series, x="partition", y="links", title="Links between partitions", low=0)


def convergence(curves: Mapping[str, Sequence[float]], *, title: str = "Residual after each sweep") -> str:
    """The residuals of one or more rankings (figure 3.6): their common logarithm after each sweep.

    >>> convergence({"jacobi": [0.1, 0.01, 0.0]}).count("<polyline")
    1
    """
    series = []
    for name, residuals in curves.items():
        points = [(number, math.log10(value)) for number, value in enumerate(residuals, 1) if value > 0]
        series.append(Series(name, [number for number, _ in points], [value for _, value in points]))
    return line_chart(series, x="sweep", y="logarithm of the residual", title=title)
