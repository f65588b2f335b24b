"""The tree over the elements of a page: ancestors, children, and their text.

Functions over all elements use path doubling: after k rounds each element knows its 2**k nearest ancestors, so even the
deepest page takes few rounds. For one element, walk up with `Elements.ancestors`. A tree is given by a column
``parent`` of rows in document order, with -1 for the root.
"""

from __future__ import annotations

import re
from itertools import chain

import numpy as np

from webstrata._escaping import one_line
from webstrata._scan.references import tag_name
from webstrata.page import TAGS, Elements, Page
from webstrata.text import Column

__all__ = [
    "children",
    "common_ancestors",
    "depths",
    "inherited",
    "lines_of",
    "nearest",
    "own_text",
    "path_of",
    "text_of",
]


def nearest(elements: Elements, chosen: Column) -> Column:
    """For each row the nearest chosen one among itself and its ancestors; row 0 if there is none.

    >>> from webstrata.page import parse
    >>> elements = parse("<body><ul><li><b>one</b></ul>").elements
    >>> [elements[row].tag for row in nearest(elements, elements.tag == TAGS.index("ul")).tolist()]
    ['html', 'html', 'html', 'ul', 'ul', 'ul']
    """
    near: Column = np.where(chosen, np.arange(len(elements)), np.maximum(elements.parent, 0))
    for _ in range(_rounds(elements.depth)):
        near = near[near]
    return near


def inherited(elements: Elements, bits: Column) -> Column:
    """The bits of each element and of all its ancestors together."""
    found = bits.copy()
    above = np.maximum(elements.parent, 0)
    for _ in range(_rounds(elements.depth)):
        found |= found[above]
        above = above[above]
    return found


def depths(parent: Column) -> Column:
    """The number of ancestors of each row.

    >>> depths(np.array([-1, 0, 1, 0])).tolist()
    [0, 1, 2, 1]
    """
    above = np.where(parent < 0, np.arange(len(parent)), parent)
    depth = (parent >= 0).astype(np.int64)
    while True:
        more = depth[above]
        if not more.any():
            return depth
        depth += more
        above = above[above]


def children(parent: Column) -> tuple[Column, Column]:
    """The rows ordered by parent, and the position of the first child of each row in that order.

    The children of row r are ``order[start[r] : start[r + 1]]``; the root is the first of the order.

    >>> order, start = children(np.array([-1, 0, 1, 0]))
    >>> order[start[0] : start[1]].tolist(), order[start[1] : start[2]].tolist()
    ([1, 3], [2])
    """
    order = np.argsort(parent, kind="stable").astype(np.int32)
    return order, np.searchsorted(parent[order], np.arange(len(parent) + 1)).astype(np.int32)


def common_ancestors(parent: Column, left: Column, right: Column) -> Column:
    """For pairs of rows, their lowest common ancestor, which may be one of them. There must be one root.

    >>> common_ancestors(np.array([-1, 0, 1, 0]), np.array([2, 2, 1]), np.array([3, 1, 1])).tolist()
    [0, 1, 1]
    """
    left, right, depth = left.copy(), right.copy(), depths(parent)
    jumps = [np.maximum(parent, 0)]
    for _ in range(_rounds(depth)):
        jumps.append(jumps[-1][jumps[-1]])
    # The deeper one of each pair climbs to the level of the other, then both climb until they meet.
    for exponent, jump in reversed(list(enumerate(jumps))):
        left = np.where(depth[left] - depth[right] >= 1 << exponent, jump[left], left)
        right = np.where(depth[right] - depth[left] >= 1 << exponent, jump[right], right)
    for jump in reversed(jumps):
        apart = jump[left] != jump[right]
        left, right = np.where(apart, jump[left], left), np.where(apart, jump[right], right)
    found: Column = np.where(left == right, left, jumps[0][left])
    return found


def _rounds(depth: Column) -> int:
    return int(depth.max(initial=0)).bit_length()


def lines_of(page: Page, row: int, *, most: int | None = None) -> str:
    """The text of an element in the text of the page, at most ``most`` characters."""
    first, end = page.elements.block_span(row)
    if first >= end:
        return ""
    start, stop = page.blocks.text_span(first, end)
    return page.text[start : stop if most is None else min(stop, start + most)]


def text_of(page: Page, row: int, *, most: int) -> str:
    """The text of an element on one line, cut at ``most`` characters.

    >>> from webstrata.page import parse
    >>> text_of(parse("<p>A page<br>comes"), 3, most=100)
    'A page comes'
    """
    return one_line(lines_of(page, row, most=4 * most + 1), most)


def own_text(page: Page, row: int) -> str:
    """The text of an element without that of the elements inside it, except links.

    >>> from webstrata.page import parse
    >>> own_text(parse("<p>A page <b>comes</b> in <a>layers</a>."), 3)
    'A page in layers.'
    """
    blocks = page.blocks
    first, end = page.elements.block_span(row)
    own = (np.flatnonzero(blocks.element[first:end] == row) + first).tolist()
    return " ".join(page.text[blocks.text_start[block] : blocks.text_stop[block]] for block in own)


def path_of(elements: Elements, row: int, *, levels: int, letters: int) -> list[str]:
    """The tags from the root down to a row, for display: the innermost ``levels``, with names cut.

    >>> from webstrata.page import parse
    >>> elements = parse("<div><p><b><long-name>x").elements
    >>> path_of(elements, len(elements) - 1, levels=2, letters=5), path_of(elements, 3, levels=9, letters=5)
    (['…', 'b', 'long…'], ['html', 'body', 'div'])
    """
    names: list[str] = []
    for above in chain((row,), elements.ancestors(row)):
        if len(names) == levels:
            names.append("…")
            break
        name = TAGS[elements.tag[above]] or _unknown_name(elements, above, letters)
        names.append(name if len(name) <= letters else f"{name[: letters - 1]}…")
    return names[::-1]


def _unknown_name(elements: Elements, row: int, letters: int) -> str:
    """The name of a tag unknown to HTML, at least one letter more than displayed."""
    start = elements.start_tag(row)[0] + 1
    head = re.match(rb"[^ \t\n\r\f/>]*", elements.source[start : start + 4 * letters + 4])
    return tag_name(elements.source, start, start + len(head[0] if head else b""))
