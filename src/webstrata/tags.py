"""The tags of a page in its source, and the texts between them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from webstrata.page import CLONED, IMPLIED, Page
from webstrata.text import Column

__all__ = ["tag_counts", "tag_positions", "text_runs", "texts_between"]


def tag_positions(page: Page, *, without: tuple[str, ...] = ()) -> tuple[Column, Column]:
    """The starts and stops of the tags of a page in the source, in order.

    Start tags are those of the elements; end tags are found at the ends of elements. Tags that the tree builder
    ignored, such as a stray ``</b>``, do not count.

    Parameters
    ----------
    page : the page
    without : names of elements whose tags do not count

    >>> from webstrata.page import parse
    >>> page = parse("<p>one <b>two</b><p>three</p>")
    >>> [page.source[start:stop].decode() for start, stop in zip(*tag_positions(page))]
    ['<p>', '<b>', '</b>', '<p>', '</p>']
    """
    elements, source = page.elements, np.frombuffer(page.source, np.uint8)
    wanted = np.ones(len(elements), bool)
    if without:
        wanted[elements.find(*without)] = False
    written = (elements.flags & (IMPLIED | CLONED)) == 0
    opens = np.flatnonzero(written & wanted)
    # One end tag may end several elements; if one of them is excluded, so is the tag.
    stops = np.setdiff1d(elements.source_stop[wanted], elements.source_stop[~wanted])
    stops = stops[(stops > 0) & ~np.isin(stops, elements.open_stop[written])]
    stops = stops[source[stops - 1] == ord(">")]
    slashes = np.flatnonzero((source[:-1] == ord("<")) & (source[1:] == ord("/")))
    brackets = np.flatnonzero(source == ord(">"))
    before = np.searchsorted(slashes, stops - 2, side="right") - 1
    starts, stops = slashes[before[before >= 0]], stops[before >= 0]
    # A ">" may also end text or a comment: an end tag has no other ">" inside.
    is_tag = brackets[np.searchsorted(brackets, starts)] == stops - 1
    starts = np.concatenate((elements.source_start[opens], starts[is_tag]))
    stops = np.concatenate((elements.open_stop[opens], stops[is_tag]))
    order = np.argsort(starts, kind="stable")
    return starts[order], stops[order]


def tag_counts(page: Page, *, without: tuple[str, ...] = ()) -> tuple[Column, Column]:
    """The number of tags between each block and the one before it, and inside it (those of links).

    ``without`` as for `tag_positions`.

    >>> from webstrata.page import parse
    >>> before, inside = tag_counts(parse("<div><p>one <a href=/>two</a> three</p><p>four"))
    >>> before.tolist(), inside.tolist()
    ([2, 2], [2, 0])
    """
    starts, _ = tag_positions(page, without=without)
    first = np.searchsorted(starts, page.blocks.source_start)
    last = np.searchsorted(starts, page.blocks.source_stop)
    before = np.diff(first, prepend=0)
    before[1:] -= (last - first)[:-1]
    return before, last - first


def text_runs(page: Page) -> Iterator[tuple[int, int]]:
    """The starts and stops of the texts of a page in the source, also of white space alone and inside of scripts.

    >>> from webstrata.page import parse
    >>> page = parse("<title>One</title> <p>two<!-- no --> three</b>")
    >>> [page.source[start:stop].decode() for start, stop in text_runs(page)]
    ['One', ' ', 'two', ' three']
    """
    starts, stops = tag_positions(page)
    gaps = zip([0, *stops.tolist()], [*starts.tolist(), len(page.source)], strict=True)
    for start, stop in gaps:
        yield from texts_between(page.source, start, stop)


def texts_between(source: bytes, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """The texts between two tags: comments, declarations and end tags that the tree ignored divide them."""
    at = start
    while (found := source.find(b"<", at, stop)) >= 0:
        mark, letter = source[found + 1 : found + 2], source[found + 2 : found + 3]
        if mark not in (b"!", b"?") and not (mark == b"/" and letter.isalpha()):
            at = found + 1
            continue
        if start < found:
            yield start, found
        ending = b"-->" if source.startswith(b"<!--", found) else b">"
        end = source.find(ending, found + 2, stop)
        start = at = stop if end < 0 else end + len(ending)
    if start < stop:
        yield start, stop
