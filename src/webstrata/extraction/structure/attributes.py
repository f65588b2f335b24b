"""What the renderers read from start tags: where links lead, where images are, which language code is in."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import urljoin

import numpy as np

from webstrata.page import TAGS, Page
from webstrata.text import Column

__all__ = ["Image", "Resources", "code_language", "number", "rows_of", "safe_url", "script_text"]

_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
# Browsers ignore these wherever they stand in a URL, so a scheme may hide behind them.
_IGNORED = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")
# An absolute URL with nothing to resolve, to clean or to refuse: most of them.
_PLAIN_URL = re.compile(r"https?://(?:[!-\-/-~]|\.(?!/|\.))+")
_PLAIN_PATH = re.compile(r"/(?:(?:[!-\-0-~]|\.(?!/|\.))(?:[!-\-/-~]|\.(?!/|\.))*)?")
_SAFE_SCHEMES = frozenset(("http", "https", "mailto", "tel", "ftp", "ftps", "sms", "geo"))
# Where scripts that load images late keep the address.
_SOURCES = ("src", "data-src", "data-original", "data-lazy-src", "data-lazy", "data-srcset", "srcset")
_LANGUAGE = re.compile(r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-text-|highlight-|brush:\s*)([\w+#.-]+)")
_NO_LANGUAGE = frozenset(("none", "default", "plain", "text", "plaintext", "nohighlight", "no-highlight", "wrapper"))


class Image(NamedTuple):
    """Where an image is, and the text that stands for it."""

    src: str
    alt: str


def safe_url(base: str, reference: str) -> str | None:
    """The absolute URL of a reference; None where a browser would run it or nothing is there.

    >>> safe_url("https://example.org/a/", "../b?c=1")
    'https://example.org/b?c=1'
    >>> safe_url("https://example.org/", " java\\nscript:alert(1)") is None
    True
    """
    reference = reference.strip()
    if _PLAIN_URL.fullmatch(reference):
        return reference
    scheme = _SCHEME.match(_IGNORED.sub("", reference[:64]))
    if not reference or (scheme and scheme[1].lower() not in _SAFE_SCHEMES):
        return None
    try:
        url = urljoin(base, reference)
    except ValueError:
        url = reference
    return _IGNORED.sub(lambda match: "%20" if " " in match[0] else "", url)


def rows_of(page: Page, name: str) -> Column:
    """The rows of the elements of one name: one comparison, half the time of `Elements.find`, which takes several."""
    return np.flatnonzero(page.elements.tag == TAGS.index(name))


def script_text(page: Page, row: int) -> str:
    """What stands between the tags of a script, which is no text of the page.

    >>> from webstrata.page import parse
    >>> page = parse("<script>let a = 1</script >")
    >>> script_text(page, int(rows_of(page, "script")[0]))
    'let a = 1'
    """
    elements = page.elements
    content = page.source[elements.open_stop[row] : elements.source_stop[row]].decode("utf-8", "replace")
    return content.rpartition("</")[0] if content.rstrip().endswith(">") else content


class Resources:
    """The links and images of a page, each read once."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._hrefs: dict[int, str | None] = {}
        self._images: dict[int, Image | None] = {}
        self._root = safe_url(page.base_url, "/") or "/"

    def _resolve(self, reference: str) -> str | None:
        if _PLAIN_PATH.fullmatch(reference):
            return self._root + reference[1:]
        return safe_url(self._page.base_url, reference)

    def href(self, row: int) -> str | None:
        """Where a link leads; None where that is nowhere safe."""
        if row not in self._hrefs:
            reference = self._page.elements[row].attributes.get("href")
            self._hrefs[row] = None if reference is None else self._resolve(reference)
        return self._hrefs[row]

    def image(self, row: int) -> Image | None:
        """An image that can be shown: it has an address of its own and is no counting pixel."""
        if row not in self._images:
            self._images[row] = _image(self._page, row)
        return self._images[row]


def _image(page: Page, row: int) -> Image | None:
    attributes = page.elements[row].attributes
    if attributes.get("width") in ("0", "1") or attributes.get("height") in ("0", "1"):
        return None
    for name in _SOURCES:
        value = attributes.get(name, "").strip()
        if name.endswith("srcset"):
            value = value.split(",")[0].strip().split(" ")[0]
        if value and not value.startswith("data:"):
            src = safe_url(page.base_url, value)
            if src is not None:
                return Image(src, " ".join(attributes.get("alt", "").split()))
    return None


def code_language(page: Page, row: int) -> str:
    """The language of the code in a ``pre``, as the classes around it say, or "".

    It is looked for on the ``code`` inside, on the ``pre`` itself and on the two elements around it.
    """
    elements = page.elements
    rows = [row]
    if row + 1 < len(elements) and TAGS[elements.tag[row + 1]] == "code":
        rows.insert(0, row + 1)
    for _ in range(2):
        above = int(elements.parent[rows[-1]])
        if above >= 0:
            rows.append(above)
    for candidate in rows:
        attributes = elements[candidate].attributes
        named = attributes.get("data-lang") or attributes.get("data-language")
        found = _LANGUAGE.search(attributes.get("class", "")) if not named else None
        name = named or (found[1] if found else "")
        if re.fullmatch(r"[\w+#.-]{1,24}", name) and name.lower() not in _NO_LANGUAGE:
            return name.lower()
    return ""


def number(page: Page, row: int, name: str, *, default: int, most: int) -> int:
    """A whole number from an attribute, such as the ``start`` of a list, between 0 and `most`.

    Rows that the page left out are negative and have the default.
    """
    if row < 0:
        return default
    value = page.elements[row].attributes.get(name, "").strip()
    return min(int(value), most) if value.isascii() and value.isdigit() and len(value) < 10 else default
