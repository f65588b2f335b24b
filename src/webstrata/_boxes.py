"""Boxes and styles of the elements of a rendered page, and boxes of its texts.

The third set of columns of a page. `Boxes` is row for row with ``page.elements``, its ``text`` row for row with
``page.blocks``. `webstrata.rendering` fills them, live or from a recording; visual segmenters read them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Protocol

import numpy as np

from webstrata._once import once
from webstrata.errors import InputError
from webstrata.page import Page
from webstrata.text import Column

__all__ = ["DISPLAYS", "FLOATS", "POSITIONS", "Boxes", "Rendered", "TextBoxes", "seen_blocks"]

#: The values of ``display`` by number; 0 without a box, the last for unknown values.
DISPLAYS = (
    "none block inline inline-block list-item flow-root contents flex inline-flex grid inline-grid table inline-table"
    " table-row-group table-header-group table-footer-group table-row table-cell table-column-group table-column"
    " table-caption ruby ruby-text other"
).split()
#: The values of ``position`` by number.
POSITIONS = "static relative absolute fixed sticky".split()
#: The values of ``float`` by number.
FLOATS = "none left right inline-start inline-end".split()


@dataclass(frozen=True, eq=False, repr=False)
class TextBoxes:
    """The smallest rectangle around the text of each block, in CSS pixels from the corner of the page.

    All four are 0 if the text is not displayed.
    """

    left: Column
    top: Column
    width: Column
    height: Column

    def __len__(self) -> int:
        return len(self.left)

    def __repr__(self) -> str:
        return f"<TextBoxes: {len(self)} rows>"


@dataclass(frozen=True, eq=False, repr=False)
class Boxes:
    """The box and the style of each element, one row each.

    ``left``, ``top``, ``width`` and ``height`` are CSS pixels from the corner of the page, 0 without a box.
    ``font_size`` is in pixels, ``font_weight`` 400 for normal text. ``colour`` and ``background`` are RGBA in one
    number, red first; a background whose last byte is 0 is transparent. ``border_top`` and the others
    are widths in pixels. ``display``, ``position`` and ``float`` are numbers in `DISPLAYS`, `POSITIONS` and `FLOATS`.
    ``visible`` tells which elements have a box and are not made invisible by ``visibility``.
    """

    left: Column
    top: Column
    width: Column
    height: Column
    font_size: Column
    font_weight: Column
    colour: Column
    background: Column
    border_top: Column
    border_right: Column
    border_bottom: Column
    border_left: Column
    display: Column
    position: Column
    float: Column
    visible: Column
    text: TextBoxes

    def __post_init__(self) -> None:
        lengths = {len(getattr(self, item.name)) for item in fields(self) if item.name != "text"}
        if len(lengths) != 1 or len({len(column) for column in vars(self.text).values()}) != 1:
            raise InputError("the columns of boxes must have the same length")

    def __len__(self) -> int:
        return len(self.left)

    def __repr__(self) -> str:
        return f"<Boxes: {len(self)} elements, {len(self.text)} texts>"

    @once
    def area(self) -> Column:
        """Square pixels of each box."""
        return self.width * self.height

    def shown_background(self, parent: Column) -> Column:
        """The visible background of each element: its own, or that of the nearest ancestor with one.

        The default is white. ``parent`` is the column of the elements.
        """
        shown = np.where(self.background & 0xFF, self.background, 0xFFFFFFFF).tolist()
        own = (self.background & 0xFF).tolist()
        for row, above in enumerate(parent.tolist()):
            if not own[row] and above >= 0:
                shown[row] = shown[above]
        return np.array(shown, np.uint32)


def seen_blocks(rendered: Rendered) -> Column:
    """Which blocks are visible: their text is displayed, and not left of or above the page."""
    page, boxes = rendered.page, rendered.boxes
    text = boxes.text
    seen = (text.width > 0) & (text.height > 0) & boxes.visible[page.blocks.element] & ~page.blocks.hidden
    return np.asarray(seen & (text.left + text.width > 0) & (text.top + text.height > 0))


class Rendered(Protocol):
    """A page with its boxes: the input of visual segmenters."""

    @property
    def page(self) -> Page: ...

    @property
    def boxes(self) -> Boxes: ...
