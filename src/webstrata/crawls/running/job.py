"""A job: inputs through a step into a folder, on the processes of this machine, resumable after any end.

::

    this process ── input processes (one input each) ── workers (pages, killable)

The folder contains the shards, ``_job/`` with the plan and the state of each shard, ``_rejected/`` if wanted, and at
the end ``_summary.json``. Readers of Parquet folders skip names that begin with ``_`` or ``.``.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass, field, replace
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, Protocol

from webstrata.crawls.reading.inputs import Input
from webstrata.crawls.running.folder import claimed_output
from webstrata.crawls.running.input_process import serve_inputs
from webstrata.crawls.running.outputs import output_folder
from webstrata.crawls.running.shards import OUT, Shards
from webstrata.crawls.running.steps import CrawlStep
from webstrata.crawls.running.writers import FORMATS
from webstrata.errors import InputError, WorkerError
from webstrata.workers.cores import cores
from webstrata.workers.limits import Limits
from webstrata.workers.processes import Child, launch_child

__all__ = ["Job", "Progress", "Summary"]

_SUMMARY = "_summary.json"


@dataclass(frozen=True, slots=True)
class Summary:
    """The numbers of records that were read, were written, and were rejected for each reason.

    ``earlier`` is true if an earlier run had finished the work already.
    """

    records: int
    written: int
    rejected: dict[str, int]
    earlier: bool = field(default=False, compare=False)

    @classmethod
    def of(cls, counts: Counter[str]) -> Summary:
        rejected = {reason: count for reason, count in sorted(counts.items()) if reason != OUT and count}
        return cls(counts.total(), counts[OUT], rejected)

    def as_dict(self) -> dict[str, Any]:
        return {"records": self.records, "written": self.written, "rejected": self.rejected}


class Progress(Protocol):
    """Progress callback: counts of records by reason since the last call, and how far each input is read."""

    def __call__(self, counts: Counter[str], reached: dict[int, int]) -> None: ...


@dataclass(frozen=True, kw_only=True)
class Job:
    """What to read, what to do, where to write.

    Parameters
    ----------
    inputs : from `webstrata.crawls.reading.finding.find_inputs`
    step : the step to run
    output : the folder to write to, or its address in an object store
    format : parquet, jsonl or txt
    limits : for one page
    shard_records : records read for one output file; a kill loses at most this many of each input that is being read
    rejected : whether to write places and reasons of rejected records to ``_rejected``
    """

    inputs: tuple[Input, ...]
    step: CrawlStep
    output: Path | str
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
            folder=output_folder(self.output),
            number=number,
            schema=self.step.schema,
            format=self.format,
            records=self.shard_records,
            rejected=self.rejected,
        )

    def plan(self) -> dict[str, Any]:
        """What must be the same for a run to resume an earlier one. The number of processes may differ."""
        return {
            "step": repr(self.step),
            "inputs": [[item.kind, list(item.files), item.identity] for item in self.inputs],
            "format": self.format,
            "limits": repr(self.limits),
            "shard_records": self.shard_records,
            "rejected": self.rejected,
        }

    def run(self, *, jobs: int | None = None, resume: bool = False, progress: Progress | None = None) -> Summary:
        """Run the job, or the rest of it.

        Parameters
        ----------
        jobs : worker processes; all cores by default
        resume : whether to resume an earlier run in the folder
        progress : progress callback
        """
        jobs = jobs or cores()
        folder = output_folder(self.output)
        # The input processes inherit the lock, so it lasts as long as any of them.
        with claimed_output(folder, "_job", self.plan(), resume=resume) as locks:
            earlier = folder.size(_SUMMARY) >= 0 and all(
                self.shards(number).complete() for number in range(len(self.inputs))
            )
            if not earlier:
                self._run_inputs(jobs, locks, progress or (lambda counts, reached: None))
            summary = replace(Summary.of(self.counts()), earlier=earlier)
            # The last file: a folder that has it is complete.
            folder.write(_SUMMARY, (json.dumps(summary.as_dict(), indent=1) + "\n").encode())
        return summary

    def counts(self) -> Counter[str]:
        """The numbers of records of all finished shards by reason, and of written ones as "written"."""
        shards = (shard for number in range(len(self.inputs)) for shard in self.shards(number).finished())
        return sum((Counter(shard.counts) for shard in shards), Counter())

    def _run_inputs(self, jobs: int, locks: list[int], progress: Progress) -> None:
        """Give every input to an input process, and receive messages until all are done."""
        left = list(range(len(self.inputs)))[::-1]
        count = max(1, min(jobs, len(left)))
        children: dict[Any, Child] = {}
        try:
            for number in range(count):
                share = max(1, jobs // count + (number < jobs % count))
                child = launch_child(serve_inputs, self, share, os.getpid(), pass_fds=locks)
                children[child.connection] = child
            for child in list(children.values()):
                child.begun()
                if left:
                    child.connection.send(left.pop())
            reached: dict[int, int] = {}
            while children:
                for connection in wait(list(children)):
                    self._receive(children, connection, left, reached, progress)
        finally:
            for child in children.values():
                child.process.terminate()
            for child in children.values():
                child.finish()

    def _receive(
        self,
        children: dict[Any, Child],
        connection: Any,
        left: list[int],
        reached: dict[int, int],
        progress: Progress,
    ) -> None:
        """Receive one message of an input process."""
        try:
            kind, *rest = connection.recv()
        except (EOFError, OSError) as error:
            code = children.pop(connection).finish()
            raise WorkerError(
                f"an input process ended with code {code}; finished shards are kept: resume the run"
            ) from error
        if kind == "progress":
            number, counts, reached[number] = rest
            progress(counts, reached)
        elif kind == "error":
            raise rest[0]
        elif left:
            connection.send(left.pop())
        else:
            children.pop(connection).finish()
