"""Kept blocks as text."""

from __future__ import annotations

from functools import cache

import numpy as np

from webstrata.page import INLINE_TAGS, Page, tag_mask
from webstrata.text import Column

__all__ = ["text"]

# Tags that begin a new line but no new paragraph: items, rows, cells and line breaks.
_LINE_TAGS = ("br", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "colgroup", "col", "option")


def text(page: Page, keep: Column) -> str:
    """The kept blocks of a page, in order.

    Blocks that only inline tags part are one paragraph. Between two paragraphs stands a blank line, between two lines
    of a list or a table or of verse a line break; where something was left out, a blank line.

    >>> from webstrata.page import parse
    >>> page = parse("<h1>Strata</h1><p>A <b>page</b> comes<br>in layers.<ul><li>one<li>two</ul>")
    >>> print(text(page, np.ones(len(page.blocks), bool)))
    Strata
    <BLANKLINE>
    A page comes
    in layers.
    <BLANKLINE>
    one
    two
    """
    blocks = page.blocks
    rows = np.flatnonzero(keep)
    if not len(rows):
        return ""
    # The text between two blocks of a page is what separates them on the screen, a line break included: a run of
    # kept blocks without a paragraph's end is one slice.
    within: Column = ~np.any(blocks.gap[rows] & _paragraph_tags(), axis=1)
    within[1:] &= rows[1:] == rows[:-1] + 1
    within[0] = False
    first = np.flatnonzero(~within)
    starts = blocks.text_start[rows[first]].tolist()
    stops = blocks.text_stop[rows[np.append(first[1:], len(rows)) - 1]].tolist()
    content = page.text
    return "\n\n".join([content[start:stop] for start, stop in zip(starts, stops, strict=True)])


@cache
def _paragraph_tags() -> Column:
    """The tags that end a paragraph: all but the inline ones and those of lines."""
    return ~tag_mask((*INLINE_TAGS, *_LINE_TAGS))
