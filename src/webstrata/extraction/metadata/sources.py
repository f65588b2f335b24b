"""Where a page speaks of itself: meta elements, JSON-LD, marked elements of the body, and the text near the heading.

Attributes are read only from elements that may matter: those are found by the column of tags, or by the words that
their start tags hold.
"""

from __future__ import annotations

import re
from typing import Any

from webstrata._escaping import one_line
from webstrata._lengths import LONGEST_CLASS, LONGEST_OPENING, LONGEST_TITLE
from webstrata._once import once
from webstrata.extraction.metadata.jsonld import nodes_of, value_of
from webstrata.extraction.metadata.marks import Mark, marked, names_around
from webstrata.extraction.metadata.tags import Survey, most_like, shown_around
from webstrata.page import Page
from webstrata.tree import text_of
from webstrata.urls import is_plain, safe

__all__ = ["Sources"]

# Bytes of the source before and after the first heading in which a byline or a date is looked for.
_WINDOW = 60_000
# Characters of the text before and after the end of that heading, likewise.
_BEFORE, _AFTER = 300, 1200
# How the types of nodes end that describe what a page is about, and of those that may.
_ARTICLE = (
    *("Article", "Posting", "Post", "Report", "Review", "Recipe", "Question", "Product", "Book", "Course", "Event"),
    "Dataset",
)
_PAGE = ("Page", "CreativeWork")

# What links a heading to itself, or to the form in which it is edited, stands behind it.
_SIGNS = ("¶", "§", "\U0001f517", "\u2693", "#", "]")
_PERMALINK = re.compile(r"\s*(?:[¶§\U0001f517\u2693]|\s#|\[edit\]|(?i:permalink|permanent link)(?: to this \w+)?)+\s*$")


class Sources:
    """The sources of one page; each is read when it is asked for, and once."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @once
    def survey(self) -> Survey:
        """The elements that may matter, and what the meta elements say."""
        return Survey(self.page.elements)

    @property
    def canonical(self) -> str:
        """The address that the page gives itself, as it stands there, or ""."""
        hrefs = (self.page.elements.attribute(row, "href") for row in self.survey.canonical)
        return next(filter(None, hrefs), "") or self.survey.first("og:url", "twitter:url")

    @once
    def nodes(self) -> list[dict[str, Any]]:
        """The objects of the JSON-LD."""
        return nodes_of(self.page)

    @once
    def main_nodes(self) -> list[dict[str, Any]]:
        """The nodes that may describe what the page is about, the likeliest first."""
        return most_like(self.nodes, _ARTICLE, _PAGE)

    @once
    def _named_nodes(self) -> dict[str, dict[str, Any]]:
        return {node["@id"]: node for node in self.nodes if isinstance(node.get("@id"), str) and node.get("name")}

    def named_node(self, identity: str) -> dict[str, Any] | None:
        """The last node with a name that has an id."""
        return self._named_nodes.get(identity)

    def from_nodes(self, *keys: str) -> str:
        """The first value of these properties that a main node has, or ""."""
        for node in self.main_nodes:
            if found := value_of(node, *keys):
                return found
        return ""

    @once
    def _marked(self) -> tuple[list[int], list[int]]:
        """The elements marked for authors and for dates, some way before and after the first heading."""
        elements, headings, body = self.page.elements, self.survey.headings, self.survey.body
        start = elements.start_tag(body)[0] if body >= 0 else 0
        heading = elements.start_tag(headings[0])[0] if headings else start
        return marked(elements, max(start, heading - _WINDOW), max(start, heading) + _WINDOW)

    def names_around(self, row: int, levels: int) -> str:
        """The classes and ids of the elements around one, up to so many levels, in lower case."""
        return names_around(self.page.elements, row, levels, LONGEST_CLASS)

    @property
    def marked_authors(self) -> list[Mark]:
        """The elements that may be marked to name an author, in document order."""
        return [Mark(self.page.elements, row, LONGEST_CLASS) for row in self._marked[0]]

    @property
    def marked_dates(self) -> list[Mark]:
        """The elements that may be marked to name the day of publication, in document order."""
        return [Mark(self.page.elements, row, LONGEST_CLASS) for row in self._marked[1]]

    def text_of(self, row: int) -> str:
        """The text of an element on one line, not too long."""
        return text_of(self.page, row, most=LONGEST_TITLE)

    @property
    def title(self) -> str:
        """The text of ``<title>``, not too long."""
        return one_line(self.page.title, LONGEST_TITLE)

    @property
    def headings(self) -> list[str]:
        """The texts of the first ``h1`` elements, those that are shown if there are any."""
        rows, elements = self.survey.headings, self.page.elements
        shown = [row for row in rows if not elements.is_hidden(row)]
        texts = (_without_permalink(self.text_of(row)) for row in (shown or rows)[:8])
        return [text for text in texts if text]

    @once
    def opening(self) -> str:
        """The text around the first heading, where bylines and dates stand, as far as it is shown."""
        text, headings = self.page.text, map(self.page.elements.block_span, self.survey.headings)
        end = next((end for first, end in headings if first < end), 0)
        spans = shown_around(self.page.blocks, end, _BEFORE, _AFTER)
        return "".join([text[start : min(stop, start + LONGEST_OPENING)] for start, stop in spans])[:LONGEST_OPENING]

    def safe(self, reference: str) -> str | None:
        """A safe address; where the page is need not be known for one that is whole."""
        return reference if is_plain(reference) else safe(self.page.base_url, reference)


def _without_permalink(heading: str) -> str:
    """A heading without what links it to itself; most have nothing that looks like it."""
    has_none = not heading.endswith(_SIGNS) and "perma" not in heading.lower()
    return heading if has_none else _PERMALINK.sub("", heading)
