"""Which tables hold data and which only arrange the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from webstrata.extraction.structure.containers import CELLS, HEADINGS, PREFORMATTED
from webstrata.page import Page
from webstrata.text import Column

__all__ = ["data_tables"]

# A cell of data is read at a glance; one of more than some ten lines is a column of a layout.
_LONGEST_CELL = 1000
_TOO_BIG_FOR_A_CELL = HEADINGS | PREFORMATTED | {"blockquote"}


@dataclass(slots=True)
class _Shape:
    """What is seen of one table."""

    rows: int = 0
    cells: int = 0
    columns: int = 0
    headed: bool = False
    layout: bool = False

    def is_data(self) -> bool:
        return not self.layout and self.columns > 1 and (self.rows > 1 or self.headed)


def data_tables(page: Page, rows: Column, names: Sequence[str], above: Column, alive: Column) -> set[int]:
    """The tables that hold data: several columns, several rows or a header, and no cell with a table, a heading, code,
    a quotation or a whole text in it.

    Parameters
    ----------
    rows, names : the containers of the page in document order, and their tags
    above : for each of them, the container it stands in
    alive : for each element of the page, whether it holds something kept
    """
    shapes: dict[int, _Shape] = {}
    inside: dict[int, int] = {}
    cell_of: dict[int, str] = {}
    lengths = _lengths(page, rows)
    for row, name, up, length in zip(rows.tolist(), names, above.tolist(), lengths, strict=True):
        table = inside.get(up, -1)
        inside[row] = row if name == "table" else table
        cell_of[row] = name if name in CELLS or name == "table" else cell_of.get(up, "")
        if name == "table":
            shapes[row] = _Shape()
        if table < 0 or not (alive[row] or name in CELLS):
            continue
        shape = shapes[table]
        if name == "tr":
            shape.rows += 1
            shape.cells = 0
        elif name in CELLS:
            shape.cells += 1
            shape.columns = max(shape.columns, shape.cells)
            shape.headed |= name == "th"
            shape.layout |= length > _LONGEST_CELL
        elif name == "table" or (name in _TOO_BIG_FOR_A_CELL and cell_of.get(up) == "td"):
            shape.layout = True
    return {row for row, shape in shapes.items() if shape.is_data()}


def _lengths(page: Page, rows: Column) -> list[int]:
    """How many characters of text each of these elements has."""
    if not len(page.blocks):
        return [0] * len(rows)
    elements, blocks = page.elements, page.blocks
    first, last = elements.first_block[rows], elements.end_block[rows] - 1
    inside = last >= first
    first = np.minimum(first, len(blocks) - 1)
    lengths = np.where(inside, blocks.text_stop[last] - blocks.text_start[first], 0)
    values: list[int] = lengths.tolist()
    return values
