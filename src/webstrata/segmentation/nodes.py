"""The tree of a page with its texts as leaves: parents of blocks, and the order of the source."""

from __future__ import annotations

import numpy as np

from webstrata.page import CLONED, Page
from webstrata.text import Column

__all__ = ["parents_of_blocks", "source_order", "split_links"]


def split_links(page: Page) -> Column:
    """For each element, whether it is a link that begins or ends in the middle of a block, and so is not a node."""
    elements, blocks = page.elements, page.blocks
    split = np.zeros(len(elements), bool)
    links = elements.find("a")
    links = links[elements.first_block[links] < elements.end_block[links]]
    begins = elements.open_stop[links] > blocks.source_start[elements.first_block[links]]
    ends = elements.source_stop[links] < blocks.source_stop[elements.end_block[links] - 1]
    split[links] = begins | ends
    return split


def parents_of_blocks(page: Page, kept: Column) -> Column:
    """The innermost element around each block, where those links count that are kept."""
    elements = page.elements
    parent = page.blocks.element.copy()
    links = elements.find("a")
    for row in links[kept[links]].tolist():
        span = slice(elements.first_block[row], elements.end_block[row])
        inside = parent[span] == elements.parent[row]
        parent[span][inside] = row
    return parent


def source_order(page: Page, rows: Column, shown: Column) -> Column:
    """The order in the source of some elements followed by some blocks, as indices into both together."""
    elements, blocks = page.elements, page.blocks
    start = elements.source_start.copy()
    # A cloned element has the start tag of the original: it really begins with its first text.
    cloned = ((elements.flags & CLONED) != 0) & (elements.first_block < elements.end_block)
    start[cloned] = blocks.source_start[elements.first_block[cloned]]
    start = np.maximum.accumulate(start)
    kinds = np.repeat([0, 1], [len(rows), len(shown)])
    return np.lexsort((kinds, np.concatenate((start[rows], blocks.source_start[shown]))))
