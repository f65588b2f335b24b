"""The title of a page without the name of its site."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

__all__ = ["best_title"]

_SEPARATOR = re.compile(r"(\s+(?:[|\-–—·•»«:/~]|::|\|\|)\s+|\s*[|｜»_]\s*(?=\S)|:\s+)")


def best_title(
    title: str, *, headings: Sequence[str] = (), declared: Sequence[str] = (), site_name: str = "", host: str = ""
) -> str:
    """The title of what a page is about.

    A heading that the ``<title>`` contains is the title; else what is left of the ``<title>`` without the site's name.

    Parameters
    ----------
    title : the text of ``<title>``
    headings : the texts of ``<h1>`` elements
    declared : what other sources say, such as OpenGraph
    site_name, host : whose name may stand before or after the title

    >>> best_title("Rocks | Strata of the Alps", headings=["Menu", "Strata of the Alps"], host="rocks.example")
    'Strata of the Alps'
    >>> best_title("Strata of the Alps - Rocks", host="www.rocks.example")
    'Strata of the Alps'
    """
    whole = _key(title)
    padded = f" {whole} "
    for heading in headings:
        key = _key(heading)
        if len(key.split()) > 1 and f" {key} " in padded:
            return _without_site(heading, site_name, host)
    if not title:
        return next(iter([*declared, *headings]), "")
    return _without_site(title, site_name, host)


def _without_site(title: str, site_name: str, host: str) -> str:
    """A title without the parts at its ends that name the site."""
    parts = _SEPARATOR.split(title)
    texts = parts[::2]
    while len(texts) > 1 and _names_site(texts[-1], site_name, host):
        texts.pop()
        parts = parts[: 2 * len(texts) - 1]
    while len(texts) > 1 and _names_site(texts[0], site_name, host):
        texts.pop(0)
        parts = parts[2:]
    return "".join(parts).strip()


def _names_site(part: str, site_name: str, host: str) -> bool:
    key = _key(part).replace(" ", "")
    site = _key(site_name).replace(" ", "")
    labels = [_key(label).replace(" ", "") for label in host.split(".")[:-1] if label != "www"]
    if not key or (site and (key == site or (len(key) > 3 and key in site) or (len(site) > 3 and site in key))):
        return True
    return any(len(label) > 2 and (label in key or key in label) for label in labels) or key == host.replace(".", "")


def _key(text: str) -> str:
    return " ".join(re.sub(r"[\W_]+", " ", unicodedata.normalize("NFKC", text).casefold()).split())
