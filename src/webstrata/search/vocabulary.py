"""Places in ascending lists of terms."""

from __future__ import annotations

import numpy as np

from webstrata.links.strings import Strings

__all__ = ["place_of", "with_prefix"]


def place_of(terms: Strings, wanted: bytes) -> int:
    """The index of a term in an ascending list, or the one it would have.

    >>> terms = Strings.of(["blue", "clan", "clay"])
    >>> place_of(terms, b"clan"), place_of(terms, b"z"), with_prefix(terms, "cla")
    (1, 3, range(1, 3))
    """
    low, high = 0, len(terms)
    while low < high:
        middle = (low + high) // 2
        if bytes(np.asarray(terms.data[terms.start[middle] : terms.start[middle + 1]])) < wanted:
            low = middle + 1
        else:
            high = middle
    return low


def with_prefix(terms: Strings, prefix: str) -> range:
    """The indices of the terms that begin with a prefix."""
    wanted = prefix.encode("utf-8", "replace")
    # No byte of UTF-8 is as high as the one that is added.
    return range(place_of(terms, wanted), place_of(terms, wanted + b"\xff"))
