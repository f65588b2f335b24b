"""Parts of the content that only help to use the page: links that edit a section, links to source code, and labels that
a page shows over an image.
"""

from __future__ import annotations

from collections.abc import Iterator

from webstrata.extraction.structure.candidates import TagRows
from webstrata.page import Page

__all__ = ["AID_WORDS", "aids", "tasks"]

# The classes of MediaWiki, of Sphinx, and of Discourse, whose images hold the label in a child.
_CLASSES = (b"mw-editsection", b"viewcode-link")
_BOXED = b"lightbox"
#: What start tags of aids hold.
AID_WORDS = (*_CLASSES, _BOXED)
# Elements from a check box up to its item.
_LEVELS = 4


def aids(page: Page, tags: TagRows | None = None) -> Iterator[int]:
    """The rows of elements that are no content.

    >>> from webstrata.page import parse
    >>> page = parse("<h2>Silt<span class=mw-editsection>[<a href=/e>edit</a>]</span></h2>")
    >>> [page.elements[row].html for row in aids(page)]
    ['<span class=mw-editsection>[<a href=/e>edit</a>]</span>']
    """
    elements = page.elements
    tags = tags or TagRows(page, AID_WORDS)
    yield from tags.having(*_CLASSES)
    for row in tags.having(_BOXED):
        if "lightbox-wrapper" not in (elements.attribute(row, "class") or "").split():
            continue
        for each in range(row + 1, min(row + 16, len(elements))):
            if elements.source_start[each] >= elements.source_stop[row]:
                break
            if elements.attribute(each, "class") == "meta":
                yield each


def tasks(page: Page) -> dict[int, bool]:
    """The items of task lists, and whether each is done.

    The items of GitHub, MkDocs and Discourse begin with a check box. It is disabled or the item says that it is a task:
    other check boxes choose things.

    >>> from webstrata.page import parse
    >>> tasks(parse("<ul><li><input type=checkbox disabled checked> dig<li><input type=checkbox> red</ul>"))
    {4: True}
    """
    elements = page.elements
    found: dict[int, bool] = {}
    for row in elements.holding("input", b"checkbox"):
        item = row
        for _ in range(_LEVELS):
            item = int(elements.parent[item])
            if item < 0 or elements[item].tag == "li":
                break
        if item < 0 or elements[item].tag != "li" or item in found:
            continue
        if elements.block_span(row)[0] != elements.block_span(item)[0]:
            continue
        if (elements.attribute(row, "type") or "").lower() != "checkbox":
            continue
        classes = elements.attribute(item, "class") or ""
        if elements.attribute(row, "disabled") is not None or "task" in classes:
            found[item] = elements.attribute(row, "checked") is not None
    return found
