"""What the kept blocks are part of: headings, lists, tables, quotes, code, links, images, in document order.

Every renderer that shows structure reads a page through one walk, `events`. Only elements that mean something to a
reader take part (a ``div`` does not), and what comes out is well formed whatever the page was: an item stands in a
list, a cell in a row, a row in a table. Who decided which blocks are kept plays no part.

What a block is marked with (strong, emphasised, code) and which element encloses it are found for all elements at once
by path doubling: after k rounds each element knows its 2**k nearest ancestors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from webstrata.extract.markup.attributes import rows_of
from webstrata.extract.markup.containers import (
    CELLS,
    CONTAINERS,
    HEADINGS,
    PREFORMATTED,
    Walk,
    accept,
)
from webstrata.extract.markup.pieces import BREAK, IMAGE, MARKS, Event, Piece
from webstrata.extract.markup.tables import data_tables
from webstrata.page import INLINE_TAGS, TAGS, Page, tag_mask
from webstrata.text import Column

__all__ = ["Outline"]

# Tags that stand within a paragraph besides the inline ones. "" is every tag that HTML does not know.
_BOXES = (
    "audio button canvas embed iframe img input math meter object picture progress select svg textarea video"
).split()

_PERMALINKS = frozenset(("¶", "#", "§", "🔗", "⚓"))


def _by_tag(values: dict[str, int]) -> Column:
    table = np.zeros(len(TAGS), np.int16)
    for name, value in values.items():
        table[TAGS.index(name)] = value
    return table


_MARK_OF = _by_tag({name: bit for bit, names in MARKS.items() for name in names})
_IS_CONTAINER = _by_tag(dict.fromkeys(CONTAINERS, 1)).astype(bool)
_IS_PAGE = _by_tag(dict.fromkeys(("html", "body", "main"), 1)).astype(bool)
_IS_CELL = _by_tag(dict.fromkeys(CELLS, 1)).astype(bool)
_IS_FLOW = ~_by_tag(dict.fromkeys(INLINE_TAGS, 1)).astype(bool)
_IS_FLOW[[0, *(TAGS.index(name) for name in _BOXES)]] = False
_WITHIN_PARAGRAPH = tag_mask(("", *INLINE_TAGS, *_BOXES, "br"))
_UNKNOWN = tag_mask(("",))
_BREAK = tag_mask(("br",))
_MARK_TAGS = tag_mask(name for names in MARKS.values() for name in names)


def _nearest(parent: Column, chosen: Column, rounds: int) -> Column:
    """For each row the nearest chosen one among itself and its ancestors; row 0 where there is none."""
    near = np.where(chosen, np.arange(len(parent)), np.maximum(parent, 0))
    for _ in range(rounds):
        near = near[near]
    return near


@dataclass(frozen=True, eq=False)
class Outline:
    """The structure of the kept blocks of a page.

    >>> from webstrata.page import parse
    >>> page = parse("<ul><li>one <b>two</b></ul>")
    >>> [(event.what, event.tag) for event in Outline(page, np.ones(2, bool)).events()]
    [('open', 'ul'), ('open', 'li'), ('run', ''), ('close', 'li'), ('close', 'ul')]
    """

    page: Page
    keep: Column

    @cached_property
    def _rounds(self) -> int:
        return int(self.page.elements.depth.max()).bit_length()

    @cached_property
    def _kept_before(self) -> Column:
        return np.concatenate(([0], np.cumsum(self.keep)))

    @cached_property
    def _enclosing(self) -> Column:
        elements = self.page.elements
        return _nearest(elements.parent, _IS_CONTAINER[elements.tag], self._rounds)

    @cached_property
    def _flow(self) -> Column:
        elements = self.page.elements
        return _nearest(elements.parent, _IS_FLOW[elements.tag], self._rounds)

    @cached_property
    def _marks(self) -> Column:
        """The marks of each element, its ancestors' included."""
        elements = self.page.elements
        marks = _MARK_OF[elements.tag]
        above = np.maximum(elements.parent, 0)
        for _ in range(self._rounds):
            marks |= marks[above]
            above = above[above]
        return marks

    @cached_property
    def _images(self) -> Column:
        """The rows of the images that belong to the content.

        An image has no block. It is content when the blocks before and after it are; or when at least half of the
        words are that the nearest element around it with words has, unless that is the whole page.
        """
        elements, blocks = self.page.elements, self.page.blocks
        rows = rows_of(self.page, "img")
        rows = rows[~elements.hidden[rows]]
        if not len(rows) or not self.keep.any():
            return rows[:0]
        shown, kept = (np.concatenate(([0], np.cumsum(blocks.words * of))) for of in (~blocks.hidden, self.keep))
        words = shown[elements.end_block] - shown[elements.first_block]
        around = _nearest(elements.parent, words > 0, self._rounds)[rows]
        kept_words = kept[elements.end_block[around]] - kept[elements.first_block[around]]
        mostly = (2 * kept_words >= words[around]) & ~_IS_PAGE[elements.tag[around]]
        images: Column = rows[mostly | self._between_kept(rows)]
        return images

    def _between_kept(self, rows: Column) -> Column:
        at = self.page.elements.first_block[rows]
        padded = np.concatenate(([False], self.keep, [False]))
        between: Column = padded[at] & padded[at + 1]
        return between

    @cached_property
    def _containers(self) -> tuple[dict[int, int], dict[int, int]]:
        """The containers that take part, each with the one it stands in, and for every container of the page itself or
        the nearest around it that takes part. -1 is the page.
        """
        elements = self.page.elements
        kept = self._kept_before
        alive = kept[elements.end_block] > kept[elements.first_block]
        for row in elements.parent[self._images].tolist():
            while row >= 0 and not alive[row]:
                alive[row] = True
                row = int(elements.parent[row])
        rows = np.flatnonzero(_IS_CONTAINER[elements.tag] & (alive | _IS_CELL[elements.tag]))
        above = self._enclosing[np.maximum(elements.parent[rows], 0)]
        names = [TAGS[number] for number in elements.tag[rows].tolist()]
        tables = data_tables(self.page, rows, names, above, alive)
        return accept(rows.tolist(), names, above.tolist(), alive[rows].tolist(), tables)

    def _container(self, row: int) -> int:
        """The container that takes part for a row of `_enclosing`."""
        return self._containers[1].get(row, -1)

    def events(self) -> Iterator[Event]:
        """The walk: what opens and closes, and the paragraphs, in document order."""
        elements = self.page.elements
        if not self.keep.any():
            return
        runs = self._runs()
        before, after, alone = self._place_images(runs)
        points = self._points(alone)
        walk = Walk(self._containers[0])
        next_point = 0
        for block, container, rows in runs:
            while next_point < len(points) and points[next_point][1] <= block:
                yield from self._point(walk, points[next_point][0])
                next_point += 1
            yield from walk.content(container)
            if container >= 0 and TAGS[elements.tag[container]] in PREFORMATTED:
                yield Event("code", "", container, [], self._code(rows))
            else:
                pieces = self._pieces(rows, before, after.get(block, []))
                if container >= 0 and TAGS[elements.tag[container]] in HEADINGS:
                    pieces = [piece for piece in pieces if not _is_permalink(piece)]
                yield Event("run", "", container, pieces)
        for row, _ in points[next_point:]:
            yield from self._point(walk, row)
        yield from walk.close_to(-1)

    def _points(self, alone: list[int]) -> list[tuple[int, int]]:
        """What happens at a row and not at a block, as (row, block it comes before)."""
        elements = self.page.elements
        rules = rows_of(self.page, "hr")
        rules = rules[~elements.hidden[rules] & self._between_kept(rules)].tolist()
        rows = sorted([*self._containers[0], *alone, *rules])
        return list(zip(rows, elements.first_block[rows].tolist(), strict=True))

    def _point(self, walk: Walk, row: int) -> Iterator[Event]:
        elements = self.page.elements
        name = TAGS[elements.tag[row]]
        if name not in ("img", "hr"):
            yield from walk.open(row, name)
            return
        container = self._container(int(self._enclosing[elements.parent[row]]))
        yield from walk.content(container)
        if name == "hr":
            yield Event("rule", "", row, [])
        else:
            yield Event("run", "", container, [self._image(row)])

    def _runs(self) -> list[tuple[int, int, list[int]]]:
        """The kept blocks as paragraphs: (first block, container, blocks)."""
        blocks, text = self.page.blocks, self.page.text
        rows = np.flatnonzero(self.keep)
        # A block goes on with the paragraph of the kept one before if no tag between starts another and nothing that
        # is shown was left out.
        apart = np.cumsum(~blocks.gap_within(_WITHIN_PARAGRAPH))[rows]
        left_out = np.cumsum(~self.keep & ~blocks.hidden)[rows]
        joined = np.concatenate(([False], (np.diff(apart) == 0) & (np.diff(left_out) == 0)))
        # Whether an unknown tag starts a line is known to the scan alone; it shows in what separates the text.
        for i in np.flatnonzero(joined & blocks.gap_meets(_UNKNOWN)[rows] & ~blocks.gap_meets(_BREAK)[rows]).tolist():
            joined[i] = text[blocks.text_start[rows[i]] - 1] != "\n"
        enclosing = self._enclosing[blocks.element[rows]].tolist()
        pre = blocks.preformatted[rows].tolist()
        container_of = {row: self._container(row) for row in set(enclosing)}
        runs: list[tuple[int, int, list[int]]] = []
        tags = self.page.elements.tag
        for i, (block, above, is_joined) in enumerate(zip(rows.tolist(), enclosing, joined.tolist(), strict=True)):
            container = container_of[above]
            same = bool(runs) and runs[-1][1] == container
            if same and (is_joined or (pre[i] and container >= 0 and TAGS[tags[container]] in PREFORMATTED)):
                runs[-1][2].append(block)
            else:
                runs.append((block, container, [block]))
        return runs

    def _place_images(
        self, runs: list[tuple[int, int, list[int]]]
    ) -> tuple[dict[int, list[int]], dict[int, list[int]], list[int]]:
        """Images in the paragraph of the block they come before, after the last block of a run, and on their own."""
        before: dict[int, list[int]] = {}
        after: dict[int, list[int]] = {}
        alone: list[int] = []
        if not len(self._images):
            return before, after, alone
        elements, blocks = self.page.elements, self.page.blocks
        run_of = {block: first for first, _, rows in runs for block in rows}
        for row in self._images.tolist():
            at, flow = int(elements.first_block[row]), self._flow[row]
            if at in run_of and (run_of.get(at - 1) == run_of[at] or self._flow[blocks.element[at]] == flow):
                before.setdefault(at, []).append(row)
            elif at - 1 in run_of and self._flow[blocks.element[at - 1]] == flow:
                after.setdefault(run_of[at - 1], []).append(row)
            else:
                alone.append(row)
        return before, after, alone

    @cached_property
    def _links(self) -> tuple[list[int], Column, Column]:
        """Links as rows and disjoint spans of the text: an outer one ends where an inner one begins."""
        rows, starts, stops = self.page.link_spans
        stops = np.minimum(stops, np.append(starts[1:], stops[-1:])) if len(rows) else stops
        return rows.tolist(), starts, stops

    @cached_property
    def _link_range(self) -> tuple[list[int], list[int]]:
        """For each block, the range of the links that touch it."""
        blocks = self.page.blocks
        _, starts, stops = self._links
        return (
            np.searchsorted(stops, blocks.text_start, "right").tolist(),
            np.searchsorted(starts, blocks.text_stop, "left").tolist(),
        )

    @cached_property
    def _block_columns(self) -> tuple[list[int], list[int], list[int], list[bool], list[bool]]:
        blocks = self.page.blocks
        return (
            blocks.text_start.tolist(),
            blocks.text_stop.tolist(),
            self._marks[blocks.element].tolist(),
            blocks.gap_meets(_BREAK).tolist(),
            blocks.gap_meets(_MARK_TAGS).tolist(),
        )

    def _pieces(self, rows: list[int], before: dict[int, list[int]], after: list[int]) -> list[Piece]:
        text = self.page.text
        starts, stops, marks, breaks, crosses = self._block_columns
        pieces: list[Piece] = []
        for number, row in enumerate(rows):
            if number:
                last = pieces[-1]
                gap = text[stops[row - 1] : starts[row]]
                if breaks[row]:
                    pieces.append(Piece(BREAK, -1, ""))
                elif gap:
                    # A space between two marked words is marked when no mark ends or begins there.
                    mark = 0 if crosses[row] else last.marks & marks[row]
                    pieces.append(Piece(mark, self._link_at(stops[row - 1], row), " "))
            for image in before.get(row, ()):
                pieces += (self._image(image), Piece(0, -1, " "))
            pieces += self._linked(row, starts[row], stops[row], marks[row])
        for image in after:
            pieces += (Piece(0, -1, " "), self._image(image))
        return pieces

    def _linked(self, row: int, start: int, stop: int, marks: int) -> list[Piece]:
        """The text of a block, cut where links begin and end."""
        text = self.page.text
        low, high = self._link_range[0][row], self._link_range[1][row]
        if low >= high:
            return [Piece(marks, -1, text[start:stop])]
        link_rows, link_starts, link_stops = self._links
        pieces = []
        for link in range(low, high):
            begin, end = max(int(link_starts[link]), start), min(int(link_stops[link]), stop)
            if begin > start:
                pieces.append(Piece(marks, -1, text[start:begin]))
            if end > begin:
                pieces.append(Piece(marks, link_rows[link], text[begin:end]))
            start = max(start, end)
        if start < stop:
            pieces.append(Piece(marks, -1, text[start:stop]))
        return pieces

    def _link_at(self, offset: int, row: int) -> int:
        """The link that holds the character before block `row`, or -1."""
        low = self._link_range[0][row]
        rows, starts, _ = self._links
        return rows[low] if low < len(rows) and starts[low] <= offset < self.page.blocks.text_start[row] else -1

    def _image(self, row: int) -> Piece:
        elements = self.page.elements
        above = int(elements.parent[row])
        while above >= 0 and not _IS_FLOW[elements.tag[above]] and TAGS[elements.tag[above]] != "a":
            above = int(elements.parent[above])
        link = above if above >= 0 and TAGS[elements.tag[above]] == "a" else -1
        return Piece(IMAGE, link, "", row)

    def _code(self, rows: list[int]) -> str:
        """The text of a ``pre`` with its white space, the indent of its first line included."""
        text = self.page.text
        starts, stops = self._block_columns[:2]
        indent = text[stops[rows[0] - 1] if rows[0] else 0 : starts[rows[0]]].rpartition("\n")[2]
        parts = [indent]
        for last, row in zip([None, *rows], rows, strict=False):
            if last is not None:
                parts.append(text[stops[last] : starts[row]] if row == last + 1 else "\n")
            parts.append(text[starts[row] : stops[row]])
        return "".join(parts)


def _is_permalink(piece: Piece) -> bool:
    """Whether a piece of a heading is a sign that links to it."""
    return piece.link >= 0 and piece.text.strip() in _PERMALINKS
