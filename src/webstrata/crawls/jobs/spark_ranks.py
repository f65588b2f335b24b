"""PageRank over partitions on Spark, for ranks that outgrow a machine.

Each partition of `webstrata.links.partitions` is one file, which the tasks read themselves. Ranks stay on the
executors; after each sweep these exchange the votes of equation 3.11, added up by target page, and the driver gets
three sums of each partition. The sweeps are those of `webstrata.links.partitions.Partitioned`, so ranks are the same.

Deviation. The driver cuts the graph, which is mapped into memory, and collects the ranks at the end: one number for
each page must fit into its memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from webstrata.crawls.running.spark import session
from webstrata.errors import InputError
from webstrata.links._sweeps import sweep, votes_out
from webstrata.links.partitions import Partitioned, Partitions
from webstrata.links.sweeper import Sweeper, votes_of
from webstrata.text import Column

__all__ = ["SparkPartitioned"]


@dataclass(frozen=True, kw_only=True)
class SparkPartitioned(Partitioned):
    """`Partitioned` on Spark.

    Parameters
    ----------
    folder : for the files of the partitions; every executor must be able to read it by this path
    jobs : cores, when this machine is the cluster
    """

    folder: str = ""
    jobs: int | None = None

    name: ClassVar[str] = "partitioned on spark"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.folder:
            raise InputError("name a folder for the files of the partitions, which every executor can read")

    def sweeper(self, prepared: Any, width: int) -> Sweeper:
        return _SparkSweeper(prepared, alpha=self.alpha, folder=Path(self.folder), jobs=self.jobs)


class _SparkSweeper(Sweeper):
    """The state is an RDD: of each partition its number, its ranks, the votes that it sends, and its three sums."""

    def __init__(self, parts: Partitions, *, alpha: float, folder: Path, jobs: int | None) -> None:
        self.parts, self.alpha, self.folder = parts, alpha, folder
        folder.mkdir(parents=True, exist_ok=True)
        self.context = session(jobs=jobs).sparkContext
        self.state: Any = None

    def begin(self, jump: Column, rank: Column) -> None:
        self.close()
        parts, folder = self.parts, self.folder
        jumps, ranks = jump[parts.page], rank[parts.page]
        for number in range(parts.count):
            np.savez(folder / f"{number}.npz", **_block(parts, jumps, ranks, number))
        numbers = self.context.parallelize(range(parts.count), parts.count)
        self.state = _kept(numbers.map(lambda number: _begin(folder, number)))

    def __call__(self, weight: Column) -> Column:
        folder, alpha, before = self.folder, self.alpha, self.state
        votes = before.flatMap(lambda row: [(to, (row[0], *vote)) for to, vote in row[1][1].items()])
        ranks = before.mapValues(lambda value: value[0])
        together = ranks.cogroup(votes, self.parts.count)
        self.state = _kept(together.map(lambda row: _sweep(folder, row[0], row[1][0], row[1][1], alpha, weight)))
        sums = dict(self.state.mapValues(lambda value: value[2]).collect())
        before.unpersist()
        added: Column = np.sum([sums[number] for number in range(self.parts.count)], axis=0)
        return added

    def ranks(self) -> Column:
        found = dict(self.state.mapValues(lambda value: value[0]).collect())
        moved = np.concatenate([found[number] for number in range(self.parts.count)])
        ranks = np.empty_like(moved)
        ranks[self.parts.page] = moved
        return ranks

    def close(self) -> None:
        if self.state is not None:
            self.state.unpersist()


def _kept(state: Any) -> Any:
    """A state that Spark keeps, without the lineage of all earlier sweeps."""
    state.localCheckpoint()
    return state


def _block(parts: Partitions, jump: Column, rank: Column, number: int) -> dict[str, Any]:
    """The data of a partition for its task, its pages numbered from zero."""
    first, stop = parts.first[number : number + 2].tolist()
    vote, vote_stop = parts.vote_first[number : number + 2].tolist()
    walk, strata = parts.walk, parts.walk.factor.shape[1]
    link, link_stop = (int(walk.start[place]) for place in (first, stop))
    sent, sent_stop = (int(parts.vote_start[place]) for place in (vote, vote_stop))
    target = parts.vote_target[vote:vote_stop].astype(np.int64)
    receiver = np.searchsorted(parts.first, target, "right") - 1
    return {
        "start": walk.start[first : stop + 1] - link,
        "slot": walk.slot[link:link_stop] - np.uint32(first * strata),
        "factor": walk.factor[first:stop],
        "stay": walk.stay[first:stop] if walk.stay is not None else np.zeros(stop - first),
        "jump": jump[first:stop],
        "rank": rank[first:stop],
        "vote_start": parts.vote_start[vote : vote_stop + 1] - sent,
        "vote_slot": parts.vote_slot[sent:sent_stop] - np.uint32(first * strata),
        "vote_to": receiver,
        "vote_page": target - parts.first[receiver],
    }


def _begin(folder: Path, number: int) -> tuple[int, tuple[Column, dict[int, Any], Column]]:
    block = np.load(folder / f"{number}.npz")
    rank = block["rank"]
    x = votes_of(block["factor"], rank, at_once=True)
    return number, (rank, _votes(block, x), np.zeros((3, rank.shape[1])))


def _votes(block: Any, x: Column) -> dict[int, tuple[Column, Column]]:
    """The votes for each other partition: its pages, and a row of votes for each."""
    receiver, page = block["vote_to"], block["vote_page"]
    votes = np.zeros((len(page), x.shape[1]))
    if len(page):
        votes_out(block["vote_start"], block["vote_slot"], block["factor"], x, 0, len(page), votes)
    return {int(to): (page[receiver == to], votes[receiver == to]) for to in np.unique(receiver)}


def _sweep(
    folder: Path, number: int, ranks: Iterator[Column], votes: Iterator[Any], alpha: float, weight: Column
) -> tuple[int, tuple[Column, dict[int, Any], Column]]:
    block = np.load(folder / f"{number}.npz")
    rank = next(iter(ranks)).copy()
    received = np.zeros_like(rank)
    # In the order of the senders, so that sums are rounded as on one machine.
    for _, page, values in sorted(votes, key=lambda vote: int(vote[0])):
        received[page] += values
    x = votes_of(block["factor"], rank, at_once=True)
    sums = np.zeros((3, rank.shape[1]))
    sweep(block["start"], block["slot"], block["jump"], received, None, block["factor"], block["stay"], alpha, weight,
          True, 0, len(rank), x, rank, sums)  # fmt: skip
    return number, (rank, _votes(block, x), sums)
