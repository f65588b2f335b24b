"""A page as two tables: its atomic blocks and its elements.

Tables are columns (NumPy arrays, read-only) for code, and light row views for people: ``page.blocks.words`` is the
column of all word counts, ``page.blocks[3]`` is one block.

A *block* is a run of character data between two tags, where ``<a>`` alone is no tag (Kohlschütter & Nejdl 2008 §3.3 and
§4). A block that begins and ends inside one element has this ``element``; ``<a>`` elements are looked through. Hidden
and shown text are never in one block.

Text is folded as a browser shows it: a run of white space is one space, except where ``pre`` keeps it; a tag that
starts a new line stands as a line break, a box such as an image or a button as a space, and an inline tag as nothing.
The text between the spans of two blocks is therefore what separates them, and any run of blocks is one slice.
Deviation: no-break spaces and other white space of Unicode fold as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from webstrata._once import once
from webstrata._scan.references import STATES, character_data
from webstrata._scan.scan import scan
from webstrata._scan.tags import INLINE_TAGS, TAGS
from webstrata.blocks import Block, Blocks, tag_mask
from webstrata.elements import CLONED, IMPLIED, Element, Elements
from webstrata.encoding import decode, from_str
from webstrata.errors import InputError
from webstrata.text import Column
from webstrata.urls import Resolver, safe

__all__ = [
    "CLONED",
    "IMPLIED",
    "INLINE_TAGS",
    "TAGS",
    "Block",
    "Blocks",
    "Element",
    "Elements",
    "Link",
    "Page",
    "parse",
    "tag_mask",
]

_LONGEST_NAME = 2000  # of an address or a file
_BYTES = (bytes, bytearray, memoryview)  # isinstance is much faster with a tuple than with a union
# The background of blocks and of headings in a notebook.
_COLOURS = ("#f4f6f8", "#fdf0d0")


def parse(html: bytes | str, *, url: str | None = None, encoding: str | None = None, header: str | None = None) -> Page:
    """Read a page. Any bytes make a page; nothing is raised because of them. A string that is only an address or the
    name of an HTML file raises `InputError`, because it is rarely the text of a page.

    Parameters
    ----------
    html : the page as received (bytes), or as decoded already (str)
    url : where it came from; links are resolved against it
    encoding : a label that is trusted more than the page and its header
    header : the Content-Type header that came with the bytes, or only its charset. Servers are often wrong, so it is
        ignored where the bytes contradict it

    >>> page = parse(b"<title>Strata</title><p>A page has <a href=/l>layers</a>.", url="http://example.org/a")
    >>> page.title, page.text
    ('Strata', 'A page has layers.')
    >>> page.links[0].url
    'http://example.org/l'
    """
    if isinstance(html, str):
        _refuse_names(html)
        source, encoding = from_str(html), "utf-8"
    elif isinstance(html, _BYTES):
        source, encoding = decode(bytes(html), encoding, header=header)
    else:
        raise InputError(f"html must be bytes or str, not {_described(html)}")
    text, title, elements, blocks, links = scan(source)
    element_table = Elements(source, elements)
    return Page(url, encoding, source, text, Blocks(text, source, element_table, blocks, links), element_table, title)


def _refuse_names(html: str) -> None:
    """Raise `InputError` for a string that names a page."""
    start = html[:_LONGEST_NAME]
    if len(html) > _LONGEST_NAME or any(sign in html for sign in "<\n"):
        return
    if start.startswith(("http://", "https://")) and " " not in start:
        raise InputError(f"{start!r} is an address, not HTML: load the page and give its HTML, with url={start!r}")
    if start.lower().endswith((".html", ".htm", ".xhtml")):
        raise InputError(f"{start!r} is the name of a file, not HTML: give Path({start!r}).read_bytes()")


def _described(value: object) -> str:
    """The type of a wrong argument, with advice."""
    is_file = hasattr(value, "read_bytes") or hasattr(value, "read")
    return f"{type(value).__name__}{': give what its method read_bytes() or read() returns' if is_file else ''}"


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a page: its URL, its text, its element, and its blocks."""

    url: str
    href: str
    text: str
    element: int
    blocks: range


@dataclass(frozen=True, eq=False, repr=False)
class Page:
    """A page that was read: its source, its text and its two tables. Made by `parse`."""

    url: str | None
    encoding: str
    source: bytes
    text: str
    blocks: Blocks
    elements: Elements
    _title_span: tuple[int, int] | None

    def __repr__(self) -> str:
        return f"<Page {self.url or repr(self.title)}: {len(self.blocks)} blocks, {len(self.elements)} elements>"

    def _repr_html_(self) -> str:
        """For notebooks: the shown blocks with the tags of their elements, headings in colour."""
        from webstrata._notebook import Line, table

        blocks = self.blocks
        lines = (
            Line(self.elements[int(blocks.element[row])].tag, blocks[row].text, _COLOURS[bool(blocks.heading[row])])
            for row in (~blocks.hidden).nonzero()[0].tolist()
        )
        return table(f"{self.title} {self!r}".strip(), lines)

    @once
    def title(self) -> str:
        """The text of the first ``<title>``, white space folded."""
        if self._title_span is None:
            return ""
        return " ".join(character_data(self.source, *self._title_span, STATES["rcdata"]).split())

    @once
    def lang(self) -> str | None:
        """The language that the page declares for itself."""
        elements = self.elements
        return (elements.attribute(0, "lang") or elements.attribute(0, "xml:lang") or "").strip() or None

    @once
    def base_url(self) -> str:
        """What relative links are resolved against: the page's ``<base>`` where it has a safe one, or its url.

        Without a url, the page's own declaration is used (``rel=canonical``, ``og:url``).
        """
        url = self.url or self._own_url
        for row in self.elements.holding("base", b"href"):
            href = self.elements.attribute(row, "href")
            if href is not None:
                # As in browsers, an unsafe base is ignored; so is one that is too long.
                return safe(url, href) or url
        return url

    @property
    def _own_url(self) -> str:
        """The absolute URL that the page declares as its own, or ""."""
        for tag, key, name, value in (("link", "rel", "canonical", "href"), ("meta", "property", "og:url", "content")):
            for row in self.elements.holding(tag, name.encode()):
                if name in (self.elements.attribute(row, key) or "").lower().split():
                    found = safe("", self.elements.attribute(row, value) or "")
                    if found is not None and found.startswith(("http://", "https://")):
                        return found
        return ""

    @once
    def link_spans(self) -> tuple[Column, Column, Column]:
        """Three columns, one row for each ``<a>``: its element, and where its text begins and ends."""
        return self.blocks.links.array(0), self.blocks.link_start, self.blocks.link_stop

    @once
    def links(self) -> tuple[Link, ...]:
        """The links of the page in document order, safe or not.

        ``url`` is the reference itself where it cannot be joined with the base. It is empty where it would be too long,
        and where the URLs of the page together would have more characters than `webstrata._lengths` allows.
        """
        return tuple(self._links())

    def _links(self) -> Iterator[Link]:
        resolver = Resolver(self.base_url, size=len(self.source))
        # A link that was opened again shares its start tag, which is read once.
        read: dict[int, tuple[str | None, str]] = {}
        for row, start, stop in zip(*(column.tolist() for column in self.link_spans), strict=True):
            element = self.elements[row]
            place = int(self.elements.source_start[row])
            if place not in read:
                href = element.attributes.get("href")
                read[place] = href, resolver.resolve(href or "")
            href, url = read[place]
            if href is not None:
                text = " ".join(self.text[start:stop].split())
                yield Link(url if resolver.has_room(url) else "", href, text, row, element.blocks)
