"""Baselines: segments from lines, tags and tag rules (Kohlschütter & Nejdl 2008 §5), containers, and the whole page."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from webstrata.errors import InputError
from webstrata.page import Page
from webstrata.segmentation.base import Segment, Segmentation, flat
from webstrata.segmentation.rules import FORCE_GAP_MASK, shown_gaps
from webstrata.text import WRAP_WIDTH, Column, wrap

__all__ = ["Containers", "JustRules", "TagGap", "Undivided", "WordWrap"]

# Columns of a word in a script without spaces; `webstrata.text` cuts such scripts at this width.
_UNSPACED_COLUMNS = 6


@dataclass(frozen=True, kw_only=True)
class WordWrap:
    """WORDWRAP: wrap the text of the whole page; every line is a segment (Kohlschütter & Nejdl 2008 §5).

    Parameters
    ----------
    width : w_max, the columns of a line

    Deviations
    ----------
    Lines cut through blocks, but a segment is a range of blocks: a block belongs to the line on which it begins, and
    a line on which no block begins has no segment. `lines_at` gives the lines themselves, as the paper scores them.
    One column separates two blocks. A word of a script without spaces counts six columns (see `webstrata.text`).

    >>> from webstrata.page import parse
    >>> page = parse("<p>one two<p>three four<p>five")
    >>> WordWrap(width=13)(page).texts()
    ['one two\\nthree four', 'five']
    >>> WordWrap(width=13).lines_at(page, [0, 4, 8, 14, 19]).tolist()
    [0, 0, 0, 1, 1]

    Reference: C. Kohlschütter and W. Nejdl, A densitometric approach to web page segmentation, CIKM 2008.
    """

    width: int = WRAP_WIDTH

    def __post_init__(self) -> None:
        if self.width < 1:
            raise InputError(f"width must be at least one column, not {self.width}")

    def __call__(self, page: Page) -> Segmentation:
        rows = np.flatnonzero(~page.blocks.hidden)
        line = self.lines_at(page, page.blocks.text_start[rows])
        firsts = np.flatnonzero(np.append(True, line[1:] != line[:-1])[: len(rows)])
        stops = rows[np.append(firsts[1:], len(rows)) - 1] + 1 if len(rows) else rows
        return flat(self, page, rows[firsts].tolist(), stops.tolist())

    def lines_at(self, page: Page, offsets: npt.ArrayLike) -> Column:
        """The number of the line of each word, given by the offset of its start in the text."""
        return np.searchsorted(self._line_starts(page), offsets, side="right") - 1

    def _line_starts(self, page: Page) -> Column:
        """The offset in the text of the start of each line."""
        starts, stops, has_unspaced = _tokens(page)
        columns = stops - starts
        if has_unspaced:
            words, _, _ = wrap(page.text, starts, stops)
            pieces = np.maximum(words, 1)
            columns = np.repeat(np.where(words > 1, _UNSPACED_COLUMNS, columns), pieces)
            starts = np.repeat(starts, pieces)
        # The end of each token if all were on one line, one column apart: a line is a window on this ruler.
        ends = (np.cumsum(columns + 1) - 1).tolist()
        firsts = []
        first = left = 0
        while first < len(ends):
            firsts.append(first)
            # A token that is longer than a line is a line of its own.
            first = max(bisect_right(ends, left + self.width, first), first + 1)
            left = ends[first - 1] + 1
        begun: Column = starts[firsts]
        return begun


def _tokens(page: Page) -> tuple[Column, Column, bool]:
    """The spans of the tokens of shown blocks, and whether some may be of a script without spaces."""
    blocks, text = page.blocks, page.text
    points: Column = np.frombuffer(*((text.encode(), "u1") if text.isascii() else (text.encode("utf-32-le"), "<u4")))
    ink = np.zeros(len(text) + 2, bool)
    # White space is folded, except in preformatted text. The separator of two blocks is white space too.
    ink[1:-1] = (points != 32) & (points != 10)
    if blocks.preformatted.any():
        ink[1:-1] &= ~np.isin(points, _SPACES)
    for row in np.flatnonzero(blocks.hidden).tolist():
        ink[blocks.text_start[row] + 1 : blocks.text_stop[row] + 1] = False
    starts, stops = ink[1:] > ink[:-1], ink[1:] < ink[:-1]
    # A block begins and ends a token even if there is no space between it and its neighbour.
    starts[blocks.text_start[~blocks.hidden]] = True
    stops[blocks.text_stop[~blocks.hidden]] = True
    return np.flatnonzero(starts), np.flatnonzero(stops), bool(len(text)) and int(points.max()) >= _FIRST_UNSPACED


_SPACES = np.array([9, 12, 13, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000])
# Thai is the first script without spaces.
_FIRST_UNSPACED = 0x0E00


@dataclass(frozen=True, kw_only=True)
class TagGap:
    """TAGGAP: every text between two tags, ``a`` excepted, is a segment (Kohlschütter & Nejdl 2008 §5).

    >>> from webstrata.page import parse
    >>> TagGap()(parse("<p>one <b>two</b> <a>three</a> four")).texts()
    ['one', 'two', 'three four']

    Reference: C. Kohlschütter and W. Nejdl, A densitometric approach to web page segmentation, CIKM 2008.
    """

    def __call__(self, page: Page) -> Segmentation:
        rows = np.flatnonzero(~page.blocks.hidden)
        return flat(self, page, rows.tolist(), (rows + 1).tolist())


@dataclass(frozen=True, kw_only=True)
class JustRules:
    """JUSTRULES: a new segment wherever the gap holds a gap-enforcing tag, nowhere else (Kohlschütter & Nejdl 2008 §4).

    >>> from webstrata.page import parse
    >>> JustRules()(parse("<div>one</div><div>two</div><hr><div>three</div>")).texts()
    ['one\\ntwo', 'three']

    Reference: C. Kohlschütter and W. Nejdl, A densitometric approach to web page segmentation, CIKM 2008.
    """

    def __call__(self, page: Page) -> Segmentation:
        rows, gaps = shown_gaps(page.blocks)
        cut: Column = np.asarray((gaps & FORCE_GAP_MASK).any(axis=1))
        cut[:1] = True
        firsts = np.flatnonzero(cut)
        stops = rows[np.append(firsts[1:], len(rows)) - 1] + 1 if len(rows) else rows
        return flat(self, page, rows[firsts].tolist(), stops.tolist())


@dataclass(frozen=True, kw_only=True)
class Undivided:
    """The whole page is one segment: what metrics give to an algorithm that does not divide anything.

    >>> from webstrata.page import parse
    >>> Undivided()(parse("<p hidden>zero<p>one<p>two")).texts(), len(Undivided()(parse("<p hidden>one")))
    (['one\\ntwo'], 0)
    """

    def __call__(self, page: Page) -> Segmentation:
        rows = np.flatnonzero(~page.blocks.hidden).tolist()
        return flat(self, page, rows[:1], [rows[-1] + 1] if rows else [])


@dataclass(frozen=True, kw_only=True)
class Containers:
    """Every element of some tags is a segment: what metrics give to an algorithm that does not decide anything.

    The level of a segment is the number of such elements around it and 1. Elements without shown text are no segments.

    Parameters
    ----------
    tags : names of elements, separated by spaces
    depth : the deepest level; elements further inside are no segments, so that the texts of all segments together stay
        linear in the page

    >>> from webstrata.page import parse
    >>> Containers()(parse("<div><p>one<ul><li>two</ul></div><p>three<table><td>four</table>")).texts()
    ['one\\ntwo', 'two', 'four']
    """

    tags: str = "div ul table"
    depth: int = 24

    def __call__(self, page: Page) -> Segmentation:
        elements = page.elements
        marked = np.zeros(len(elements), bool)
        marked[elements.find(*self.tags.split())] = True
        around, level = elements.parent.tolist(), [0] * len(elements)
        shown = np.concatenate(([0], np.cumsum(~page.blocks.hidden)))
        first, end = elements.first_block, elements.end_block
        found = []
        for row in range(len(elements)):
            level[row] = (level[around[row]] if around[row] >= 0 else 0) + int(marked[row])
            if marked[row] and level[row] <= self.depth and shown[end[row]] > shown[first[row]]:
                found.append(Segment(int(first[row]), int(end[row]), level[row]))
        return Segmentation(page, tuple(found), repr(self))
