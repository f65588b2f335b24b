"""Texts in JSON-LD: bodies of articles and posts, questions and answers, descriptions of products and so on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from webstrata.extraction.embedded.prose import Passage, is_prose, plain
from webstrata.extraction.metadata.jsonld import roots_of, value_of
from webstrata.page import Page

__all__ = ["linked_passages"]

# The properties of an object whose values belong to its text. Others are about authors, publishers, reviews or related
# objects.
_LEADING = (
    *("@graph", "mainEntity", "mainEntityOfPage", "itemListElement", "item", "hasPart"),
    *("acceptedAnswer", "suggestedAnswer", "recipeInstructions", "step"),
)
_BODIES = ("articleBody", "text", "recipeIngredient", "recipeInstructions")
# Types whose description is their text. That of an article is a summary, and that of a site or a company no content.
_DESCRIBED = re.compile(r"(?:Product|ProductGroup|JobPosting|Event|Course|Book|Movie|Dataset|Application)$")
_NAMED = re.compile(r"(?:Question|Article|Posting|Recipe)$|" + _DESCRIBED.pattern)
# Objects that are read.
_MOST_NODES = 2000


def linked_passages(page: Page, *, comments: bool = True) -> list[Passage]:
    """The bodies in reading order; without bodies, the descriptions of products and similar objects.

    Parameters
    ----------
    comments : whether comments belong to the text

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
    # Variants of a product have the same description.
    found = {passage.body or passage.heading: passage for passage in bodies if any(passage)}
    return list(found.values()) if any(passage.body for passage in bodies) else []


def _walk(roots: list[Any], leading: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """The objects below the roots that belong to the text, in reading order."""
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
    """The prose in these properties, each a string or a list of strings."""
    values = [value for key in keys for value in (node[key] if isinstance(node.get(key), list) else [node.get(key)])]
    return "\n".join(value for value in values if isinstance(value, str) and is_prose(plain(value)))


def _passage(node: dict[str, Any], body: str) -> Passage:
    # A question may have only a name, with the answer in another object; other names are headings.
    named = _is(node, _NAMED) if body else node.get("@type") == "Question"
    return Passage(value_of(node, "headline", "name") if named else "", body)


def _is(node: dict[str, Any], kinds: re.Pattern[str]) -> bool:
    types = node.get("@type")
    return any(isinstance(kind, str) and kinds.search(kind) for kind in (types if isinstance(types, list) else [types]))
