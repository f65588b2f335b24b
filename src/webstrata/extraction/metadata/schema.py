"""The products, recipes, events and jobs that a page describes in JSON-LD, limited and cleaned."""

from __future__ import annotations

from itertools import islice
from math import isfinite
from typing import Any

from webstrata.extraction.metadata.sources import MetadataSources
from webstrata.extraction.metadata.tags import folded, is_one_of

__all__ = ["find_schema"]

# Endings of the types of things: "BusinessEvent" is an event.
_TYPES = ("Product", "ProductGroup", "Recipe", "Event", "JobPosting")
# Keys whose values are addresses.
_ADDRESSES = frozenset("url image logo contentUrl thumbnailUrl sameAs".split())
# Things of a page, levels of one, and values in all.
_MOST_THINGS, _DEEPEST, _MOST_VALUES = 50, 6, 5000


class _Cleaner:
    """Copies values of JSON-LD until there are too many."""

    def __init__(self, sources: MetadataSources) -> None:
        self._sources = sources
        self._left = _MOST_VALUES
        self.seen: set[int] = set()

    def clean(self, key: str, value: object, level: int = 0) -> Any:
        """A copy without identifiers, empty values and unsafe addresses; None for what is left out."""
        self._left -= 1
        if self._left < 0 or level > _DEEPEST:
            return None
        if isinstance(value, str):
            text = folded(value)
            return (self._sources.safe(text) if key in _ADDRESSES else text) or None
        if isinstance(value, dict):
            self.seen.add(id(value))
            pairs = ((name, value[name]) for name in islice(value, self._left) if _is_shown(name))
            cleaned = ((name, self.clean(name, each, level + 1)) for name, each in pairs)
            return {name: each for name, each in cleaned if each is not None} or None
        if isinstance(value, list):
            several = (self.clean(key, each, level + 1) for each in islice(value, self._left))
            return [each for each in several if each is not None] or None
        # The reader of JSON knows numbers that JSON does not have.
        return value if isinstance(value, (int, float)) and isfinite(value) else None


def _is_shown(key: object) -> bool:
    return isinstance(key, str) and (key == "@type" or not key.startswith("@"))


def find_schema(sources: MetadataSources) -> list[dict[str, Any]]:
    """The things in the order of the page; a thing inside of another one is a part of it.

    >>> from webstrata.page import parse
    >>> node = '{"@type": "Product", "@id": "#1", "name": "Silt &amp; Clay", "url": "javascript:0", "sku": 7}'
    >>> find_schema(MetadataSources(parse(f"<script type=application/ld+json>{node}</script>")))
    [{'@type': 'Product', 'name': 'Silt & Clay', 'sku': 7}]
    """
    cleaner = _Cleaner(sources)
    found: list[dict[str, Any]] = []
    for node in sources.nodes:
        if id(node) not in cleaner.seen and is_one_of(node, _TYPES):
            thing = cleaner.clean("", node)
            if thing is not None and len(thing) > 1:
                found.append(thing)
        if len(found) == _MOST_THINGS:
            break
    return found
