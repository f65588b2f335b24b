"""The definition of a paragraph.

A *paragraph* is a run of blocks with only inline content between them: text-level tags, boxes within a line (images,
buttons, inputs, SVG, formulas), unknown names unless they begin a line, and line breaks. Everything else ends it.
Within a paragraph, ``br`` ends a *line*. Items of lists, rows and cells are paragraphs of their own; their end has its
own value (`ITEM`), because writers of plain text put no blank line there.

Kept blocks of a page form paragraphs across hidden text and across blocks that were dropped within a line. If a line
ends where blocks were dropped, the paragraph ends too.
"""

from __future__ import annotations

from webstrata._paragraphs import ends as _ends
from webstrata._paragraphs import ends_kept as _ends_kept
from webstrata._scan.tags import BOXED_TAGS, INLINE_TAGS
from webstrata.page import Page
from webstrata.text import Column

__all__ = ["ITEM", "LINE", "PARAGRAPH", "WITHIN", "WITHIN_TAGS", "ends", "ends_kept"]

#: Ends before a block, from none to that of a paragraph.
WITHIN, LINE, ITEM, PARAGRAPH = range(4)

#: The tags within a paragraph. "" stands for names unknown to HTML.
WITHIN_TAGS = frozenset({"", "br"}) | INLINE_TAGS | BOXED_TAGS


def ends(page: Page) -> Column:
    """For each block of a page, what ends before it.

    >>> from webstrata.page import parse
    >>> ends(parse("<p>Press <kbd>x</kbd> or <input> here<br>now.<ul><li>one<li>two</ul>")).tolist()
    [3, 0, 0, 0, 1, 3, 2]
    """
    return _ends(page.blocks)


def ends_kept(page: Page, keep: Column) -> Column:
    """For each kept block, what ends between the kept one before it and this one.

    >>> import numpy as np
    >>> from webstrata.page import parse
    >>> ends_kept(parse("<p>one <b>two</b> three<p>four"), np.array([True, False, True, True])).tolist()
    [3, 0, 3]
    """
    return _ends_kept(page.blocks, keep)
