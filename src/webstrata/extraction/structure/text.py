"""Kept blocks as text."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from webstrata._paragraphs import kept_text
from webstrata.page import Page
from webstrata.text import Column

if TYPE_CHECKING:
    from webstrata.extraction.structure.spans import Span

__all__ = ["separator", "structured_text", "structured_text_with_spans", "text"]


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


def structured_text(page: Page, keep: Column, *, citations: bool = True) -> str:
    r"""The kept blocks of a page, with the markers of lists, rows of tables as lines, and formulas as TeX.

    Items are indented below the items that they are in. Tabs separate the cells of a row; those below and beside a cell
    that spans several are empty. References to footnotes are numbers in brackets, with the notes at the end.

    >>> from webstrata.page import parse
    >>> page = parse("<ol><li>silt<ul><li>pale</ul><li>mud</ol><table><tr><th>Layer<th>mm<tr><td>1<td>2</table>")
    >>> structured_text(page, ~page.blocks.hidden)
    '1. silt\n   - pale\n2. mud\n\nLayer\tmm\n1\t2'
    """
    from webstrata.extraction.structure.roles import written_roles
    from webstrata.extraction.structure.text_writer import write

    keep, roles = written_roles(page, keep, citations=citations)
    notes = "" if roles.note is None else write(page, keep, roles, in_notes=True)
    return "\n\n".join(filter(None, (write(page, keep, roles), notes)))


def structured_text_with_spans(page: Page, keep: Column, *, citations: bool = True) -> tuple[str, list[Span]]:
    """The same text, and where its pieces come from."""
    from webstrata.extraction.structure.roles import written_roles
    from webstrata.extraction.structure.spans import joined, spans_of_origins
    from webstrata.extraction.structure.text_writer import write_traced

    keep, roles = written_roles(page, keep, citations=citations)
    in_notes = (False,) if roles.note is None else (False, True)
    written = (write_traced(page, keep, roles, in_notes=each) for each in in_notes)
    return joined(((text, spans_of_origins(page, origins)) for text, origins in written), "\n\n")


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
