"""Pages without the parts that somebody does not want."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from webstrata._scan.tags import VOID_TAGS
from webstrata.elements import TAG_NUMBERS
from webstrata.extraction.selectors import matching
from webstrata.page import Page, parse
from webstrata.paragraphs import WITHIN_TAGS

__all__ = ["pruned"]

# The shortest comment: "<!>".
_SHORTEST = 3
# Other elements with an end may stay without their content: without them, the text on both sides might run together.
_LEFT_OUT = {TAG_NUMBERS[name] for name in (WITHIN_TAGS | VOID_TAGS | {"li", "dt", "dd", "tr", "td", "th"}) - {"hr"}}
_HR = TAG_NUMBERS["hr"]
_END_TAG = re.compile(rb"</[a-zA-Z][^<>]*>\Z")


def pruned(page: Page, selector: str) -> Page:
    """A page without the elements that a CSS selector finds, and all that is in them.

    A comment of the same size stands in the place of each, so that spans hold for the source of the whole page as well.

    >>> from webstrata.page import parse
    >>> page = pruned(parse("<p>Silt.<div class='share box'>Share <b>this</b></div><p>Mud."), "div.share")
    >>> page.text, len(page.source)
    ('Silt.\\nMud.', 61)
    """
    parts: list[bytes] = []
    at = 0
    for row in np.flatnonzero(matching(page.elements, selector)).tolist():
        if page.elements.source_stop[row] <= at:
            continue
        # An element that the parser opened again begins where the first one does.
        start, stop = _span(page, row)
        start = max(start, at)
        if stop > start:
            parts += (page.source[at:start], _filling(stop - start, breaks=page.elements.tag[row] == _HR))
            at = stop
    if not parts:
        return page
    source = b"".join((*parts, page.source[at:]))
    return replace(parse(source.decode(), url=page.url), encoding=page.encoding)


def _span(page: Page, row: int) -> tuple[int, int]:
    """The bytes of an element that are replaced."""
    elements = page.elements
    start, stop = int(elements.source_start[row]), int(elements.source_stop[row])
    if elements.tag[row] in _LEFT_OUT or elements.tag[row] == _HR:
        return start, stop
    start = int(elements.open_stop[row])
    end = page.source.rfind(b"</", start, stop)
    return start, end if end >= 0 and _END_TAG.match(page.source, end, stop) else stop


def _filling(size: int, *, breaks: bool) -> bytes:
    """What stands in the place of an element: nothing that shows, but a line that ended there still does."""
    if breaks:
        return b"<p>" + b" " * (size - _SHORTEST)
    return b"<!" + b" " * (size - _SHORTEST) + b">" if size >= _SHORTEST else b" " * size
