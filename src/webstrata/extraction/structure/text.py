"""Kept blocks as text."""

from __future__ import annotations

from functools import partial

from webstrata._paragraphs import kept_text
from webstrata.page import Page
from webstrata.text import Column

__all__ = ["separator", "text"]


def text(page: Page, keep: Column) -> str:
    """The kept blocks of a page, in order.

    A blank line separates two paragraphs (see `webstrata.paragraphs`); a line break separates lines of lists, tables
    and verse, and a blank line if a paragraph or a line between them was dropped. Text that was dropped inside a line,
    or that is hidden, leaves no trace.

    >>> import numpy as np
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
    return kept_text(page.blocks, keep, partial(separator, page))


def separator(page: Page, last: int, row: int) -> str:
    """The separator of two kept blocks of a paragraph if the blocks between them are dropped.

    It is the one on the screen; if there is none, a space if they would become one word.

    >>> from webstrata.page import parse
    >>> separator(parse("<p>one<i hidden>, </i><b>two</b>"), 0, 2), separator(parse("<p>one<i hidden>/</i>two"), 0, 2)
    (' ', ' ')
    """
    blocks, content = page.blocks, page.text
    starts, stops = blocks.text_start[last + 1 : row + 1].tolist(), blocks.text_stop[last:row].tolist()
    between = "".join([content[stop:start] for stop, start in zip(stops, starts, strict=True)])
    if blocks.preformatted[row]:
        return between
    if between:
        return "\n" if "\n" in between else " "
    return " " if _is_spaced(content[stops[0] - 1]) and _is_spaced(content[starts[-1]]) else ""


def _is_spaced(character: str) -> bool:
    """Whether a character belongs to words with spaces around them: digits, and scripts with capital letters."""
    return character.isdigit() or character.lower() != character.upper()
