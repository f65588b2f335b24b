"""HITS: hubs link to good authorities, and authorities are linked to by good hubs (Kleinberg 1999).

The authority of a page is the sum of the hub scores of the pages that link to it, and its hub score the sum of the
authorities of the pages that it links to. Both are found by repeating these sums from equal scores.

Deviations:

- *Scale.* Scores add up to one, as ranks do; in the paper their squares do. A graph without links has scores of 0.
- *The graph.* The paper takes the neighbourhood of the results of a query, without links within a site. Any graph is
  taken here, and ``surfer=Surfer(internal=0.0)`` leaves out the links within sites.

Reference: J. M. Kleinberg, Authoritative sources in a hyperlinked environment, Journal of the ACM 46 (5), 1999.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from webstrata.errors import InputError
from webstrata.links._sweeps import transpose, votes_out
from webstrata.links.graph import LinkGraph
from webstrata.links.methods import Ranking
from webstrata.links.surfer import Surfer
from webstrata.text import Column

__all__ = ["HITS", "HubRanking", "links_taken"]


def links_taken(graph: LinkGraph, surfer: Surfer) -> tuple[Column, Column]:
    """The links by target that a surfer may take, as their starts and their sources.

    Raises
    ------
    InputError
        for a surfer with chances between 0 and 1: these measures count a link or leave it out
    """
    if any(chance not in (None, 0.0, 1.0) for chance in (surfer.internal, surfer.content)):
        raise InputError("HITS and harmonic centrality count a link or leave it out: internal and content are 0 or 1")
    walk = surfer.walk(graph)
    strata = walk.factor.shape[1]
    return walk.start, walk.slot if strata == 1 else walk.slot // np.uint32(strata)


@dataclass(frozen=True, eq=False, repr=False)
class HubRanking(Ranking):
    """Authorities as ranks, with hubs beside them.

    Attributes
    ----------
    hubs : the hub score of each page
    """

    hubs: Column

    @property
    def turned(self) -> HubRanking:
        """The hubs as ranks, with the authorities beside them."""
        return HubRanking(self.hubs, self.residuals, self.converged, self.method, self.ranks)


@dataclass(frozen=True, kw_only=True)
class HITS:
    """Authorities and hubs of a graph.

    Parameters
    ----------
    tolerance : the change of all authorities in a sweep, as a share of their sum, at which it stops
    most_sweeps : the number of sweeps at most; scores that did not converge have ``converged=False``
    surfer : leaves out links of chance 0: those within sites, those of the template or the other kind of each

    >>> from webstrata.links.graph import build_graph
    >>> graph = build_graph(["http://a/", "http://b/", "http://c/"], [0, 0, 1], [1, 2, 2])
    >>> found = HITS()(graph)
    >>> found.ranks.round(3).tolist(), found.hubs.round(3).tolist()
    ([0.0, 0.382, 0.618], [0.618, 0.382, 0.0])
    """

    tolerance: float = 1e-9
    most_sweeps: int = 1000
    surfer: Surfer = field(default_factory=Surfer)

    name: ClassVar[str] = "hits"

    def __post_init__(self) -> None:
        if not self.tolerance >= 0 or self.most_sweeps < 1:
            raise InputError("tolerance must be at least 0, most_sweeps at least 1")

    def __call__(self, graph: LinkGraph, *, progress: Callable[[float], None] = lambda residual: None) -> HubRanking:
        """The scores of the pages of a graph; ``progress`` is called with the residual after each sweep."""
        into = links_taken(graph, self.surfer)
        out = _turned(graph, *into)
        hubs, authorities = np.ones((graph.pages, 1)), np.full((graph.pages, 1), 1 / max(graph.pages, 1))
        before = authorities.copy()
        residuals: list[float] = []
        while True:
            before, authorities = authorities, before
            _sums(*into, hubs, authorities)
            _sums(*out, authorities, hubs)
            residuals.append(float(np.abs(authorities - before).sum()))
            progress(residuals[-1])
            done = residuals[-1] <= self.tolerance
            if done or len(residuals) == self.most_sweeps or not authorities.any():
                break
        done = done or not authorities.any()
        return HubRanking(authorities[:, 0], tuple(residuals), done, repr(self), hubs[:, 0])


def _turned(graph: LinkGraph, start: Column, source: Column) -> tuple[Column, Column]:
    """The links by source."""
    if len(source) == graph.links:
        return graph.out_start, graph.out_target
    back, target = np.zeros(graph.pages + 1, np.int64), np.empty(len(source), np.uint32)
    marks = np.zeros(len(source), np.uint8)
    transpose(start, source, marks, back, target, marks.copy())
    return back, target


def _sums(start: Column, end: Column, given: Column, out: Column) -> None:
    """Write for each page the sum over its links, as shares of one."""
    out[:] = 0.0
    if len(end):
        votes_out(start, end, given, given, 0, len(out), out)
    total = out.sum()
    if total > 0:
        out /= total
