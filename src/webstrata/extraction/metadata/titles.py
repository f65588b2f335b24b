"""The title of a page without the name of its site."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

__all__ = ["best_title"]

_SEPARATOR = re.compile(r"\s+(?:[|\-–—·•»«:~]|::|\|\|)\s+|\s*[｜»]\s*|\s+\|\s*|\s*\|\s+")
_MARKS = re.compile(r"[\W_]+")
_ASCII_MARKS = {code: " " for code in range(128) if not chr(code).isalnum()}
# How much of the shorter one of a heading and a <title> must be in the other, for the heading to be about the page.
_OVERLAP = 0.3


def best_title(
    title: str, *, headings: Sequence[str] = (), declared: Sequence[str] = (), site_name: str = "", host: str = ""
) -> str:
    """The title of what a page is about.

    The longest heading that the ``<title>`` contains is the title. An only heading is it as well where another source
    says the same or where it shares words with the ``<title>``. Otherwise it is the first part of the ``<title>``, the
    whole where that part is the name of the site.

    Parameters
    ----------
    title : the text of ``<title>``
    headings : the texts of ``<h1>`` elements
    declared : what other sources say, such as OpenGraph
    site_name, host : whose name may stand in the title

    >>> best_title("Rocks | Strata of the Alps", headings=["Menu", "Strata of the Alps"])
    'Strata of the Alps'
    >>> best_title("Strata of the Alps - Rocks"), best_title("Rocks - All about rocks", host="www.rocks.example")
    ('Strata of the Alps', 'Rocks - All about rocks')
    """
    padded = f" {_key(title)} "
    inside = [heading for heading in headings if (key := _key(heading)) and f" {key} " in padded]
    if inside:
        return max(inside, key=len)
    if not title:
        return next(iter([*declared, *headings]), "")
    first = _SEPARATOR.split(title)[0].strip()
    if len(headings) == 1 and _is_about(headings[0], first, declared):
        return headings[0]
    return title if not first or _names_site(first, site_name, host) else first


def _is_about(heading: str, title: str, declared: Sequence[str]) -> bool:
    key = _key(heading)
    if any(_key(other) == key for other in declared):
        return True
    words, others = set(key.split()), set(_key(title).split())
    return len(words & others) >= _OVERLAP * max(1, min(len(words), len(others)))


def _names_site(part: str, site_name: str, host: str) -> bool:
    key, site = (_key(text).replace(" ", "") for text in (part, site_name))
    labels = {_key(label).replace(" ", "") for label in host.split(".")[:-1]} - {"www"}
    return bool(key) and (key in (site, host.replace(".", "")) or key in labels)


def _key(text: str) -> str:
    """The words of a text, to compare it with others."""
    if text.isascii():
        return " ".join(text.lower().translate(_ASCII_MARKS).split())
    return " ".join(_MARKS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).split())
