"""The tree of a rendered page for visual segmenters: elements and texts that can be seen, with their boxes.

Nodes are numbered: the rows of the elements come first, then the rows of the blocks, which are the texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from webstrata._boxes import DISPLAYS, Rendered
from webstrata.page import CLONED, Page
from webstrata.segmentation.base import Segment
from webstrata.text import Column

__all__ = ["TEXT", "Font", "Layout", "segments_of", "shown_blocks"]

#: The tag of texts, where elements have a number of `webstrata.elements.TAG_NUMBERS`.
TEXT = -1
#: Size in pixels, and weight.
Font = tuple[float, int]

_INLINE = "inline inline-block inline-table inline-flex inline-grid contents ruby ruby-text".split()


@dataclass(frozen=True, eq=False)
class Layout:
    """The nodes that can be seen, as lists by their numbers.

    Attributes
    ----------
    elements : how many nodes are elements
    tag, children : of each node; children are those that can be seen, in the order of the document
    left, top, right, bottom : the box; an element without a size has that of its children around it
    inline : whether it stands in a line
    texts_only : whether it is a text, or stands in a line and holds nothing else than such
    background : the colour behind it
    font, one_font : of its first text, and whether all of its texts have the same
    first, end : its blocks
    """

    elements: int
    tag: list[int]
    children: list[list[int]]
    left: list[float]
    top: list[float]
    right: list[float]
    bottom: list[float]
    inline: list[bool]
    texts_only: list[bool]
    background: list[int]
    font: list[Font | None]
    one_font: list[bool]
    first: list[int]
    end: list[int]
    shown: Column

    @classmethod
    def of(cls, seen: Rendered) -> Layout:
        page, boxes = seen.page, seen.boxes
        elements, blocks, text = page.elements, page.blocks, boxes.text
        n, m = len(elements), len(blocks)
        parent, links = _parents(page)
        visible = (boxes.visible & (boxes.width > 0) & (boxes.height > 0)).tolist()
        visible += ((text.width > 0) & (text.height > 0) & ~blocks.hidden & boxes.visible[blocks.element]).tolist()
        inline = np.isin(boxes.display, [DISPLAYS.index(name) for name in _INLINE]).tolist()
        background = boxes.shown_background(elements.parent)
        fonts: list[Font | None] = list(zip(boxes.font_size.tolist(), boxes.font_weight.tolist(), strict=True))
        layout = cls(
            n,
            elements.tag.tolist() + [TEXT] * m,
            [[] for _ in range(n + m)],
            np.concatenate((boxes.left, text.left)).tolist(),
            np.concatenate((boxes.top, text.top)).tolist(),
            np.concatenate((boxes.left + boxes.width, text.left + text.width)).tolist(),
            np.concatenate((boxes.top + boxes.height, text.top + text.height)).tolist(),
            inline + [True] * m,
            [False] * n + [True] * m,
            np.concatenate((background, background[blocks.element])).tolist(),
            [None] * n + [fonts[row] for row in blocks.element.tolist()],
            [True] * (n + m),
            elements.first_block.tolist() + list(range(m)),
            elements.end_block.tolist() + list(range(1, m + 1)),
            np.flatnonzero(~blocks.hidden),
        )
        for node in _document_order(page).tolist():
            if (visible[node] or node < n) and node not in links and parent[node] >= 0:
                layout.children[parent[node]].append(node)
        layout._complete(visible)
        return layout

    def _complete(self, visible: list[bool]) -> None:
        """Fill in what depends on what is inside, from the last element to the first."""
        for node in range(self.elements - 1, -1, -1):
            inside = self.children[node] = [child for child in self.children[node] if visible[child]]
            if not inside:
                continue
            if not visible[node]:
                visible[node] = True
                self.left[node] = min(self.left[child] for child in inside)
                self.top[node] = min(self.top[child] for child in inside)
                self.right[node] = max(self.right[child] for child in inside)
                self.bottom[node] = max(self.bottom[child] for child in inside)
            self.texts_only[node] = self.inline[node] and all(self.texts_only[child] for child in inside)
            fonts = [self.font[child] for child in inside if self.font[child] is not None]
            if fonts:
                self.font[node] = fonts[0]
                self.one_font[node] = all(self.one_font[child] for child in inside) and len(set(fonts)) == 1

    def area(self, node: int) -> float:
        """Square pixels."""
        return (self.right[node] - self.left[node]) * (self.bottom[node] - self.top[node])

    def segments(self, groups: Iterable[list[int]]) -> list[Segment]:
        """The blocks of each group of nodes; a group that others lie between is one segment for each part."""
        spans: list[tuple[int, int]] = []
        for nodes in groups:
            ranges = sorted(shown_blocks(self.shown, self.first[node], self.end[node]) for node in nodes)
            filled = [item for item in ranges if item[0] < item[1]]
            if not filled:
                spans.append(ranges[0])
                continue
            spans.append(filled[0])
            for start, stop in filled[1:]:
                between = np.searchsorted(self.shown, (spans[-1][1], start))
                if between[0] >= between[1]:
                    spans[-1] = spans[-1][0], max(stop, spans[-1][1])
                else:
                    spans.append((start, stop))
        return segments_of(spans)


def shown_blocks(shown: Column, start: int, stop: int) -> tuple[int, int]:
    """A range of blocks without hidden ones at either end; an empty one where all are hidden.

    >>> shown_blocks(np.array([1, 2, 5]), 0, 4), shown_blocks(np.array([1, 2, 5]), 3, 5)
    ((1, 3), (3, 3))
    """
    first, last = np.searchsorted(shown, (start, stop)).tolist()
    return (int(shown[first]), int(shown[last - 1]) + 1) if first < last else (start, start)


def segments_of(spans: Iterable[tuple[int, int]], *, level: int = 1) -> list[Segment]:
    """Segments of one level in order. An empty range is a picture; of two that overlap, the first counts.

    Only elements that a parser opened again share blocks with others.

    >>> [tuple(item[:2]) for item in segments_of([(3, 5), (0, 2), (1, 3), (2, 2)])]
    [(0, 2), (2, 2), (3, 5)]
    """
    found: list[Segment] = []
    end = 0
    for start, stop in sorted(set(spans)):
        if start == stop:
            found.append(Segment(start, stop, level, "Image"))
        elif start >= end:
            found.append(Segment(start, stop, level))
            end = stop
    return found


def _parents(page: Page) -> tuple[list[int], set[int]]:
    """The parent of each node, and the links that begin or end in the middle of a text and are therefore no nodes."""
    elements, blocks = page.elements, page.blocks
    above = elements.parent.tolist()
    holder = blocks.element.copy()
    links: set[int] = set()
    for row in elements.find("a").tolist():
        first, end = int(elements.first_block[row]), int(elements.end_block[row])
        if first == end:
            continue
        begins = elements.open_stop[row] > blocks.source_start[first]
        if begins or elements.source_stop[row] < blocks.source_stop[end - 1]:
            links.add(row)
        else:
            inside = holder[first:end]
            inside[inside == above[row]] = row
    parent = above + holder.tolist()
    for node, row in enumerate(parent):
        while row in links:
            row = above[row]
        parent[node] = row
    return parent, links


def _document_order(page: Page) -> Column:
    """The nodes in the order of the source."""
    elements, blocks = page.elements, page.blocks
    at = elements.source_start.copy()
    # An element that was opened again has the start tag of the first one: it really begins with its first text.
    again = ((elements.flags & CLONED) != 0) & (elements.first_block < elements.end_block)
    at[again] = blocks.source_start[elements.first_block[again]]
    kinds = np.repeat([0, 1], [len(elements), len(blocks)])
    return np.lexsort((kinds, np.concatenate((np.maximum.accumulate(at), blocks.source_start))))
