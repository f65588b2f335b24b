"""The tag rules of Kohlschütter & Nejdl 2008 §4: gaps that always separate two blocks, and gaps that never do."""

from __future__ import annotations

import numpy as np

from webstrata.page import Blocks, tag_mask
from webstrata.text import Column

__all__ = ["FORCE_GAP", "FORCE_GAP_MASK", "NO_GAP", "NO_GAP_MASK", "shown_gaps"]

#: T_ForceGap: tags that enforce a gap.
FORCE_GAP = frozenset(["h1", "h2", "h3", "h4", "h5", "h6", "ul", "dl", "ol", "hr", "table", "address", "img", "script"])

#: T_NoGap: tags that avoid a gap.
NO_GAP = frozenset(["a", "b", "br", "em", "font", "i", "s", "span", "strong", "sub", "sup", "u", "tt"])

FORCE_GAP_MASK = tag_mask(FORCE_GAP)
NO_GAP_MASK = tag_mask(NO_GAP)


def shown_gaps(blocks: Blocks) -> tuple[Column, Column]:
    """The rows of the shown blocks, and for each the tags between it and the shown block before it.

    >>> from webstrata.page import parse
    >>> page = parse("one<p hidden>two<p>three")
    >>> rows, gaps = shown_gaps(page.blocks)
    >>> rows.tolist(), (gaps & tag_mask(["p"])).any(axis=1).tolist()
    ([0, 2], [False, True])
    """
    rows = np.flatnonzero(~blocks.hidden)
    if len(rows) == len(blocks):
        return rows, blocks.gap
    if not len(rows):
        return rows, blocks.gap[:0]
    firsts = np.r_[0, rows[:-1] + 1]
    return rows, np.bitwise_or.reduceat(blocks.gap[: rows[-1] + 1], firsts, axis=0)
