"""The places in the source of a page where `webstrata.segmentation.html` writes the marks of segments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from webstrata.page import CLONED, IMPLIED, TAGS, Page
from webstrata.segmentation.base import Segment, Segmentation
from webstrata.text import Column

__all__ = ["Places", "Wrapper", "own_rows", "places"]

# Elements that may contain a div: they close an open p themselves, and are not part of a list or a table.
_HOLDS_DIV = frozenset(
    "article aside blockquote body center dd details dialog dir div fieldset figcaption figure footer form header li"
    " main nav section td th".split()
)
# Elements whose content is parsed as text: a tag inside would be visible on the page.
_RAW = ("textarea", "xmp", "plaintext", "listing")


@dataclass(frozen=True, slots=True)
class Wrapper:
    """An element added around source[start:stop] for a segment."""

    start: int
    stop: int
    tag: str
    segment: int


@dataclass(frozen=True, slots=True)
class Places:
    """The elements that segments are marked on, by row with the numbers of the segments, and the added elements."""

    rows: dict[int, list[int]] = field(default_factory=dict)
    wrappers: list[Wrapper] = field(default_factory=list)


# A part of a segment: the row of an element, or a wrapper around a text.
_Piece = int | Wrapper


def own_rows(page: Page) -> Column:
    """The rows of the elements with a start tag of their own: neither implied nor cloned."""
    elements = page.elements
    reopened = elements.source_start[(elements.flags & CLONED) != 0]
    own = (elements.flags & (IMPLIED | CLONED)) == 0
    return np.flatnonzero(own & ~np.isin(elements.source_start, reopened))


def places(segmentation: Segmentation) -> Places:
    """The places of the marks of each segment, coarse levels first."""
    finder = _Finder(segmentation.page)
    for number in sorted(range(len(segmentation)), key=lambda number: segmentation.segments[number].level):
        finder.place(number, segmentation.segments[number])
    finder.add_runs()
    return finder.places


class _Finder:
    def __init__(self, page: Page) -> None:
        self.places = Places()
        self._page = page
        self._blocks = page.blocks
        self._elements = elements = page.elements
        rows = own_rows(page)
        # Links are no boundaries of blocks, so they cannot be pieces.
        rows = rows[(elements.first_block[rows] < elements.end_block[rows]) & (elements.tag[rows] != TAGS.index("a"))]
        self._rows = rows[np.argsort(elements.first_block[rows], kind="stable")]
        # With the type of the numbers that are searched for: otherwise each search would convert the whole column.
        self._firsts = elements.first_block[self._rows].astype(np.int64)
        links = elements.find("a")
        links = links[(elements.flags[links] & CLONED) == 0]
        self._links_by_start = links[np.argsort(elements.source_start[links], kind="stable")]
        self._link_starts = elements.source_start[self._links_by_start].astype(np.int64)
        self._links_by_stop = links[np.argsort(elements.source_stop[links], kind="stable")]
        self._link_stops = elements.source_stop[self._links_by_stop].astype(np.int64)
        # For runs of siblings: the ends of all elements, in the order of their starts.
        by_start = np.argsort(elements.source_start, kind="stable")
        self._starts, self._stops = elements.source_start[by_start].astype(np.int64), elements.source_stop[by_start]
        self._block_starts = self._blocks.source_start.astype(np.int64)
        # The number of marked elements of each extent, from the outermost on.
        self._marked: dict[tuple[int, int], int] = {}
        self._runs: list[tuple[Wrapper, list[_Piece]]] = []

    def place(self, number: int, item: Segment) -> None:
        """Mark a segment on one element, on one added element, or in pieces."""
        elements = self._elements
        if item.start == item.stop:
            at = self._empty_place(item.start)
            self.places.wrappers.append(Wrapper(at, at, "span", number))
            return
        inside = self._rows[np.searchsorted(self._firsts, item.start) : np.searchsorted(self._firsts, item.stop)]
        inside = inside[elements.end_block[inside] <= item.stop]
        whole = inside[(elements.first_block[inside] == item.start) & (elements.end_block[inside] == item.stop)]
        if len(whole):
            rows = whole.tolist()
            # Segments of equal extent take one element each, from the outermost on, until the last one.
            extent = item.start, item.stop
            at = self._marked.get(extent, 0)
            while at < len(rows) - 1 and rows[at] in self.places.rows:
                at += 1
            self._marked[extent] = at
            self._add(number, [rows[at]])
            return
        pieces = list(self._pieces(number, item, inside.tolist()))
        run = self._run(number, item, pieces)
        if run is None:
            self._add(number, pieces)
        else:
            self._runs.append((run, pieces))

    def add_runs(self) -> None:
        """Add divs around runs of siblings; a run that overlaps another is marked piece by piece."""
        open_until: list[int] = []
        for run, pieces in sorted(self._runs, key=lambda entry: (entry[0].start, -entry[0].stop, entry[0].segment)):
            while open_until and open_until[-1] <= run.start:
                open_until.pop()
            if open_until and open_until[-1] < run.stop:
                self._add(run.segment, pieces)
            else:
                self.places.wrappers.append(run)
                open_until.append(run.stop)

    def _add(self, number: int, pieces: Sequence[_Piece]) -> None:
        for piece in pieces:
            if isinstance(piece, Wrapper):
                self.places.wrappers.append(piece)
            else:
                self.places.rows.setdefault(piece, []).append(number)

    def _pieces(self, number: int, item: Segment, inside: Sequence[int]) -> Iterator[_Piece]:
        """The largest elements inside a segment, and spans around the texts between them."""
        covered = item.start
        for row in inside:
            first = int(self._elements.first_block[row])
            if first >= covered:
                for block in range(covered, first):
                    yield from self._text_pieces(number, block)
                yield row
                covered = int(self._elements.end_block[row])
        for block in range(covered, item.stop):
            yield from self._text_pieces(number, block)

    def _text_pieces(self, number: int, block: int) -> Iterator[Wrapper]:
        """Spans around the text of a block: whole links that end in it are included, tags of other links excluded."""
        blocks, elements = self._blocks, self._elements
        start, stop = int(blocks.source_start[block]), int(blocks.source_stop[block])
        if b"<" not in self._page.source[start:stop]:
            yield Wrapper(start, stop, "span", number)
            return
        limit = int(blocks.source_start[block + 1]) if block + 1 < len(blocks) else len(self._page.source)
        holes = []
        for row in self._links_at(block, start, limit):
            link_start, link_stop = int(elements.source_start[row]), int(elements.source_stop[row])
            if start <= link_start and link_stop <= limit:
                stop = max(stop, link_stop)
            elif start < link_start < stop:
                holes.append((link_start, int(elements.open_stop[row])))
            elif link_stop <= stop and start < (close := self._page.source.rfind(b"</", start, link_stop)):
                holes.append((close, link_stop))
        for hole_start, hole_stop in sorted(holes):
            if start < hole_start:
                yield Wrapper(start, hole_start, "span", number)
            start = max(start, hole_stop)
        if start < stop:
            yield Wrapper(start, stop, "span", number)

    def _links_at(self, block: int, start: int, stop: int) -> list[int]:
        """The links of a block that begin or end in a range of the source, in document order."""
        elements = self._elements
        begun = self._links_by_start[slice(*np.searchsorted(self._link_starts, (start, stop)))]
        ended = self._links_by_stop[slice(*np.searchsorted(self._link_stops, (start, stop + 1)))]
        rows = np.union1d(begun, ended)
        found: list[int] = rows[(elements.first_block[rows] <= block) & (elements.end_block[rows] > block)].tolist()
        return found

    def _run(self, number: int, item: Segment, pieces: Sequence[_Piece]) -> Wrapper | None:
        """One div around all pieces, if they are a run of children of an element that may contain a div."""
        elements, starts = self._elements, self._blocks.source_start
        parents = {self._parent(piece) for piece in pieces}
        parent = parents.pop()
        if len(pieces) < 2 or parents or parent < 0 or TAGS[elements.tag[parent]] not in _HOLDS_DIV:
            return None
        first, last = pieces[0], pieces[-1]
        start = first.start if isinstance(first, Wrapper) else int(elements.source_start[first])
        stop = last.stop if isinstance(last, Wrapper) else int(elements.source_stop[last])
        before = item.start == 0 or starts[item.start - 1] < start
        after = item.stop == len(starts) or stop <= starts[item.stop]
        # All elements that begin inside must end there; misnested tags cannot be wrapped.
        between = slice(*np.searchsorted(self._starts, (start, stop)))
        closed = self._stops[between].max(initial=0) <= stop
        return Wrapper(start, stop, "div", number) if before and after and closed else None

    def _parent(self, piece: _Piece) -> int:
        if not isinstance(piece, Wrapper):
            return int(self._elements.parent[piece])
        block = np.searchsorted(self._block_starts, piece.start, side="right") - 1
        return int(self._blocks.element[block])

    def _empty_place(self, block: int) -> int:
        """The place of a segment without blocks: before the next block, or after the last one."""
        blocks, elements = self._blocks, self._elements
        if not len(blocks):
            return 0
        row = min(block, len(blocks) - 1)
        element = int(blocks.element[row])
        raw = TAGS[elements.tag[element]] in _RAW
        if block < len(blocks):
            return int(elements.source_start[element] if raw else blocks.source_start[block])
        return int(elements.source_stop[element] if raw else blocks.source_stop[row])
