"""Posts that a page declares in JSON-LD."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from webstrata.extraction.embedded.prose import plain
from webstrata.extraction.metadata.dates import iso_date
from webstrata.extraction.metadata.jsonld import roots_of
from webstrata.extraction.posts.post import Post
from webstrata.page import Page

__all__ = ["declared_posts"]

# Objects of JSON-LD that are read, their types, and the properties that lead to others.
_MOST_NODES = 5000
_DECLARED = frozenset("Comment UserComments Answer Question DiscussionForumPosting".split())
_BELOW = ("@graph", "mainEntity", "mainEntityOfPage", "comment", "acceptedAnswer", "suggestedAnswer")


def declared_posts(page: Page) -> Iterator[Post]:
    """The posts in the JSON-LD of a page, in their order."""
    stack: list[tuple[Any, int]] = [(root, 0) for root in reversed(roots_of(page))]
    for _ in range(_MOST_NODES):
        if not stack:
            return
        node, level = stack.pop()
        if isinstance(node, list):
            stack += [(each, level) for each in reversed(node[:_MOST_NODES])]
        elif isinstance(node, dict):
            types = node.get("@type")
            is_post = not _DECLARED.isdisjoint([types] if isinstance(types, str) else _strings(types))
            body = node.get("text") or node.get("articleBody")
            if is_post and isinstance(body, str) and (written := plain(body).strip()):
                author = node.get("author")
                name = author.get("name") if isinstance(author, dict) else author
                day = iso_date(str(node.get("datePublished") or node.get("dateCreated") or ""))
                yield Post(name if isinstance(name, str) else None, day, written, level, None)
            below = level + is_post
            stack += [(node[key], below) for key in reversed(_BELOW) if isinstance(node.get(key), dict | list)]


def _strings(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
