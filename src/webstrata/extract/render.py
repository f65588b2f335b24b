"""Kept blocks as text."""

from __future__ import annotations

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
    inline = blocks.gap_within(tag_mask(INLINE_TAGS))[rows]
    line = blocks.gap_within(tag_mask((*INLINE_TAGS, *_LINE_TAGS)))[rows]
    follows = np.concatenate(([False], np.diff(rows) == 1))
    starts, stops = blocks.text_start[rows].tolist(), blocks.text_stop[rows].tolist()
    parts = [page.text[starts[0] : stops[0]]]
    for i in range(1, len(rows)):
        if follows[i] and inline[i]:
            parts.append(page.text[stops[i - 1] : starts[i]])
        else:
            parts.append("\n" if follows[i] and line[i] else "\n\n")
        parts.append(page.text[starts[i] : stops[i]])
    return "".join(parts)
