"""The sources of metadata: meta elements, JSON-LD, marked elements of the body, and the text near the heading.

Attributes are read only from elements that are found by their tag or by words in their start tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from webstrata._escaping import one_line
from webstrata._lengths import LONGEST_CLASS, LONGEST_OPENING, LONGEST_TITLE
from webstrata._once import once
from webstrata.extraction.metadata.jsonld import nodes_of, value_of
from webstrata.extraction.metadata.leading_links import profile_links
from webstrata.extraction.metadata.marks import MarkedElement, marked, names_around
from webstrata.extraction.metadata.tags import Declarations, is_one_of, most_like, shown_around
from webstrata.page import Page
from webstrata.tree import text_of
from webstrata.urls import safe

__all__ = ["REVIEWS", "MetadataSources"]

#: Endings of types of nodes that review a thing.
REVIEWS = ("Review",)

# Bytes of the source before and after the first heading that are searched for bylines and dates.
_WINDOW = 60_000
# Characters of the text before and after the end of that heading that are searched.
_BEFORE, _AFTER = 300, 1200
# Endings of the types of nodes that describe the main thing of a page, and of those that may describe it.
_ARTICLE = (
    *("Article", "Posting", "Post", "Report", "Review", "Recipe", "Question", "Product", "Book", "Course", "Event"),
    "Dataset",
)
_NEWS = ("NewsArticle", "ReportageNewsArticle", "AnalysisNewsArticle", "OpinionNewsArticle")
_PAGE = ("Page", "CreativeWork")

# Classes and ids of the name of the site.
_OF_SITE = re.compile(
    r"(?:^|[\s_-])(?:logo|brand|branding|site-?(?:title|name)|blog-?(?:title|name)|masthead)(?:$|[\s_-])"
)

# The text of links after a heading: to itself, or to a form for editing.
_PERMALINK = re.compile(r"\s*(?:[¶§\U0001f517\u2693]|\s#|\[edit\]|(?i:permalink|permanent link)(?: to this \w+)?)+\s*$")


class MetadataSources:
    """The sources of one page; each is read on demand and cached."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @once
    def declarations(self) -> Declarations:
        """The meta elements, and the elements that may have metadata."""
        return Declarations(self.page.elements)

    @property
    def canonical(self) -> str:
        """The URL that the page declares for itself, as written there, or ""."""
        hrefs = (self.page.elements.attribute(row, "href") for row in self.declarations.canonical)
        return next(filter(None, hrefs), "") or self.declarations.first("og:url", "twitter:url")

    @once
    def nodes(self) -> list[dict[str, Any]]:
        """The objects of the JSON-LD."""
        return nodes_of(self.page)

    @once
    def main_nodes(self) -> list[dict[str, Any]]:
        """The nodes that may describe the main thing of the page, the most likely first."""
        return most_like(self.nodes, _ARTICLE, _PAGE)

    @once
    def _named_nodes(self) -> dict[str, dict[str, Any]]:
        return {node["@id"]: node for node in self.nodes if isinstance(node.get("@id"), str) and node.get("name")}

    def named_node(self, identity: str) -> dict[str, Any] | None:
        """The last node that has this id and a name."""
        return self._named_nodes.get(identity)

    def from_nodes(self, *keys: str) -> str:
        """The first value of these properties in the main nodes, or ""."""
        for node in self.main_nodes:
            if found := value_of(node, *keys):
                return found
        return ""

    @once
    def _marked(self) -> tuple[list[int], list[int]]:
        """The rows of elements that are marked for authors and for dates, near the first heading."""
        elements, headings, body = self.page.elements, self.declarations.headings, self.declarations.body
        start = elements.start_tag(body)[0] if body >= 0 else 0
        heading = elements.start_tag(headings[0])[0] if headings else start
        return marked(elements, max(start, heading - _WINDOW), max(start, heading) + _WINDOW)

    def profiles_near_title(self, near: int, most: int) -> list[MarkedElement]:
        """The first links to profiles of people, of a number of links around the title."""
        elements, headings = self.page.elements, self.declarations.headings
        rows = profile_links(self.page, headings[0] if headings else 0, near // 4, near, most)
        return [MarkedElement(elements, row, LONGEST_CLASS) for row in rows]

    def names_around(self, row: int, levels: int) -> str:
        """The classes and ids of the elements around one, in lower case."""
        return names_around(self.page.elements, row, levels, LONGEST_CLASS)

    @property
    def marked_authors(self) -> list[MarkedElement]:
        """The elements that may name an author, in document order."""
        return [MarkedElement(self.page.elements, row, LONGEST_CLASS) for row in self._marked[0]]

    @property
    def marked_dates(self) -> list[MarkedElement]:
        """The elements that may name the day of publication, in document order."""
        return [MarkedElement(self.page.elements, row, LONGEST_CLASS) for row in self._marked[1]]

    def text_of(self, row: int) -> str:
        """The text of an element on one line, cut if it is too long."""
        return text_of(self.page, row, most=LONGEST_TITLE)

    @property
    def title(self) -> str:
        """The text of ``<title>``, cut if it is too long."""
        return one_line(self.page.title, LONGEST_TITLE)

    @property
    def headings(self) -> list[str]:
        """The texts of the first ``h1`` elements: the visible ones, if there are any."""
        rows, elements = self.declarations.headings, self.page.elements
        shown = [row for row in rows if not elements.is_hidden(row)]
        texts = (_PERMALINK.sub("", self.text_of(row)) for row in (shown or rows)[:8])
        return [text for text in texts if text]

    @once
    def site_headings(self) -> frozenset[str]:
        """The texts of the first ``h1`` elements whose class or id, or that of the element around, is for the site."""
        rows, elements = self.declarations.headings[:4], self.page.elements
        found = set()
        for row in rows:
            own = " ".join(elements.some_attributes(row, (b"class", b"id"))).lower()
            if _OF_SITE.search(f"{own} {self.names_around(row, 1)}"):
                found.add(_PERMALINK.sub("", self.text_of(row)))
        return frozenset(found)

    @once
    def has_article(self) -> bool:
        """Whether JSON-LD describes an article or the like."""
        return bool(self.main_nodes) and is_one_of(self.main_nodes[0], _ARTICLE)

    @once
    def has_news(self) -> bool:
        """Whether JSON-LD describes an article of a newspaper."""
        return any(is_one_of(node, _NEWS) for node in self.main_nodes)

    def other_headings(self, marked: re.Pattern[str], most: int) -> Iterator[tuple[str, str]]:
        """The first visible heading whose class or id says that it is the title, and the first visible ``h2``."""
        elements = self.page.elements
        seconds = [row for row in self.declarations.subheadings[:most] if not elements.is_hidden(row)]
        for row in [*self.declarations.headings[:most], *seconds]:
            if marked.search(" ".join(elements.some_attributes(row, (b"class", b"id", b"itemprop"))).lower()):
                yield "marked heading", _PERMALINK.sub("", self.text_of(row))
                break
        if seconds:
            yield "h2", _PERMALINK.sub("", self.text_of(seconds[0]))

    def heading_blocks(self, most: int) -> list[str]:
        """The texts of the blocks of the first visible ``h1``, if they are few."""
        rows = [row for row in self.declarations.headings if not self.page.elements.is_hidden(row)]
        first, end = self.page.elements.block_span(rows[0]) if rows else (0, 0)
        if not 1 < end - first <= most:
            return []
        blocks, text = self.page.blocks, self.page.text
        spans = (blocks.text_span(block, block + 1) for block in range(first, end))
        return [found for start, stop in spans if (found := one_line(text[start:stop], LONGEST_TITLE))]

    @once
    def _opening(self) -> tuple[str, int]:
        text, headings = self.page.text, map(self.page.elements.block_span, self.declarations.headings)
        end = next((end for first, end in headings if first < end), 0)
        spans = shown_around(self.page.blocks, end, _BEFORE, _AFTER)
        title = self.page.blocks.text_span(end - 1, end)[1] if end else 0
        before = sum(min(stop, title) - start for start, stop in spans if start < title)
        parts = [text[start : min(stop, start + LONGEST_OPENING)] for start, stop in spans]
        return "".join(parts)[:LONGEST_OPENING], before

    @property
    def opening(self) -> str:
        """The visible text around the first heading, with bylines and dates."""
        return self._opening[0]

    @property
    def opening_title(self) -> int:
        """Where the first heading ends in `opening`."""
        return self._opening[1]

    def safe(self, reference: str) -> str | None:
        """A safe, absolute URL, or None."""
        return safe(self.page.base_url, reference)
