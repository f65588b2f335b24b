"""What the elements of a page stand in, found for all of them at once.

This is done by path doubling: after k rounds each element knows its 2**k nearest ancestors.
"""

from __future__ import annotations

import numpy as np

from webstrata.page import TAGS, Elements
from webstrata.text import Column

__all__ = ["by_tag", "inherited", "nearest"]


def by_tag(values: dict[str, int]) -> Column:
    """A column of values to look up by the number of a tag; 0 for the tags that are not named."""
    table = np.zeros(len(TAGS), np.int16)
    for name, value in values.items():
        table[TAGS.index(name)] = value
    return table


def nearest(elements: Elements, chosen: Column) -> Column:
    """For each row the nearest chosen one among itself and its ancestors; row 0 where there is none.

    >>> from webstrata.page import parse
    >>> elements = parse("<body><ul><li><b>one</b></ul>").elements
    >>> [elements[row].tag for row in nearest(elements, elements.tag == TAGS.index("ul")).tolist()]
    ['html', 'html', 'html', 'ul', 'ul', 'ul']
    """
    near: Column = np.where(chosen, np.arange(len(elements)), np.maximum(elements.parent, 0))
    for _ in range(_rounds(elements)):
        near = near[near]
    return near


def inherited(elements: Elements, bits: Column) -> Column:
    """The bits of each element and of all its ancestors together."""
    found = bits.copy()
    above = np.maximum(elements.parent, 0)
    for _ in range(_rounds(elements)):
        found |= found[above]
        above = above[above]
    return found


def _rounds(elements: Elements) -> int:
    return int(elements.depth.max()).bit_length()
