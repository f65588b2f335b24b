"""A page as two tables: its atomic blocks and its elements.

Tables are columns (NumPy arrays, read-only) for code, and light row views for people: ``page.blocks.words`` is the
column of all word counts, ``page.blocks[3]`` is one block.

A *block* is a run of character data between two tags, where ``<a>`` alone is no tag (seed 000 §3.3 and §4). A block
that begins and ends inside one element has this ``element``; ``<a>`` elements are looked through. Hidden and shown
text are never in one block.

Text is folded as a browser shows it: a run of white space is one space, except where ``pre`` keeps it; a tag that
starts a new line stands as a line break, a box such as an image or a button as a space, and an inline tag as nothing.
The text between the spans of two blocks is therefore what separates them, and any run of blocks is one slice.
Deviation: no-break spaces and other white space of Unicode fold as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload
from urllib.parse import urljoin

import numpy as np

from webstrata._scan.references import STATES, attributes, character_data, tag_name
from webstrata._scan.scan import scan
from webstrata._scan.tags import INLINE_TAGS, TAGS
from webstrata.encoding import decode, from_str
from webstrata.errors import InputError
from webstrata.text import WRAP_WIDTH, Column, wrap

__all__ = ["INLINE_TAGS", "TAGS", "Block", "Blocks", "Element", "Elements", "Link", "Page", "parse", "tag_mask"]

HIDDEN = 1
PREFORMATTED = 2
IMPLIED = 4
CLONED = 8

_TAG_NUMBERS = {name: number for number, name in enumerate(TAGS)}


def parse(html: bytes | str, *, url: str | None = None, encoding: str | None = None) -> Page:
    """Read a page. Any bytes make a page; nothing is raised because of them.

    Parameters
    ----------
    html : the page as received (bytes), or as decoded already (str)
    url : where it came from; links are resolved against it
    encoding : a label that is trusted more than what the page itself says, such as the one of the HTTP header

    >>> page = parse(b"<title>Strata</title><p>A page has <a href=/l>layers</a>.", url="http://example.org/a")
    >>> page.title, page.text
    ('Strata', 'A page has layers.')
    >>> page.links[0].url
    'http://example.org/l'
    """
    if isinstance(html, str):
        source, encoding = from_str(html), "utf-8"
    elif isinstance(html, bytes | bytearray | memoryview):
        source, encoding = decode(bytes(html), encoding)
    else:
        raise InputError(f"html must be bytes or str, not {type(html).__name__}")
    text, title, elements, blocks, words, links = scan(source, WRAP_WIDTH)
    element_table = Elements(source, *elements)
    block_table = Blocks(text, source, element_table, *blocks, *words)
    return Page(url, encoding, source, text, block_table, element_table, title, (links[0], links[1], links[2]))


def tag_mask(names: Iterable[str]) -> Column:
    """A set of tags as the bits of a gap, to test gaps against.

    >>> page = parse("one<br>two<b>three</b>")
    >>> page.blocks.gap_meets(tag_mask(["br", "hr"])).tolist()
    [False, True, False]
    """
    mask = np.zeros(len(TAGS) + 63 >> 6, np.uint64)
    for name in names:
        number = _TAG_NUMBERS[name]
        mask[number >> 6] |= np.uint64(1 << (number & 63))
    return mask


@dataclass(frozen=True, eq=False, repr=False)
class Elements(Sequence["Element"]):
    """The elements of a page in document order, one row each.

    A subtree is one run of rows and one run of blocks. ``source_start:open_stop`` is the start tag in the source
    (empty where the tag was implied; that of the first one where a formatting element was opened again) and
    ``source_stop`` is where the element ends.
    """

    source: bytes
    tag: Column
    flags: Column
    parent: Column
    depth: Column
    first_block: Column
    end_block: Column
    source_start: Column
    open_stop: Column
    source_stop: Column

    def __len__(self) -> int:
        return len(self.tag)

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

    @cached_property
    def hidden(self) -> Column:
        """Which elements a browser does not show."""
        return (self.flags & HIDDEN).astype(bool)

    def find(self, *names: str) -> Column:
        """The rows of the elements with one of these names."""
        wanted = np.zeros(256, bool)  # a table look-up is ten times faster than np.isin
        wanted[[_TAG_NUMBERS[name] for name in names]] = True
        return np.flatnonzero(wanted[self.tag])


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
        names = [self.tag]
        above = self.parent
        while above is not None:
            names.append(above.tag)
            above = above.parent
        return tuple(reversed(names))

    @property
    def blocks(self) -> range:
        """The rows of the blocks inside."""
        return range(int(self.table.first_block[self.row]), int(self.table.end_block[self.row]))

    @property
    def html(self) -> str:
        """The element as it stands in the source."""
        return self.table.source[self.table.source_start[self.row] : self.table.source_stop[self.row]].decode()

    def __repr__(self) -> str:
        return f"<Element {self.row}: {self.tag}, blocks {self.blocks.start}:{self.blocks.stop}>"

    def _name_span(self) -> tuple[int, int]:
        source = self.table.source
        start = stop = int(self.table.source_start[self.row]) + 1
        while source[stop] not in b" \t\n\r\f/>":
            stop += 1
        return start, stop


@dataclass(frozen=True, eq=False, repr=False)
class Blocks(Sequence["Block"]):
    """The atomic blocks of a page in document order, one row each.

    ``source_start:source_stop`` are bytes of the source, ``text_start:text_stop`` characters of the text. ``words``,
    ``link_words``, ``lines`` and ``wrapped_words`` are defined in `webstrata.text`; a word is a link word when it
    begins inside an ``<a>``. ``gap`` is the set of all tags between this block and the one before, as bits.
    """

    text: str
    source: bytes
    elements: Elements
    source_start: Column
    source_stop: Column
    text_start: Column
    text_stop: Column
    element: Column
    flags: Column
    gap: Column
    words: Column
    link_words: Column
    lines: Column
    wrapped_words: Column

    def __len__(self) -> int:
        return len(self.words)

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

    @cached_property
    def chars(self) -> Column:
        """How many characters each block has."""
        return self.text_stop - self.text_start

    @cached_property
    def hidden(self) -> Column:
        """Which blocks a browser does not show."""
        return (self.flags & HIDDEN).astype(bool)

    @cached_property
    def preformatted(self) -> Column:
        """Which blocks keep their white space."""
        return (self.flags & PREFORMATTED).astype(bool)

    @cached_property
    def heading(self) -> Column:
        """The level of the heading that a block stands in, 0 outside of headings."""
        return self.flags >> 4

    def gap_meets(self, mask: Column) -> Column:
        """For which blocks the gap before holds a tag of the mask (see `tag_mask`)."""
        return np.asarray((self.gap & mask).any(axis=1))

    def gap_within(self, mask: Column) -> Column:
        """For which blocks the gap before holds tags of the mask only."""
        return np.asarray(~(self.gap & ~mask).any(axis=1))

    def wrapped(self, width: int) -> Blocks:
        """The same blocks with their lines wrapped at another width."""
        _, lines, wrapped_words = wrap(self.text, self.text_start, self.text_stop, width=width)
        columns = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return Blocks(**{**columns, "lines": lines, "wrapped_words": wrapped_words})


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
        """The block as it stands in the source."""
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
        """The tags between this block and the one before. "" stands for names that HTML does not know."""
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


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a page: where it leads, its text, its element, and the blocks it stands in."""

    url: str
    href: str
    text: str
    element: int
    blocks: range


