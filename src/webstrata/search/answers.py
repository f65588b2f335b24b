"""Answers: a page with its title and URL, and the piece of its content that tells most of why it was found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from webstrata import _escaping
from webstrata.search.analyser import Analyser
from webstrata.search.documents import ANCHOR, CONTENT, HEADING, STRATA, TEMPLATE, TITLE
from webstrata.search.shard import Shard
from webstrata.text import Column

__all__ = ["Answer", "Answers", "Seeker", "Snippet"]

# Characters of a snippet, and how many of them stand before the first term that is marked.
_LENGTH, _BEFORE = 240, 60
# Blocks of a page that are looked at for a snippet: a page has hardly more with a term in it.
_MOST_BLOCKS = 2000
# Words of a paragraph from which on it is as good as any.
_SENTENCE = 12

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of a page.

    Attributes
    ----------
    text : of the piece, white space folded
    marks : where terms of the query stand in it
    source : the bytes of the page's UTF-8 source that it was taken from, at the edges of blocks
    stratum : of the first of its blocks
    segment : the kind of the segment that it stands in, as `webstrata.sites.SOMSegmenter` calls it; empty for none
    """

    text: str
    marks: tuple[Span, ...]
    source: Span
    stratum: str
    segment: str

    @property
    def html(self) -> str:
        """The text for a web page, with the marks as elements."""
        return marked_html(self.text, self.marks)


@dataclass(frozen=True, slots=True)
class Answer:
    """A page that was found.

    Attributes
    ----------
    page : its number in the index
    url, title : of the page; `title_marks` are where terms of the query stand in the title
    score : by the ranking
    snippet : None where none was asked for, or the page has no text
    """

    page: int
    url: str
    title: str
    title_marks: tuple[Span, ...]
    score: float
    snippet: Snippet | None

    @property
    def title_html(self) -> str:
        return marked_html(self.title, self.title_marks)


@dataclass(frozen=True, kw_only=True, slots=True)
class Answers:
    """The answers to a query.

    Attributes
    ----------
    query, ranking : what was asked
    terms : of the query
    matched : how many pages have any of them, and all that the query demands
    answers : the best
    """

    query: str
    ranking: str
    terms: tuple[str, ...]
    matched: int
    answers: tuple[Answer, ...]


def marked_html(text: str, marks: Iterable[Span]) -> str:
    """Text for a web page with some places marked.

    >>> marked_html("a < b & c", [(0, 1), (8, 9)])
    '<mark>a</mark> &lt; b &amp; <mark>c</mark>'
    """
    pieces, at = [], 0
    for start, stop in marks:
        pieces += [_escaping.html(text[at:start]), "<mark>", _escaping.html(text[start:stop]), "</mark>"]
        at = stop
    return "".join([*pieces, _escaping.html(text[at:])])


