"""The atomic blocks of a page: one table of columns, a row of it as an object, and sets of tags to test gaps with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, overload

import numpy as np

from webstrata._once import once
from webstrata._scan.columns import Columns
from webstrata._scan.tags import TAGS
from webstrata._scan.words import count_blocks
from webstrata.elements import HIDDEN, TAG_NUMBERS, Element, Elements, column
from webstrata.text import WRAP_WIDTH, Column

__all__ = ["Block", "Blocks", "tag_mask"]

# Flags of blocks besides HIDDEN: white space is kept; and the level of the heading from this bit on.
_PREFORMATTED = 2
_HEADING_BIT = 4


def tag_mask(names: Iterable[str]) -> Column:
    """A set of tags as the bits of a gap, to test gaps against.

    >>> from webstrata.page import parse
    >>> page = parse("one<br>two<b>three</b>")
    >>> page.blocks.gap_meets(tag_mask(["br", "hr"])).tolist()
    [False, True, False]
    """
    mask = np.zeros(len(TAGS) + 63 >> 6, np.uint64)
    for name in names:
        number = TAG_NUMBERS[name]
        mask[number >> 6] |= np.uint64(1 << (number & 63))
    return mask


@dataclass(frozen=True, eq=False, repr=False)
class Blocks(Sequence["Block"]):
    """The atomic blocks of a page in document order, one row each.

    ``source_start:source_stop`` are bytes of the source, ``text_start:text_stop`` characters of the text. ``words``,
    ``link_words``, ``lines`` and ``wrapped_words`` are defined in `webstrata.text`; a word is a link word when it
    begins inside an ``<a>``. They are counted on first access. ``gap`` is the set of all tags between
    this block and the one before, as bits; ``link_start:link_stop`` are the characters of the page's links.
    """

    text: str
    source: bytes
    elements: Elements
    columns: Columns
    links: Columns
    width: int = WRAP_WIDTH

    source_start: ClassVar[Column] = column(0)
    source_stop: ClassVar[Column] = column(1)
    text_start: ClassVar[Column] = column(2)
    text_stop: ClassVar[Column] = column(3)
    element: ClassVar[Column] = column(4)
    flags: ClassVar[Column] = column(5)
    gap: ClassVar[Column] = column(6)
    link_start: ClassVar[Column] = column(1, "links")
    link_stop: ClassVar[Column] = column(2, "links")

    def __len__(self) -> int:
        return len(self.columns)

    def __reduce__(self) -> tuple[Any, ...]:
        return Blocks, (self.text, self.source, self.elements, self.columns, self.links, self.width)

    @overload
    def __getitem__(self, index: int) -> Block: ...
    @overload
    def __getitem__(self, index: slice) -> list[Block]: ...
    def __getitem__(self, index: int | slice) -> Block | list[Block]:
        if isinstance(index, slice):
            return [Block(self, row) for row in range(*index.indices(len(self)))]
        return Block(self, range(len(self))[index])

    def __repr__(self) -> str:
        return f"<Blocks: {len(self)} rows>"

    @once
    def counts(self) -> Columns:
        """The counts of each block."""
        return count_blocks(self.text, self.columns, self.links, self.width)

    # The words of a block, how many of them begin inside a link, its lines when it is wrapped at the width, and the
    # words before the last line, 0 where there is one line.
    words: ClassVar[Column] = column(0, "counts")
    link_words: ClassVar[Column] = column(1, "counts")
    lines: ClassVar[Column] = column(2, "counts")
    wrapped_words: ClassVar[Column] = column(3, "counts")

    def text_span(self, first: int, end: int) -> tuple[int, int]:
        """The span of the text of consecutive blocks, of at least one."""
        return self.columns.at(2, first), self.columns.at(3, end - 1)

    @once
    def chars(self) -> Column:
        """The number of characters of each block."""
        return self.text_stop - self.text_start

    @once
    def hidden(self) -> Column:
        """Which blocks are text of a hidden element (see `Elements.hidden`)."""
        return (self.flags & HIDDEN).astype(bool)

    @once
    def preformatted(self) -> Column:
        """Which blocks keep their white space."""
        return (self.flags & _PREFORMATTED).astype(bool)

    @once
    def heading(self) -> Column:
        """The level of the heading around a block, 0 outside of headings."""
        return self.flags >> _HEADING_BIT

    def gap_meets(self, mask: Column) -> Column:
        """For which blocks the gap before holds a tag of the mask (see `tag_mask`)."""
        return np.asarray((self.gap & mask).any(axis=1))

    def gap_within(self, mask: Column) -> Column:
        """For which blocks the gap before holds tags of the mask only."""
        return np.asarray(~(self.gap & ~mask).any(axis=1))

    def wrapped(self, width: int) -> Blocks:
        """The same blocks with their lines wrapped at another width."""
        return replace(self, width=width)


@dataclass(frozen=True, slots=True)
class Block:
    """One row of the blocks."""

    table: Blocks
    row: int

    @property
    def text(self) -> str:
        return self.table.text[self.table.text_start[self.row] : self.table.text_stop[self.row]]

    @property
    def html(self) -> str:
        """The source of the block."""
        return self.table.source[self.table.source_start[self.row] : self.table.source_stop[self.row]].decode()

    @property
    def element(self) -> Element:
        return Element(self.table.elements, int(self.table.element[self.row]))

    @property
    def path(self) -> tuple[str, ...]:
        """The tags from the root down to the block, without ``a``."""
        return tuple(name for name in self.element.path if name != "a")

    @property
    def gap(self) -> frozenset[str]:
        """The tags between this block and the one before. "" stands for names unknown to HTML."""
        bits = self.table.gap[self.row]
        return frozenset(name for number, name in enumerate(TAGS) if int(bits[number >> 6]) >> (number & 63) & 1)

    @property
    def words(self) -> int:
        return int(self.table.words[self.row])

    @property
    def link_words(self) -> int:
        return int(self.table.link_words[self.row])

    @property
    def lines(self) -> int:
        return int(self.table.lines[self.row])

    @property
    def hidden(self) -> bool:
        return bool(self.table.hidden[self.row])

    @property
    def heading(self) -> int:
        return int(self.table.heading[self.row])

    def __repr__(self) -> str:
        return f"<Block {self.row}: {self.text[:60]!r}>"
