"""A job: inputs through a step into a folder, on the processes of this machine, resumable after any end.

::

    this process ── lanes (one input each) ── workers (pages, killable)

The folder holds the shards, ``_job/`` with the plan and the state of each shard, ``_rejected/`` if asked for, and at
the end ``_summary.json``. Names that begin with ``_`` or ``.`` are skipped by readers of Parquet folders.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, Protocol

from webstrata.crawls.reading.inputs import Input
from webstrata.crawls.running.folder import claimed
from webstrata.crawls.running.input_process import run_lane
from webstrata.crawls.running.shards import OUT, Shards
from webstrata.crawls.running.steps import CrawlStep
from webstrata.crawls.running.writers import FORMATS
from webstrata.errors import InputError
from webstrata.files import write_json
from webstrata.workers.cores import cores
from webstrata.workers.limits import Limits
from webstrata.workers.processes import Child, launch_child

__all__ = ["Job", "Progress", "Summary", "cores"]


@dataclass(frozen=True, slots=True)
class Summary:
    """How many records came in, how many were written, and how many were rejected for each reason."""

    records: int
    written: int
    rejected: dict[str, int]

    @classmethod
    def of(cls, counts: Counter[str]) -> Summary:
        rejected = {reason: count for reason, count in sorted(counts.items()) if reason != OUT and count}
        return cls(counts.total(), counts[OUT], rejected)

    def as_dict(self) -> dict[str, Any]:
        return {"records": self.records, "written": self.written, "rejected": self.rejected}


class Progress(Protocol):
    """Is told what goes on."""

    def __call__(self, counts: Counter[str], reached: dict[int, int]) -> None: ...


@dataclass(frozen=True, kw_only=True)
class Job:
    """What to read, what to do, where to write.

    Parameters
    ----------
    inputs : from `webstrata.crawls.reading.inputs.find_inputs`
    step : what to run over the records
    output : the folder to write to
    format : parquet, jsonl or txt
    limits : what one page may cost
    shard_records : records read for one output file; what a kill can lose at most, for each input at work
    rejected : whether to write aside where rejected records are and why
    """

    inputs: tuple[Input, ...]
    step: CrawlStep
    output: Path
    format: str = "parquet"
    limits: Limits = field(default_factory=Limits)
    shard_records: int = 10_000
    rejected: bool = False

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise InputError(f"no format is called {self.format!r}: choose one of {', '.join(FORMATS)}")
        if self.shard_records < 1:
            raise InputError("a shard holds at least one record")

    def shards(self, number: int) -> Shards:
        """The shards of the input of that number."""
        return Shards(
            folder=self.output,
            number=number,
            schema=self.step.schema,
            format=self.format,
            records=self.shard_records,
            rejected=self.rejected,
        )

    def plan(self) -> dict[str, Any]:
        """What must be the same for a run to go on where another one stopped. The number of processes is no part."""
        return {
            "step": repr(self.step),
            "inputs": [[item.kind, list(item.files), item.identity] for item in self.inputs],
            "format": self.format,
            "limits": repr(self.limits),
            "shard_records": self.shard_records,
            "rejected": self.rejected,
        }

    def run(self, *, jobs: int | None = None, resume: bool = False, progress: Progress | None = None) -> Summary:
        """Do what is left to do.

        Parameters
        ----------
        jobs : worker processes; all cores by default
        resume : go on with what an earlier run left in the folder
        progress : is told of every step forward
        """
        jobs = jobs or cores()
        # Lanes hold the lock too, so it lasts as long as any of them.
        with claimed(self.output, "_job", self.plan(), resume=resume) as lock:
            self._lanes(jobs, lock, progress or (lambda counts, reached: None))
            summary = Summary.of(self.counts())
            write_json(self.output / "_summary.json", summary.as_dict())
        return summary

    def counts(self) -> Counter[str]:
        """The records of all finished shards by reason, those that came out under "written"."""
        shards = (shard for number in range(len(self.inputs)) for shard in self.shards(number).finished())
        return sum((Counter(shard.counts) for shard in shards), Counter())

    def _lanes(self, jobs: int, lock: int, progress: Progress) -> None:
        """Give every input to a lane, and listen until all are done."""
        left = list(range(len(self.inputs)))[::-1]
        count = max(1, min(jobs, len(left)))
        lanes: dict[Any, Child] = {}
        try:
            for number in range(count):
                share = max(1, jobs // count + (number < jobs % count))
                child = launch_child(run_lane, self, share, os.getpid(), pass_fds=[lock])
                lanes[child.connection] = child
            for child in list(lanes.values()):
                child.begun()
                if left:
                    child.connection.send(left.pop())
            reached: dict[int, int] = {}
            while lanes:
                for connection in wait(list(lanes)):
                    self._listen(lanes, connection, left, reached, progress)
        finally:
            for child in lanes.values():
                child.process.terminate()
            for child in lanes.values():
                child.finish()

    def _listen(
        self,
        lanes: dict[Any, Child],
        connection: Any,
        left: list[int],
        reached: dict[int, int],
        tell: Progress,
    ) -> None:
        """Take one message of one lane."""
        try:
            kind, *rest = connection.recv()
        except (EOFError, OSError) as error:
            code = lanes.pop(connection).finish()
            raise RuntimeError(f"a lane ended with code {code}; what is finished is kept: resume the run") from error
        if kind == "progress":
            number, counts, reached[number] = rest
            tell(counts, reached)
        elif kind == "error":
            raise rest[0]
        elif left:
            connection.send(left.pop())
        else:
            lanes.pop(connection).finish()
