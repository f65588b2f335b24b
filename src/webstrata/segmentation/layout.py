"""The tree of a rendered page for visual segmenters: visible elements and texts with their boxes.

Nodes are numbered: the rows of the elements first, then the rows of the blocks, which are the texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from webstrata._boxes import DISPLAYS, Rendered
from webstrata.page import Page
from webstrata.segmentation.base import Segment
from webstrata.segmentation.nodes import parents_of_blocks, source_order, split_links
from webstrata.text import Column

__all__ = ["TEXT", "Font", "Layout", "segments_of", "shown_blocks"]

#: The tag of texts; the tags of elements are numbers of `webstrata.elements.TAG_NUMBERS`.
TEXT = -1
#: Size in pixels, and weight.
Font = tuple[float, int]

_INLINE = "inline inline-block inline-table inline-flex inline-grid contents ruby ruby-text".split()


@dataclass(frozen=True, eq=False)
class Layout:
    """The visible nodes, as lists by number.

    Attributes
    ----------
    elements : the number of nodes that are elements
    tag : the tag of each node
    children : its visible children, in document order
    left, top, right, bottom : its box; an element without a size has the box around its children
    inline : whether it is inline
    texts_only : whether it is a text, or inline with only such nodes inside
    background : the background colour
    font, one_font : the font of its first text, and whether all of its texts have this font
    first, end : its range of blocks
    shown : the rows of the shown blocks
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
        is_split = split_links(page)
        split, parent = is_split.tolist(), _parents(page, is_split)
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
        for node in source_order(page, np.arange(n), np.arange(m)).tolist():
            if (not split[node] if node < n else visible[node]) and parent[node] >= 0:
                layout.children[parent[node]].append(node)
        layout._complete(visible)
        return layout

    def _complete(self, visible: list[bool]) -> None:
        """Compute the values that depend on children, from the last element to the first."""
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
        """The segments of groups of nodes; a group that is interrupted by others is one segment for each part."""
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
    """A range of blocks without the hidden ones at both ends; an empty range if all are hidden.

    >>> shown_blocks(np.array([1, 2, 5]), 0, 4), shown_blocks(np.array([1, 2, 5]), 3, 5)
    ((1, 3), (3, 3))
    """
    first, last = np.searchsorted(shown, (start, stop)).tolist()
    return (int(shown[first]), int(shown[last - 1]) + 1) if first < last else (start, start)


def segments_of(spans: Iterable[tuple[int, int]], *, level: int = 1) -> list[Segment]:
    """Segments of one level in order. An empty range is a picture; of two that overlap, the first is kept.

    Only cloned elements share blocks with others.

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


def _parents(page: Page, split: Column) -> list[int]:
    """The parent of each node, without the links that are split by a text."""
    above = page.elements.parent.tolist()
    parent: list[int] = above + parents_of_blocks(page, ~split).tolist()
    left_out = set(np.flatnonzero(split).tolist())
    for node, row in enumerate(parent):
        while row in left_out:
            row = above[row]
        parent[node] = row
    return parent
