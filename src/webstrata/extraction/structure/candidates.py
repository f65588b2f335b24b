"""Elements whose start tag holds a word: where structures that classes declare are looked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from webstrata.page import Page

__all__ = ["block_texts", "rows_at", "rows_with"]


def rows_with(page: Page, *words: bytes) -> list[int]:
    """The rows of the elements whose start tag has one of these words in the source, in document order.

    >>> from webstrata.page import parse
    >>> rows_with(parse("<p class=note>note<p id=note>"), b"note")
    [3, 4]
    """
    places: list[int] = []
    for word in words:
        place = page.source.find(word)
        while place >= 0:
            places.append(place)
            place = page.source.find(word, place + len(word))
    if not places:
        return []
    rows = rows_at(page, places)
    return [int(row) for row in np.unique(rows[rows >= 0])]


def rows_at(page: Page, places: Sequence[int]) -> npt.NDArray[np.int64]:
    """For each place in the source the row of the element in whose start tag it is, or -1."""
    at = np.array(places, np.int64)
    elements = page.elements
    starts, stops = elements.source_start, elements.open_stop
    real = np.flatnonzero(stops > starts)
    if not at.size or not real.size:
        return np.full(at.size, -1)
    order = real[np.argsort(starts[real], kind="stable")]
    found = np.searchsorted(starts[order], at, side="right") - 1
    rows = order[np.maximum(found, 0)]
    return np.where((found >= 0) & (at < stops[rows]), rows, -1)


def block_texts(page: Page, blocks: Iterable[int]) -> list[str]:
    """The texts of some blocks; "" for hidden ones."""
    table = page.blocks
    return ["" if table[row].hidden else table[row].text for row in blocks]
