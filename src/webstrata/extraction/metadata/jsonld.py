"""JSON-LD of pages: lists, graphs, nested objects, and broken JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import islice
from typing import Any

from webstrata._lengths import MOST_NAMES
from webstrata.extraction.metadata.tags import folded, objects_of
from webstrata.extraction.structure.attributes import script_text
from webstrata.page import Page

__all__ = ["MOST_CHARACTERS", "names_of", "nodes_of", "roots_of", "value_of"]

_WRAPPING = re.compile(
    r"^\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/)|(?:-->|//\s*\]\]>|/\*\s*\]\]>\s*\*/)\s*(?:;\s*)?$"
)
# Many texts contain control characters.
_DECODER = json.JSONDecoder(strict=False)
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_FIELD = re.compile(
    r'"(headline|datePublished|dateModified|description|inLanguage)"\s*+:\s*+'
    r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"'
)
#: The most characters of JSON that are read of one page; larger values are skipped. A character can take some forty
#: bytes as objects.
MOST_CHARACTERS = 4_000_000
_TEXT = (str, int)  # isinstance is much faster with a tuple than with a union
# Objects of one JSON value that are read.
_MOST_NODES = 2000


def nodes_of(page: Page) -> list[dict[str, Any]]:
    """All JSON objects of a page's JSON-LD, outer ones first.

    >>> from webstrata.page import parse
    >>> html = '<script type="application/ld+json">{"@graph": [{"@type": "Article", "headline": "Strata",}]}</script>'
    >>> [node.get("headline") for node in nodes_of(parse(html))]
    [None, 'Strata']
    """
    return [node for root in roots_of(page) for node in objects_of(root, _MOST_NODES)]


def roots_of(page: Page) -> list[Any]:
    """The values of a page's JSON-LD scripts, in order, up to `MOST_CHARACTERS` in all."""
    elements = page.elements
    left = MOST_CHARACTERS
    found: list[Any] = []
    for row in elements.holding("script", b"ld+json"):
        start, stop = elements.content_span(row)
        if stop - start <= left:
            left -= stop - start
            found.append(_load(script_text(page, row)))
    return found


def _load(text: str) -> Any:
    """The value of a JSON text; of broken JSON, some fields."""
    text = text.strip()
    if not text.startswith(("{", "[")) or not text.endswith(("}", "]")):
        text = _WRAPPING.sub("", text).strip()
    for repair in (str, lambda broken: _TRAILING_COMMA.sub("", broken)):
        try:
            return _DECODER.decode(repair(text))
        except (ValueError, RecursionError):
            continue
    return {name: field.replace('\\"', '"').replace("\\/", "/") for name, field in reversed(_FIELD.findall(text))}


def value_of(node: dict[str, Any], *keys: str) -> str:
    """The text of the first of these properties that has one, or an object with a name, a URL or a value."""
    for key in keys:
        item = node.get(key)
        if isinstance(item, list):
            item = next((inner for inner in item if inner), None)
        if isinstance(item, dict):
            item = item.get("name") or item.get("url") or item.get("@value") or item.get("@id")
        if isinstance(item, _TEXT) and not isinstance(item, bool) and str(item).strip():
            return folded(str(item))
    return ""


def names_of(node: dict[str, Any], key: str, named: Callable[[str], dict[str, Any] | None]) -> list[str]:
    """The names of people or organisations in a property; `named` returns the node with an id."""
    items = node.get(key)
    if isinstance(items, dict) and isinstance(items.get("@list"), list):
        items = items["@list"]
    found = []
    for item in islice(items, MOST_NAMES) if isinstance(items, list) else [items]:
        if isinstance(item, str):
            # A text may be the id of a node with a name.
            item = named(item) or {"name": item}
        if isinstance(item, dict):
            if not _has_name(item) and isinstance(item.get("@id"), str):
                item = named(item["@id"]) or item
            names = item.get("name")
            found += [value_of({"name": name}, "name") for name in (names if isinstance(names, list) else [names])]
            if not names:
                found.append(f"{value_of(item, 'givenName')} {value_of(item, 'familyName')}".strip())
    return [name for name in found[:MOST_NAMES] if name]


def _has_name(node: dict[str, Any]) -> bool:
    return bool(node.get("name") or node.get("familyName"))
