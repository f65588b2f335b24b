"""The tags, the categories and the licence of a page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np

from webstrata._escaping import one_line
from webstrata._lengths import LONGEST_TITLE, MOST_NAMES
from webstrata.extraction.metadata.jsonld import value_of
from webstrata.extraction.metadata.sources import MetadataSources
from webstrata.extraction.metadata.tags import folded
from webstrata.page import Page

__all__ = ["find_categories", "find_licence", "find_tags"]

_TAGS = ("article:tag", "og:article:tag", "book:tag", "video:tag")
_KEYWORDS = ("keywords", "news_keywords", "parsely-tags", "sailthru.tags", "citation_keywords", "dc.subject")
_CATEGORIES = ("article:section", "og:article:section", "parsely-section", "category", "dc.type")
_LICENCES = ("dc.rights", "dcterms.license", "dcterms.rights", "license")
# Licences of Creative Commons, by the path of their URLs; those of the public domain have other names.
_COMMONS = re.compile(r"creativecommons\.org/(?:licenses/([a-z-]+)/([0-9.]+)|publicdomain/(zero|mark)/([0-9.]+))", re.I)
_SEPARATOR = re.compile(r"[;,，、；]")
_PUBLIC = {"zero": "CC0", "mark": "Public Domain MarkedElement"}


def find_tags(sources: MetadataSources) -> tuple[str, ...]:
    """The tags in the order of the page: tags, then keywords, then links with ``rel=tag``."""
    named = [text for found in sources.declarations.contents(*_TAGS) for text in found]
    listed = [
        text for found in sources.declarations.contents(*_KEYWORDS) for joined in found for text in _parts(joined)
    ]
    keywords = [node["keywords"] for node in sources.main_nodes if "keywords" in node]
    nodes = [text for value in keywords for text in _texts(value)]
    return _distinct([*named, *listed, *nodes, *_linked(sources.page, sources.declarations.tags)])


def find_categories(sources: MetadataSources) -> tuple[str, ...]:
    """The categories: sections of the site."""
    named = [text for found in sources.declarations.contents(*_CATEGORIES) for text in found]
    sections = [node["articleSection"] for node in sources.main_nodes if "articleSection" in node]
    nodes = [text for section in sections for text in _texts(section, split=False)]
    return _distinct([*named, *nodes, *_linked(sources.page, sources.declarations.categories)])


def find_licence(sources: MetadataSources) -> str | None:
    """The licence: the short name of a licence of Creative Commons, else the URL or the words of the page.

    >>> from webstrata.page import parse
    >>> link = "<a rel=license href=https://creativecommons.org/licenses/by-sa/4.0/deed.en>some rights reserved</a>"
    >>> find_licence(MetadataSources(parse(link)))
    'CC BY-SA 4.0'
    """
    for row in sources.declarations.licences:
        href = sources.safe(sources.page.elements.attribute(row, "href") or "")
        if href:
            return _short(href)
    found = sources.from_nodes("license") or sources.declarations.first(*_LICENCES)
    return _short(one_line(found, LONGEST_TITLE)) if found else None


def _short(licence: str) -> str:
    match = _COMMONS.search(licence)
    if match is None:
        return licence
    code, version, public, public_version = match.groups()
    return f"CC {code.upper()} {version}" if code else f"{_PUBLIC[public.lower()]} {public_version}"


def _linked(page: Page, links: list[int]) -> Iterator[str]:
    """The texts of some links; links in the head have none."""
    if not links:
        return
    rows, starts, stops = page.link_spans
    # A link is not a block: its text is a span of the text of the page.
    wanted = np.array(links[: 4 * MOST_NAMES], rows.dtype)
    at = rows.searchsorted(wanted)
    at = at[rows.take(at, mode="clip") == wanted]
    for start, stop in zip(starts[at].tolist(), stops[at].tolist(), strict=True):
        yield page.text[start : min(stop, start + 4 * LONGEST_TITLE)]


def _texts(value: object, *, split: bool = True) -> Iterator[str]:
    """The texts of a JSON-LD property: one text with commas, or a list of texts or of named objects."""
    items = value if isinstance(value, list) else [value]
    for item in items[: 4 * MOST_NAMES]:
        if isinstance(item, str):
            yield from _parts(folded(item)) if split else (folded(item),)
        elif isinstance(item, dict):
            yield value_of(item, "name")


def _parts(joined: str) -> list[str]:
    return _SEPARATOR.split(joined)


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    """The texts on one line each, without repetitions in another case."""
    found: dict[str, str] = {}
    for text in texts:
        name = one_line(text, LONGEST_TITLE).strip().lstrip("#").strip()
        if name:
            found.setdefault(name.casefold(), name)
        if len(found) == MOST_NAMES:
            break
    return tuple(found.values())
