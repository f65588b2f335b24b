"""Content as chunks for retrieval: Markdown that is cut along headings, segments and wholes.

A chunk ends at the strongest boundary that it can reach: before a section, a segment, a paragraph, an item, a row, a
sentence (`markdown_units`). What fits into one chunk is not cut. A heading goes with what it heads. A chunk that begins
within a table repeats its header; one that begins within code repeats its fence. Only a sentence, a row or a line of
code that is longer than a chunk is cut in itself, at white space if it has some.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from webstrata._escaping import one_line
from webstrata.errors import InputError
from webstrata.extraction.structure.markdown_units import (
    BLOCK,
    GLUED,
    NOTES,
    PIECE,
    Unit,
    code_units,
    level_of,
    plain,
    units,
    wholes,
)
from webstrata.extraction.structure.spans import Span
from webstrata.segmentation.base import SEGMENTERS, Segmenter

if TYPE_CHECKING:
    from webstrata.extraction.result import Extraction

__all__ = ["Chunk", "chunks", "flat_metadata"]

_OUTER_SEGMENT, _INNER_SEGMENT = 61, 52  # the second one less the level; more than a paragraph
_COMMENTS = 63
_DEEPEST_SEGMENT = 9
_LONGEST_HEADING = 200  # characters; the text has it in whole
_WHITE = re.compile(r"\s+")
_SENTENCE_END = re.compile(r"[.!?;…][\"'”’)]*\s+(?![a-z])|[。！？]")
_INDENT = re.compile(r"[ >]*")
_LEAST = 8  # a section begins a chunk unless what is before it is shorter than this part of a chunk

Length = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage of the content of a page.

    Attributes
    ----------
    text : as Markdown
    headings : the headings that it stands under, from the title on, in plain text of at most 200 characters
    kind : text, list, quote, table, code, notes or comments; text if it has several kinds
    start, stop : its range in `Extraction.markdown`, without what it repeats
    spans : for each piece of its text the bytes of the source that it comes from
    metadata : those of the page: title, author, date, URL and more, the same for all its chunks
    """

    text: str
    headings: tuple[str, ...]
    kind: str
    start: int
    stop: int
    spans: tuple[Span, ...] = field(repr=False)
    metadata: Mapping[str, str] = field(repr=False)

    @property
    def source(self) -> tuple[int, int] | None:
        """From where to where in the bytes of the page (`Page.source`) its text comes; None if it is carried text."""
        spans = [span for span in self.spans if not span.carried]
        if not spans:
            return None
        return min(span.source_start for span in spans), max(span.source_stop for span in spans)

    def as_dict(self) -> dict[str, Any]:
        """The chunk as plain values, for JSON."""
        return {
            "text": self.text,
            "headings": list(self.headings),
            "kind": self.kind,
            "start": self.start,
            "stop": self.stop,
            "source": list(self.source or ()) or None,
            "spans": [span._asdict() for span in self.spans],
            "metadata": dict(self.metadata),
        }

    def flat(self) -> dict[str, str | int]:
        """What vector stores take as metadata: strings and numbers."""
        start, stop = self.source or (0, 0)
        place: dict[str, str | int] = {
            "headings": " > ".join(self.headings),
            "kind": self.kind,
            "start": start,
            "stop": stop,
        }
        return {**self.metadata, **place}


def chunks(
    found: Extraction,
    *,
    size: int,
    length: Length | Any = len,
    overlap: int = 0,
    segmenter: str | Segmenter | None = "learned",
) -> tuple[Chunk, ...]:
    """The content as chunks; `Extraction.chunks` describes the parameters."""
    measure = _measure(length)
    if size < 1:
        raise InputError(f"size must be at least 1, not {size}")
    if not 0 <= 2 * overlap <= size:
        raise InputError(f"overlap must be at least 0 and at most half of size, {size // 2}, not {overlap}")
    given = list(_without_last_headings(_with_segments(found, units(found.markdown), segmenter)))
    cutter = _Cutter(found, given, size, measure, overlap)
    return tuple(cutter.chunks())


def flat_metadata(found: Extraction) -> dict[str, str]:
    """The metadata that the page has. Vector stores do not accept lists, so tags are joined to a string.

    >>> from webstrata.extraction import extract
    >>> flat_metadata(extract("<title>Silt</title><meta name=keywords content='a,b'>"))
    {'title': 'Silt', 'tags': 'a, b'}
    """
    fields = found.metadata.as_dict()
    if found.page.url:
        fields["url"] = found.page.url
    return {key: ", ".join(value) if isinstance(value, list) else str(value) for key, value in fields.items() if value}


