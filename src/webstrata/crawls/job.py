"""A job: inputs through a step into a folder, on the processes of this machine, resumable after any end.

::

    this process ── lanes (one input each) ── workers (pages, killable)

The folder holds the shards, ``_job/`` with the plan and the state of each shard, ``_rejected/`` if asked for, and at
the end ``_summary.json``. Names that begin with ``_`` or ``.`` are skipped by readers of Parquet folders.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, Protocol

from webstrata.crawls.inputs import Input
from webstrata.crawls.lane import run_lane
from webstrata.crawls.limits import Limits
from webstrata.crawls.processes import Child, start_child
from webstrata.crawls.shards import OUT, Shards
from webstrata.crawls.steps import Step
from webstrata.crawls.writers import FORMATS
from webstrata.errors import InputError

__all__ = ["Job", "Progress", "Summary"]

# After a kill, the lanes of the run before are ended by the system, which may take a moment.
_LOCK_SECONDS = 10


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
    inputs : from `webstrata.crawls.inputs.find_inputs`
    step : what to run over the records
    output : the folder to write to
    format : parquet, jsonl or txt
    limits : what one page may cost
    shard_records : records read for one output file; what a kill can lose at most, for each input at work
    rejected : whether to write aside where rejected records are and why
    """

    inputs: tuple[Input, ...]
    step: Step
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
        jobs = jobs or _cores()
        with self._locked(resume) as lock:
            self._lanes(jobs, lock, progress or (lambda counts, reached: None))
            summary = Summary.of(self.counts())
            _write(self.output / "_summary.json", summary.as_dict())
        return summary

    def counts(self) -> Counter[str]:
        """The records of all finished shards by reason, those that came out under "written"."""
        shards = (shard for number in range(len(self.inputs)) for shard in self.shards(number).finished())
        return sum((Counter(shard.counts) for shard in shards), Counter())

    @contextmanager
    def _locked(self, resume: bool) -> Iterator[int]:
        """The folder, prepared and for this run alone. Lanes hold the lock too, so it lasts as long as any of them."""
        folder = self.output / "_job"
        if self.output.exists() and not self.output.is_dir():
            raise InputError(f"{self.output} is a file: name a folder")
        if self.output.is_dir() and any(self.output.iterdir()) and not folder.is_dir():
            raise InputError(f"{self.output} holds other files: name a new folder")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise InputError(f"cannot write to {self.output}: {error.strerror}") from error
        try:
            _acquire(lock, self.output)
            self._check(folder / "plan.json", resume)
            yield lock
        finally:
            os.close(lock)

    def _check(self, path: Path, resume: bool) -> None:
        plan = json.loads(json.dumps(self.plan()))
        if not path.exists():
            _write(path, plan)
            return
        if not resume:
            raise InputError(f"{self.output} holds an earlier run: add --resume to go on, or name a new folder")
        before = _read_plan(path)
        changed = [name for name in plan if plan[name] != before.get(name)]
        if changed == ["inputs"] and self._same_names(before["inputs"]):
            raise InputError(
                f"the inputs have changed since the run that {self.output} holds: it would mix old and new rows;"
                " name a new folder"
            )
        if changed:
            raise InputError(f"{self.output} holds a run with other {', '.join(changed)}: it cannot go on as this one")
        for left in self.output.rglob(".*.tmp"):
            left.unlink()

    def _same_names(self, inputs: Any) -> bool:
        """Whether these inputs of a plan have the names of ours."""
        names = [[item.kind, list(item.files)] for item in self.inputs]
        return isinstance(inputs, list) and [item[:2] for item in inputs if isinstance(item, list)] == names

    def _lanes(self, jobs: int, lock: int, progress: Progress) -> None:
        """Give every input to a lane, and listen until all are done."""
        left = list(range(len(self.inputs)))[::-1]
        count = max(1, min(jobs, len(left)))
        lanes: dict[Any, Child] = {}
        try:
            for number in range(count):
                share = max(1, jobs // count + (number < jobs % count))
                child = start_child(run_lane, self, share, os.getpid(), pass_fds=[lock])
                lanes[child.connection] = child
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


def _read_plan(path: Path) -> dict[str, Any]:
    """The plan of an earlier run."""
    try:
        plan = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        plan = None
    if not isinstance(plan, dict):
        raise InputError(f"{path} is damaged, so nobody knows what the earlier run did: name a new folder")
    return plan


def _cores() -> int:
    """The cores that this process may use, where the system tells; else all."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _acquire(lock: int, output: Path) -> None:
    deadline = time.monotonic() + _LOCK_SECONDS
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError as error:
            if time.monotonic() > deadline:
                raise InputError(f"another run is writing to {output}: wait for it, or name a new folder") from error
        time.sleep(0.05)


def _write(path: Path, value: dict[str, Any]) -> None:
    """Write JSON so that the file is there as a whole or not at all."""
    hidden = path.with_name(f".{path.name}.tmp")
    with open(hidden, "w", encoding="utf-8") as stream:
        stream.write(json.dumps(value, indent=1) + "\n")
        stream.flush()
        os.fsync(stream.fileno())
    os.rename(hidden, path)
