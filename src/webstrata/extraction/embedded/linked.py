"""The bodies of what a page describes in JSON-LD: articles, posts, questions and answers, products and the like."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from webstrata.extraction.embedded.prose import Passage, is_prose, plain
from webstrata.extraction.metadata.jsonld import roots_of, value_of
from webstrata.page import Page

__all__ = ["linked_passages"]

# The properties that lead from a thing to what belongs to its text. All others lead away from it: to authors,
# publishers, reviews, related things.
_LEADING = (
    *("@graph", "mainEntity", "mainEntityOfPage", "itemListElement", "item", "hasPart"),
    *("acceptedAnswer", "suggestedAnswer", "recipeInstructions", "step"),
)
_BODIES = ("articleBody", "text", "recipeIngredient", "recipeInstructions")
# Things whose description is their text. Of an article or a page it is a summary, of a site or a company no content.
_DESCRIBED = re.compile(r"(?:Product|ProductGroup|JobPosting|Event|Course|Book|Movie|Dataset|Application)$")
_NAMED = re.compile(r"(?:Question|Article|Posting|Recipe)$|" + _DESCRIBED.pattern)
# Beyond this many things JSON-LD describes no page any more.
_MOST_NODES = 2000


def linked_passages(page: Page, *, comments: bool = True) -> list[Passage]:
    """The bodies in reading order; where there are none, the descriptions of things that are described.

    Parameters
    ----------
    comments : whether the comments on a thing belong to its text

    >>> from webstrata.page import parse
    >>> html = '<script type="application/ld+json">{"@type": "FAQPage", "mainEntity": [{"@type": "Question", "name":'
    >>> html += '"Why?", "acceptedAnswer": {"text": "The lake was still in winter."}}]}</script>'
    >>> linked_passages(parse(html))
    [Passage(heading='Why?', body=''), Passage(heading='', body='The lake was still in winter.')]
    """
    leading = (*_LEADING, "comment") if comments else _LEADING
    nodes = list(_walk(roots_of(page), leading))
    bodies = [_passage(node, _texts(node, *_BODIES)) for node in nodes]
    if not any(passage.body for passage in bodies):
        bodies = [_passage(node, _texts(node, "description") if _is(node, _DESCRIBED) else "") for node in nodes]
    # Variants of a product repeat its description.
    found = {passage.body or passage.heading: passage for passage in bodies if any(passage)}
    return list(found.values()) if any(passage.body for passage in bodies) else []


def _walk(roots: list[Any], leading: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """The things that the roots lead to, in reading order."""
    stack = roots[::-1]
    for _ in range(_MOST_NODES):
        if not stack:
            return
        node = stack.pop()
        if isinstance(node, dict):
            yield node
            stack += [node[key] for key in reversed(leading) if isinstance(node.get(key), dict | list)]
        elif isinstance(node, list):
            stack += node[:_MOST_NODES][::-1]


def _texts(node: dict[str, Any], *keys: str) -> str:
    """The prose that these properties hold, a string each or a list of them."""
    values = [value for key in keys for value in (node[key] if isinstance(node.get(key), list) else [node.get(key)])]
    return "\n".join(value for value in values if isinstance(value, str) and is_prose(plain(value)))


def _passage(node: dict[str, Any], body: str) -> Passage:
    # A question may have nothing but a name, with the answer in a thing of its own; of others the name is a heading.
    named = _is(node, _NAMED) if body else node.get("@type") == "Question"
    return Passage(value_of(node, "headline", "name") if named else "", body)


def _is(node: dict[str, Any], kinds: re.Pattern[str]) -> bool:
    types = node.get("@type")
    return any(isinstance(kind, str) and kinds.search(kind) for kind in (types if isinstance(types, list) else [types]))
