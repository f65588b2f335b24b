"""What attributes mean: where an image is, which language code is in; and the text of scripts."""

from __future__ import annotations

import re
from typing import NamedTuple

from webstrata.escaping import one_line
from webstrata.limits import LONGEST_CLASS, LONGEST_TITLE
from webstrata.page import Page
from webstrata.urls import Resolver

__all__ = ["Image", "image_of", "language_of", "script_text"]

# Where scripts that load images late keep the address.
_SOURCES = ("src", "data-src", "data-original", "data-lazy-src", "data-lazy", "data-srcset", "srcset")
_PIXEL = ("0", "1")
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


def image_of(page: Page, row: int, resolver: Resolver) -> Image | None:
    """An image that can be shown: it has an address of its own and is no counting pixel."""
    elements = page.elements
    if elements.attribute(row, "width") in _PIXEL or elements.attribute(row, "height") in _PIXEL:
        return None
    for name in _SOURCES:
        value = (elements.attribute(row, name) or "").strip()
        if name.endswith("srcset"):
            value = value.partition(",")[0].strip().partition(" ")[0]
        if value and not value.startswith("data:"):
            src = resolver.safe(value)
            if src is not None:
                return Image(src, one_line(elements.attribute(row, "alt") or "", LONGEST_TITLE))
    return None


def language_of(page: Page, row: int) -> str:
    """The language of code that an element names in an attribute or a class, or ""."""
    attributes = page.elements[row].attributes
    named = attributes.get("data-lang") or attributes.get("data-language")
    found = _LANGUAGE.search(attributes.get("class", "")[:LONGEST_CLASS]) if not named else None
    name = named or (found[1] if found else "")
    return name.lower() if re.fullmatch(r"[\w+#.-]{1,24}", name) and name.lower() not in _NO_LANGUAGE else ""