def _measure(length: Any) -> Length:
    """A function that measures a text: the given one, or the number of tokens of a tokenizer."""
    encode = getattr(length, "encode", None)
    if callable(encode) and not isinstance(length, str):
        return lambda text: len(encode(text))
    if not callable(length):
        raise InputError(f"length must be a function of a text or a tokenizer with a method encode, not {length!r}")
    measure: Length = length
    return measure


# Boundaries


def _without_last_headings(given: list[Unit]) -> list[Unit]:
    """The units without headings at the end, which head nothing; all of them if there is nothing else."""
    count = len(given)
    while count and given[count - 1].kind == "heading":
        count -= 1
    return given[:count] or given


def _with_segments(found: Extraction, given: list[Unit], segmenter: str | Segmenter | None) -> list[Unit]:
    """The units with the boundaries of segments and of readers' comments; units of comments have this kind."""
    rows = _rows(found, given)
    comments = (found.kind == 3).tolist()
    edges, levels = _edges(found, segmenter)
    before, was_comment = -1, False
    result = []
    for unit, row in zip(given, rows, strict=True):
        is_comment = was_comment if row < 0 else comments[row]
        strength = unit.strength
        if is_comment != was_comment and strength > GLUED:
            strength = _COMMENTS
        if row > before >= 0 and BLOCK // 2 < strength < NOTES:
            crossed = levels[bisect_right(edges, before) : bisect_right(edges, row)]
            if crossed:
                level = min(crossed)
                strength = max(strength, _OUTER_SEGMENT if level == 1 else _INNER_SEGMENT - level)
        if row >= 0:
            before = row
        was_comment = is_comment
        kind = "comments" if is_comment and unit.kind not in ("heading", "table", "code") else unit.kind
        result.append(unit._replace(strength=strength, kind=kind))
    return result


def _edges(found: Extraction, segmenter: str | Segmenter | None) -> tuple[list[int], list[int]]:
    """The blocks before which segments begin or end, and the outermost level of these segments."""
    if segmenter is None:
        return [], []
    made = SEGMENTERS.make(segmenter) if isinstance(segmenter, str) else segmenter
    outermost: dict[int, int] = {}
    for item in made(found.page).segments:
        for edge in (item.start, item.stop):
            outermost[edge] = min(outermost.get(edge, _DEEPEST_SEGMENT), item.level)
    edges = sorted(outermost)
    return edges, [outermost[edge] for edge in edges]


def _rows(found: Extraction, given: list[Unit]) -> list[int]:
    """The block of the page that each unit begins with; -1 for carried text and for units without a span."""
    spans = found.markdown_spans
    starts = np.array([span.start for span in spans], np.int64)
    places = np.array([-1 if span.carried else span.source_start for span in spans], np.int64)
    if not spans:
        return [-1] * len(given)
    first = np.searchsorted(starts, [unit.start for unit in given])
    inside = first < len(spans)
    inside &= starts[np.minimum(first, len(spans) - 1)] < [unit.stop for unit in given]
    at = np.where(inside, places[np.minimum(first, len(spans) - 1)], -1)
    sources = found.page.blocks.source_start
    if not len(sources):
        return [-1] * len(given)
    order = np.argsort(sources, kind="stable")
    found_at = np.searchsorted(sources[order], at, side="right") - 1
    rows: list[int] = np.where((at >= 0) & (found_at >= 0), order[np.maximum(found_at, 0)], -1).tolist()
    return rows


# Cutting


