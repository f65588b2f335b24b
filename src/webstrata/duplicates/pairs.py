"""Pairs of similar signatures, found by the bands that they share."""

from __future__ import annotations

import numpy as np

from webstrata.duplicates._minhash import spanning_pairs
from webstrata.duplicates.signatures import Rule
from webstrata.text import Column

__all__ = ["lower_halves", "pairs_in_bands", "shared_bands", "similar_pairs"]

# In a band, each distinct signature is compared with at most this many others, the next ones in the order of hashes.
# What repeats more often is no accident of min-hashes: such pages meet in other bands as well.
_WINDOW = 1000


def similar_pairs(signatures: Column, rule: Rule) -> tuple[Column, Column]:
    """Pairs of rows of a matrix of signatures, just enough to connect the near-duplicates.

    >>> rule = Rule()
    >>> texts = "the clay was pale", "a bed of gravel", "The clay was pale."
    >>> [column.tolist() for column in similar_pairs(np.array([rule.signature(text) for text in texts]), rule)]
    [[0], [2]]
    """
    bands = rule.keys(signatures).ravel()
    rows = shared_bands(bands)
    a, b = pairs_in_bands(bands[rows], rows // rule.bands, lower_halves(signatures)[rows // rule.bands], rule.needed)
    # Rows meet in several bands.
    a, b = np.unique(np.stack([np.minimum(a, b), np.maximum(a, b)]), axis=1)
    return a, b


def lower_halves(signatures: Column) -> Column:
    """The lower 16 bits of each value of signatures; different values share them with a chance of 1 in 65,536."""
    return (signatures & 0xFFFF).astype(np.uint16)


def shared_bands(bands: Column) -> Column:
    """The rows, in their order, whose band is that of another row too.

    >>> shared_bands(np.array([7, 5, 7, 6])).tolist()
    [0, 2]
    """
    if not len(bands):
        return np.zeros(0, np.int64)
    order = np.argsort(bands, kind="stable")
    differs = np.diff(bands[order]) != 0
    alone = np.concatenate(([True], differs)) & np.concatenate((differs, [True]))
    return np.sort(order[~alone])


def pairs_in_bands(bands: Column, pages: Column, halves: Column, needed: int) -> tuple[Column, Column]:
    """Pairs of pages that share a band and agree in at least ``needed`` values, just enough to connect them.

    Parameters
    ----------
    bands, pages : the key of a band, and the page that has it, row by row
    halves : `lower_halves` of the signature of each row's page
    needed : `Rule.needed`
    """
    # Equal signatures have equal sums, so that they come next to each other.
    sums = (halves.astype(np.uint64) * (np.arange(halves.shape[1], dtype=np.uint64) * 2 + 1) ** 3).sum(axis=1)
    order = np.lexsort((pages, sums, bands))
    pairs = np.empty((len(order), 2), np.int64)
    count = spanning_pairs(bands[order], np.ascontiguousarray(halves[order]), needed, _WINDOW, pairs)
    return pages[order[pairs[:count, 0]]], pages[order[pairs[:count, 1]]]
