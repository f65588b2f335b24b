"""The guard: a step run on workers that one page cannot take down or stall.

The guard of a step is itself a step. It hands records to a pool of killable processes
(`webstrata.crawls.workers.Pool`), a few at a time. A record that kills its worker or overruns the limits becomes a row
with a reason. Rows keep their order, whatever the number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.limits import Limits
from webstrata.crawls.records import packed, record_schema, rejected, slices, unpacked
from webstrata.crawls.steps import Step
from webstrata.crawls.workers import Failure, Pool

__all__ = ["Guard"]

# Records of one chunk: enough that messages cost nothing beside pages, few enough that workers share fairly.
_CHUNK_ROWS = 16


@dataclass(frozen=True, kw_only=True)
class Guard:
    """A step under limits of time and memory, on killable processes.

    Parameters
    ----------
    step : what to run
    limits : what a page may cost
    jobs : how many worker processes
    """

    step: Step
    limits: Limits = field(default_factory=Limits)
    jobs: int = 1

    @property
    def schema(self) -> Any:
        return self.step.schema

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        schema = self.step.schema
        pool = Pool[Any, bytes](
            start=partial(_start, self.step), limits=self.limits, jobs=self.jobs, pack=packed, unpack=_rows
        )
        with closing(pool(slices(batches, _CHUNK_ROWS))) as results:
            for chunk, answers in results:
                yield pyarrow().concat_batches(
                    [_row(chunk[i : i + 1], answer, schema) for i, answer in enumerate(answers)]
                )


def _row(record: Any, answer: bytes | Failure, schema: Any) -> Any:
    """The row that came back for a record, or the row that says why none did."""
    if isinstance(answer, Failure):
        return rejected(record, answer.reason, answer.detail, schema)
    return pyarrow().ipc.read_record_batch(pyarrow().py_buffer(answer), schema)


# In the worker


def _rows(message: bytes) -> Iterator[Any]:
    """The records of a message, each a batch of one row."""
    batch = unpacked(message)
    return (batch.slice(i, 1) for i in range(batch.num_rows))


def _start(step: Step) -> Callable[[Any], bytes]:
    """The step as a function of one record.

    It is run once on a small page, so that what it loads for itself is not counted against the first real one.
    """
    page = {"html": b"<title>a</title><p>a", "file": "", "record": 0}
    list(step(iter([pyarrow().RecordBatch.from_pylist([page], record_schema())])))
    return partial(_run, step)


def _run(step: Step, record: Any) -> bytes:
    rows = [batch for batch in step(iter([record])) if batch.num_rows]
    if len(rows) != 1 or rows[0].num_rows != 1:
        raise ValueError("the step gave no single row for a record")
    return bytes(rows[0].serialize())
