"""Pages with made-up boxes, for tests of visual segmenters on any page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webstrata._boxes import DISPLAYS, FLOATS, POSITIONS, Boxes, TextBoxes
from webstrata.page import Page, parse

__all__ = ["Boxed", "boxed", "boxed_page"]

_INLINE = {"a", "b", "i", "span", "em", "img"}


@dataclass(frozen=True)
class Boxed:
    """A page with boxes, as visual segmenters take it."""

    page: Page
    boxes: Boxes


def boxed(page: Page, *, number: int = 0) -> Boxed:
    """The page with random boxes, the same for the same page and number; some are empty, some overlap."""
    chance = np.random.default_rng([number, len(page.source)])
    rows, blocks = len(page.elements), len(page.blocks)

    def lengths(count: int, most: int) -> np.ndarray:
        found = chance.integers(0, most, count) * chance.integers(0, 2, count)
        return found.astype(np.float32)

    def choice(values: list[str]) -> np.ndarray:
        return chance.integers(0, len(values), rows).astype(np.uint8)

    boxes = Boxes(
        left=lengths(rows, 1000),
        top=lengths(rows, 3000),
        width=lengths(rows, 1024),
        height=lengths(rows, 800),
        font_size=chance.choice([12, 16, 24], rows).astype(np.float32),
        font_weight=chance.choice([400, 700], rows).astype(np.int16),
        colour=np.full(rows, 0xFF, np.uint32),
        background=chance.choice([0, 0xFFFFFFFF, 0xEEEEEEFF], rows).astype(np.uint32),
        border_top=lengths(rows, 3),
        border_right=lengths(rows, 3),
        border_bottom=lengths(rows, 3),
        border_left=lengths(rows, 3),
        display=choice(DISPLAYS),
        position=choice(POSITIONS),
        float=choice(FLOATS),
        visible=chance.integers(0, 4, rows) > 0,
        text=TextBoxes(lengths(blocks, 1000), lengths(blocks, 3000), lengths(blocks, 500), lengths(blocks, 60)),
    )
    return Boxed(page, boxes)


def boxed_page(html: str) -> Boxed:
    """A page laid out as a stack: each text is a line of 20 pixels, and the box of an element is around its texts.

    Attributes change that: ``data-box="left top width height"`` sets the box, ``data-back=1`` another background,
    ``data-font=24`` another font size.
    """
    page = parse(html)
    elements, blocks = page.elements, page.blocks
    count = len(elements)
    box = np.zeros((count, 4), np.float32)
    text = np.array([(0, 30 * row, 100, 20) for row in range(len(blocks))], np.float32).reshape(-1, 4)
    background, font = np.zeros(count, np.uint32), np.full(count, 16, np.float32)
    for row in range(count):
        attributes = elements[row].attributes
        inside = text[elements.first_block[row] : elements.end_block[row]]
        if "data-box" in attributes:
            box[row] = [float(part) for part in attributes["data-box"].split()]
        elif len(inside):
            box[row] = 0, inside[0, 1], 1000, inside[-1, 1] + 20 - inside[0, 1]
        background[row] = 0x112233FF if "data-back" in attributes else 0
        parent = int(elements.parent[row])
        font[row] = float(attributes.get("data-font", font[parent] if parent >= 0 else 16))
    display = [DISPLAYS.index("inline" if elements[row].tag in _INLINE else "block") for row in range(count)]
    zeros = np.zeros(count, np.float32)
    boxes = Boxes(
        left=box[:, 0],
        top=box[:, 1],
        width=box[:, 2],
        height=box[:, 3],
        font_size=font,
        font_weight=np.full(count, 400, np.int16),
        colour=np.full(count, 255, np.uint32),
        background=background,
        border_top=zeros,
        border_right=zeros,
        border_bottom=zeros,
        border_left=zeros,
        display=np.array(display, np.uint8),
        position=np.zeros(count, np.uint8),
        float=np.zeros(count, np.uint8),
        visible=(box[:, 2] > 0) & (box[:, 3] > 0),
        text=TextBoxes(*text.T),
    )
    return Boxed(page, boxes)
