"""Markers: numbers on start tags, which map an element in the browser to its row in the source."""

from __future__ import annotations

import numpy as np

from webstrata.page import CLONED, IMPLIED, Page
from webstrata.text import Column

__all__ = ["MARKER", "mark", "marked_rows"]

#: The attribute with the row of the element, while the page is in the browser.
MARKER = "data-webstrata-row"
# A browser that runs scripts parses the content of these as text, so a marker would show as text.
_RAW = ("noscript", "iframe", "noembed", "noframes", "xmp", "textarea", "title", "style", "script", "plaintext")


def marked_rows(page: Page) -> Column:
    """The rows of the elements that get a marker: those with a start tag of their own that a browser reads as a tag.

    >>> from webstrata.page import parse
    >>> page = parse("<p>one<noscript><b>two</b></noscript>")
    >>> [page.elements[row].tag for row in marked_rows(page).tolist()]
    ['p', 'noscript']
    """
    elements = page.elements
    own = (elements.flags & (IMPLIED | CLONED)) == 0
    # A subtree is a contiguous range of source bytes: an element that begins inside a raw one is text.
    raw = elements.find(*_RAW)
    spans = np.stack((elements.open_stop[raw], elements.source_stop[raw]), axis=1)
    for (start, stop), rows in zip(spans.tolist(), np.searchsorted(elements.source_start, spans).tolist(), strict=True):
        inside = slice(*rows)
        own[inside] &= (elements.source_start[inside] < start) | (elements.source_start[inside] >= stop)
    return np.flatnonzero(own)


def mark(page: Page) -> bytes:
    """The source of a page with a marker on each start tag.

    >>> from webstrata.page import parse
    >>> mark(parse("<p>one<br/>"))
    b'<p data-webstrata-row="3">one<br data-webstrata-row="4"/>'
    """
    source, elements = page.source, page.elements
    parts: list[bytes] = []
    done = 0
    rows = marked_rows(page)
    for row, start in sorted(zip(rows.tolist(), elements.source_start[rows].tolist(), strict=True), key=lambda x: x[1]):
        stop = start + 1
        while stop < len(source) and source[stop] not in b" \t\n\r\f/>":
            stop += 1
        if start < done:
            continue
        parts += source[done:stop], f' {MARKER}="{row}"'.encode()
        done = stop
    return b"".join([*parts, source[done:]])
