"""Answers that are places: DOM nodes by their XPath, and rectangles or polygons in the pixels of a recorded page.

A block of an answer may have one of these in place of its text:

- ``xpath``: an absolute path of element names with positions, ``/html/body/div[2]``, or one that begins at an id,
  ``//*[@id="main"]/p[1]``;
- ``rectangle``: left, top, right and bottom;
- ``polygon``: a list of corners, each x and y.

A shape has the blocks whose text has its centre inside.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from webstrata._boxes import seen_blocks
from webstrata.errors import InputError
from webstrata.evaluation.datasets.base import PageInput
from webstrata.evaluation.datasets.recordings import recorded
from webstrata.evaluation.metrics.areas import Polygon, TextRectangles, inside
from webstrata.page import Page
from webstrata.text import Column

__all__ = ["PLACES", "element_at", "with_texts"]

#: The keys that stand for a text.
PLACES = ("xpath", "rectangle", "polygon")

_ID = re.compile(r"""//\*\[@id=(?:"([^"]*)"|'([^']*)')\]""")
_STEP = re.compile(r"/([\w:.-]+|\*)(?:\[(\d{1,9})\])?")


def with_texts(value: Any, document: PageInput, *, is_recorded: bool = False) -> Any:
    """An answer whose places are replaced by the texts that are there; other answers stay as they are.

    Parameters
    ----------
    document : the page
    is_recorded : whether XPaths are those of the recorded page
    """
    if not isinstance(value, Sequence) or isinstance(value, str | bytes) or not any(map(_is_place, value)):
        return value
    has_shapes = any("xpath" not in item for item in value if _is_place(item))
    seen = _Seen.of(document) if has_shapes or is_recorded else None
    plain = seen.page if seen is not None and is_recorded else document.page()
    return [_with_text(item, seen, plain) if _is_place(item) else item for item in value]


@dataclass(frozen=True, eq=False)
class _Seen:
    """A page with the boxes of its texts, and which of these are shown."""

    page: Page
    boxes: TextRectangles
    shown: Column

    @classmethod
    def of(cls, document: PageInput) -> _Seen:
        if document.boxes is not None:
            boxes = document.boxes
            return cls(document.page(), boxes, (boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1]))
        rendered = recorded(document)
        text = rendered.boxes.text
        columns = (text.left, text.top, text.left + text.width, text.top + text.height)
        return cls(rendered.page, np.column_stack(columns).astype(np.float64), seen_blocks(rendered))


def _is_place(value: Any) -> bool:
    return isinstance(value, Mapping) and "text" not in value and any(key in value for key in PLACES)


def _with_text(item: Mapping[str, Any], seen: _Seen | None, page: Page) -> dict[str, Any]:
    others = {key: value for key, value in item.items() if key not in PLACES}
    if seen is None or "xpath" in item:
        shown = seen.shown if seen is not None and seen.page is page else ~page.blocks.hidden
        row = element_at(page, str(item["xpath"]))
        start, stop = page.elements.block_span(row) if row is not None else (0, 0)
        rows = np.flatnonzero(shown[start:stop]) + start
    else:
        page, polygon = seen.page, _polygon(item)
        centres = (seen.boxes[:, :2] + seen.boxes[:, 2:]) / 2
        rows = np.flatnonzero(seen.shown & inside(centres, polygon))
        others["polygon"] = polygon.tolist()
    return {**others, "text": "\n".join(page.blocks[row].text for row in rows.tolist())}


def _polygon(item: Mapping[str, Any]) -> Polygon:
    """The corners of a shape."""
    try:
        if "rectangle" in item:
            left, top, right, bottom = map(float, item["rectangle"])
            corners: npt.NDArray[np.float64] = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
        else:
            corners = np.array([[float(x), float(y)] for x, y in item["polygon"]])
    except (TypeError, ValueError) as error:
        raise InputError(
            f"a rectangle is left, top, right and bottom, a polygon a list of x and y: {str(item)[:80]}"
        ) from error
    if len(corners) < 3 or not np.isfinite(corners).all():
        raise InputError(f"a polygon needs three corners or more, with finite numbers: {str(item)[:80]}")
    return corners


def element_at(page: Page, xpath: str) -> int | None:
    """The row of the element with an XPath; None if the page has none.

    >>> from webstrata.page import parse
    >>> page = parse("<p>one<p id=two>A <b>page</b>")
    >>> [page.elements[element_at(page, path)].tag for path in ("/html/body/p[2]", '//*[@id="two"]/b')]
    ['p', 'b']
    >>> element_at(page, "/html/body/p[3]")
    """
    elements = page.elements
    row: int | None = None
    at = 0
    if by_id := _ID.match(xpath):
        wanted, at = by_id[1] or by_id[2] or "", by_id.end()
        row = next((i for i in range(len(elements)) if elements.attribute(i, "id") == wanted), None)
        if row is None:
            return None
    while at < len(xpath):
        step = _STEP.match(xpath, at)
        if step is None:
            raise InputError(
                f"cannot read the XPath {xpath[:80]!r}: give element names with positions, such as /html/body/div[2]"
            )
        at = step.end()
        children = np.flatnonzero(elements.parent == (-1 if row is None else row)).tolist()
        same = [
            child
            for child in children
            if step[1] in ("*", elements[child].tag) or step[1].lower() == elements[child].tag
        ]
        position = int(step[2] or 1)
        if not 0 < position <= len(same):
            return None
        row = same[position - 1]
    return row
