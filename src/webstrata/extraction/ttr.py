"""Text-to-tag ratios of lines, smoothed and clustered (Weninger & Hsu 2008: Weninger and Hsu).

A page is a histogram with a bar for each line: its number of characters divided by its number of tags. High bars are
content. `TTRThreshold` cuts the smoothed histogram h'; the other three cluster the lines by h' and its slope g' in
three clusters, of which the one nearest to the origin is boilerplate.

Errors in the paper, and the solutions here
-------------------------------------------
- Equation 2 normalises the kernel by half of its sum. It is normalised to sum 1.
- Equation 1 sums over j where it means the value at j = i - ⌈σ⌉.
- Equation 4 sums q + 1 terms and divides by q. The mean of the next q elements is computed, as the text says.
- In the text, σ of the kernel is the standard deviation of the histogram. The figures contradict this: a kernel of 131
  lines would flatten the page of figure 2, whose deviation only falls from 64.49 to 40.55. ``sigma`` is 1 by default,
  the value of the authors' later paper (CETR, 2010); None follows the text.
- The ends are not defined. The kernel is cut there and normalised again.

Line breaks of the source depend on the author or a program, and many pages today have one line only. With
``lines="blocks"``, each block is a line, with the tags before and inside it.

References
----------
T. Weninger and W. H. Hsu, Web content extraction through histogram clustering, ANNIE 2008.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal

import numpy as np

from webstrata.errors import InputError
from webstrata.extraction.base import Extraction, Extractor, decide
from webstrata.extraction.clustering import as_densities, em, farthest_first, k_means
from webstrata.features import ratio
from webstrata.page import Page
from webstrata.tags import tag_counts, tag_positions, text_runs
from webstrata.text import Column

__all__ = ["TTREM", "Histogram", "TTRFarthestFirst", "TTRKMeans", "TTRThreshold", "histogram", "slope", "smooth"]

Lines = Literal["source", "blocks"]
Mode = Literal["distance", "density"]

CLUSTERS = 3
_NO_TEXT = ("script", "style")
_REFERENCE = re.compile(rb"&(?:[a-z][a-z0-9]{0,30}|#\d{1,7}|#x[0-9a-f]{1,6});", re.IGNORECASE)
_SPACES = frozenset((b"&nbsp;", b"&#160;", b"&#xa0;", b"&#xA0;", b"&#32;", b"&ensp;", b"&emsp;", b"&thinsp;"))
_REASONS = ("low ratio of text to tags", "high ratio of text to tags")


@dataclass(frozen=True, eq=False)
class Histogram:
    """The text-to-tag ratio of each line, and the positions of the lines in the source."""

    ratio: Column
    start: Column
    stop: Column


def histogram(page: Page, *, lines: Lines = "source") -> Histogram:
    """The text-to-tag ratio of each line that is not empty without scripts, styles and comments.

    The ratio of a line without tags is its number of characters. These are all characters of the source outside of
    tags, also those of titles and options: white space at the ends of a line is indentation and no text, white space
    inside counts as one character, and so does a character reference such as ``&amp;``.

    >>> from webstrata.page import parse
    >>> page = parse("<script>var a;</script>\\n<p>four <b>more</b></p>\\n\\njust text\\n<br>")
    >>> histogram(page).ratio.tolist()
    [2.25, 9.0, 0.0]
    >>> histogram(page, lines="blocks").ratio.tolist()
    [4.0, 4.0, 4.5]
    """
    if lines == "blocks":
        before, inside = tag_counts(page, without=_NO_TEXT)
        return Histogram(_ratio(page.blocks.chars, before + inside), page.blocks.source_start, page.blocks.source_stop)
    if lines != "source":
        raise InputError(f"lines must be 'source' or 'blocks', not {lines!r}")
    source = np.frombuffer(page.source, np.uint8)
    tag_start, _ = tag_positions(page, without=_NO_TEXT)
    breaks = np.flatnonzero(source == ord("\n"))
    start = np.concatenate(([0], breaks + 1))
    stop = np.concatenate((breaks, [len(source)]))
    chars = _characters(page, source, start, stop)
    tags = np.diff(np.searchsorted(tag_start, np.append(start, len(source) + 1)))
    full = (chars > 0) | (tags > 0)
    return Histogram(_ratio(chars[full], tags[full]), start[full], stop[full])


def _characters(page: Page, source: Column, start: Column, stop: Column) -> Column:
    """The number of characters of text of each line."""
    is_text = np.zeros(len(source) + 1, np.int8)
    for runs, sign in ((text_runs(page), 1), (_inside(page, _NO_TEXT), 0)):
        for first, last in runs:
            is_text[first:last] = sign
    is_text = is_text[:-1].astype(bool)
    space = (source <= ord(" ")) & (source != 0)
    for found in _REFERENCE.finditer(page.source):
        # A reference counts as its first byte; one to a space is a space.
        is_text[found.start() + 1 : found.end()] = False
        space[found.start()] = found[0] in _SPACES
    # Bytes 0x80 to 0xBF continue a character.
    solid = is_text & ~space & ((source & 0xC0) != 0x80)
    counted = np.concatenate(([0], np.cumsum(solid)))
    # White space counts once, between two characters of one line.
    before = np.maximum.accumulate(np.where(solid, np.arange(len(source)), -1)) if len(source) else source
    spaces = np.flatnonzero(is_text & space)
    line = np.searchsorted(start, spaces, side="right") - 1
    inner = (counted[spaces] > counted[start[line]]) & (counted[stop[line]] > counted[spaces])
    once = np.unique(before[spaces[inner]])
    chars = counted[stop] - counted[start]
    chars += np.bincount(np.searchsorted(start, once, side="right") - 1, minlength=len(start))
    return np.asarray(chars)


def _inside(page: Page, names: tuple[str, ...]) -> list[tuple[int, int]]:
    """Where elements of some tags are in the source."""
    rows = page.elements.find(*names)
    return list(zip(page.elements.source_start[rows].tolist(), page.elements.source_stop[rows].tolist(), strict=True))


def smooth(h: Column, *, sigma: float | None = 1.0) -> Column:
    """A histogram smoothed by a Gaussian kernel of width 2⌈σ⌉ + 1 (equations 1 to 3); about its ends, see the module.

    >>> smooth(np.array([0.0, 0.0, 8.0, 0.0, 0.0]), sigma=1.0).round(2).tolist()
    [0.0, 2.19, 3.61, 2.19, 0.0]
    """
    width = float(np.std(h)) if sigma is None and len(h) else sigma or 0.0
    radius = min(math.ceil(width), max(len(h) - 1, 0))
    if not radius:
        return np.asarray(h, np.float64)
    kernel = np.exp(-(np.arange(-radius, radius + 1) ** 2) / (2 * width**2))
    weight = np.convolve(np.ones(len(h)), kernel)[radius:-radius]
    smoothed: Column = np.convolve(h, kernel)[radius:-radius] / weight
    return smoothed


def slope(h: Column, *, q: int = 3) -> Column:
    """The mean of the next q elements minus the element itself (equation 4); at the end, of the remaining elements.

    >>> slope(np.array([1.0, 2.0, 3.0, 4.0, 4.0])).round(2).tolist()
    [2.0, 1.67, 1.0, 0.0, 0.0]
    """
    if not len(h):
        return np.zeros(0)
    total = np.concatenate(([0.0], np.cumsum(h)))
    first = np.arange(1, len(h) + 1)
    last = np.minimum(first + q, len(h))
    following = ratio(total[last] - total[first], last - first)
    return np.where(last > first, following - h, 0.0)


@dataclass(frozen=True, kw_only=True)
class TTRThreshold:
    """Lines are content if their smoothed ratio reaches the standard deviation ("threshold partitioning").

    Parameters
    ----------
    coefficient : the threshold in standard deviations σ' of the smoothed histogram
    sigma : σ of the smoothing kernel; None for the standard deviation of the histogram
    lines : lines of the source, or blocks as lines

    Deviations
    ----------
    A block is kept if at least half of its source is on content lines, because decisions are made for blocks. The paper
    keeps the text of the lines.

    >>> from webstrata.page import parse
    >>> page = parse("<a href=/>Home</a>\\n<hr>\\n<hr>\\n<p>A line of text that has one tag only.\\n<hr>\\n<hr>")
    >>> TTRThreshold(sigma=0)(page).text
    'A line of text that has one tag only.'
    """

    coefficient: float = 1.0
    sigma: float | None = 1.0
    lines: Lines = "source"

    def __call__(self, page: Page) -> Extraction:
        return self.decide(page, histogram(page, lines=self.lines))

    def decide(self, page: Page, bars: Histogram) -> Extraction:
        """The decision by a histogram of the page, which several extractors may share."""
        smoothed = smooth(bars.ratio, sigma=self.sigma)
        deviation = float(np.std(smoothed)) if len(smoothed) else 0.0
        return _decide(self, page, bars, smoothed >= self.coefficient * deviation)


@dataclass(frozen=True, kw_only=True)
class _TTRClusters:
    """Base class of the three clusterings of (h', g'); subclasses implement `_cluster`.

    Parameters
    ----------
    mode : "distance" uses the clusters as they are; "density" fits a normal distribution to each cluster and assigns
        each line to the likeliest one
    sigma, lines : as for `TTRThreshold`
    q : the number of following lines for the slope (equation 4)

    Deviations
    ----------
    Both dimensions are scaled to [0, 1] first, as in Weka, whose names of clusterings the paper uses; "density" is from
    Weka, too. Decisions about blocks are those of `TTRThreshold`.
    """

    mode: Mode = "density"
    sigma: float | None = 1.0
    q: int = 3
    lines: Lines = "source"

    def _cluster(self, points: Column) -> Column:
        raise NotImplementedError

    def __call__(self, page: Page) -> Extraction:
        return self.decide(page, histogram(page, lines=self.lines))

    def decide(self, page: Page, bars: Histogram) -> Extraction:
        """The decision by a histogram of the page, which several extractors may share."""
        if self.mode not in ("distance", "density"):
            raise InputError(f"mode must be 'distance' or 'density', not {self.mode!r}")
        smoothed = smooth(bars.ratio, sigma=self.sigma)
        points = _scaled(smoothed, np.abs(smooth(slope(smoothed, q=self.q), sigma=self.sigma)))
        distinct, label = np.unique(points, axis=0, return_inverse=True)
        label = label.reshape(-1)
        if len(distinct) > CLUSTERS:
            label = self._cluster(points)
            if self.mode == "density":
                label = as_densities(points, label)
        return _decide(self, page, bars, label != _nearest_to_origin(points, label))


@dataclass(frozen=True, kw_only=True)
class TTRKMeans(_TTRClusters):
    """Lines in three clusters by k-means; the one nearest to the origin is boilerplate.

    Parameters and deviations are those of `_TTRClusters`: ``mode``, ``sigma``, ``q`` and ``lines``.

    >>> from webstrata.page import parse
    >>> links, text = "<hr><a href=/>Home</a>\\n", "<p>A line of text that has one tag only and goes on.\\n"
    >>> TTRKMeans(sigma=0)(parse(links * 9 + text * 3 + links * 9)).keep[9:12].tolist()
    [True, True, True]

    References
    ----------
    J. MacQueen, Some methods for classification and analysis of multivariate observations, Berkeley 1967.
    """

    def _cluster(self, points: Column) -> Column:
        return k_means(points, CLUSTERS)


@dataclass(frozen=True, kw_only=True)
class TTREM(_TTRClusters):
    """Lines in three clusters by expectation maximisation; the one nearest to the origin is boilerplate.

    Parameters and deviations are those of `_TTRClusters`: ``mode``, ``sigma``, ``q`` and ``lines``.

    >>> from webstrata.page import parse
    >>> links, text = "<hr><a href=/>Home</a>\\n", "<p>A line of text that has one tag only and goes on.\\n"
    >>> TTREM(sigma=0)(parse(links * 9 + text * 3 + links * 9)).keep[9:12].tolist()
    [True, True, True]

    References
    ----------
    A. Dempster, N. Laird, D. Rubin, Maximum likelihood from incomplete data via the EM algorithm, 1977.
    """

    def _cluster(self, points: Column) -> Column:
        return em(points, CLUSTERS)


@dataclass(frozen=True, kw_only=True)
class TTRFarthestFirst(_TTRClusters):
    """Lines in three clusters around centres far from each other; the one nearest to the origin is boilerplate.

    Parameters and deviations are those of `_TTRClusters`: ``mode``, ``sigma``, ``q`` and ``lines``.

    >>> from webstrata.page import parse
    >>> links, text = "<hr><a href=/>Home</a>\\n", "<p>A line of text that has one tag only and goes on.\\n"
    >>> TTRFarthestFirst(sigma=0)(parse(links * 9 + text * 3 + links * 9)).keep[9:12].tolist()
    [True, True, True]

    References
    ----------
    D. Hochbaum and D. Shmoys, A best possible heuristic for the k-center problem, 1985.
    """

    def _cluster(self, points: Column) -> Column:
        return farthest_first(points, CLUSTERS)


def _ratio(chars: Column, tags: Column) -> Column:
    return ratio(chars, np.maximum(tags, 1))


def _scaled(*dimensions: Column) -> Column:
    return np.stack([ratio(each, each.max(initial=0.0)) for each in dimensions], axis=1)


def _nearest_to_origin(points: Column, label: Column) -> int:
    """The cluster whose centroid is nearest to the origin; -1 if there are no points."""
    found = np.unique(label)
    centroids = [np.linalg.norm(points[label == each].mean(axis=0)) for each in found]
    return int(found[int(np.argmin(centroids))]) if len(found) else -1


def _decide(extractor: Extractor, page: Page, bars: Histogram, content: Column) -> Extraction:
    """Decide about blocks by lines: a block is kept if at least half of its source is on content lines."""
    blocks = page.blocks
    size = bars.stop - bars.start
    edges = np.concatenate(([0], np.cumsum(np.where(content, size, 0))))

    def content_until(position: Column) -> Column:
        """The number of bytes on content lines before a position in the source."""
        line = np.searchsorted(bars.stop, position)
        inside = np.append(bars.start, np.iinfo(np.int64).max)[line]
        on_line = np.append(content, False)[line] & (position > inside)
        return edges[line] + np.where(on_line, position - inside, 0)

    covered = content_until(blocks.source_stop) - content_until(blocks.source_start)
    share = ratio(covered, blocks.source_stop - blocks.source_start)
    return decide(extractor, page, (share >= 0.5) & ~blocks.hidden, score=np.minimum(share, 1.0), reasons=_REASONS)
