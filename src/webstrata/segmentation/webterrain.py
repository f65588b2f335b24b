"""WebTerrain (Kreuzer 2013 §6.4): the visible children of an element are segments."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webstrata._boxes import Rendered
from webstrata.elements import TAG_NUMBERS
from webstrata.page import Page
from webstrata.segmentation.base import Segment, Segmentation, rendered
from webstrata.segmentation.layout import segments_of, shown_blocks

__all__ = ["WebTerrain"]

_HEADERS = frozenset(TAG_NUMBERS[name] for name in ("h1", "h2", "h3", "h4", "h5", "h6"))
_HR, _BR, _IMG, _BODY = (TAG_NUMBERS[name] for name in ("hr", "br", "img", "body"))
# A picture is a line if it is at most this high, and at least this many times as wide.
_LINE_HEIGHT, _LINE_RATIO = 10, 10


@dataclass(frozen=True, slots=True)
class _Node:
    """An element, or a header merged with the elements after it: their rows, and the width and height of all."""

    rows: tuple[int, ...]
    width: float
    height: float
    merged: bool = False


@dataclass(frozen=True, kw_only=True)
class WebTerrain:
    """WebTerrain of Kreuzer 2013, Algorithm 6.5.

    Starting with the body, invisible children and rules are left out, a header is merged with its siblings up to the
    next separator, and a child that covers more than ``dominant`` of the area is entered at once. If several children
    are left, they are segments; a single one is entered in turn; an element without children is a segment itself. Each
    segment is divided again in the same way, down to ``levels``.

    Parameters
    ----------
    dominant : the share of the area above which a child replaces its parent
    levels : the number of levels

    Notes
    -----
    Separators are headers, ``hr``, two line breaks in a row, and pictures in the shape of a horizontal line. Headers
    are recognised by their tags.

    Deviations
    ----------
    - The thesis also takes texts in a large font for headers, without giving a size; that is left out.
    - A merged header is not merged again when it is divided, since that would never end.
    - A segment is a range of blocks, which is empty for a segment without text. Segments that cannot be divided are not
      repeated on the finer level.

    Reference: R. Kreuzer, A quantitative comparison of semantic web page segmentation algorithms, MSc thesis, Utrecht
    2013.
    """

    dominant: float = 0.9
    levels: int = 2

    def __call__(self, page: Page | Rendered) -> Segmentation:
        seen = rendered(page, "webterrain")
        terrain = _Terrain(seen, self.dominant)
        segments: list[Segment] = []
        nodes = terrain.divide(terrain.body)
        for level in range(1, self.levels + 1):
            segments += segments_of((terrain.blocks(node) for node in nodes), level=level)
            if level < self.levels:
                nodes = [inner for node in nodes for inner in terrain.divide(node) if inner.rows != node.rows]
        return Segmentation(seen.page, tuple(segments), repr(self))


class _Terrain:
    """The tree of a rendered page."""

    def __init__(self, seen: Rendered, dominant: float) -> None:
        self._dominant = dominant
        self._boxes, elements = seen.boxes, seen.page.elements
        self._tag = elements.tag.tolist()
        self._width, self._height = self._boxes.width.tolist(), self._boxes.height.tolist()
        self._first, self._end = elements.first_block.tolist(), elements.end_block.tolist()
        self._shown = np.flatnonzero(~seen.page.blocks.hidden)
        self._children: dict[int, list[int]] = {}
        for row, above in enumerate(elements.parent.tolist()):
            self._children.setdefault(above, []).append(row)
        bodies = elements.find("body")
        self.body = self._node(int(bodies[0]) if len(bodies) else 0)

    def _node(self, row: int) -> _Node:
        return _Node((row,), self._width[row], self._height[row])

    def divide(self, node: _Node) -> list[_Node]:
        """The segments below a node; for a leaf, the node itself."""
        while True:
            children = self._visible_children(node)
            if not children:
                return [node]
            if len(children) > 1:
                return children
            node = children[0]

    def _visible_children(self, node: _Node) -> list[_Node]:
        rows = list(node.rows) if node.merged else self._children.get(node.rows[0], [])
        found: list[_Node] = []
        at = 0
        while at < len(rows):
            row = rows[at]
            at += 1
            width, height = self._width[row], self._height[row]
            if (width == 0 and height == 0) or self._tag[row] == _HR:
                continue
            if self._tag[row] in _HEADERS and not node.merged:
                stop = self._separator(rows, at)
                found.append(self._merged(rows[at - 1 : stop]))
                at = stop
            elif node.width * node.height * self._dominant < width * height:
                return [self._node(row)]
            else:
                found.append(self._node(row))
        return found

    def _separator(self, rows: list[int], at: int) -> int:
        """The end of the section of a header: the next separator among its siblings."""
        for number in range(at, len(rows)):
            tag = self._tag[rows[number]]
            if tag in _HEADERS or tag == _HR or (tag == _IMG and self._is_line(rows[number])):
                return number
            if tag == _BR and number + 1 < len(rows) and self._tag[rows[number + 1]] == _BR:
                return number
        return len(rows)

    def _is_line(self, row: int) -> bool:
        height: float = self._height[row]
        return height <= _LINE_HEIGHT and bool(self._width[row] >= _LINE_RATIO * max(height, 1))

    def _merged(self, rows: list[int]) -> _Node:
        if len(rows) == 1:
            return self._node(rows[0])
        boxes, inside = self._boxes, np.array(rows)
        inside = inside[(boxes.width[inside] > 0) | (boxes.height[inside] > 0)]
        left, top = boxes.left[inside], boxes.top[inside]
        width = float((left + boxes.width[inside]).max() - left.min())
        height = float((top + boxes.height[inside]).max() - top.min())
        return _Node(tuple(rows), width, height, merged=True)

    def blocks(self, node: _Node) -> tuple[int, int]:
        """The shown blocks of a node."""
        return shown_blocks(self._shown, self._first[node.rows[0]], self._end[node.rows[-1]])
