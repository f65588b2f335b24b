"""Kept blocks as Markdown: CommonMark with the tables and the strike-through of GitHub.

What a CommonMark parser reads back is the text of the page: every character that would mean something is escaped, and
a mark that the rules about neighbouring characters would not let begin or end is written as an HTML tag.

Deviations: lists and quotations nest eight deep, as parsers give up not far below; what is deeper stands at the eighth
level. Cells hold one line, so their paragraphs are parted by ``<br>``. A description list is a strong paragraph for
each term. Signs that link a heading to itself are left out. A table whose first row has no header cells gets an empty
header row, since Markdown requires one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from webstrata.escaping import lines
from webstrata.extraction.structure import attributes
from webstrata.extraction.structure.containers import HEADINGS, LISTS, PREFORMATTED
from webstrata.extraction.structure.inline import escape, inline
from webstrata.extraction.structure.outline import Outline
from webstrata.extraction.structure.pieces import CODE, STRONG, Event, Piece
from webstrata.page import Page
from webstrata.text import Column

__all__ = ["heading", "markdown"]

_DEEPEST = 8
# The most columns that one cell may span, and how many empty cells spans may add for each real one: without a limit a
# small page could ask for a table of any size.
_WIDEST_SPAN = 32
_FILLING = 8


def markdown(page: Page, keep: Column) -> str:
    """The kept blocks of a page as Markdown.

    >>> from webstrata.page import parse
    >>> page = parse("<h1>Strata</h1><p>A <b>page</b> has 2*3 <a href=/l>layers</a>.<ol><li>top<li>base</ol>")
    >>> print(markdown(page, ~page.blocks.hidden))
    # Strata
    <BLANKLINE>
    A **page** has 2\\*3 [layers](/l).
    <BLANKLINE>
    1. top
    2. base
    """
    writer = _Writer(page)
    for event in Outline(page, keep).events():
        getattr(writer, f"on_{event.what}")(event)
    return "".join(writer.out)


def heading(title: str) -> str:
    """A title as the first heading; nothing without one.

    >>> print(heading("Strata *of* the lake"))
    # Strata \\*of\\* the lake
    """
    line = escape(" ".join(title.split()))
    # A number sign at the end would close the heading.
    return f"# {line[:-1]}\\#" if line.endswith("#") else f"# {line}" if line else ""


@dataclass(slots=True)
class _Frame:
    """An open container: what its lines begin with, what was to come on its first line, its list's marker."""

    tag: str
    prefix: str
    outer_first: str | None = None
    marker: str = ""
    item: int = 0
    list_before: str = ""
    transparent: bool = False


@dataclass(slots=True)
class _Table:
    """A table while it is read: rows of cells, and for each column the last row that a cell above reaches."""

    rows: list[list[str]] = field(default_factory=list)
    header: bool = False
    width: int = 0
    reach: dict[int, int] = field(default_factory=dict)
    filled: int = 0
    cells: int = 0
    headers_in_row: int = 0
    cells_in_row: int = 0


