"""The tree of a page as minidom has it: every element, and every text between two tags, also of white space alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from webstrata.page import TAGS, Page
from webstrata.tags import tag_positions, texts_between

__all__ = ["TEXT", "literal_nodes", "literal_spans"]

#: The name of texts.
TEXT = "#text"


def literal_nodes(page: Page) -> tuple[list[int], list[int], list[str]]:
    """For each node in document order: its parent, its block (-1 if it has none) and its name.

    A shown block belongs to the text with its first character. Comments are left out.

    >>> from webstrata.page import parse
    >>> parents, blocks, names = literal_nodes(parse("<p>one <a>two</a>\\n<p> <!-- three -->"))
    >>> names
    ['html', 'head', 'body', 'p', '#text', 'a', '#text', '#text', 'p', '#text']
    >>> parents, blocks
    ([-1, 0, 0, 2, 3, 3, 5, 3, 2, 8], [-1, -1, -1, -1, 0, -1, -1, -1, -1, -1])
    """
    elements = page.elements
    above, stops, tags = elements.parent.tolist(), elements.source_stop.tolist(), elements.tag.tolist()
    shown = np.flatnonzero(~page.blocks.hidden)
    blocks, begins, at = shown.tolist(), page.blocks.source_start[shown].tolist(), 0
    node_of = [-1] * len(elements)
    opened = _Stack(above.copy())
    parent: list[int] = []
    block: list[int] = []
    names: list[str] = []
    for row, start, stop in _events(page):
        if row >= 0:
            owner = opened.enter(row, above[row])
            node_of[row] = len(parent)
            names.append(TAGS[tags[row]] or elements[row].tag)
            block.append(-1)
        else:
            owner = opened.leave(start, stops)
            begun = at < len(begins) and begins[at] < stop
            names.append(TEXT)
            block.append(blocks[at] if begun else -1)
            at += begun
        parent.append(node_of[owner] if owner >= 0 else -1)
    return parent, block, names


def literal_spans(page: Page) -> list[tuple[int, int]]:
    """Where each of these nodes is in the source.

    >>> from webstrata.page import parse
    >>> page = parse("<p>one<hr>")
    >>> [page.source[start:stop].decode() for start, stop in literal_spans(page)][2:]
    ['<p>one<hr>', '<p>one', 'one', '<hr>']
    """
    starts, stops = page.elements.source_start.tolist(), page.elements.source_stop.tolist()
    return [(starts[row], stops[row]) if row >= 0 else (start, stop) for row, start, stop in _events(page)]


class _Stack:
    """The elements that are open, from the root down. An element that was left is replaced by what it stood in."""

    def __init__(self, above: list[int]) -> None:
        self._above = above
        self._rows: list[int] = []
        self._open = [False] * len(above)

    def enter(self, row: int, parent: int) -> int:
        """Open an element; gives the open element that holds it."""
        path = []
        while parent >= 0 and not self._open[parent]:
            path.append(parent)
            parent = self._above[parent]
        for left in path:
            self._above[left] = parent
        while self._rows and self._rows[-1] != parent:
            self._pop()
        self._rows.append(row)
        self._open[row] = True
        return parent

    def leave(self, position: int, stops: list[int]) -> int:
        """Close the elements that end at a position of the source; gives the innermost that is open. The root stays."""
        while len(self._rows) > 1 and stops[self._rows[-1]] <= position:
            self._pop()
        return self._rows[-1] if self._rows else -1

    def _pop(self) -> None:
        self._open[self._rows.pop()] = False


def _events(page: Page) -> Iterator[tuple[int, int, int]]:
    """The rows of elements, and -1 with start and stop of texts, in the order of the source."""
    elements, source = page.elements, page.source
    starts, stops = tag_positions(page)
    # Blocks also begin at tags that the tree leaves out, and after white space that belongs to their text.
    cuts = np.array([_before_space(source, start) for start in page.blocks.source_start.tolist()], np.int64)
    left = np.sort(np.concatenate(([0], stops, cuts)))
    right = np.sort(np.concatenate((starts, cuts, [len(source)])))
    begins = np.maximum.accumulate(elements.source_start) if len(elements) else elements.source_start
    row, rows = 0, len(elements)
    for gap in zip(left.tolist(), right.tolist(), strict=True):
        for start, stop in texts_between(source, *gap):
            while row < rows and begins[row] <= start:
                yield row, 0, 0
                row += 1
            # White space before the root is no node.
            if row:
                yield -1, start, stop
    for rest in range(row, rows):
        yield rest, 0, 0


def _before_space(source: bytes, position: int) -> int:
    """Where the white space before a position begins."""
    while position and source[position - 1] in b" \t\n\r\f":
        position -= 1
    return position
