"""Footnotes at the place where the text refers to them: in the margin, or shown when their number is pressed.

Makers: Tufte CSS and its descendants, whose numbers are often drawn by style sheets; plug-ins of WordPress and others
that hide the note in the element of its number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from webstrata.elements import TAG_NUMBERS
from webstrata.extraction.structure.candidates import TagRows
from webstrata.page import Page

__all__ = ["INLINE_NOTE_WORDS", "InlineNote", "inline_notes"]

_TOGGLES = (b"margin-toggle", b"sidenote-number", b"footnote-number")
#: What start tags of such notes and of their marks hold.
INLINE_NOTE_WORDS = (*_TOGGLES, b"footnote", b"sidenote")
_MARK = re.compile(r"[\[(]?(?:\d{1,3}|[*†‡⊕+]{1,3})[\])]?")
_NOTE = frozenset(("sidenote", "marginnote", "footnote"))
_HOLDS_A_NOTE = re.compile(r"(?:^|[\s_-])(?:foot|side)-?note", re.IGNORECASE)
_LABEL = TAG_NUMBERS["label"]
_INLINE = {TAG_NUMBERS[name] for name in ("span", "sup", "small", "label", "button")} | {0}
# Rows from a mark to its note: the switch between them, and what is in the mark.
_NEAR = 4


class InlineNote(NamedTuple):
    """A note in the text: the row of its mark, the range of the text of the mark, and the row of the note."""

    mark: int
    start: int
    stop: int
    note: int


def inline_notes(page: Page, tags: TagRows) -> Iterator[InlineNote]:
    """The notes that stand in the text, in document order.

    >>> html = "<p>Silt.<label for=a class='margin-toggle'></label><span class=sidenote>Pale.</span>"
    >>> from webstrata.page import parse
    >>> page = parse(html)
    >>> list(inline_notes(page, TagRows(page, INLINE_NOTE_WORDS)))
    [InlineNote(mark=4, start=5, stop=5, note=5)]
    """
    found = [*_toggled(page, tags), *_held(page, tags)]
    yield from sorted(found)


def _toggled(page: Page, tags: TagRows) -> Iterator[InlineNote]:
    """Notes that follow the label of a switch, whose number style sheets may draw."""
    elements = page.elements
    for row in tags.having(*_TOGGLES):
        if elements.tag[row] != _LABEL:
            continue
        first, end = elements.block_span(row)
        if end - first > 1 or (end > first and not _MARK.fullmatch(page.blocks[first].text.strip())):
            continue
        for note in range(row + 1, min(row + _NEAR, len(elements))):
            if elements.parent[note] != elements.parent[row] or elements.tag[note] not in _INLINE:
                continue
            start, stop = elements.block_span(note)
            classes = (elements.attribute(note, "class") or "").split()
            if stop > start and _NOTE.intersection(classes):
                yield InlineNote(row, *_range(page, first, end), note)
                break


def _held(page: Page, tags: TagRows) -> Iterator[InlineNote]:
    """Notes in the same element as their number."""
    elements = page.elements
    for row in tags.having(b"footnote", b"sidenote"):
        if elements.tag[row] not in _INLINE or not _HOLDS_A_NOTE.search(elements.attribute(row, "class") or ""):
            continue
        first, end = elements.block_span(row)
        if end - first < 2 or not _MARK.fullmatch(page.blocks[first].text.strip()):
            continue
        for note in range(row + 1, min(row + _NEAR, len(elements))):
            if elements.block_span(note) == (first + 1, end) and elements.tag[note] in _INLINE:
                yield InlineNote(row, *_range(page, first, first + 1), note)
                break


def _range(page: Page, first: int, end: int) -> tuple[int, int]:
    """The text of at most one block as a range; an empty one at the end of the text before if there is none."""
    if end == first:
        place = int(page.blocks.text_stop[first - 1]) if first else 0
        return place, place
    return int(page.blocks.text_start[first]), int(page.blocks.text_stop[first])
