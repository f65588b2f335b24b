"""Footnotes: references in the text, and the notes that they lead to.

A reference is a short link such as ``[1]`` to a later place of the page, or a number without a link for which a note
exists. A note is the item, paragraph or other element at that place; it may begin with its number and end with a link
back, which are left out. Makers: GitHub and other Markdown, WordPress, MediaWiki, Substack, Pandoc, Word, Texinfo,
LaTeXML, Org mode, and blogs written by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from webstrata.elements import TAG_NUMBERS
from webstrata.extraction.structure.candidates import TagRows
from webstrata.extraction.structure.formulas import spaced_after, spaced_before
from webstrata.extraction.structure.inline_notes import INLINE_NOTE_WORDS, inline_notes
from webstrata.extraction.structure.sidenotes import NOTE_WORDS, numbered_notes, numbers
from webstrata.page import Page

__all__ = ["Footnotes", "Note", "NoteReference", "footnotes"]

# Letters of the text of a reference, bytes of its start tag, and how many links are read.
_LONGEST, _LONGEST_TAG, _MOST_LINKS = 12, 2000, 20_000
# Words of a note; longer targets are sections of the page. Levels from a target up to its note.
_MOST_WORDS, _LEVELS = 600, 5
_MARK = re.compile(
    r"[\[(]?\s*(?:note |fn\.? ?)?(\d{1,3}|[a-z]|[ivx]{1,5}|[*†‡§¶]{1,3}|N\d{1,3})\s*[\])]?[.:]?", re.IGNORECASE
)
# Letters are marks only where the page says so; numbers of comments and affiliations of authors are none.
_LETTER = re.compile(r"\W*[a-z]+\W*", re.IGNORECASE)
_OTHER_TARGET = re.compile(r"comment|kommentar|respon[ds]|repl(?:y|ies)|review|^aff|^author|^corr|^top$", re.IGNORECASE)
_PLAIN = re.compile(r"\d{1,4}")
# Bytes of a start tag with a name: <p id=a>.
_SHORTEST_NAMED = 8
_NAMES_A_NOTE = re.compile(r"note|\bfn|ref|cite|bib|foot", re.IGNORECASE)
_SIGNS = r"[\s\[\]()↩↑⬆⏎↵^⤴\ufe0e\ufe0f\xa0,.:]*"
_BACK = re.compile(rf"{_SIGNS}(?:[a-z]|\d{{1,4}}|back|return|jump (?:up|back)(?: to:?)?)?{_SIGNS}", re.IGNORECASE)
# Headings that say no more than that footnotes follow, and those of a list of sources, which stay as long as it does.
_HEADINGS = re.compile(r"(?:foot|side|end)?notes?|fußnoten|einzelnachweise|notas|脚注|注释|примечания", re.IGNORECASE)
_SOURCES = re.compile(
    r"references(?: and notes)?|notes and references|bibliography|citations|références|notes et références|referencias"
    r"|参考文献|参考资料",
    re.IGNORECASE,
)
_INLINE = {TAG_NUMBERS[name] for name in "a sup span b strong i em small label cite sub font u".split()} | {0}
_LEVEL = {TAG_NUMBERS[f"h{level}"] for level in range(1, 7)}
_DT, _LI = TAG_NUMBERS["dt"], TAG_NUMBERS["li"]
_PAGE = {TAG_NUMBERS[name] for name in "html body main article ol ul table tbody nav header form".split()}
_NAMED = {TAG_NUMBERS[name] for name in ("section", "tr", "td", "footer")}


class NoteReference(NamedTuple):
    """A reference to a footnote, with the label of the note and whether there are spaces before and after it."""

    label: str
    spaced_before: bool = False
    spaced_after: bool = False


class Note(NamedTuple):
    """A footnote: its label, the row at which it begins, and its blocks."""

    label: str
    row: int
    first_block: int
    end_block: int


@dataclass(frozen=True, slots=True)
class Footnotes:
    """The footnotes of a page.

    Attributes
    ----------
    notes : in document order
    references : by the row of their link, or of the element with their number
    marks : those of them without any text, whose number a style sheet draws
    cuts : ranges of the text that are not written, each with the row of the reference in its place, or -1
    headings : the blocks of headings that are not written without the notes
    """

    notes: list[Note] = field(default_factory=list)
    references: dict[int, NoteReference] = field(default_factory=dict)
    marks: dict[int, NoteReference] = field(default_factory=dict)
    cuts: list[tuple[int, int, int]] = field(default_factory=list)
    headings: list[int] = field(default_factory=list)


class _Link(NamedTuple):
    """A link to a place of the page."""

    row: int
    start: int  # of its text
    stop: int
    text: str
    fragment: str


def footnotes(page: Page, tags: TagRows | None = None) -> Footnotes:
    """The footnotes of a page, and the references to them.

    >>> from webstrata.page import parse
    >>> page = parse('<p>Pale.<sup><a href="#n1">1</a></sup><ol><li id=n1>In spring. <a href="#r1">back</a></ol>')
    >>> found = footnotes(page)
    >>> found.notes, [page.text[start:stop].strip() for start, stop, _ in found.cuts]
    ([Note(label='1', row=7, first_block=2, end_block=3)], ['1', 'back'])
    """
    tags = tags or TagRows(page, tuple(dict.fromkeys((*NOTE_WORDS, *INLINE_NOTE_WORDS))))
    links = list(_links(page))
    marks = [link for link in links if _is_mark(page, link)]
    targets = _targets(page, {link.fragment for link in marks if link.fragment}) if marks else {}
    paired = [(link, targets[link.fragment]) for link in marks if targets.get(link.fragment, -1) > link.row]
    starts: dict[int, tuple[int, int]] = {}  # by target: the first block and the row of its note
    for link, target in paired:
        if target not in starts and (start := _start(page, link, target)) is not None:
            starts[target] = start
    references = [(link.row, link.start, link.stop, target) for link, target in paired if target in starts]
    for inline in inline_notes(page, tags):
        if inline.note not in starts:
            starts[inline.note] = (page.elements.block_span(inline.note)[0], inline.note)
            references.append((inline.mark, inline.start, inline.stop, inline.note))
    loose = numbers(page, tags, skip={row for row, *_ in references})
    if loose:
        for number, first, row in numbered_notes(page, tags, set(loose), {block for block, _ in starts.values()}):
            starts[row] = (first, row)
            references += [(each, *_text_span(page, each), row) for each in loose[number] if each < row]
    referenced = {target for *_, target in references}
    starts = {target: start for target, start in starts.items() if target in referenced}
    return _found(page, links, starts, references) if starts else Footnotes()


def _found(
    page: Page,
    links: list[_Link],
    starts: dict[int, tuple[int, int]],
    references: list[tuple[int, int, int, int]],
) -> Footnotes:
    found = Footnotes()
    ordered = sorted(starts, key=lambda target: starts[target])
    shown = {target: page.text[start:stop] for _, start, stop, target in reversed(references)}
    labels = _labels([shown.get(target, "") for target in ordered])
    by_target: dict[int, str] = {}
    beginnings = [starts[target] for target in ordered]
    for (first, row), following, target, label in zip(
        beginnings, [*beginnings[1:], None], ordered, labels, strict=True
    ):
        end = _end(page, row, first, following)
        if end > first:
            found.notes.append(Note(label, row, first, end))
            by_target[target] = label
    in_note = np.zeros(len(page.blocks) + 1, bool)
    for note in found.notes:
        in_note[note.first_block : note.end_block] = True
    text_start = page.blocks.text_start
    for row, start, stop, target in sorted(references):
        if target in by_target and row not in found.references:
            found.references[row] = NoteReference(by_target[target])
            if start == stop:
                spaces = spaced_before(page, row), spaced_after(page, target)
                found.references[row] = found.marks[row] = NoteReference(by_target[target], *spaces)
                continue
            start, stop = _with_brackets(page, row, start, stop)
            found.cuts.append((start, stop, row))
    # One search for all of them: each would convert the whole column to the type of its number.
    blocks = np.searchsorted(text_start, np.array([link.start for link in links], np.int64), side="right") - 1
    for link, block in zip(links, blocks.tolist(), strict=True):
        if link.row not in found.references and block >= 0 and in_note[block] and _BACK.fullmatch(link.text):
            found.cuts.append((link.start, link.stop, -1))
    found.cuts.extend(_beginnings(page, found.notes))
    for block, is_cut in _headings(page, found.notes, in_note):
        if is_cut:
            found.cuts.append((int(text_start[block]), int(page.blocks.text_stop[block]), -1))
        else:
            found.headings.append(block)
    found.cuts[:] = _disjoint(found.cuts)
    return found


def _links(page: Page) -> Iterator[_Link]:
    """The short links to places of the page."""
    spans = page.blocks.links.array
    rows, starts, stops = spans(0), spans(1), spans(2)
    to_places = np.zeros(len(page.elements), bool)
    to_places[page.elements.holding("a", b"#")] = True
    here = (page.url or "").partition("#")[0]
    tags = page.elements.open_stop[rows] - page.elements.source_start[rows]
    short = np.flatnonzero(to_places[rows] & (stops - starts <= _LONGEST) & (tags <= _LONGEST_TAG))[:_MOST_LINKS]
    for row, start, stop in zip(rows[short].tolist(), starts[short].tolist(), stops[short].tolist(), strict=True):
        head, sign, fragment = (page.elements.attribute(row, "href") or "").strip().partition("#")
        if sign and (not head or head == here or _NAMES_A_NOTE.search(fragment)):
            text = page.text[start:stop]
            yield _Link(row, stop - len(text.lstrip()), stop, text.strip(), fragment)


def _is_mark(page: Page, link: _Link) -> bool:
    """Whether a link may be a reference."""
    if not _MARK.fullmatch(link.text) or _OTHER_TARGET.search(link.fragment):
        return False
    if not _LETTER.fullmatch(link.text) or _NAMES_A_NOTE.search(link.fragment):
        return True
    return page.elements[int(page.elements.parent[link.row])].tag == "sup"


def _targets(page: Page, fragments: set[str]) -> dict[str, int]:
    """The row of each fragment: the first element with this ``id`` or ``name``."""
    elements = page.elements
    found: dict[str, int] = {}
    for row in np.flatnonzero(elements.open_stop - elements.source_start >= _SHORTEST_NAMED).tolist():
        for name in elements.some_attributes(row, (b"id", b"name")):
            if name in fragments:
                found.setdefault(name, row)
    return found


def _start(page: Page, link: _Link, target: int) -> tuple[int, int] | None:
    """The first block of the note at a target and the row at which it begins; None if there is no note."""
    elements = page.elements
    tags = elements.tag
    row = target
    for _ in range(_LEVELS):
        if tags[row] not in _INLINE or _is_note(page, row):
            break
        row = int(elements.parent[row])
    if tags[row] in _PAGE or (tags[row] in _INLINE and not _is_note(page, row)):
        return None
    first, end = elements.block_span(row)
    if tags[row] in _LEVEL:
        heading = (
            page.text[page.blocks.text_start[first] : page.blocks.text_stop[end - 1]].strip() if end > first else ""
        )
        return (end, row) if _MARK.fullmatch(heading) and end < len(page.blocks) else None
    if tags[row] == _DT:
        return (end, row)
    if end == first or (elements.block_span(link.row)[0] >= first and link.row > row):
        return None
    if int(page.blocks.words[first:end].sum()) > _MOST_WORDS:
        return None
    names = " ".join(elements.some_attributes(row, (b"id", b"class", b"role")))
    if tags[row] in _NAMED and not _NAMES_A_NOTE.search(names):
        return None
    origin = " ".join(elements.some_attributes(link.row, (b"id", b"class", b"role", b"rel", b"href")))
    begin = int(page.blocks.text_start[first])
    begins = page.text[begin : begin + 20].strip()
    if not (
        tags[row] == _LI
        or _NAMES_A_NOTE.search(names)
        or _NAMES_A_NOTE.search(origin)
        or begins[:3].strip("[(. ").startswith(link.text.strip("[]()")[:3])
    ):
        return None
    # Several notes may share a paragraph, with a line break between: each begins at its target.
    at = elements.block_span(target)[0]
    return (max(first, min(at, end - 1)), row) if row != target else (first, row)


def _is_note(page: Page, row: int) -> bool:
    """Whether an inline element says that it holds a note."""
    names = " ".join(page.elements.some_attributes(row, (b"class", b"role")))
    return "sidenote" in names or "doc-footnote" in names or "doc-endnote" in names


def _end(page: Page, row: int, first: int, following: tuple[int, int] | None) -> int:
    """The end of a note: that of its element, or the start of the next one if that is in it or beside it."""
    elements = page.elements
    end = elements.block_span(row)[1]
    parent = int(elements.parent[row])
    if following is not None and elements.tag[row] not in _INLINE:
        if following[1] == row:
            return following[0]
        if first <= following[0] < end:
            return following[0]
        beside = int(elements.parent[following[1]]) == parent
        if beside and elements.tag[row] != _LI:
            begin = elements.block_span(following[1])[0]
            if int(page.blocks.words[first:begin].sum()) <= _MOST_WORDS:
                return begin
    if first >= end:  # the element is a heading with the number: the note goes on to the end of its parent
        stop = elements.block_span(parent)[1]
        return stop if int(page.blocks.words[first:stop].sum()) <= _MOST_WORDS else min(first + 1, len(page.blocks))
    return end


def _labels(shown: list[str]) -> list[str]:
    """A label for each note: the number that its reference shows, if all have different ones."""
    plain = [(_MARK.fullmatch(text.strip()) or ["", ""])[1] for text in shown]
    if len(set(plain)) == len(plain) and all(_PLAIN.fullmatch(label) for label in plain):
        return plain
    return [str(number) for number in range(1, len(shown) + 1)]


def _text_span(page: Page, row: int) -> tuple[int, int]:
    first, end = page.elements.block_span(row)
    return int(page.blocks.text_start[first]), int(page.blocks.text_stop[end - 1])


def _with_brackets(page: Page, row: int, start: int, stop: int) -> tuple[int, int]:
    """The span of a reference with the brackets around it, which may be outside of its link."""
    text = page.text
    before, after = text[max(start - 2, 0) : start].rstrip()[-1:], text[stop : stop + 2].lstrip()[:1]
    if (before, after) in (("[", "]"), ("(", ")")) and not text[start:stop].startswith(("[", "(")):
        return text.rindex(before, 0, start), text.index(after, stop) + 1
    return start, stop


def _beginnings(page: Page, notes: list[Note]) -> Iterator[tuple[int, int, int]]:
    """The numbers with which notes begin."""
    text, starts = page.text, page.blocks.text_start
    for note in notes:
        start = int(starts[note.first_block])
        stop = int(page.blocks.text_stop[note.end_block - 1])
        found = re.compile(rf"\s*[\[(]?{re.escape(note.label)}[\])]?[.:)]?(?=\W)\s*|\s*\^\s*|\s*[*†‡]+\s*").match(
            text, start, min(stop, start + 20)
        )
        if found and found.end() < stop:
            yield start, found.end(), -1


def _headings(page: Page, notes: list[Note], in_note: npt.NDArray[np.bool_]) -> Iterator[tuple[int, bool]]:
    """The blocks of headings such as "Footnotes" with nothing but notes below them, and whether they are left out."""
    blocks = page.blocks
    for note in notes:
        if note.first_block == 0 or in_note[note.first_block - 1]:
            continue
        last = note.first_block - 1
        text = blocks[last].text.strip().rstrip(":")
        mark = _MARK.fullmatch(text)
        if mark and blocks.heading[last]:
            yield last, True
            last -= 1
            text = blocks[last].text.strip().rstrip(":") if last >= 0 else ""
        if last >= 0 and len(text) < 40 and (_HEADINGS.fullmatch(text) or _SOURCES.fullmatch(text)):
            yield last, not (_SOURCES.fullmatch(text) and blocks.heading[last])


def _disjoint(cuts: list[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    """Cuts in order; of two that overlap, the part of the second that is behind the first."""
    last = 0
    for start, stop, row in sorted(cuts, key=lambda cut: (cut[0], -cut[2])):
        if stop > max(start, last):
            yield max(start, last), stop, row
            last = stop