class _Cutter:
    """Cuts a Markdown at its boundaries."""

    def __init__(self, found: Extraction, given: list[Unit], size: int, measure: Length, overlap: int) -> None:
        self.markdown, self.spans = found.markdown, found.markdown_spans
        self.span_starts = [span.start for span in self.spans]
        self.metadata = flat_metadata(found)
        self.size, self.measure, self.overlap = size, measure, overlap
        self.units = list(self._pieces(given))
        self.headings = self._paths()
        # Lengths are added up: exact for characters, about right for tokens, which are measured again at the end.
        starts = [unit.start for unit in self.units]
        stops = [unit.stop for unit in self.units]
        whole = [measure(self.markdown[a:b]) for a, b in zip(starts, [*starts[1:], *stops[-1:]], strict=True)]
        gaps = [measure(self.markdown[a:b]) if a < b else 0 for a, b in zip(stops, starts[1:], strict=False)]
        self.sums = np.concatenate([[0], np.cumsum(np.array(whole, np.int64))]).tolist()
        self.gaps = [0, *gaps, 0]
        self.leads = [measure(unit.lead) if unit.lead else 0 for unit in self.units]
        self.tails = [measure(unit.tail) if unit.tail else 0 for unit in self.units]
        self.stronger = self._stronger()

    def _length(self, first: int, end: int) -> int:
        """The length of the chunk of these units."""
        between: int = self.sums[end] - self.sums[first] - self.gaps[end]
        return self.leads[first] + between + self.tails[end - 1]

    # Units that are longer than a chunk

    def _pieces(self, given: Iterable[Unit]) -> Iterator[Unit]:
        """The units, and what those are cut to that are longer than a chunk."""
        start: int | None = None  # of the headings above
        for unit in given:
            if unit.strength > GLUED:
                start = None
            above = self.measure(self.markdown[start : unit.start]) if start is not None else 0
            room = self.size - above if 2 * above <= self.size else self.size
            if unit.kind == "heading":
                start = unit.start if start is None else start
            if unit.kind == "code" and self.measure(self.markdown[unit.start : unit.stop]) > self.size:
                for line in code_units(self.markdown, unit):
                    yield from self._fitting(line, self.size)
            else:
                yield from self._fitting(unit, room)

    def _fitting(self, unit: Unit, room: int) -> Iterator[Unit]:
        """A unit whole or in pieces, with what is written around it."""
        around = self.measure(max(unit.lead, unit.inside, key=len) + unit.tail) if unit.lead or unit.inside else 0
        # The header of a table is not repeated for a row that has no room for it, nor are long fences.
        if 2 * around > self.size or (unit.kind == "table" and around and self._fits(unit, "", "", room)):
            unit = unit if self._fits(unit, unit.lead, unit.tail, room) else unit._replace(lead="", tail="", inside="")
        waiting = [unit]
        while waiting:
            piece = waiting.pop()
            if piece.stop - piece.start == 1 or self._fits(piece, piece.lead, piece.tail, room):
                yield piece
                continue
            middle = piece.start + _middle(self.markdown[piece.start : piece.stop])
            stop = piece.start + len(self.markdown[piece.start : middle].rstrip())
            waiting.append(piece._replace(start=middle, strength=PIECE, lead=piece.inside))
            waiting.append(piece._replace(stop=max(stop, piece.start + 1)))

    def _fits(self, unit: Unit, lead: str, tail: str, room: int) -> bool:
        return self.measure(lead + self.markdown[unit.start : unit.stop] + tail) <= room

    # Chunks

    def chunks(self) -> Iterator[Chunk]:
        """All chunks, in order."""
        first = at = 0
        count = len(self.units)
        while at < count:
            end = self._whole(at)
            if at > first and (self._length(first, end) > self.size or self._opens_long_section(first, at)):
                yield from self._made(first, at)
                first = self._overlapped(first, at, end)
            at = end
        if count:
            yield from self._made(first, count)

    def _stronger(self) -> list[int]:
        """For each unit the next one with a stronger boundary before it; the number of units if there is none."""
        found = [len(self.units)] * len(self.units)
        waiting: list[int] = []
        for at, unit in enumerate(self.units):
            while waiting and self.units[waiting[-1]].strength < unit.strength:
                found[waiting.pop()] = at
            waiting.append(at)
        return found

    def _ends(self, at: int) -> Iterator[int]:
        """The ends of the wholes that begin with a unit, from the unit itself to its section."""
        end, count = at + 1, len(self.units)
        limit = self.units[at].strength if at else NOTES + 2
        yield end
        while end < count and self.units[end].strength < limit:
            end = self.stronger[end]
            yield end

    def _whole(self, at: int) -> int:
        """The end of the largest whole that begins with a unit and fits into a chunk."""
        best = at + 1
        for end in self._ends(at):
            if self._length(at, end) > self.size:
                break
            best = end
        return best

    def _opens_long_section(self, first: int, at: int) -> bool:
        """Whether a section begins that does not fit into the chunk with what is before it, unless that is short."""
        if self.units[at].strength <= BLOCK or _LEAST * self._length(first, at) < self.size:
            return False
        *_, end = self._ends(at)
        return self._length(first, end) > self.size

    def _overlapped(self, first: int, at: int, end: int) -> int:
        """The unit that the next chunk begins with, if it repeats units of the last one."""
        best = at
        if not self.overlap or self.units[at].strength > BLOCK:
            return best
        for start in range(at - 1, first, -1):
            unit = self.units[start]
            too_long = self.sums[at] - self.sums[start] > self.overlap or self._length(start, end) > self.size
            if unit.kind == "heading" or too_long:
                break
            if unit.strength > PIECE:
                best = start
        return best

    def _made(self, first: int, end: int) -> Iterator[Chunk]:
        """The chunk of some units, or several if their sum was less than their length."""
        waiting = [(first, end)]
        while waiting:
            first, end = waiting.pop()
            made = self._chunk(first, end)
            if end - first == 1 or self.measure(made.text) <= self.size:
                yield made
                continue
            strongest = max(unit.strength for unit in self.units[first + 1 : end])
            places = [at for at in range(first + 1, end) if self.units[at].strength == strongest]
            middle = places[len(places) // 2]
            waiting += [(middle, end), (first, middle)]

    def _chunk(self, first: int, end: int) -> Chunk:
        begins, ends = self.units[first], self.units[end - 1]
        text, places = _outdented(begins.lead, self.markdown[begins.start : ends.stop], ends.tail)
        spans = [
            span.moved(at - begins.start - start)
            for at, start, stop in places
            for span in self._spans(begins.start + start, begins.start + stop)
        ]
        kinds = {unit.kind for unit in self.units[first:end]} - {"heading"}
        kind = kinds.pop() if len(kinds) == 1 else "text"
        inner = next((at for at in range(first, end) if self.units[at].kind != "heading"), end - 1)
        return Chunk(text, self.headings[inner], kind, begins.start, ends.stop, tuple(spans), self.metadata)

    def _paths(self) -> list[tuple[str, ...]]:
        """For each unit the headings that it stands under, or opens."""
        path: list[tuple[int, str]] = []
        found: list[tuple[str, ...]] = []
        texts: tuple[str, ...] = ()
        for unit in self.units:
            level = level_of(self.markdown, unit)
            if level:
                path = [each for each in path if each[0] < level]
                path.append((level, one_line(plain(self.markdown[unit.start + level : unit.stop]), _LONGEST_HEADING)))
                texts = tuple(text for _, text in path)
            elif unit.kind in ("notes", "comments"):
                path, texts = path[:1], texts[:1]
            found.append(texts)
        return found

    def _spans(self, start: int, stop: int) -> Iterator[Span]:
        """The spans of a range of the Markdown, cut at its ends."""
        for span in self.spans[
            max(bisect_right(self.span_starts, start) - 1, 0) : bisect_right(self.span_starts, stop)
        ]:
            first, last = max(span.start, start), min(span.stop, stop)
            if first >= last:
                continue
            # As many bytes as characters: each character is one byte.
            if span.stop - span.start == span.source_stop - span.source_start:
                begin = span.source_start + first - span.start
                yield Span(first, last, begin, begin + last - first, span.carried)
            else:
                yield Span(first, last, span.source_start, span.source_stop, span.carried)


def _middle(text: str) -> int:
    """Where to cut a text: at the white space or the end of a link that is nearest to its middle.

    A link that is longer than a chunk may have several sentences: then it is cut between them.
    """
    half = len(text) // 2
    around = wholes(text)
    places = [place for whole in around for place in whole]
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    at = len(around)
    for white in _WHITE.finditer(text):
        while at and around[at - 1][1] <= white.start():
            at -= 1
        if not at or around[at - 1][0] >= white.end():
            places.append(white.end())
    outside = set(places).intersection(ends)
    best = _nearest(half, outside) or _nearest(half, places) or _nearest(half, ends)
    if not best:
        before = max(text.rfind(" ", 0, half), text.rfind("\n", 0, half)) + 1
        best = before or text.find(" ", half) + 1 or half
        while text[best - 1] == "\\" and best > 1:
            best -= 1
    return best if best < len(text) else half


def _nearest(half: int, places: Iterable[int]) -> int:
    """The place within a text that is nearest to its middle; 0 if there is none."""
    return min((place for place in places if 0 < place < 2 * half), key=lambda place: abs(place - half), default=0)


def _outdented(lead: str, body: str, tail: str) -> tuple[str, list[tuple[int, int, int]]]:
    """A chunk without the indent of the item that it begins in.

    Returns its text, and for each of its ranges where it begins in the text, and where it begins and ends in the body.
    """
    whole = lead + body + tail
    indent = _INDENT.match(whole)
    signs = indent[0] if indent else ""
    kept = "> " * signs.count(">")
    if signs == kept:
        return whole, [(len(lead), 0, len(body))]
    parts: list[str] = []
    places: list[tuple[int, int, int]] = []
    at, size = 0, 0
    while at < len(whole):
        stop = whole.find("\n", at) + 1 or len(whole)
        if whole.startswith(signs, at):
            parts.append(kept)
            size += len(kept)
            at += len(signs)
        elif whole[at:stop].strip(" >\n"):
            stop = len(whole)  # the rest is outside of the item
        start = min(at, stop)
        parts.append(whole[start:stop])
        inner, last = max(start, len(lead)), min(stop, len(lead) + len(body))
        if inner < last:
            places.append((size + inner - start, inner - len(lead), last - len(lead)))
        size += stop - start
        at = stop
    return "".join(parts), places
