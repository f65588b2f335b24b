"""What must hold for every page, whatever the bytes."""

from __future__ import annotations

import numpy as np

from webstrata._scan.scan import tokens
from webstrata.page import CLONED, Elements, Page

# Elements whose text is not read as ordinary data.
STATES = {"textarea": "rcdata", "xmp": "rawtext", "plaintext": "plaintext"}


def check(page: Page) -> None:
    """Raise AssertionError unless the tables of a page are in order."""
    check_elements(page.elements, len(page.source), len(page.blocks))
    check_blocks(page)
    check_membership(page)


def check_elements(elements: Elements, size: int, blocks: int) -> None:
    rows = np.arange(len(elements))
    parent, depth = elements.parent, elements.depth
    assert len(elements) >= 3, "html, head and body are always there"
    assert parent[0] == -1
    assert (parent[1:] >= 0).all()
    assert (parent < rows).all()
    assert (depth[1:] == depth[parent[1:]] + 1).all()
    # In document order the parent of a row is the row before it, or an ancestor of that: subtrees are runs of rows.
    path: list[int] = []
    for row in rows.tolist():
        del path[int(depth[row]) :]
        assert not path or path[-1] == parent[row]
        path.append(row)
    first, end = elements.first_block, elements.end_block
    assert (first >= 0).all()
    assert (first <= end).all()
    assert (end <= blocks).all()
    assert (first[1:] >= first[parent[1:]]).all()
    assert (end[1:] <= end[parent[1:]]).all()
    start, opened, stop = elements.source_start, elements.open_stop, elements.source_stop
    assert (start >= 0).all()
    assert (start <= opened).all()
    assert (opened <= stop).all()
    assert (stop <= size).all()
    own = (elements.flags & CLONED) == 0
    assert (np.diff(start[own]) >= 0).all(), "start tags stand in document order"


def check_blocks(page: Page) -> None:
    blocks, text = page.blocks, page.text
    for start, stop, size in (
        (blocks.source_start, blocks.source_stop, len(page.source)),
        (blocks.text_start, blocks.text_stop, len(text)),
    ):
        assert (start < stop).all()
        assert (stop[:-1] <= start[1:]).all()
        assert not len(stop) or (start[0] >= 0 and stop[-1] <= size)
    starts, stops = blocks.text_start.tolist(), blocks.text_stop.tolist()
    for before, start in zip([0, *stops], [*starts, len(text)], strict=True):
        assert not text[before:start].strip(), "only white space stands between blocks"
    for block in blocks:
        assert block.text == block.text.strip(" \t\n\r\f")
        if not {"svg", "math"} & set(block.path):  # there CDATA sections are text, and NUL is U+FFFD
            state = next((state for tag, state in STATES.items() if tag in block.path), "data")
            assert source_text(block.html.encode(), state) == "".join(block.text.split()).replace("�", "")
    assert (blocks.words <= blocks.chars).all()
    assert (blocks.link_words <= blocks.words).all()
    assert (blocks.lines >= 1).all()
    assert (blocks.wrapped_words <= blocks.words).all()
    assert ((blocks.wrapped_words > 0) <= (blocks.lines > 1)).all()
    # A tag parts two blocks, or they part where hidden text begins or ends.
    parted = blocks.gap[1:].any(axis=1) | (blocks.flags[1:] != blocks.flags[:-1])
    assert parted.all()


def source_text(html: bytes, state: str) -> str:
    """The characters of a block read from its source once more: all that is no markup and no white space."""
    text = "".join(token[1] for token in tokens(html, state) if token[0] == "characters")
    return "".join(text.split()).replace("\0", "").replace("�", "")


def check_membership(page: Page) -> None:
    """Each block lies in the runs of blocks of all the elements around it."""
    elements, blocks = page.elements, page.blocks
    rows = np.arange(len(blocks))
    assert (elements.first_block[blocks.element] <= rows).all()
    assert (elements.end_block[blocks.element] > rows).all()
    for link in page.links:
        assert link.text in " ".join(page.text.split())
        for row in link.blocks:
            assert 0 <= row < len(blocks)
