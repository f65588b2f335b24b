"""The source of a page with allowed tags only, and some HTML of ours in it: for overlays and frames.

The tags of the page are written by `webstrata._allowed`, in the order of the source, so that a browser builds the tree
that it builds from the page. Everything between them is text and is escaped; comments are left out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from webstrata._allowed import HTML, MATH, SVG, allowed_attribute, allowed_element, inner_space, style_text
from webstrata._escaping import html as escape
from webstrata._scan.references import STATES, character_data
from webstrata._scan.tags import VOID_TAGS
from webstrata.page import CLONED, IMPLIED, Page
from webstrata.urls import Resolver

__all__ = ["harmless"]

_COMMENT = rb"<!--(?:-?>|.*?(?:--!?>|\Z))"
# Between start tags: end tags, start tags that make no element, comments and declarations.
_MARKUP = re.compile(
    rb"""%s | <(?P<end>/?)(?P<name>[A-Za-z][^ \t\n\r\f/>]*+)
            (?:[^>"'=]++ | =[ \t\n\r\f]*+(?:"[^"]*+"|'[^']*+')? | ["'])*+ (?:>|\Z)
      | <[!?/][^>]*+(?:>|\Z)"""
    % _COMMENT,
    re.DOTALL | re.VERBOSE,
)
_DOCTYPE = re.compile(rb"(?:[ \t\n\r\f]++|%s)*+(?P<doctype><!doctype[^>]*+>)" % _COMMENT, re.DOTALL | re.IGNORECASE)
_NOSCRIPT_END = re.compile(rb"</noscript", re.IGNORECASE)
_PICTURE = re.compile(r"data:image/[\w.+-]+[;,]", re.IGNORECASE)
# The content of these is one text, read in this state.
_RAW = {"title": "rcdata", "textarea": "rcdata", "style": "rawtext", "xmp": "rawtext", "plaintext": "plaintext",
        "iframe": "rawtext"}  # fmt: skip
_LINE_END = re.compile(r"\r\n?|\n")


def harmless(
    page: Page, head: str, *, attributes: Mapping[int, str] | None = None, inserts: Sequence[tuple[int, str]] = ()
) -> str:
    """The page as HTML that runs nothing, loads nothing and has no tag that is not allowed.

    Parameters
    ----------
    page : the page
    head : HTML for the start of the head
    attributes : HTML to add to the start tags of rows of the elements
    inserts : HTML to add at offsets of the source, in their order; left out inside of elements that are left out

    >>> from webstrata.page import parse
    >>> page = parse('<!-- x --><!doctype html><p onclick="x()" class="a">1 < 2<script>x()</script></p><img src=x>')
    >>> harmless(page, "<style></style>", inserts=[(54, "<hr>")])
    '<!doctype html><style></style><p class="a">1 <hr>&lt; 2</p><img src="data:,">'
    """
    doctype = _DOCTYPE.match(page.source)
    # After the DOCTYPE, so that the page keeps its mode, and before everything else, so that it is in the head.
    start = "<" + doctype["doctype"][1:].replace(b"<", b"").decode() if doctype else ""
    writer = _HarmlessWriter(page, attributes or {}, inserts)
    return "".join([start, head, *writer.write(doctype.end() if doctype else 0)])


class _HarmlessWriter:
    """Writes what is between the start tags of a page, and its start tags."""

    def __init__(self, page: Page, attributes: Mapping[int, str], inserts: Sequence[tuple[int, str]]) -> None:
        self._page, self._source, self._attributes = page, page.source, attributes
        self._inserts, self._places, self._inserted = inserts, [at for at, _ in inserts], 0
        self._resolver = Resolver(page.base_url, size=len(page.source))
        # The name that end tags get, by the name in the source.
        self._written: dict[str, str | None] = {}
        # The end and the namespace of the content of the elements that are open.
        self._open: list[tuple[int, str]] = []
        self._noscript_stop = self._content_stop = 0

    def write(self, position: int) -> Iterator[str]:
        elements = self._page.elements
        own = np.flatnonzero((elements.flags & (IMPLIED | CLONED)) == 0).tolist()
        spaces = self._spaces()
        for row in own:
            start, stop = elements.start_tag(row)
            if start < position:
                continue
            yield from self._between(position, start)
            yield from self._due(start)
            yield from self._element(row, spaces[row])
            position = max(stop, self._content_stop)
            self._skip(position)
        yield from self._between(position, len(self._source))
        yield from self._due(len(self._source))

    def _spaces(self) -> list[str]:
        """The namespaces of all elements."""
        spaces: list[str] = []
        inner: list[str] = []
        elements = self._page.elements
        for element, above in zip(elements, elements.parent.tolist(), strict=True):
            name = element.tag
            space = inner[above] if above >= 0 else HTML
            if name in ("mglyph", "malignmark") and spaces[above] == MATH:  # no HTML even where the content is
                space = MATH
            spaces.append(space)
            inner.append(inner_space(name, space))
        return spaces

    def _element(self, row: int, space: str) -> Iterator[str]:
        """The start tag of an element; the whole element, if it has raw text. Nothing if it is left out."""
        element = self._page.elements[row]
        stop = self._page.elements.start_tag(row)[1]
        end = int(self._page.elements.source_stop[row])
        original = element.tag
        name = allowed_element(original, space)
        self._written[original] = name
        self._content_stop = stop
        if name is None:
            self._content_stop = self._stop_of_noscript(stop, end) if (original, space) == ("noscript", HTML) else end
            return
        inner = inner_space(name, space)
        closes = inner != HTML and self._source[stop - 2 : stop] == b"/>"
        added = "".join(f' {key}="{escape(value)}"' for key, value in self._values(name, space, element.attributes))
        yield f"<{name}{self._attributes.get(row, '')}{added}{' /' if closes else ''}>"
        if space == HTML and original in _RAW:
            self._content_stop = end
            yield f"{self._raw(original, stop, end)}</{name}>"
        elif not closes and not (space == HTML and name in VOID_TAGS):
            self._open.append((end, inner))

    def _raw(self, name: str, start: int, end: int) -> str:
        """The content of an element that has one text."""
        if name == "iframe":
            return ""
        last = self._source[start:end].lower().rfind(b"</" + name.encode()) if name != "plaintext" else -1
        text = character_data(self._source, start, start + last if last >= 0 else end, STATES[_RAW[name]])
        if name == "style":
            return style_text(text)
        if name == "title":
            return escape(text)
        # A parser drops a line break at the start of a textarea and of a pre.
        first = _LINE_END.match(text) if name == "textarea" else None
        return "\n" + escape(text[first.end() if first else 0 :])

    def _stop_of_noscript(self, start: int, stop: int) -> int:
        """The end tag, or the end: elements that a head cannot hold end a noscript in our tree, but are not shown."""
        if _NOSCRIPT_END.search(self._source, start, stop):
            return stop
        if 0 <= self._noscript_stop < stop:
            found = _NOSCRIPT_END.search(self._source, stop)
            self._noscript_stop = found.start() if found else -1
        return max(self._noscript_stop, stop)

    def _values(self, name: str, space: str, pairs: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """The allowed attributes of an element."""
        for key, value in pairs.items():
            if not allowed_attribute(key) or (name == "meta" and key == "charset"):
                continue
            if key in ("href", "xlink:href"):
                if (url := self._target(name, space, value)) is not None:
                    yield key, url
            elif key == "src":
                # A picture that cannot be loaded has another size than one without a source.
                if name in ("img", "input"):
                    yield key, value if _PICTURE.match(value) else "data:,"
            elif key in ("poster", "background"):
                if _PICTURE.match(value):
                    yield key, value
            elif key != "usemap" or value.startswith("#"):
                yield key, value
        if name in ("iframe", "frame"):
            yield "sandbox", ""

    def _target(self, name: str, space: str, value: str) -> str | None:
        """The URL of a link, or the reference to a part of the page."""
        if value.startswith("#"):
            return value
        if name in ("a", "area"):
            url = self._resolver.safe(value)
            return url if url and self._resolver.has_room(url) else "#"
        return value if space == SVG and name in ("image", "feImage") and _PICTURE.match(value) else None

    def _between(self, position: int, stop: int) -> Iterator[str]:
        """What is between two start tags."""
        while position < stop:
            found = _MARKUP.search(self._source, position, stop)
            at = found.start() if found else stop
            yield from self._text(position, at)
            if found is None:
                return
            position = found.end()
            if found[0].startswith(b"<![CDATA[") and self._space(at) in (SVG, MATH):
                end = self._source.find(b"]]>", at, stop)
                position = stop if end < 0 else end + 3
                yield escape(self._source[at + 9 : stop if end < 0 else end].decode("utf-8", "replace"))
            elif found["end"] and found[0].endswith(b">"):
                yield from self._due(at)
                name = found["name"].lower().decode("utf-8", "replace").replace("\0", "\ufffd")
                written = self._written.get(name, name)
                if written is not None and (name in self._written or allowed_element(name, HTML) == name):
                    yield f"</{written}>"

    def _space(self, at: int) -> str:
        """The namespace of the content at an offset."""
        while self._open and self._open[-1][0] <= at:
            self._open.pop()
        return self._open[-1][1] if self._open else HTML

    def _text(self, start: int, stop: int) -> Iterator[str]:
        while self._inserted < len(self._inserts) and self._places[self._inserted] < stop:
            at = max(self._places[self._inserted], start)
            yield escape(character_data(self._source, start, at, STATES["data"]))
            yield from self._due(at)
            start = at
        yield escape(character_data(self._source, start, stop, STATES["data"]))

    def _due(self, at: int) -> Iterator[str]:
        """What is to be added up to an offset."""
        while self._inserted < len(self._inserts) and self._places[self._inserted] <= at:
            yield self._inserts[self._inserted][1]
            self._inserted += 1

    def _skip(self, position: int) -> None:
        """Leave out what is to be added before an offset."""
        self._inserted = bisect_left(self._places, position, lo=self._inserted)
