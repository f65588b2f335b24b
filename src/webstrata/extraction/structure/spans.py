"""Spans: for each piece of an output the bytes of the source that it comes from.

The writer of Markdown notes the origin of each character (`buffer`); plain text consists of ranges of the text of the
page. A span is a piece of one block or of one element: an image, a formula, code that is read from its tags. Spans are
in the order of the output and do not overlap; signs of Markdown, and spaces between blocks, have none.

The source of a span is exact where the characters of a block are its bytes; it is the whole block elsewhere, that is
where a block has character references, links, folded white space or other letters than those of ASCII.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

import numpy as np

from webstrata._paragraphs import kept_places
from webstrata.extraction.structure.text import separator
from webstrata.page import Page
from webstrata.text import Column

__all__ = ["Span", "joined", "spans_of_origins", "spans_of_text"]


# Characters whose origins are read at once: the arrays of more would take more memory than the output.
_AT_ONCE = 1 << 16


class Span(NamedTuple):
    """A piece of an output and where it comes from.

    Attributes
    ----------
    start, stop : in the output, in characters
    source_start, source_stop : in the source of the page (`Page.source`), in bytes
    carried : whether the source is that of `Extraction.carried`, not that of the page
    """

    start: int
    stop: int
    source_start: int
    source_stop: int
    carried: bool = False

    def moved(self, by: int, *, carried: bool = False) -> Span:
        """The span further on in an output."""
        return Span(self.start + by, self.stop + by, self.source_start, self.source_stop, self.carried or carried)


def spans_of_origins(page: Page, origins: Column) -> list[Span]:
    """The spans of an output, given the origin of each of its characters."""
    blocks, elements = page.blocks, page.elements
    if not len(blocks):
        return []
    keys = np.zeros(len(origins) + 2, np.int32)
    inner = keys[1:-1]
    for start in range(0, len(origins), _AT_ONCE):
        inner[start : start + _AT_ONCE] = _keys(page, origins[start : start + _AT_ONCE])
    edges = np.flatnonzero(keys[1:] != keys[:-1])
    starts, stops = edges[:-1], edges[1:]
    keys = keys[1:]
    starts, stops = starts[keys[starts] != 0], stops[keys[starts] != 0]
    keys = keys[starts]
    of_blocks = keys > 0
    rows = np.where(of_blocks, keys - 1, 0)
    first, last = _sources(page, rows, origins[starts] - 1, origins[stops - 1])
    rows = np.where(of_blocks, 0, -keys - 1)
    first = np.where(of_blocks, first, elements.source_start[rows])
    last = np.where(of_blocks, last, elements.source_stop[rows])
    return [Span(*each) for each in zip(starts.tolist(), stops.tolist(), first.tolist(), last.tolist(), strict=True)]


def _keys(page: Page, origins: Column) -> Column:
    """For each origin its block plus one, or the element that is the origin as a negative number; 0 for neither."""
    blocks = page.blocks
    rows = np.searchsorted(blocks.text_start, origins - 1, side="right") - 1
    # White space between blocks belongs to none.
    keys = np.where(origins - 1 < blocks.text_stop[rows], rows + 1, 0)
    return np.where(origins > 0, keys, origins)


def spans_of_text(page: Page, keep: Column) -> list[Span]:
    """The spans of the text of the kept blocks (`webstrata.extraction.structure.text.text`)."""
    starts = kept_places(page.blocks, keep, partial(separator, page))
    rows = np.flatnonzero(keep)
    blocks = page.blocks
    stops = starts + blocks.text_stop[rows] - blocks.text_start[rows]
    columns = (starts, stops, blocks.source_start[rows], blocks.source_stop[rows])
    return [Span(*each) for each in zip(*(column.tolist() for column in columns), strict=True)]


def joined(parts: Iterable[tuple[str, list[Span]]], between: str) -> tuple[str, list[Span]]:
    """Texts one after the other, without empty ones, and their spans."""
    texts: list[str] = []
    spans: list[Span] = []
    at = 0
    for text, found in parts:
        if text:
            at += len(between) if texts else 0
            spans += [span.moved(at) for span in found] if at else found
            texts.append(text)
            at += len(text)
    return between.join(texts), spans


def _sources(page: Page, rows: Column, starts: Column, stops: Column) -> tuple[Column, Column]:
    """The bytes of ranges of the text, each of which is in one block."""
    blocks = page.blocks
    source_start, source_stop = blocks.source_start[rows], blocks.source_stop[rows]
    text_start = blocks.text_start[rows]
    # A character takes at least one byte, so both are as long only where each byte is a character.
    exact = source_stop - source_start == blocks.text_stop[rows] - text_start
    return (
        np.where(exact, source_start + starts - text_start, source_start),
        np.where(exact, source_start + stops - text_start, source_stop),
    )
