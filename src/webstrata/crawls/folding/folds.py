"""Folds: the rows of one key become a model or a table.

A fold reads the rows that a run has written (the *map*, `webstrata.crawls.running.job.Job`) and groups them by a key: a
host, a site, a band of hashes. ::

    rows ── partial (part by part) ── shuffled by key through files ── fold (group by group) ── rows

The same fold runs on local processes (`FoldJob.run`) and on Spark (`webstrata.crawls.folding.spark`), with the
same rows. Memory is bounded by one part and by what the fold keeps of one group, not by the crawl.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from webstrata._once import once
from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.folding.shuffle import RowGroups, find_row_groups, has_groups, key_groups, shuffle_part
from webstrata.crawls.running.folder import claimed
from webstrata.crawls.running.writers import FORMATS
from webstrata.errors import InputError
from webstrata.files import NewFile, read_json, write_json
from webstrata.workers.cores import cores
from webstrata.workers.tasks import run_stages

__all__ = ["Fold", "FoldJob", "Folded"]

_STATE = "_fold"


class Fold(Protocol):
    """A function from the rows of one key to rows. Picklable, like a step; ``repr`` shows all of its parameters.

    Attributes
    ----------
    key : the column to group by; null is a group as well
    schema : of the results

    Rows come in the order in which the run wrote them. A fold that adds values up should do so in `partial` already.
    The result must then not depend on the parts: sums of integers do not, sums of floats do.
    """

    @property
    def key(self) -> str: ...

    @property
    def schema(self) -> Any: ...

    def partial_schema(self, schema: Any) -> Any:
        """The schema of the results of `partial` for rows of this schema."""
        return schema

    def partial(self, batches: Iterator[Any]) -> Iterator[Any]:
        """The rows to shuffle for the rows of one part of the crawl, of any keys; by default the same rows.

        Subclasses drop columns here, turn lists into rows, and add up rows of the same key.
        """
        return batches

    def __call__(self, key: Any, batches: Iterator[Any]) -> Iterator[Any]:
        """The result for the rows of one key."""
        ...


@dataclass(frozen=True, slots=True)
class Folded:
    """The numbers of groups and of rows of the results."""

    groups: int
    rows: int


@dataclass(frozen=True, kw_only=True)
class FoldJob:
    """A fold over the rows of a run, on the processes of this machine, resumable after any end.

    Parameters
    ----------
    rows : a folder of Parquet files, as a run writes it, or its address
    fold : the fold to run
    output : the folder to write to: ``part-*``, one file for each bucket of keys with results, and ``_summary.json``
    format : parquet or jsonl
    buckets : the number of shares that the keys are split into; a process folds one share after the other
    part_bytes : the size of a part in uncompressed Parquet data; a process has one part in memory while it shuffles
    """

    rows: Path | str
    fold: Fold
    output: Path
    format: str = "parquet"
    buckets: int = 64
    part_bytes: int = 64 * 2**20

    def __post_init__(self) -> None:
        if self.format not in ("parquet", "jsonl"):
            raise InputError(f"no format of folds is called {self.format!r}: choose parquet or jsonl")
        if self.buckets < 1:
            raise InputError("keys are split into at least one bucket")

    @once
    def parts(self) -> tuple[RowGroups, ...]:
        """The parts of the rows, in order."""
        return find_row_groups(self.rows, self.part_bytes)

    def plan(self) -> dict[str, Any]:
        """What must be the same for a run to resume an earlier one. The number of processes may differ."""
        return {
            "fold": repr(self.fold),
            "rows": [[part.file, part.first, part.stop] for part in self.parts],
            "format": self.format,
            "buckets": self.buckets,
        }

    def run(
        self, *, jobs: int | None = None, resume: bool = False, progress: Callable[[float], None] = lambda share: None
    ) -> Folded:
        """Run the fold, or the rest of it.

        Parameters
        ----------
        jobs : processes; all cores by default
        resume : whether to resume an earlier run in the folder
        progress : called with the share of the work that is done, from 0 to 1
        """
        jobs = jobs or cores()
        summary = self.output / "_summary.json"
        with claimed(self.output, _STATE, self.plan(), resume=resume) as lock:
            if not summary.exists():
                total = len(self.parts) + self.buckets
                done: list[int] = []

                def count(number: int) -> None:
                    done.append(number)
                    progress(len(done) / total)

                stages = [
                    (partial(_shuffle, self), range(len(self.parts))),
                    (partial(_fold, self), range(self.buckets)),
                ]
                run_stages(stages, jobs=jobs, pass_fds=[lock], on_done=count)
                write_json(summary, self._counts())
            # The shuffled rows are no longer needed. After a kill before this line, the next run deletes them.
            shutil.rmtree(self._shuffled, ignore_errors=True)
            counts = read_json(summary, f"{summary} is damaged: run again into a new folder")
            return Folded(counts["groups"], counts["rows"])

    @property
    def _shuffled(self) -> Path:
        return self.output / _STATE / "shuffled"

    def _state(self, bucket: int) -> Path:
        return self.output / _STATE / f"part-{bucket:05}.json"

    def _counts(self) -> dict[str, int]:
        paths = (self._state(bucket) for bucket in range(self.buckets))
        states = [read_json(path, f"{path} is damaged: run again into a new folder") for path in paths if path.exists()]
        return {name: sum(state[name] for state in states) for name in ("groups", "rows")}


def _shuffled_file(job: FoldJob, number: int) -> Path:
    return job._shuffled / f"part-{number:05}.arrow"


def _shuffle(job: FoldJob, number: int) -> None:
    """Shuffle one part of the rows, unless an earlier run did."""
    path = _shuffled_file(job, number)
    if path.exists():
        return
    path.parent.mkdir(exist_ok=True)
    with NewFile(path) as file:
        shuffle_part(job.parts[number], job.fold, job.buckets, file.stream)


def _fold(job: FoldJob, bucket: int) -> None:
    """Fold the groups of one bucket, unless an earlier run did. A bucket without groups gets no file."""
    files = [_shuffled_file(job, number) for number in range(len(job.parts))]
    if job._state(bucket).exists() or not has_groups(files, bucket):
        return
    path = job.output / f"part-{bucket:05}.{job.format}"
    counts = {"groups": 0, "rows": 0}
    with NewFile(path) as file:
        writer = FORMATS[job.format](file.stream, job.fold.schema)
        for key, batches in key_groups(files, bucket, job.fold.key):
            counts["groups"] += 1
            for batch in job.fold(key, batches):
                counts["rows"] += batch.num_rows
                writer.write(pyarrow().RecordBatch.from_arrays(batch.columns, schema=job.fold.schema))
        writer.close()
        if not counts["rows"]:
            file.discard()
    write_json(job._state(bucket), counts)
