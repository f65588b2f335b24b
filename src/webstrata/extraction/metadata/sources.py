"""Where a page speaks of itself: meta elements, JSON-LD, marked elements of the body, and the text near the heading.

Attributes are read only from elements that may matter: those are found by the tag column, or by searching the source
for a word and looking up the start tag around it.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

import numpy as np

from webstrata.escaping import one_line
from webstrata.extraction.metadata.jsonld import folded, nodes_of, types_of, value_of
from webstrata.limits import LONGEST_OPENING, LONGEST_TITLE
from webstrata.page import CLONED, Page
from webstrata.text import Column
from webstrata.tree import text_of

__all__ = ["Sources"]

# Bytes of the source after the first heading in which a byline or a date is looked for.
_WINDOW = 60_000
# Characters of the text before and after the end of that heading, likewise.
_BEFORE, _AFTER = 300, 1200
_ARTICLE = re.compile(r"(?:Article|Posting|Post|Report|Review|Recipe|Question|Product|Book|Course|Event|Dataset)$")
_PAGE = re.compile(r"(?:Page|CreativeWork)$")


class Sources:
    """The sources of one page; each is read when it is asked for, and once."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @cached_property
    def meta(self) -> dict[str, list[str]]:
        """The contents of the meta elements by their names, in lower case."""
        elements = self.page.elements
        found: dict[str, list[str]] = {}
        for row in elements.find("meta").tolist():
            attributes = elements[row].attributes
            content = folded(attributes.get("content", ""))
            if content:
                for key in ("property", "name", "itemprop"):
                    if attributes.get(key):
                        found.setdefault(attributes[key].strip().lower(), []).append(content)
        return found

    def first_meta(self, *names: str) -> str:
        """The content of the first of these meta elements that the page has, or ""."""
        return next((self.meta[name][0] for name in names if name in self.meta), "")

    @cached_property
    def nodes(self) -> list[dict[str, Any]]:
        """The objects of the JSON-LD."""
        return nodes_of(self.page)

    @cached_property
    def main_nodes(self) -> list[dict[str, Any]]:
        """The nodes that may describe what the page is about, the likeliest first."""
        articles, pages = [], []
        for node in self.nodes:
            kinds = types_of(node)
            if any(_ARTICLE.search(kind) for kind in kinds):
                articles.append(node)
            elif node.get("@type") is None or any(_PAGE.search(kind) for kind in kinds):
                pages.append(node)
        return articles + pages

    def from_nodes(self, *keys: str) -> str:
        """The first value of these properties that a main node has, or ""."""
        return next((found for node in self.main_nodes if (found := value_of(node, *keys))), "")

    @cached_property
    def _window(self) -> tuple[int, int]:
        """The part of the source where bylines stand: from the body on, to some way after the first heading."""
        elements = self.page.elements
        bodies, headings = elements.find("body"), elements.find("h1")
        start = int(elements.source_start[bodies[0]]) if len(bodies) else 0
        heading = int(elements.source_start[headings[0]]) if len(headings) else start
        return start, max(start, heading) + _WINDOW

    @cached_property
    def _opened(self) -> Column:
        """The rows in the order of the source: a formatting element that was opened again repeats an earlier place."""
        return np.flatnonzero(self.page.elements.flags & CLONED == 0)

    def tags_with(self, words: tuple[bytes, ...], *, most: int = 100) -> list[int]:
        """The elements of the window whose start tag holds one of these words, in document order."""
        source, elements = self.page.source, self.page.elements
        places: list[int] = []
        for word in words:
            at = source.find(word, *self._window)
            for _ in range(most):
                if at < 0:
                    break
                places.append(at)
                at = source.find(word, at + len(word), self._window[1])
        found = self._opened[np.searchsorted(elements.source_start[self._opened], sorted(places), "right") - 1]
        inside = elements.open_stop[found] > np.array(sorted(places), np.int64)
        return sorted(set(found[inside].tolist()))[:most]

    def text_of(self, row: int) -> str:
        """The text of an element on one line, not too long."""
        return text_of(self.page, row, most=LONGEST_TITLE)

    @property
    def title(self) -> str:
        """The text of ``<title>``, not too long."""
        return one_line(self.page.title, LONGEST_TITLE)

    @cached_property
    def headings(self) -> list[str]:
        """The texts of the first ``h1`` elements, those that are shown if there are any."""
        elements = self.page.elements
        rows = elements.find("h1")
        shown = rows[~elements.hidden[rows]]
        texts = [self.text_of(row) for row in (shown if len(shown) else rows)[:8].tolist()]
        return [text for text in texts if text]

    @cached_property
    def opening(self) -> str:
        """The text around the first heading, where bylines and dates stand, as far as it is shown."""
        elements, blocks = self.page.elements, self.page.blocks
        rows = elements.find("h1")
        rows = rows[elements.end_block[rows] > elements.first_block[rows]]
        middle = int(blocks.text_stop[elements.end_block[rows[0]] - 1]) if len(rows) else 0
        first, end = np.searchsorted(blocks.text_start, (middle - _BEFORE, middle + _AFTER)).tolist()
        parts: list[str] = []
        for row in (np.flatnonzero(~blocks.hidden[first:end]) + first).tolist():
            start, stop = int(blocks.text_start[row]), int(blocks.text_stop[row])
            separator = self.page.text[blocks.text_stop[row - 1] : start] if row else ""
            parts += (separator, self.page.text[start : min(stop, start + LONGEST_OPENING)])
        return "".join(parts)[:LONGEST_OPENING]
