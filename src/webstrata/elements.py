"""The elements of a page: one table of columns, and a row of it as an object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, overload

import numpy as np

from webstrata._once import once
from webstrata._scan.attributes import (
    attribute_count,
    attributes_at,
    deepest,
    rows_holding,
    rows_longer,
)
from webstrata._scan.columns import Columns
from webstrata._scan.references import tag_name
from webstrata._scan.scan import attributes
from webstrata._scan.tags import TAGS
from webstrata.text import Column

__all__ = ["CLONED", "HIDDEN", "IMPLIED", "TAG_NUMBERS", "Element", "Elements", "column"]

HIDDEN = 1  # see `Elements.hidden`; a flag of blocks as well
IMPLIED = 4  # it has no start tag in the source
CLONED = 8  # a formatting element that was opened again

#: The number of each tag in the columns; 0 stands for names unknown to HTML.
TAG_NUMBERS = {name: number for number, name in enumerate(TAGS)}


def column(number: int, table: str = "columns") -> Any:
    """A property of a table: one of its columns as an array, made on first access."""
    return once(lambda rows: getattr(rows, table).array(number))


@dataclass(frozen=True, eq=False, repr=False)
class Elements(Sequence["Element"]):
    """The elements of a page in document order, one row each.

    A subtree is one run of rows and one run of blocks. ``source_start:open_stop`` is the start tag in the source
    (empty where the tag was implied; that of the first one where a formatting element was opened again) and
    ``source_stop`` is where the element ends.
    """

    source: bytes
    columns: Columns

    tag: ClassVar[Column] = column(0)
    flags: ClassVar[Column] = column(1)
    parent: ClassVar[Column] = column(2)
    depth: ClassVar[Column] = column(3)
    first_block: ClassVar[Column] = column(4)
    end_block: ClassVar[Column] = column(5)
    source_start: ClassVar[Column] = column(6)
    open_stop: ClassVar[Column] = column(7)
    source_stop: ClassVar[Column] = column(8)

    def __len__(self) -> int:
        return len(self.columns)

    def __reduce__(self) -> tuple[Any, ...]:
        return Elements, (self.source, self.columns)

    @overload
    def __getitem__(self, index: int) -> Element: ...
    @overload
    def __getitem__(self, index: slice) -> list[Element]: ...
    def __getitem__(self, index: int | slice) -> Element | list[Element]:
        if isinstance(index, slice):
            return [Element(self, row) for row in range(*index.indices(len(self)))]
        return Element(self, range(len(self))[index])

    def __repr__(self) -> str:
        return f"<Elements: {len(self)} rows>"

    @once
    def hidden(self) -> Column:
        """Which elements are hidden, or inside of one that is.

        Reasons are the attribute, ``aria-hidden``, an inline style, or that browsers show something else instead, as
        for ``noscript``, ``rp`` and the content of ``video``.
        """
        return (self.flags & HIDDEN).astype(bool)

    def is_hidden(self, row: int) -> bool:
        """Whether one element is hidden."""
        return bool(self.columns.at(1, row) & HIDDEN)

    def block_span(self, row: int) -> tuple[int, int]:
        """The first block of an element, and the end of its blocks."""
        return self.columns.at(4, row), self.columns.at(5, row)

    def start_tag(self, row: int) -> tuple[int, int]:
        """The start tag of an element, as a span of the source."""
        return self.columns.at(6, row), self.columns.at(7, row)

    def content_span(self, row: int) -> tuple[int, int]:
        """The content of an element and its end tag, as a span of the source."""
        return self.columns.at(7, row), self.columns.at(8, row)

    @property
    def deepest(self) -> int:
        """The depth of the deepest element."""
        return deepest(self.columns)

    def longer(self, size: int) -> list[int]:
        """The rows of the elements whose start tag has more than ``size`` bytes."""
        return rows_longer(self.columns, size)

    def attribute_count(self, row: int) -> int:
        """The number of attributes of an element, duplicates included.

        >>> from webstrata.page import parse
        >>> parse("<p class=a id=b class=c>").elements.attribute_count(3)
        3
        """
        return attribute_count(self.source, self.columns, row)

    def ancestors(self, row: int) -> Iterator[int]:
        """The rows of the ancestors of a row, the innermost first."""
        above = int(self.parent[row])
        while above >= 0:
            yield above
            above = int(self.parent[above])

    def attribute(self, row: int, name: str) -> str | None:
        """One attribute of a row, by its name in lower case, or None.

        >>> from webstrata.page import parse
        >>> parse("<p>a<a href=/l>layer</a>").elements.attribute(4, "href")
        '/l'
        """
        return attributes_at(self.source, self.columns, row, (name.encode(),))[0]

    def some_attributes(self, row: int, names: tuple[bytes, ...]) -> list[str]:
        """Some attributes of a row, "" for missing ones; the start tag is read once."""
        return [value or "" for value in attributes_at(self.source, self.columns, row, names)]

    def find(self, *names: str) -> Column:
        """The rows of the elements with one of these names."""
        if len(names) == 1:  # one comparison, half the time of a look-up
            rows: Column = (self.tag == TAG_NUMBERS[names[0]]).nonzero()[0]
            return rows
        wanted = np.zeros(256, bool)  # a table look-up is ten times faster than np.isin
        wanted[[TAG_NUMBERS[name] for name in names]] = True
        return np.flatnonzero(wanted[self.tag])

    def holding(self, name: str, word: bytes) -> list[int]:
        """The rows of the elements with a name whose start tag holds a word, in either case.

        >>> from webstrata.page import parse
        >>> parse("<p>a<p class=Byline>b").elements.holding("p", b"byline")
        [4]
        """
        return rows_holding(self.source, self.columns, TAG_NUMBERS[name], word)


@dataclass(frozen=True, slots=True)
class Element:
    """One row of the elements."""

    table: Elements
    row: int

    @property
    def tag(self) -> str:
        number = int(self.table.tag[self.row])
        return TAGS[number] if number else tag_name(self.table.source, *self._name_span())

    @property
    def attributes(self) -> dict[str, str]:
        """Attributes by name, read from the start tag; the first of a name counts."""
        if self.table.flags[self.row] & IMPLIED:
            return {}
        return attributes(self.table.source, self._name_span()[1], int(self.table.open_stop[self.row]))

    @property
    def parent(self) -> Element | None:
        row = int(self.table.parent[self.row])
        return None if row < 0 else Element(self.table, row)

    @property
    def depth(self) -> int:
        return int(self.table.depth[self.row])

    @property
    def path(self) -> tuple[str, ...]:
        """The tags from the root down to this element."""
        rows = [self.row, *self.table.ancestors(self.row)]
        return tuple(Element(self.table, row).tag for row in reversed(rows))

    @property
    def blocks(self) -> range:
        """The rows of the blocks inside."""
        return range(int(self.table.first_block[self.row]), int(self.table.end_block[self.row]))

    @property
    def html(self) -> str:
        """The source of the element."""
        return self.table.source[self.table.source_start[self.row] : self.table.source_stop[self.row]].decode()

    def __repr__(self) -> str:
        return f"<Element {self.row}: {self.tag}, blocks {self.blocks.start}:{self.blocks.stop}>"

    def _name_span(self) -> tuple[int, int]:
        source = self.table.source
        start = stop = int(self.table.source_start[self.row]) + 1
        while source[stop] not in b" \t\n\r\f/>":
            stop += 1
        return start, stop
