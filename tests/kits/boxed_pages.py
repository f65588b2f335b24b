"""Pages with boxes that no browser made, so that visual segmenters can be tested on any page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webstrata._boxes import DISPLAYS, FLOATS, POSITIONS, Boxes, TextBoxes
from webstrata.page import Page

__all__ = ["Boxed", "boxed"]


@dataclass(frozen=True)
class Boxed:
    """What visual segmenters take."""

    page: Page
    boxes: Boxes


def boxed(page: Page, *, number: int = 0) -> Boxed:
    """The page with boxes by chance, the same for the same page and number; some are empty, some overlap."""
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