@dataclass(frozen=True, eq=False)
class Seeker:
    """Finds pages by number, and pieces of them."""

    shards: tuple[Shard, ...]
    analyser: Analyser

    def place(self, page: int) -> tuple[Shard, int]:
        """The shard of a page and its number there."""
        for shard in self.shards:
            if page < shard.pages:
                return shard, page
            page -= shard.pages
        raise IndexError("no page of the index has this number")

    def postings(self, term: str) -> tuple[Column, Column]:
        """The postings of a term over all shards, with blocks numbered through, and their counts."""
        blocks, counts, first = [np.empty(0, np.uint32)], [np.empty(0, np.uint16)], 0
        for shard in self.shards:
            own = shard.find(term)
            blocks.append(shard.posting_block[own] + np.uint32(first))
            counts.append(shard.posting_count[own])
            first += len(shard.blocks["page"])
        return np.concatenate(blocks), np.concatenate(counts)

    def answer(self, page: int, score: float, terms: Mapping[str, int], *, snippets: bool) -> Answer:
        shard, number = self.place(page)
        title = shard.titles[number]
        marks = self._marks(title, terms)
        snippet = self.snippet(shard, number, terms) if snippets else None
        return Answer(page, shard.urls[number], title, marks, score, snippet)

    def _marks(self, text: str, terms: Mapping[str, int]) -> tuple[Span, ...]:
        marks: list[Span] = []
        for term, start, stop in self.analyser(text):
            if term in terms:
                if marks and start < marks[-1][1]:  # pairs of letters overlap
                    marks[-1] = (marks[-1][0], stop)
                else:
                    marks.append((start, stop))
        return tuple(marks)

    def snippet(self, shard: Shard, page: int, terms: Mapping[str, int]) -> Snippet | None:
        """The paragraph of the content with most terms of the query, cut to size; without any, the first one."""
        first, stop = int(shard.block_start[page]), int(shard.block_start[page + 1])
        if first == stop:
            return None
        worth = np.zeros(stop - first)
        for term in list(terms)[:100]:
            own = shard.find(term)
            blocks = shard.posting_block[own]
            begin, end = np.searchsorted(blocks, (first, stop))
            # A term that few blocks of the shard have tells most.
            worth[blocks[begin:end] - first] += np.log(1 + len(shard.blocks["page"]) / max(len(blocks), 1))
        stratum = np.asarray(shard.blocks["stratum"][first:stop])
        paragraph = np.asarray(shard.blocks["paragraph"][first:stop])
        runs = np.flatnonzero(np.diff(paragraph, prepend=-1))
        words = np.add.reduceat(np.asarray(shard.blocks["words"][first:stop]), runs)
        # A line of a table or a list tells less than a sentence.
        value = np.add.reduceat(worth, runs) * np.minimum(words, _SENTENCE)
        chosen = _best_run(value, stratum[runs])
        begin, end = int(runs[chosen]), int(runs[chosen + 1]) if chosen + 1 < len(runs) else stop - first
        return self._cut(shard, page, first + begin, min(first + end, first + begin + _MOST_BLOCKS), terms)

    def _cut(self, shard: Shard, page: int, begin: int, end: int, terms: Mapping[str, int]) -> Snippet:
        columns = shard.blocks
        offset, limit = int(columns["text_start"][begin]), int(columns["text_stop"][end - 1])
        text = shard.text(page, offset, limit)
        marks = self._marks(text, terms)
        start, stop = _window(text, marks)
        shown, kept = _folded(text, start, stop, marks)
        # The blocks that the window touches, in bytes of the text.
        low, high = (offset + len(text[:place].encode()) for place in (start, stop))
        first = begin + max(int(np.searchsorted(columns["text_start"][begin:end], low, "right")) - 1, 0)
        last = begin + max(int(np.searchsorted(columns["text_start"][begin:end], high, "left")) - 1, 0)
        source = int(columns["source_start"][first]), int(columns["source_stop"][last])
        label = int(shard.segment_label[columns["segment"][first]])
        kind = f"{label:016x}" if label >= len(STRATA) else ""
        return Snippet(shown, kept, source, STRATA[int(columns["stratum"][first])], kind)


def _best_run(value: Column, stratum: Column) -> int:
    """The paragraph to show: of the content, then headings, template, title; with most terms, the first of equals."""
    for wanted in ((CONTENT,), (HEADING,), (TEMPLATE,), (TITLE,), (ANCHOR,)):
        own = np.flatnonzero(np.isin(stratum, wanted))
        if len(own) and value[own].max() > 0:
            return int(own[np.argmax(value[own])])
    order = np.argsort(np.isin(stratum, (CONTENT,)).astype(int) * -2 - np.isin(stratum, (HEADING,)), kind="stable")
    return int(order[0])


def _window(text: str, marks: Sequence[Span]) -> Span:
    """Which part of a text to show: the one with most marks, begun and ended between words."""
    if len(text) <= _LENGTH:
        return 0, len(text)
    best, start, last = 0, 0, 0
    for first, (begin, _) in enumerate(marks):
        last = max(last, first)
        while last < len(marks) and marks[last][1] <= begin - _BEFORE + _LENGTH:
            last += 1
        if last - first > best:
            best, start = last - first, max(begin - _BEFORE, 0)
    if start:
        space = text.find(" ", start, start + 40)
        start = space + 1 if space >= 0 else start
    stop = min(start + _LENGTH, len(text))
    if stop < len(text):
        space = text.rfind(" ", start + _LENGTH // 2, stop)
        stop = space if space >= 0 else stop
    return start, stop


def _folded(text: str, start: int, stop: int, marks: Sequence[Span]) -> tuple[str, tuple[Span, ...]]:
    """The window with runs of white space as one space, an ellipsis where it was cut, and its marks."""
    pieces = ["… " if start else ""]
    place, size = [0] * (stop - start + 1), len(pieces[0])
    blank = True
    for number, letter in enumerate(text[start:stop]):
        place[number] = size
        space = letter.isspace()
        if not (space and blank):
            pieces.append(" " if space else letter)
            size += 1
        blank = space
    place[stop - start] = size
    if stop < len(text):
        pieces.append(" …")
    inside = [(a, b) for a, b in marks if start <= a and b <= stop]
    return "".join(pieces), tuple((place[a - start], place[b - start]) for a, b in inside)
