"""Harmonic centrality: the sum of the reciprocal distances from all other pages (Boldi & Vigna 2014).

Pages that no path leads from add nothing, so that it is defined on any graph. On small graphs distances are exact, by a
search from each page. On large ones the *balls* of all pages, the sets of pages within a distance, grow by one link a
round, each as a HyperLogLog counter (HyperBall): the time is that of a sweep over the links for each distance.

Deviations:

- *Counters* are of whole bytes, not of five bits. Sizes of small balls are by linear counting, and sizes never shrink.
- *Rounds* end when no ball grows, or at ``most_sweeps``: a chain of n pages would need n rounds.

References: P. Boldi and S. Vigna, Axioms for centrality, Internet Mathematics 10, 2014. P. Boldi and S. Vigna, In-core
computation of geometric centralities with HyperBall, ICDM Workshops 2013.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar

import numpy as np

from webstrata.errors import InputError
from webstrata.links._balls import begin, exact, grow, sizes
from webstrata.links.graph import LinkGraph
from webstrata.links.hits import links_taken
from webstrata.links.methods import Ranking
from webstrata.links.surfer import Surfer
from webstrata.text import Column

__all__ = ["Harmonic"]

# Links that exact searches may read: some seconds.
_EXACT_LINKS = 2**31
_REGISTERS = (16, 2**14)


@dataclass(frozen=True, kw_only=True)
class Harmonic:
    """The harmonic centrality of pages.

    Parameters
    ----------
    registers : of the counter of each page, a power of two, or 0 for exact distances. None is 0 on small graphs and 64
        on others: 128 bytes for each page, and an error near 1.04 / 8 in the size of one ball
    most_sweeps : the number of rounds at most; centralities whose balls still grew have ``converged=False``
    draw : the seed of the counters
    threads : the number of threads; centralities do not depend on it
    surfer : leaves out links of chance 0: those within sites, those of the template or the other kind of each

    >>> from webstrata.links.graph import build_graph
    >>> graph = build_graph(["http://a/", "http://b/", "http://c/", "http://d/"], [0, 1, 2], [1, 2, 1])
    >>> Harmonic()(graph).ranks.tolist()
    [0.0, 2.0, 1.5, 0.0]
    """

    registers: int | None = None
    most_sweeps: int = 1000
    draw: int = 0
    threads: int = 2
    surfer: Surfer = field(default_factory=Surfer)

    name: ClassVar[str] = "harmonic"

    def __post_init__(self) -> None:
        count = self.registers
        if count and not (_REGISTERS[0] <= count <= _REGISTERS[1] and count & (count - 1) == 0):
            raise InputError(f"registers are a power of two from {_REGISTERS[0]} to {_REGISTERS[1]}, not {count}")
        if self.most_sweeps < 1 or self.threads < 1:
            raise InputError("most_sweeps and threads must be at least 1")

    def __call__(self, graph: LinkGraph, *, progress: Callable[[float], None] = lambda residual: None) -> Ranking:
        """The centralities of the pages of a graph.

        Parameters
        ----------
        graph : the graph
        progress : called after each round with what it added, as a share of all centralities
        """
        start, source = links_taken(graph, self.surfer)
        small = graph.pages * max(len(source), 1) <= _EXACT_LINKS
        registers = (0 if small else 64) if self.registers is None else self.registers
        bounds = np.linspace(0, graph.pages, 4 * self.threads + 1).astype(np.int64).tolist()
        with ThreadPoolExecutor(self.threads) as pool:
            if not registers:
                score = np.zeros(graph.pages)
                list(pool.map(lambda part: exact(start, source, part[0], part[1], score), pairwise(bounds)))
                return Ranking(score, (), True, repr(self))
            return self._estimated(start, source, registers, pool, list(pairwise(bounds)), progress)

    def _estimated(
        self,
        start: Column,
        source: Column,
        registers: int,
        pool: ThreadPoolExecutor,
        parts: list[tuple[int, int]],
        progress: Callable[[float], None],
    ) -> Ranking:
        pages = len(start) - 1
        before, after = (np.zeros((pages, registers), np.uint8) for _ in range(2))
        begin(before, self.draw)
        size, score = np.zeros(pages), np.zeros(pages)
        sizes(before, size)
        grew, grows = np.ones(pages, np.uint8), np.zeros(pages, np.uint8)
        residuals: list[float] = []
        while grew.any() and len(residuals) < self.most_sweeps:
            distance = len(residuals) + 1.0

            def swept(part: tuple[int, int], distance: float = distance) -> float:
                return grow(start, source, before, after, grew, grows, distance, size, score, *part)  # noqa: B023

            added = sum(pool.map(swept, parts))
            before, after, grew, grows = after, before, grows, grew
            residuals.append(added / max(float(score.sum()), 1e-300))
            progress(residuals[-1])
        return Ranking(score, tuple(residuals), not grew.any(), repr(self))
