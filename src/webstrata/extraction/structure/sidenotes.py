"""Footnotes without links: numbers in the text, and notes that begin with these numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from webstrata.elements import TAG_NUMBERS
from webstrata.extraction.structure.candidates import TagRows
from webstrata.page import Page

__all__ = ["NOTE_WORDS", "numbered_notes", "numbers"]

_NUMBER = re.compile(r"\[?(\d{1,3})\]?")
_CLASSES = re.compile(r"foot-?note|end-?note|side-?note|footdef", re.IGNORECASE)
_ID = re.compile(r"(?:foot|end|side)?-?(?:note|fn)s?[-_:.]?(\d{1,3})", re.IGNORECASE)
_WORDS = (b"footnote", b'id="fn', b'id="note', b"sidenote", b"footdef", b'class="note"')
_MARK_WORDS = (b"footref", b"sidenote-number")
#: What start tags of such notes and their marks hold.
NOTE_WORDS = (*_WORDS, *_MARK_WORDS)
_NAMED = frozenset(("sidenote", "footdef", "note", "footnote"))
_BEGINNING = re.compile(r"[\[(]?(\d{1,3})(?:[\]).:]|$)")
_LI, _ASIDE = TAG_NUMBERS["li"], TAG_NUMBERS["aside"]
_P, _DIV = TAG_NUMBERS["p"], TAG_NUMBERS["div"]
_MOST = 2000
_MOST_WORDS = 600


def numbers(page: Page, tags: TagRows, *, skip: set[int]) -> dict[int, list[int]]:
    """The rows of superscripts that are numbers, by number; without those that hold one of the links to skip."""
    elements, found = page.elements, dict[int, list[int]]()
    rows = elements.find("sup").tolist()[:_MOST]
    rows += [row for row in tags.having(*_MARK_WORDS) if elements[row].tag == "label"]
    linked = np.array(sorted(skip), np.int64)
    for row in rows:
        first, end = elements.block_span(row)
        if end - first != 1 or page.blocks[first].hidden:
            continue
        mark = _NUMBER.fullmatch(page.blocks[first].text.strip())
        if mark is None:
            continue
        at = int(np.searchsorted(linked, row))
        if at < len(linked) and elements.source_start[linked[at]] < elements.source_stop[row]:
            continue
        found.setdefault(int(mark[1]), []).append(row)
    return found


def numbered_notes(page: Page, tags: TagRows, wanted: set[int], taken: set[int]) -> Iterator[tuple[int, int, int]]:
    """Notes with one of the wanted numbers: the number, the first block, the row of the element.

    They are items of a list that is said to have notes, elements whose ``id`` is such a number, or paragraphs that
    begin with it as a superscript or in bold.
    """
    elements, seen = page.elements, set[int]()
    candidates = [*_items(page), *_named(page, tags), *_paragraphs(page)]
    for number, row in candidates:
        first, end = elements.block_span(row)
        if number not in wanted or number in seen or first in taken or first == end:
            continue
        if int(page.blocks.words[first:end].sum()) <= _MOST_WORDS:
            seen.add(number)
            yield number, first, row


def _is_at_the_top(page: Page, row: int) -> bool:
    """Whether most of the text comes after an element: the affiliations of authors are numbered there."""
    words = page.blocks.words
    return int(words[: page.elements.block_span(row)[0]].sum()) < 0.3 * int(words.sum())


def _items(page: Page) -> Iterator[tuple[int, int]]:
    """The items of lists of notes."""
    elements = page.elements
    lists = elements.find("ol").tolist()
    items = elements.find("li")
    items = items[np.argsort(elements.parent[items], kind="stable")]
    parents = elements.parent[items]
    for row in lists if len(lists) < _MOST else []:
        parent = int(elements.parent[row])
        classes = " ".join(
            f"{elements.attribute(each, 'class')} {elements.attribute(each, 'id')}" for each in (row, parent)
        )
        given = elements.attribute(row, "start")
        if not _CLASSES.search(classes) and (elements.tag[parent] != _ASIDE or given is None):
            continue
        start = given or "1"
        number = int(start) if start.isdecimal() and len(start) < 4 else 1
        yield from enumerate(items[slice(*np.searchsorted(parents, (row, row + 1)))].tolist(), number)


def _named(page: Page, tags: TagRows) -> Iterator[tuple[int, int]]:
    """Elements whose ``id`` names a note by its number, and sidenotes by the number with which they begin."""
    elements = page.elements
    for row in tags.having(*_WORDS):
        name, classes = elements.some_attributes(row, (b"id", b"class"))
        tag = elements[row].tag
        mark = _ID.fullmatch(name)
        if mark and tag in ("li", "p", "div", "aside", "dd"):
            yield int(mark[1]), row
        elif _NAMED.intersection(classes.split()):
            first, end = elements.block_span(row)
            begin = _BEGINNING.match(page.blocks[first].text.strip()) if end > first else None
            if begin:
                yield int(begin[1]), row


def _paragraphs(page: Page) -> Iterator[tuple[int, int]]:
    """Paragraphs that begin with a superscript or bold number and go on, one after the other."""
    elements, blocks = page.elements, page.blocks
    begins: list[tuple[int, int]] = []
    for row in elements.find("sup", "strong", "b").tolist()[:_MOST]:
        first, end = elements.block_span(row)
        if end - first != 1:
            continue
        mark = _NUMBER.fullmatch(blocks[first].text.strip())
        if mark is None:
            continue
        around = int(elements.parent[row])
        while around > 0 and elements.tag[around] not in (_P, _DIV, _LI):
            around = int(elements.parent[around])
        start, stop = elements.block_span(around)
        if start == first and stop > end:
            begins.append((int(mark[1]), around))
    if not begins:
        return
    if _is_at_the_top(page, begins[0][1]):
        return
    # One note may be numbered alone; several are numbered one after the other.
    for place, (number, row) in enumerate(begins):
        before = begins[place - 1][0] if place else number - 1
        if number == before + 1:
            yield number, row
