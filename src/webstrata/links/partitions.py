"""PageRank over partitions of a graph that exchange votes (Kohlschütter 2011 §3.2.2, equations 3.10 and 3.11).

Pages are dealt to partitions site by site, as in §3.2.3: sites in descending order of size, round robin. When a graph
grows (`webstrata.links.growing`), older sites can keep their partition, and new ones balance the partitions. Within a
partition new ranks are seen at once (Gauss-Seidel). After each sweep a partition sends one number for each page of
another partition that it links to: the sum of the shares of all its links to that page, its *vote*. Votes are exchanged
between sweeps only, so ranks do not depend on the number of threads.

Deviations. Equation 3.11 divides by |L|; it must be |L(s)|, as in 3.10. Links between sites of one partition are not
votes: they are followed at once, as links within a site are.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from webstrata._once import once
from webstrata.errors import InputError
from webstrata.links._sweeps import sweep, votes_in, votes_out
from webstrata.links.graph import LinkGraph
from webstrata.links.methods import Method
from webstrata.links.surfer import Walk
from webstrata.links.sweeper import Sweeper
from webstrata.text import Column

__all__ = ["Partitioned", "Partitions", "deal_sites", "make_partitions"]


def deal_sites(graph: LinkGraph, count: int, kept: Sequence[int] | Column = ()) -> Column:
    """The partition of each site: sites in descending order of size, dealt round robin.

    With ``kept``, the partitions of the first sites, these stay where they are, and each further site goes to the
    partition that has the fewest pages then.

    >>> from webstrata.links.graph import build_graph
    >>> graph = build_graph(["http://a/", "http://b/", "http://b/x", "http://c/"], [], [])
    >>> deal_sites(graph, 2).tolist(), deal_sites(graph, 2, kept=[1]).tolist()
    ([1, 0, 0], [1, 0, 1])
    """
    sizes, known = np.diff(graph.site_start), np.asarray(kept, np.int64)
    if len(known) > len(sizes) or ((known < 0) | (known >= count)).any():
        raise InputError(f"kept has a number below {count} for each of the first sites, at most {len(sizes)} of them")
    new = len(known) + np.argsort(-sizes[len(known) :], kind="stable")
    part = np.empty(len(sizes), np.int64)
    part[: len(known)] = known
    if not len(known):
        part[new] = np.arange(len(new)) % count
        return part
    loads = np.bincount(known, sizes[: len(known)], minlength=count).astype(np.int64)
    lightest = [(load, number) for number, load in enumerate(loads.tolist())]
    heapq.heapify(lightest)
    for site in new.tolist():
        load, part[site] = lightest[0]
        heapq.heapreplace(lightest, (load + int(sizes[site]), int(part[site])))
    return part


@dataclass(frozen=True, eq=False)
class Partitions:
    """A graph in partitions: pages are renumbered, so that the pages of a partition are one range.

    Attributes
    ----------
    page : of each page, its number in the graph
    first : the first page of each partition, and the end
    walk : the links within partitions
    vote_start, vote_slot, vote_target : of each vote, the range of the links that are added up, and the page it goes to
    vote_first : the first vote that each partition sends, and the end
    get_page, get_vote : the votes in the order of the pages they go to: the page, and the number of the vote
    get_first : the first of these that each partition receives, and the end
    """

    page: Column
    first: Column
    walk: Walk
    vote_start: Column
    vote_slot: Column
    vote_target: Column
    vote_first: Column
    get_page: Column
    get_vote: Column
    get_first: Column

    @property
    def pages(self) -> int:
        return len(self.page)

    @property
    def count(self) -> int:
        return len(self.first) - 1

    @property
    def votes(self) -> int:
        """The number of votes, which are exchanged after each sweep."""
        return len(self.vote_target)

    @property
    def links_between(self) -> int:
        """The number of links from one partition to another."""
        return len(self.vote_slot)

    @once
    def dangling(self) -> Column:
        """For each page of the graph, whether it has no link to take."""
        marks = np.empty(self.pages, bool)
        marks[self.page] = self.walk.dangling
        return marks


def make_partitions(graph: LinkGraph, walk: Walk, count: int, kept: Sequence[int] = ()) -> Partitions:
    """Cut a graph into partitions; the first sites stay in the partitions that are ``kept``."""
    if count < 1:
        raise InputError(f"a graph has at least one partition, not {count}")
    strata = walk.factor.shape[1]
    part_of_page = np.repeat(deal_sites(graph, count, kept), np.diff(graph.site_start))
    page = np.argsort(part_of_page, kind="stable")
    number = np.empty(graph.pages, np.int64)
    number[page] = np.arange(graph.pages)
    first = np.concatenate(([0], np.cumsum(np.bincount(part_of_page, minlength=count))))

    degree = np.diff(walk.start)[page]
    start = np.concatenate(([0], np.cumsum(degree)))
    edge = np.repeat(walk.start[:-1][page] - start[:-1], degree)
    edge += np.arange(len(walk.slot))
    slot = walk.slot[edge]
    del edge
    source = slot // np.uint32(strata)
    target = np.repeat(np.arange(graph.pages, dtype=np.uint32), degree)
    slot = (number[source] * strata + slot % np.uint32(strata)).astype(np.uint32)
    sender = part_of_page[source]
    between = sender != part_of_page[page][target]
    del source
    within = np.concatenate(([0], np.cumsum(~between)))[start]
    inner = Walk(within.astype(np.int64), slot[~between], np.ascontiguousarray(walk.factor[page]))

    key = sender[between] * np.int64(graph.pages) + target[between]
    order = np.argsort(key, kind="stable")
    key = key[order]
    begins = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1]))) if len(key) else np.empty(0, np.int64)
    vote_target = (key[begins] % max(graph.pages, 1)).astype(np.uint32)
    sender_of_vote = key[begins] // max(graph.pages, 1)
    get = np.argsort(vote_target, kind="stable")
    return Partitions(
        page=page,
        first=first,
        walk=inner,
        vote_start=np.concatenate((begins, [len(key)])).astype(np.int64),
        vote_slot=slot[between][order],
        vote_target=vote_target,
        vote_first=np.searchsorted(sender_of_vote, np.arange(count + 1)),
        get_page=vote_target[get],
        get_vote=get.astype(np.int64),
        get_first=np.searchsorted(vote_target[get], first),
    )


class _PartitionSweeper(Sweeper):
    """Sweeps partitions on threads. The votes of one sweep are read in the next."""

    def __init__(self, parts: Partitions, width: int, *, alpha: float, threads: int) -> None:
        super().__init__(parts.walk, width, alpha=alpha, at_once=True)
        self.parts = parts
        self.received = np.zeros_like(self.rank)
        self.sent, self.sending = (np.zeros((parts.votes, width)) for _ in range(2))
        self.part_sums = [np.zeros_like(self.sums) for _ in range(parts.count)]
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None

    @property
    def has_float32(self) -> bool:
        """Never: votes are in float64."""
        return False

    def begin(self, jump: Column, rank: Column) -> None:
        super().begin(jump[self.parts.page], rank[self.parts.page])
        for number in range(self.parts.count):
            self._send(number, self.sent)

    def _send(self, number: int, votes: Column) -> None:
        parts = self.parts
        if parts.votes:
            votes_out(parts.vote_start, parts.vote_slot, self.walk.factor, self.votes, int(parts.vote_first[number]),
                      int(parts.vote_first[number + 1]), votes)  # fmt: skip

    def _sweep(self, number: int, weight: Column) -> None:
        parts, walk = self.parts, self.walk
        first, stop = parts.first[number : number + 2].tolist()
        if parts.votes:
            votes_in(parts.get_page, parts.get_vote, self.sent, int(parts.get_first[number]),
                     int(parts.get_first[number + 1]), self.received)  # fmt: skip
        sweep(walk.start, walk.slot, self.jump, self.received, None, walk.factor, self.stay, self.alpha, weight, True,
              first, stop, self.votes, self.rank, self.part_sums[number])  # fmt: skip
        self._send(number, self.sending)

    def __call__(self, weight: Column) -> Column:
        numbers = range(self.parts.count)
        run = map if self.pool is None else self.pool.map
        list(run(lambda number: self._sweep(number, weight), numbers))
        self.sent, self.sending = self.sending, self.sent
        sums: Column = np.sum(self.part_sums, axis=0)
        return sums

    def ranks(self) -> Column:
        ranks = np.empty_like(self.rank)
        ranks[self.parts.page] = self.rank
        return ranks

    def close(self) -> None:
        if self.pool is not None:
            self.pool.shutdown()


@dataclass(frozen=True, kw_only=True)
class Partitioned(Method):
    """Gauss-Seidel within partitions, votes between them (Kohlschütter 2011, equations 3.10 and 3.11).

    Parameters
    ----------
    partitions : the number of partitions
    threads : the number of threads; ranks do not depend on it
    kept : the partition of each site of an older graph (`deal_sites`), which begins this one: they keep it

    >>> from webstrata.links.graph import build_graph
    >>> graph = build_graph(["http://a/", "http://b/", "http://c/"], [0, 1, 2], [1, 0, 0])
    >>> Partitioned(alpha=0.5)(graph).ranks.round(4).tolist()
    [0.4444, 0.3889, 0.1667]
    """

    partitions: int = 2
    threads: int = 2
    kept: tuple[int, ...] = ()

    name: ClassVar[str] = "partitioned"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.partitions < 1 or self.threads < 1:
            raise InputError("partitions and threads must be at least 1")

    def prepare(self, graph: LinkGraph) -> Any:
        return make_partitions(graph, self.surfer.walk(graph), self.partitions, self.kept)

    def sweeper(self, prepared: Any, width: int) -> Sweeper:
        return _PartitionSweeper(prepared, width, alpha=self.alpha, threads=self.threads)