@dataclass(frozen=True, eq=False, repr=False)
class Page:
    """A page that was read: its source, its text and its two tables. Made by `parse`.

    ``link_spans`` are three columns, one row for each ``<a>``: its element, and where its text begins and ends.
    """

    url: str | None
    encoding: str
    source: bytes
    text: str
    blocks: Blocks
    elements: Elements
    _title_span: tuple[int, int] | None
    link_spans: tuple[Column, Column, Column]

    def __repr__(self) -> str:
        return f"<Page {self.url or repr(self.title)}: {len(self.blocks)} blocks, {len(self.elements)} elements>"

    @cached_property
    def title(self) -> str:
        """The text of the first ``<title>``, white space folded."""
        if self._title_span is None:
            return ""
        return " ".join(character_data(self.source, *self._title_span, STATES["rcdata"]).split())

    @cached_property
    def lang(self) -> str | None:
        """The language that the page declares for itself."""
        root = self.elements[0].attributes
        return (root.get("lang") or root.get("xml:lang") or "").strip() or None

    @cached_property
    def base_url(self) -> str:
        """What relative links are resolved against: the page's ``<base>``, or its url."""
        for row in self.elements.find("base"):
            href = self.elements[int(row)].attributes.get("href")
            if href is not None:
                return _resolve(self.url or "", href)
        return self.url or ""

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """The links of the page in document order."""
        return tuple(self._links())

    def _links(self) -> Iterator[Link]:
        for row, start, stop in zip(*(column.tolist() for column in self.link_spans), strict=True):
            element = self.elements[row]
            href = element.attributes.get("href")
            if href is not None:
                text = " ".join(self.text[start:stop].split())
                yield Link(_resolve(self.base_url, href), href, text, row, element.blocks)


def _resolve(base: str, href: str) -> str:
    """An absolute URL; the reference itself where it makes no URL, such as a broken IPv6 address."""
    try:
        return urljoin(base, href.strip())
    except ValueError:
        return href.strip()
