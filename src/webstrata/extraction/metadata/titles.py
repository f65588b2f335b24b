"""The title of a page without the name of its site."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from webstrata.urls import host

__all__ = ["best_title"]

_SEPARATOR = re.compile(r"\s+(?:[|\-–—·•»«:~]|::|\|\|)\s+|\s*[｜»]\s*|\s+\|\s*|\s*\|\s+")
_MARKS = re.compile(r"[\W_]+")
# What stands for each byte of ASCII in the words of a text: lower case, and a space for every mark.
_ASCII_WORDS = "".join(chr(code).lower() if chr(code).isalnum() else " " for code in range(128)).encode().ljust(256)
# How much of the shorter one of a heading and a <title> must be in the other, for the heading to be about the page.
_OVERLAP = 0.3


def best_title(
    title: str, *, headings: Sequence[str] = (), declared: Iterable[str] = (), site_name: str = "", url: str = ""
) -> str:
    """The title of what a page is about.

    The longest heading that the ``<title>`` contains is the title. An only heading is it as well where another source
    says the same or where it shares words with the ``<title>``. Otherwise it is the first part of the ``<title>``, the
    whole where that part is the name of the site.

    Parameters
    ----------
    title : the text of ``<title>``
    headings : the texts of ``<h1>`` elements
    declared : what other sources say, such as OpenGraph; asked for only where it matters
    site_name, url : of the site, whose name may stand in the title

    >>> best_title("Rocks | Strata of the Alps", headings=["Menu", "Strata of the Alps"])
    'Strata of the Alps'
    >>> best_title("Strata of the Alps - Rocks"), best_title("Rocks - All about rocks", url="http://www.rocks.example/")
    ('Strata of the Alps', 'Rocks - All about rocks')
    """
    padded = f" {_key(title)} "
    inside = [heading for heading in headings if (key := _key(heading)) and f" {key} " in padded]
    if inside:
        return max(inside, key=len)
    if not title:
        return next(iter([*declared, *headings]), "")
    first = _SEPARATOR.split(title, 1)[0].strip()
    if len(headings) == 1 and _is_about(headings[0], first, declared):
        return headings[0]
    return title if not first or _names_site(first, site_name, host(url)) else first


def _is_about(heading: str, title: str, declared: Iterable[str]) -> bool:
    key = _key(heading)
    if any(_key(other) == key for other in declared):
        return True
    words, others = set(key.split()), set(_key(title).split())
    return len(words & others) >= _OVERLAP * max(1, min(len(words), len(others)))


def _names_site(part: str, site_name: str, name: str) -> bool:
    key, site = (_key(text).replace(" ", "") for text in (part, site_name))
    labels = {_key(label).replace(" ", "") for label in name.split(".")[:-1]} - {"www"}
    return bool(key) and (key in (site, name.replace(".", "")) or key in labels)


def _key(text: str) -> str:
    """The words of a text, to compare it with others."""
    if text.isascii():
        return b" ".join(text.encode().translate(_ASCII_WORDS).split()).decode()
    return " ".join(_MARKS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).split())
