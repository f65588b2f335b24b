"""From the browser's snapshot of its tree to HTML and columns.

One call of the debugging protocol (``DOMSnapshot.captureSnapshot``) returns nodes, attributes, boxes and styles at one
moment. The HTML is written from the same nodes, so that the offset of every start tag is known, and each element of the
page that is parsed from it finds its box by that offset.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from webstrata._boxes import DISPLAYS, FLOATS, POSITIONS, Boxes, TextBoxes
from webstrata.page import IMPLIED, Page
from webstrata.rendering.markers import MARKER
from webstrata.rendering.markup import SnapshotNodes, write_html
from webstrata.text import Column

__all__ = ["STYLES", "Capture", "boxes_of", "capture"]

#: The computed styles to capture, in this order.
STYLES = (
    "font-size font-weight color background-color border-top-width border-right-width border-bottom-width"
    " border-left-width display position float visibility font-family"
).split()

_COLOUR = re.compile(r"rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)")


@dataclass(frozen=True, eq=False)
class Capture:
    """Data captured from a browser, in a form that can be sent between processes.

    ``html`` is the tree as HTML. ``starts`` are the offsets of the start tags in it, in order, and row for row with
    them ``columns`` by the names of `Boxes`, and ``source_row``. ``text_spans`` are start and stop offsets of the
    texts that have a box, and ``text_boxes`` the left, top, width and height of each.
    """

    html: bytes
    starts: Column
    columns: dict[str, Column]
    source_row: Column
    text_spans: Column
    text_boxes: Column


def capture(snapshot: Mapping[str, Any], original: Page) -> Capture:
    """HTML and columns of the first document of a snapshot; ``original`` is the page without markers."""
    document, strings = snapshot["documents"][0], snapshot["strings"]
    nodes = SnapshotNodes.of(document, strings)
    written = write_html(nodes)
    starts, spans = written.starts, written.spans
    layout = document["layout"]
    laid: dict[int, int] = {}
    for number, node in enumerate(layout["nodeIndex"]):
        laid.setdefault(node, number)
    order = list(starts)
    places = [laid.get(node, -1) for node in order]
    columns = _columns(places, layout["bounds"], layout["styles"], _Styles(strings))
    rows = _source_rows(nodes, order, original)
    texts, boxes = _texts(layout, spans, nodes)
    return Capture(
        written.html,
        np.array([starts[node] for node in order], np.int64),
        columns,
        np.array(rows, np.int32),
        texts,
        boxes,
    )


def _source_rows(nodes: SnapshotNodes, order: Sequence[int], original: Page) -> list[int]:
    """The row of each element in the original page: by its marker, or by its parent if both parsers implied it."""
    elements = original.elements
    implied: dict[tuple[int, str], list[int]] = {}
    for row in np.flatnonzero(elements.flags & IMPLIED)[::-1].tolist():
        implied.setdefault((int(elements.parent[row]), elements[row].tag), []).append(row)
    found: dict[int, int] = {}
    for node in order:
        row = _number(nodes, node)
        if row is None or row >= len(elements):
            waiting = implied.get((found.get(nodes.parent[node], -1), nodes.name[node]))
            row = waiting.pop() if waiting else -1
        found[node] = row
    return list(found.values())


def _number(nodes: SnapshotNodes, node: int) -> int | None:
    for name, value in nodes.attributes(node):
        if name == MARKER and value.isascii() and value.isdigit() and len(value) < 10:
            return int(value)
    return None


class _Styles:
    """Computed styles as numbers, with a cache by string."""

    def __init__(self, strings: Sequence[str]) -> None:
        self._strings = strings
        self._known: dict[tuple[str, int], float] = {}

    def number(self, name: str, index: int) -> float:
        key = name, index
        if key not in self._known:
            self._known[key] = self._read(name, self._strings[index] if index >= 0 else "")
        return self._known[key]

    def _read(self, name: str, value: str) -> float:
        if name in ("color", "background-color"):
            return _colour(value)
        if name == "display":
            return DISPLAYS.index(value) if value in DISPLAYS else len(DISPLAYS) - 1
        if name in ("position", "float"):
            values = POSITIONS if name == "position" else FLOATS
            return values.index(value) if value in values else 0
        if name == "visibility":
            return value == "visible"
        try:
            return float(value.removesuffix("px"))
        except ValueError:
            return 0


def _colour(value: str) -> int:
    """A colour as RGBA in one number.

    >>> hex(_colour("rgb(255, 0, 128)")), hex(_colour("rgba(0, 0, 0, 0)"))
    ('0xff0080ff', '0x0')
    """
    found = _COLOUR.fullmatch(value)
    if found is None:
        return 0
    red, green, blue = (min(int(part), 255) for part in found.groups()[:3])
    alpha = 255 if found[4] is None else round(255 * min(float(found[4]), 1))
    return red << 24 | green << 16 | blue << 8 | alpha


_COLUMNS = {
    "font_size": np.float32,
    "font_weight": np.int16,
    "colour": np.uint32,
    "background": np.uint32,
    "border_top": np.float32,
    "border_right": np.float32,
    "border_bottom": np.float32,
    "border_left": np.float32,
    "display": np.uint8,
    "position": np.uint8,
    "float": np.uint8,
    "visible": np.bool_,
}


def _columns(
    places: Sequence[int], bounds: Sequence[Sequence[float]], styles: Sequence[Sequence[int]], read: _Styles
) -> dict[str, Column]:
    nothing = (0.0, 0.0, 0.0, 0.0)
    boxes = np.array([bounds[at] if at >= 0 else nothing for at in places], np.float32).reshape(-1, 4)
    found: dict[str, Column] = {
        name: boxes[:, number].copy() for number, name in enumerate(("left", "top", "width", "height"))
    }
    for number, (name, kind) in enumerate(_COLUMNS.items()):
        style = STYLES[number]
        values = [read.number(style, styles[at][number]) if at >= 0 and styles[at] else 0 for at in places]
        found[name] = np.array(values).astype(kind)
    return found


def _texts(
    layout: Mapping[str, Any], spans: Mapping[int, tuple[int, int]], nodes: SnapshotNodes
) -> tuple[Column, Column]:
    """Spans and boxes of the texts that have a box and hold more than white space."""
    places: list[tuple[int, int]] = []
    boxes: list[Sequence[float]] = []
    for number, node in enumerate(layout["nodeIndex"]):
        if node in spans and not nodes.value[node].isspace() and nodes.value[node]:
            places.append(spans[node])
            boxes.append(layout["bounds"][number])
    return np.array(places, np.int64).reshape(-1, 2), np.array(boxes, np.float32).reshape(-1, 4)


def boxes_of(page: Page, found: Capture) -> tuple[Boxes, Column]:
    """The columns, row for row with the elements and blocks of the page that was parsed from the captured HTML.

    An element that the parser implied, or whose start tag it read differently, has no box.
    """
    elements = page.elements
    at = np.searchsorted(found.starts, elements.source_start)
    at = np.minimum(at, max(len(found.starts) - 1, 0))
    known = np.zeros(len(elements), bool)
    if len(found.starts):
        known = (found.starts[at] == elements.source_start) & ((elements.flags & IMPLIED) == 0)

    def spread(column: Column, nothing: float = 0) -> Column:
        values = column[at] if len(column) else np.zeros(len(at), column.dtype)
        values[~known] = nothing
        values.flags.writeable = False
        return values

    columns = {name: spread(column) for name, column in found.columns.items()}
    return Boxes(**columns, text=_text_boxes(page, found)), spread(found.source_row, -1)


def _text_boxes(page: Page, found: Capture) -> TextBoxes:
    """The bounding box of all texts of each block."""
    blocks = page.blocks
    low = np.full((len(blocks), 2), np.inf, np.float32)
    high = np.full((len(blocks), 2), -np.inf, np.float32)
    if len(blocks) and len(found.text_spans):
        # A text is part of the last block that begins before the text ends.
        rows = np.searchsorted(blocks.source_start, found.text_spans[:, 1]) - 1
        inside = (rows >= 0) & (blocks.source_stop[rows] > found.text_spans[:, 0])
        rows, corner, size = rows[inside], found.text_boxes[inside, :2], found.text_boxes[inside, 2:]
        np.minimum.at(low, rows, corner)
        np.maximum.at(high, rows, corner + size)
    empty = ~np.isfinite(low).all(axis=1)
    low[empty], high[empty] = 0, 0
    columns = (low[:, 0], low[:, 1], high[:, 0] - low[:, 0], high[:, 1] - low[:, 1])
    for column in columns:
        column.flags.writeable = False
    return TextBoxes(*columns)