class _Writer:
    """Writes the events of an outline."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._resources = attributes.Resources(page)
        self.out: list[str] = []
        self._frames = [_Frame("", "")]
        # What the next line begins with instead of the prefix: the markers of the items that begin there.
        self._first: str | None = None
        # How many frames the last line and the next one share.
        self._shared = 1
        self._depth = 0
        # The parts of the heading that is open.
        self._heading: list[str] | None = None
        self._table: _Table | None = None
        self._cell: list[str] | None = None

    # Events

    def on_open(self, event: Event) -> None:
        tag = event.tag
        if self._cell is not None:
            return
        if tag in HEADINGS:
            self._heading = []
        elif tag == "table":
            self._table = _Table()
        elif tag == "tr" and self._table is not None:
            self._table.rows.append([])
            self._table.headers_in_row = self._table.cells_in_row = 0
        elif tag in ("td", "th"):
            self._cell = []
        elif tag in LISTS:
            self._open_list(event)
        elif tag == "li":
            self._open_item()
        elif tag == "blockquote":
            self._push("blockquote", "> ", "> ")
        elif tag not in PREFORMATTED:
            self._push(tag, "", "", nests=False)

    def on_close(self, event: Event) -> None:
        tag = event.tag
        if self._cell is not None:
            if tag in ("td", "th"):
                self._close_cell(event)
            return
        if tag in HEADINGS:
            title = " ".join(part for part in self._heading or () if part)
            self._heading = None
            if title:
                self._write([f"{'#' * int(tag[1])} {_close_hashes(title)}"])
        elif tag == "table" and self._table is not None:
            table, self._table = self._table, None
            self._write(_table_lines(table))
        elif tag != "tr" and tag not in PREFORMATTED:
            self._pop()

    def on_run(self, event: Event) -> None:
        pieces, tag = event.pieces, self._frames[-1].tag
        if self._cell is not None:
            self._cell.append(inline(self._resources, pieces, breaks="<br>", starts_line=False))
        elif self._heading is not None:
            self._heading.append(inline(self._resources, pieces, breaks=" ", starts_line=False))
        else:
            if tag == "dt":
                pieces = [Piece(piece.marks | STRONG if piece.text else piece.marks, *piece[1:]) for piece in pieces]
            text = inline(self._resources, pieces, breaks="\\\n", starts_line=True)
            if text:
                self._write(lines(text))

    def on_code(self, event: Event) -> None:
        code = event.text
        if self._cell is not None:
            self._cell.append(inline(self._resources, [Piece(CODE, -1, code)], breaks="<br>", starts_line=False))
            return
        fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", code)), 0)
        self._write([fence + self._resources.code_language(event.row), *lines(code), fence])

    def on_rule(self, event: Event) -> None:
        if self._cell is None:
            self._write(["***"])

    # Containers

    def _push(self, tag: str, first: str, prefix: str, *, nests: bool = True) -> None:
        above = self._frames[-1]
        above.list_before = ""
        if nests and self._depth >= _DEEPEST:
            self._frames.append(_Frame(tag, above.prefix, self._first, transparent=True))
            return
        self._depth += nests
        self._frames.append(_Frame(tag, above.prefix + prefix, self._first))
        if first:
            self._first = (above.prefix if self._first is None else self._first) + first

    def _pop(self) -> None:
        frame = self._frames.pop()
        self._depth -= frame.tag in ("li", "blockquote") and not frame.transparent
        self._shared = min(self._shared, len(self._frames))
        if self._first is not None:
            self._first = frame.outer_first
        if frame.marker:
            self._frames[-1].list_before = frame.marker

    def _open_list(self, event: Event) -> None:
        before = self._frames[-1].list_before
        self._push(event.tag, "", "", nests=False)
        frame = self._frames[-1]
        # Two lists in a row would be read as one: the second one has another marker.
        if event.tag == "ol":
            frame.marker = ")" if before == "." else "."
            frame.item = attributes.number(self.page, event.row, "start", default=1, most=999_999_999)
        else:
            frame.marker = "*" if before == "-" else "-"

    def _open_item(self) -> None:
        above = self._frames[-1]
        marker = f"{above.item}{above.marker} " if above.marker in (".", ")") else f"{above.marker} "
        above.item = min(above.item + 1, 999_999_999)
        self._push("li", marker, " " * len(marker))

    def _write(self, block: list[str]) -> None:
        """Write the lines of a block, after a blank line unless it begins an item of a list."""
        if not block:
            return
        frame = self._frames[-1]
        frame.list_before = ""
        if self.out:
            shared = self._frames[self._shared - 1]
            starts = self._frames[self._shared] if self._shared < len(self._frames) else frame
            # An ordered list that does not begin with 1 cannot follow a paragraph without a blank line.
            follows = shared.tag == "li" and starts.tag in LISTS and (starts.tag != "ol" or starts.item == 2)
            if self._first is not None and ((shared.tag in LISTS and starts.tag == "li") or follows):
                self.out.append("\n")
            else:
                self.out.append(f"\n{shared.prefix.rstrip()}\n")
        first = frame.prefix if self._first is None else self._first
        self.out.append(first + block[0])
        self.out += [f"\n{frame.prefix}{line}" if line else f"\n{frame.prefix.rstrip()}" for line in block[1:]]
        self._first = None
        self._shared = len(self._frames)

    # Tables

    def _close_cell(self, event: Event) -> None:
        table, parts = self._table, self._cell
        self._cell = None
        if table is None or parts is None:
            return
        row = table.rows[-1]
        table.cells += 1
        budget = _FILLING * table.cells - table.filled
        while table.reach.get(len(row), 0) >= len(table.rows) and budget > 0:
            table.filled += 1
            budget -= 1
            row.append("")
        across = attributes.number(self.page, event.row, "colspan", default=1, most=_WIDEST_SPAN)
        last = len(table.rows) - 1 + attributes.number(self.page, event.row, "rowspan", default=1, most=1000)
        across = max(1, min(across, budget + 1))
        table.filled += across - 1
        table.reach.update((column, last) for column in range(len(row), len(row) + across))
        row.append("<br>".join(part for part in parts if part).replace("|", "\\|"))
        row += [""] * (across - 1)
        table.width = max(table.width, len(row))
        table.cells_in_row += 1
        table.headers_in_row += event.tag == "th"
        if len(table.rows) == 1:
            table.header = table.headers_in_row == table.cells_in_row


def _table_lines(table: _Table) -> list[str]:
    if not table.width:
        return []
    rows = table.rows if table.header else [[""] * table.width, *table.rows]
    rows[0] += [""] * (table.width - len(rows[0]))
    lines = [f"| {' | '.join(row)} |" for row in rows if row]
    lines.insert(1, "|" + " --- |" * table.width)
    return lines


def _close_hashes(title: str) -> str:
    """A heading may end in ``#`` signs, which would be read as its end."""
    bare = title.rstrip("#")
    return title if bare == title or (bare and not bare.endswith(" ")) else f"{bare}\\{title[len(bare) :]}"
