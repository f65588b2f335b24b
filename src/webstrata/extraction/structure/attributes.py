"""What the renderers read from start tags: where links lead, where images are, which language code is in."""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

from webstrata.escaping import one_line
from webstrata.limits import LONGEST_CLASS, LONGEST_TITLE
from webstrata.page import TAGS, Page
from webstrata.urls import Resolver

__all__ = ["Image", "Resources", "number", "script_text"]

# Where scripts that load images late keep the address.
_SOURCES = ("src", "data-src", "data-original", "data-lazy-src", "data-lazy", "data-srcset", "srcset")
_LANGUAGE = re.compile(r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-text-|highlight-|brush:\s*)([\w+#.-]+)")
_NO_LANGUAGE = frozenset(("none", "default", "plain", "text", "plaintext", "nohighlight", "no-highlight", "wrapper"))


class Image(NamedTuple):
    """Where an image is, and the text that stands for it."""

    src: str
    alt: str


def script_text(page: Page, row: int) -> str:
    """What stands between the tags of a script, which is no text of the page.

    >>> from webstrata.page import parse
    >>> page = parse("<script>let a = 1</script >")
    >>> script_text(page, int(page.elements.find("script")[0]))
    'let a = 1'
    """
    elements = page.elements
    content = page.source[elements.open_stop[row] : elements.source_stop[row]].decode("utf-8", "replace")
    return content.rpartition("</")[0] if content.rstrip().endswith(">") else content


class Resources:
    """What the start tags of a page say, each read once.

    A formatting element that is opened again has the start tag of the first one, so what was read is kept by the place
    of the tag and not by the row of the element. A page that asks for more addresses than there is room for gets the
    text of its links without them (`webstrata.limits`).
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self._hrefs: dict[int, str | None] = {}
        self._images: dict[int, Image | None] = {}
        self._languages: dict[int, str] = {}
        self._resolver = Resolver(page.base_url, size=len(page.source))

    def _place(self, row: int) -> int:
        return int(self._page.elements.source_start[row])

    def href(self, row: int) -> str | None:
        """Where a link leads; None where that is nowhere safe."""
        place = self._place(row)
        if place not in self._hrefs:
            reference = self._page.elements[row].attributes.get("href")
            self._hrefs[place] = None if reference is None else self._resolver.safe(reference)
        return self._hrefs[place]

    def take_href(self, row: int) -> str | None:
        """The same, to be written once more; None where there is no room for it."""
        href = self.href(row)
        return href if href is not None and self._resolver.has_room(href) else None

    def image(self, row: int) -> Image | None:
        """An image that can be shown: it has an address of its own and is no counting pixel."""
        if row not in self._images:
            found = _image(self._page, row, self._resolver)
            self._images[row] = found if found is not None and self._resolver.has_room(found.src) else None
        return self._images[row]

    def code_language(self, row: int) -> str:
        """The language of the code in a ``pre``, as the classes around it say, or "".

        It is looked for on the ``code`` inside, on the ``pre`` itself and on the two elements around it.
        """
        elements = self._page.elements
        rows = [row, *islice(elements.ancestors(row), 2)]
        if row + 1 < len(elements) and TAGS[elements.tag[row + 1]] == "code":
            rows.insert(0, row + 1)
        return next((name for name in map(self._language, rows) if name), "")

    def _language(self, row: int) -> str:
        place = self._place(row)
        if place not in self._languages:
            self._languages[place] = _language(self._page.elements[row].attributes)
        return self._languages[place]


def _image(page: Page, row: int, resolver: Resolver) -> Image | None:
    attributes = page.elements[row].attributes
    if attributes.get("width") in ("0", "1") or attributes.get("height") in ("0", "1"):
        return None
    for name in _SOURCES:
        value = attributes.get(name, "").strip()
        if name.endswith("srcset"):
            value = value.partition(",")[0].strip().partition(" ")[0]
        if value and not value.startswith("data:"):
            src = resolver.safe(value)
            if src is not None:
                return Image(src, one_line(attributes.get("alt", ""), LONGEST_TITLE))
    return None


def _language(attributes: dict[str, str]) -> str:
    """The language that an element names in an attribute or a class."""
    named = attributes.get("data-lang") or attributes.get("data-language")
    found = _LANGUAGE.search(attributes.get("class", "")[:LONGEST_CLASS]) if not named else None
    name = named or (found[1] if found else "")
    return name.lower() if re.fullmatch(r"[\w+#.-]{1,24}", name) and name.lower() not in _NO_LANGUAGE else ""


def number(page: Page, row: int, name: str, *, default: int, most: int) -> int:
    """A whole number from an attribute, such as the ``start`` of a list, between 0 and `most`.

    Rows that the page left out are negative and have the default.
    """
    if row < 0:
        return default
    value = page.elements[row].attributes.get(name, "").strip()
    return min(int(value), most) if value.isascii() and value.isdigit() and len(value) < 10 else default
