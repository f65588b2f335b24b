"""The baselines of seed 000 §5: segments from lines, from tags and from tag rules alone."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from webstrata.errors import InputError
from webstrata.page import Page
from webstrata.segment.base import Segmentation, flat
from webstrata.segment.rules import FORCE_GAP_MASK, shown_gaps
from webstrata.text import WRAP_WIDTH, Column, wrap

__all__ = ["JustRules", "TagGap", "WordWrap"]

# Columns that a word of an unspaced script takes; `webstrata.text` cuts such scripts at this width.
_UNSPACED_COLUMNS = 6


@dataclass(frozen=True, kw_only=True)
class WordWrap:
    """WORDWRAP: wrap the text of the whole page; every line is a segment (seed 000 §5).

    Parameters
    ----------
    width : w_max, the columns of a line

    Deviations
    ----------
    Lines cut through blocks, but a segment is a range of blocks: a block belongs to the line on which it begins, and
    a line on which no block begins has no segment. `lines_at` has the lines themselves, as the paper scores them.
    Blocks are parted by one column. A word of a script without spaces counts six columns (see `webstrata.text`).

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
        if not len(rows):
            return flat(self, page, (), ())
        starts, _, _, line = self._lines(page)
        line_of_block = line[np.searchsorted(starts, page.blocks.text_start[rows])]
        firsts = np.flatnonzero(np.diff(line_of_block, prepend=-1))
        stops = rows[np.r_[firsts[1:], len(rows)] - 1] + 1
        return flat(self, page, rows[firsts].tolist(), stops.tolist())

    def lines_at(self, page: Page, offsets: npt.ArrayLike) -> Column:
        """The number of the line of each word of the shown blocks, given where it begins in the text."""
        starts, _, _, line = self._lines(page)
        numbers: Column = line[np.searchsorted(starts, offsets)]
        return numbers

    def _lines(self, page: Page) -> tuple[Column, Column, Column, Column]:
        """Start, stop, words and number of the line of each token, or of each word of an unspaced script."""
        starts, stops = _tokens(page)
        words, _, _ = wrap(page.text, starts, stops)
        unspaced = words > 1
        columns = np.where(unspaced, _UNSPACED_COLUMNS, stops - starts)
        if unspaced.any():
            pieces = np.maximum(words, 1)
            starts, stops, columns = (np.repeat(column, pieces) for column in (starts, stops, columns))
            words = np.repeat(np.minimum(words, 1), pieces)
        # Where each token ends when all stand on one line, one column apart: a line is a window on this ruler.
        ends = (np.cumsum(columns + 1) - 1).tolist()
        firsts = []
        first = left = 0
        while first < len(ends):
            firsts.append(first)
            # A token that is longer than a line has one to itself.
            first = max(bisect_right(ends, left + self.width, first), first + 1)
            left = ends[first - 1] + 1
        line = np.zeros(len(ends), np.int64)
        line[firsts] = 1
        return starts, stops, words, np.cumsum(line) - 1


def _tokens(page: Page) -> tuple[Column, Column]:
    """Starts and stops of the tokens of the shown blocks; a token ends with its block."""
    blocks = page.blocks
    shown = ~blocks.hidden
    begins, ends = blocks.text_start[shown], blocks.text_stop[shown]
    step = np.zeros(len(page.text) + 1, np.int8)
    step[begins] += 1
    step[ends] -= 1
    ink = np.zeros(len(page.text) + 2, np.bool_)
    ink[1:-1] = np.cumsum(step[:-1], dtype=np.int8).view(np.bool_) & ~_is_space(page)
    # Two blocks may stand side by side with no space between: the border is an edge all the same.
    starts = ink[1:] & ~ink[:-1]
    stops = ink[:-1] & ~ink[1:]
    starts[begins] = True
    stops[ends] = True
    return np.flatnonzero(starts), np.flatnonzero(stops)


def _is_space(page: Page) -> Column:
    """Which characters of the text part words; a block never begins or ends with one."""
    text = page.text
    points = np.frombuffer(text.encode() if text.isascii() else text.encode("utf-32-le"), "u1" if text.isascii() else "<u4")
    space: Column = (points == 32) | (points == 10)
    # All other white space was folded, except where the page keeps it.
    if page.blocks.preformatted.any():
        space |= np.isin(points, _SPACES)
    return space


_SPACES = np.array([9, 12, 13, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000])


@dataclass(frozen=True, kw_only=True)
class TagGap:
    """TAGGAP: every text between two tags, ``a`` excepted, is a segment (seed 000 §5). One segment a block.

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
    """JUSTRULES: a new segment wherever the gap holds a gap-enforcing tag, and nowhere else (seed 000 §4).

    >>> from webstrata.page import parse
    >>> JustRules()(parse("<div>one</div><div>two</div><hr><div>three</div>")).texts()
    ['one\\ntwo', 'three']

    Reference: C. Kohlschütter and W. Nejdl, A densitometric approach to web page segmentation, CIKM 2008.
    """

    def __call__(self, page: Page) -> Segmentation:
        rows, gaps = shown_gaps(page.blocks)
        cut = (gaps & FORCE_GAP_MASK).any(axis=1)
        cut[:1] = True
        firsts = np.flatnonzero(cut)
        stops = rows[np.r_[firsts[1:], len(rows)] - 1] + 1 if len(rows) else rows
        return flat(self, page, rows[firsts].tolist(), stops.tolist())
