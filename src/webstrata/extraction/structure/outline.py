"""What the kept blocks are part of: headings, lists, tables, quotes, code, links, images, in document order.

Every renderer that shows structure reads a page through one walk, `events`. Only elements that mean something to a
reader take part (a ``div`` does not), and what comes out is well formed whatever the page was: an item stands in a
list, a cell in a row, a row in a table. Who decided which blocks are kept plays no part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

import numpy as np

from webstrata.extraction.structure.containers import CELLS, CONTAINERS, HEADINGS, PREFORMATTED, Walk, accept
from webstrata.extraction.structure.paragraphs import IS_FLOW, Paragraphs
from webstrata.extraction.structure.pieces import Event, Piece
from webstrata.extraction.structure.tables import data_tables
from webstrata.page import TAGS, Page
from webstrata.paragraphs import LINE, ends_kept
from webstrata.text import Column
from webstrata.tree import by_tag, nearest

__all__ = ["Outline"]

_PERMALINKS = frozenset(("¶", "#", "§", "🔗", "⚓"))
_IS_CONTAINER = by_tag(dict.fromkeys(CONTAINERS, 1)).astype(bool)
_IS_PAGE = by_tag(dict.fromkeys(("html", "body", "main"), 1)).astype(bool)
_IS_CELL = by_tag(dict.fromkeys(CELLS, 1)).astype(bool)


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
    def _kept_before(self) -> Column:
        return np.concatenate(([0], np.cumsum(self.keep)))

    @cached_property
    def _enclosing(self) -> Column:
        """For each element the innermost container around it, itself included."""
        elements = self.page.elements
        return nearest(elements, _IS_CONTAINER[elements.tag])

    @cached_property
    def _flow(self) -> Column:
        """For each element the one whose paragraph it stands in."""
        elements = self.page.elements
        return nearest(elements, IS_FLOW[elements.tag])

    @cached_property
    def _paragraphs(self) -> Paragraphs:
        return Paragraphs(self.page)

    @cached_property
    def _images(self) -> Column:
        """The rows of the images that belong to the content.

        An image has no block. It is content when the blocks before and after it are; or when at least half of the
        words are that the nearest element around it with words has, unless that is the whole page.
        """
        elements, blocks = self.page.elements, self.page.blocks
        rows = elements.find("img")
        rows = rows[~elements.hidden[rows]]
        if not len(rows) or not self.keep.any():
            return rows[:0]
        shown, kept = (np.concatenate(([0], np.cumsum(blocks.words * of))) for of in (~blocks.hidden, self.keep))
        words = shown[elements.end_block] - shown[elements.first_block]
        around = nearest(elements, words > 0)[rows]
        kept_words = kept[elements.end_block[around]] - kept[elements.first_block[around]]
        mostly = (2 * kept_words >= words[around]) & ~_IS_PAGE[elements.tag[around]]
        images: Column = rows[mostly | self._between_kept(rows)]
        return images

    def _between_kept(self, rows: Column) -> Column:
        """For which of these elements without text the blocks before and after are kept."""
        at = self.page.elements.first_block[rows]
        padded = np.concatenate(([False], self.keep, [False]))
        between: Column = padded[at] & padded[at + 1]
        return between

    @cached_property
    def _containers(self) -> tuple[dict[int, int], dict[int, int]]:
        """Which containers take part, as `accept` says it."""
        elements = self.page.elements
        kept = self._kept_before
        alive = kept[elements.end_block] > kept[elements.first_block]
        for image in self._images.tolist():
            for row in takewhile(lambda row: not alive[row], elements.ancestors(image)):
                alive[row] = True
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
                yield Event("code", "", container, [], self._paragraphs.code(rows))
            else:
                pieces = self._paragraphs.pieces(rows, before, after.get(block, []))
                if container >= 0 and TAGS[elements.tag[container]] in HEADINGS:
                    pieces = [piece for piece in pieces if not _is_permalink(piece)]
                yield Event("run", "", container, pieces)
        for row, _ in points[next_point:]:
            yield from self._point(walk, row)
        yield from walk.close_to(-1)

    def _points(self, alone: list[int]) -> list[tuple[int, int]]:
        """What happens at a row and not at a block, as (row, block it comes before)."""
        elements = self.page.elements
        rules = elements.find("hr")
        rules = rules[~elements.hidden[rules] & self._between_kept(rules)].tolist()
        rows = sorted([*self._containers[0], *alone, *rules])
        return list(zip(rows, elements.first_block[rows].tolist(), strict=True))

    def _point(self, walk: Walk, row: int) -> Iterator[Event]:
        """The events of a row of `_points`: a container opens, an image or a rule stands alone."""
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
            yield Event("run", "", container, [self._paragraphs.image(row)])

    def _runs(self) -> list[tuple[int, int, list[int]]]:
        """The kept blocks as paragraphs: (first block, container, blocks)."""
        blocks = self.page.blocks
        rows = np.flatnonzero(self.keep)
        joined = ends_kept(self.page, self.keep) <= LINE
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


def _is_permalink(piece: Piece) -> bool:
    """Whether a piece of a heading is a sign that links to it."""
    return piece.link >= 0 and piece.text.strip() in _PERMALINKS
