"""Sweeps over the ranks of a graph: the state of an iteration, and the native code that advances it."""

from __future__ import annotations

from typing import Any

import numpy as np

from webstrata.links._sweeps import refine, share, sweep, sweep_float32
from webstrata.links.surfer import Walk
from webstrata.text import Column

__all__ = ["WIDTH", "Sweeper", "aligned_rows", "votes_of"]

#: Vectors that are swept together: with more, the ranks of a site no longer fit the nearest caches.
WIDTH = 16
# Sweeps run in float32 while more than this changes; float32 loses precision a factor of ten below.
_FLOAT32_RESIDUAL = 1e-5
_CACHE_LINE = 64


def votes_of(factor: Column, rank: Column, *, at_once: bool) -> Column:
    """The array that sweeps read votes from: the share of each link for one vector, the ranks for several.

    Parameters
    ----------
    factor : what each page gives to a link of each stratum
    rank : the ranks, a row for each page
    at_once : whether pages see new ranks at once; with several vectors the array is then ``rank`` itself
    """
    if at_once and rank.shape[1] > 1:
        return rank
    votes = np.empty_like(rank) if rank.shape[1] > 1 else np.empty((factor.size, 1))
    share(factor, rank, votes)
    return votes


def aligned_rows(pages: int, width: int, dtype: Any = np.float64) -> Column:
    """A row of zeros for each page; the array begins at a cache line, so that rows touch as few lines as possible."""
    size = pages * width * np.dtype(dtype).itemsize
    buffer = np.zeros(size + _CACHE_LINE, np.uint8)
    first = -buffer.ctypes.data % _CACHE_LINE
    rows: Column = buffer[first : first + size].view(dtype).reshape(pages, width)
    return rows


class Sweeper:
    """The state of an iteration. A call sweeps once and returns the sums of the native code.

    One sweeper serves many groups of vectors in turn: allocating and clearing the memory for each group would take
    longer than some sweeps.

    Many vectors are first swept in float32, which halves the memory to read. When that gets no further, the sweeps go
    on in float64, so that ranks are as exact as those of a single vector.

    Attributes
    ----------
    exact : whether the last sweep was in float64; a small residual in float32 is no reason to stop
    """

    exact = True

    def __init__(self, walk: Walk, width: int, *, alpha: float, at_once: bool, order: Column | None = None) -> None:
        self.walk, self.order, self.alpha, self.at_once = walk, order, alpha, at_once
        self.stay = walk.stay if at_once else None
        self.jump = self.rank = aligned_rows(walk.pages, width)
        self.sums = np.zeros((3, width))
        self.votes = votes_of(walk.factor, self.rank, at_once=at_once)
        self.in_float32, self.residual = False, np.inf
        if self.has_float32:
            self.shares = aligned_rows(walk.pages, width, np.float32)
            # The float64 ranks are not read while sweeps are in float32, so their memory holds the jumps.
            self.float32_jump = self.rank.reshape(-1).view(np.float32)[: self.rank.size].reshape(self.rank.shape)

    def begin(self, jump: Column, rank: Column) -> None:
        """Start over from ranks with these jump vectors, which every sweep reads until the next start."""
        self.jump = jump
        self.in_float32 = self.has_float32
        if self.in_float32:
            self.residual = np.inf
            np.copyto(self.float32_jump, jump, casting="same_kind")
            np.multiply(rank, self.walk.factor, out=self.shares, casting="same_kind")
            return
        np.copyto(self.rank, rank)
        if self.votes is not self.rank:
            share(self.walk.factor, self.rank, self.votes)

    @property
    def has_float32(self) -> bool:
        """Whether there is a float32 sweep: for many vectors, one stratum, and ranks that are seen at once."""
        return self.walk.pages > 0 and self.votes is self.rank and self.walk.factor.shape[1] == 1

    def __call__(self, weight: Column) -> Column:
        walk = self.walk
        self.exact = not self.in_float32
        if self.in_float32:
            sweep_float32(walk.start, walk.slot, self.float32_jump, self.order, walk.factor, self.stay, self.alpha,
                          weight, self.shares, self.sums)  # fmt: skip
            changed, total, _ = self.sums
            before, self.residual = self.residual, float((changed / np.where(total > 0, total, 1.0)).max())
            if not _FLOAT32_RESIDUAL < self.residual < before:
                self._refine()
            return self.sums
        sweep(walk.start, walk.slot, self.jump, None, self.order, walk.factor, self.stay, self.alpha, weight,
              self.at_once, 0, walk.pages, self.votes, self.rank, self.sums)  # fmt: skip
        if not self.at_once:
            share(walk.factor, self.rank, self.votes)
        return self.sums

    def _refine(self) -> None:
        """Go on in float64."""
        refine(self.walk.factor, self.shares, self.rank)
        self.in_float32 = False

    def ranks(self) -> Column:
        """The ranks in the order of the pages of the graph."""
        if self.in_float32:
            self._refine()
        return self.rank

    def close(self) -> None:
        """Release threads and the like."""
