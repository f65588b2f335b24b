"""Answers to a query: pages with title, URL, and the passage of their content that matches best."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from webstrata import _escaping
from webstrata._escaping import one_line
from webstrata.search.analyser import Analyser
from webstrata.search.documents import ANCHOR, CONTENT, HEADING, STRATA, TEMPLATE, TITLE
from webstrata.search.shard import Shard
from webstrata.text import Column

__all__ = ["Answer", "Answers", "PageReader", "Snippet"]

# Characters of a snippet, and of these before the first marked term.
_LENGTH, _BEFORE = 240, 60
# Blocks of a paragraph that a snippet is made from; longer ones are tables and the like.
_MOST_BLOCKS = 2000
# Paragraphs that are chosen from if they match this share as well, and the share of signs in a text that is code.
_CHOICES, _AS_WELL, _SIGNS = 4, 0.6, 0.08
# The end of a sentence, and the space after it.
_SENTENCE_END = re.compile(r"[.!?…][\"')\]\u201d]?\s+(?=[^\W_a-z])|[。！？]\s*")
# Paragraphs of at least this many words are not preferred to one another by length.
_SENTENCE = 12
# Terms of a query that snippets are chosen by.
_MOST_TERMS = 100
# Answers that a notebook shows.
_MOST_SHOWN = 100

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Snippet:
    """A passage of a page.

    Attributes
    ----------
    text : the passage, white space folded
    marks : the spans of the query's terms in the text
    source : the span of its blocks in the UTF-8 source of the page
    stratum : the stratum of its first block
    segment : the kind of its segment, as of `webstrata.sites.SOMSegmenter`; "" for none
    heading : the last heading above it; "" for none
    """

    text: str
    marks: tuple[Span, ...]
    source: Span
    stratum: str
    segment: str
    heading: str

    @property
    def html(self) -> str:
        """The text as HTML, with ``<mark>`` elements."""
        return _marked_html(self.text, self.marks)


@dataclass(frozen=True, slots=True)
class Answer:
    """A page that matches a query.

    Attributes
    ----------
    page : its number in the index
    url, title : of the page
    title_marks : the spans of the query's terms in the title
    score : its score by the ranking
    snippet : a passage of it; None without snippets, or for a page without text
    """

    page: int
    url: str
    title: str
    title_marks: tuple[Span, ...]
    score: float
    snippet: Snippet | None

    @property
    def title_html(self) -> str:
        return _marked_html(self.title, self.title_marks)


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Answers(Sequence[Answer]):
    """The answers to a query, best first: a sequence.

    Attributes
    ----------
    query, ranking : the text of the query, and the spelling of the ranking
    terms : the terms of the query, with those that it stands for
    suggestion : the query that was probably meant, if words of it look like typing errors; else ""
    matched : the number of pages that have any of the terms and fulfil all conditions
    answers : the best pages
    """

    query: str
    ranking: str
    terms: tuple[str, ...]
    suggestion: str
    matched: int
    answers: tuple[Answer, ...]

    def __len__(self) -> int:
        return len(self.answers)

    @overload
    def __getitem__(self, index: int) -> Answer: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Answer, ...]: ...
    def __getitem__(self, index: int | slice) -> Answer | tuple[Answer, ...]:
        return self.answers[index]

    def __repr__(self) -> str:
        return f"<Answers to {one_line(self.query, 80)!r} by {self.ranking}: {len(self)} of {self.matched} pages>"

    def _repr_html_(self) -> str:
        """For notebooks: titles, URLs and snippets, with the terms of the query marked."""
        items = "\n".join(
            f"<li><b>{answer.title_html}</b> ({answer.score:.3f})<br>{_escaping.html(answer.url)}"
            f"{f'<br>{answer.snippet.html}' if answer.snippet else ''}</li>"
            for answer in self.answers[:_MOST_SHOWN]
        )
        return f"<p>{_escaping.html(repr(self))}</p>\n<ol>\n{items}\n</ol>"


def _marked_html(text: str, marks: Iterable[Span]) -> str:
    """Text as HTML, with some spans marked.

    >>> _marked_html("a < b & c", [(0, 1), (8, 9)])
    '<mark>a</mark> &lt; b &amp; <mark>c</mark>'
    """
    pieces, at = [], 0
    for start, stop in marks:
        pieces += [_escaping.html(text[at:start]), "<mark>", _escaping.html(text[start:stop]), "</mark>"]
        at = stop
    return "".join([*pieces, _escaping.html(text[at:])])


@dataclass(frozen=True, eq=False)
class PageReader:
    """Reads pages of an index by number: their answers, snippets and postings."""

    shards: tuple[Shard, ...]
    analyser: Analyser

    def place(self, page: int) -> tuple[Shard, int]:
        """The shard of a page, and its number in the shard."""
        for shard in self.shards:
            if page < shard.pages:
                return shard, page
            page -= shard.pages
        raise IndexError(f"the index has no page {page}")

    def postings(self, term: str) -> tuple[Column, Column]:
        """The postings of a term over all shards: blocks, numbered across shards, and counts."""
        blocks, counts, first = [np.empty(0, np.uint32)], [np.empty(0, np.uint16)], 0
        for shard in self.shards:
            own = shard.find(term)
            blocks.append(shard.posting_block[own] + np.uint32(first))
            counts.append(shard.posting_count[own])
            first += len(shard.blocks["page"])
        return np.concatenate(blocks), np.concatenate(counts)

    def answer(self, page: int, score: float, terms: Mapping[str, float], *, snippets: bool) -> Answer:
        shard, number = self.place(page)
        title = shard.titles[number]
        marks = self._marks(title, terms)
        snippet = self.snippet(shard, number, terms) if snippets else None
        return Answer(page, shard.urls[number], title, marks, score, snippet)

    def _marks(self, text: str, terms: Mapping[str, float]) -> tuple[Span, ...]:
        marks: list[Span] = []
        for term, start, stop in self.analyser(text):
            if term in terms:
                if marks and start < marks[-1][1]:  # pairs of letters overlap
                    marks[-1] = (marks[-1][0], stop)
                else:
                    marks.append((start, stop))
        return tuple(marks)

    def snippet(self, shard: Shard, page: int, terms: Mapping[str, float]) -> Snippet | None:
        """The paragraph of the content that matches best, cut to size; the first one if none matches."""
        first, stop = int(shard.block_start[page]), int(shard.block_start[page + 1])
        if first == stop:
            return None
        worth = np.zeros(stop - first)
        for term in list(terms)[:_MOST_TERMS]:
            blocks = shard.blocks_with(term)
            begin, end = np.searchsorted(blocks, (first, stop))
            # Rare terms count most.
            worth[blocks[begin:end] - first] += np.log(1 + len(shard.blocks["page"]) / max(len(blocks), 1))
        stratum = np.asarray(shard.blocks["stratum"][first:stop])
        paragraph = np.asarray(shard.blocks["paragraph"][first:stop])
        runs = np.flatnonzero(np.diff(paragraph, prepend=-1))
        words = np.add.reduceat(np.asarray(shard.blocks["words"][first:stop]), runs)
        # A short line of a table or a list counts less than a sentence.
        value = np.add.reduceat(worth, runs) * np.minimum(words, _SENTENCE)
        edges = [*(first + runs).tolist(), stop]
        spans = [(edges[run], edges[run + 1]) for run in _best_runs(value, stratum[runs])]
        # Prose says more than code that matches as well.
        begin, end = next((span for span in spans if not _is_code(self._text(shard, page, *span))), spans[0])
        above = [run for run in np.flatnonzero(stratum[runs] == HEADING).tolist() if edges[run] < begin][-1:]
        heading = " ".join(word for run in above for word in self._text(shard, page, *edges[run : run + 2]).split())
        return self._cut(shard, page, begin, min(end, begin + _MOST_BLOCKS), terms, heading[:_LENGTH])

    def _text(self, shard: Shard, page: int, begin: int, end: int) -> str:
        """The beginning of the text of some blocks."""
        offset = int(shard.blocks["text_start"][begin])
        return shard.text(page, offset, min(int(shard.blocks["text_stop"][end - 1]), offset + 4 * _LENGTH))

    def _cut(
        self, shard: Shard, page: int, begin: int, end: int, terms: Mapping[str, float], heading: str
    ) -> Snippet:  # fmt: skip
        columns = shard.blocks
        offset, limit = int(columns["text_start"][begin]), int(columns["text_stop"][end - 1])
        text = shard.text(page, offset, limit)
        marks = self._marks(text, terms)
        start, stop = _window(text, marks)
        shown, kept = _folded(text, start, stop, marks)
        # The blocks that the window overlaps.
        low, high = (offset + len(text[:place].encode()) for place in (start, stop))
        first = begin + max(int(np.searchsorted(columns["text_start"][begin:end], low, "right")) - 1, 0)
        last = begin + max(int(np.searchsorted(columns["text_start"][begin:end], high, "left")) - 1, 0)
        source = int(columns["source_start"][first]), int(columns["source_stop"][last])
        label = int(shard.segment_label[columns["segment"][first]])
        kind = f"{label:016x}" if label >= len(STRATA) else ""
        return Snippet(shown, kept, source, STRATA[int(columns["stratum"][first])], kind, heading)


def _best_runs(value: Column, stratum: Column) -> list[int]:
    """The best paragraphs of the content, or else of headings, template, title, anchors; the first of equals first."""
    for number in (CONTENT, HEADING, TEMPLATE, TITLE, ANCHOR):
        own = np.flatnonzero(stratum == number)
        if len(own) and value[own].max() > 0:
            best = own[np.argsort(-value[own], kind="stable")[:_CHOICES]]
            return [int(run) for run in best if value[run] >= _AS_WELL * value[best[0]]]
    order = np.argsort(-2 * (stratum == CONTENT).astype(int) - (stratum == HEADING), kind="stable")
    return [int(order[0])]


def _is_code(text: str) -> bool:
    """Whether a text looks like code.

    >>> _is_code("int main() { return f(x); }"), _is_code("The call f(x) is slow on long texts; take the other one.")
    (True, False)
    """
    return sum(text.count(letter) for letter in "{}()[];=<>_$|") > _SIGNS * len(text)


def _window(text: str, marks: Sequence[Span]) -> Span:
    """The span of a text to show: the one with most different terms, and of these most marks.

    It begins with a sentence, if one begins near, or else between words; and so it ends.
    """
    if len(text) <= _LENGTH:
        return 0, len(text)
    best, start, last = (0, 0), 0, 0
    inside: Counter[str] = Counter()
    names = [text[first:stop].lower() for first, stop in marks]
    for first, (begin, _) in enumerate(marks):
        while last < len(marks) and (last <= first or marks[last][1] <= begin - _BEFORE + _LENGTH):
            inside[names[last]] += 1
            last += 1
        if (len(inside), last - first) > best:
            best, start = (len(inside), last - first), max(begin - _BEFORE, 0)
        inside[names[first]] -= 1
        if not inside[names[first]]:
            del inside[names[first]]
    if start:
        begins = [match.end() for match in _SENTENCE_END.finditer(text, start, start + _BEFORE)]
        space = text.find(" ", start, start + 40)
        start = begins[0] if begins else space + 1 if space >= 0 else start
    stop = min(start + _LENGTH, len(text))
    if stop < len(text):
        ends = [match.start() + 1 for match in _SENTENCE_END.finditer(text, start + _LENGTH // 2, stop)]
        shown = max((end for begin, end in marks if start <= begin and end <= stop), default=start)
        space = text.rfind(" ", start + _LENGTH // 2, stop)
        stop = ends[-1] if ends and ends[-1] >= shown else space if space >= 0 else stop
    return start, stop


def _folded(text: str, start: int, stop: int, marks: Sequence[Span]) -> tuple[str, tuple[Span, ...]]:
    """The window with white space folded and an ellipsis at each cut, and its marks."""
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
