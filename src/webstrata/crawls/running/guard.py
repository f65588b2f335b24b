"""The guard: a step run on workers that one page cannot take down or stall.

The guard of a step is itself a step. It hands records to a pool of killable processes
(`webstrata.workers.pool.Pool`), a few at a time, since Arrow is slow with single rows. Where a few together kill
their worker or take long, each is tried alone, under the limits: the one that kills its worker or overruns them becomes
a row with a reason. Rows keep their order, whatever the number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from webstrata.crawls.arrow import pyarrow, without_pandas
from webstrata.crawls.reading.records import BATCH_ROWS, packed, record_schema, rejected, slices, unpacked
from webstrata.crawls.reading.shared_pages import SharedPages
from webstrata.crawls.running.steps import CrawlStep
from webstrata.workers.limits import Limits
from webstrata.workers.pool import Failure, Pool

__all__ = ["Guard"]

# Records that are handed over together may take a fifth of the time of one, which is far more than they do.
_SHARE = 0.2


@dataclass(frozen=True, kw_only=True)
class Guard:
    """A step under limits of time and memory, on killable processes.

    Parameters
    ----------
    step : what to run
    limits : what a page may cost
    jobs : how many worker processes
    slots : where the reader of the batches puts their pages; without that, the batches have them
    """

    step: CrawlStep
    limits: Limits = field(default_factory=Limits)
    jobs: int = 1
    slots: SharedPages | None = None

    @property
    def schema(self) -> Any:
        return self.step.schema

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        schema = self.step.schema
        pool = Pool[Any, bytes](
            start=partial(_start, self.step),
            limits=self.limits,
            jobs=self.jobs,
            pack=_pack,
            unpack=partial(_unpack, self.slots),
            split=_split,
            share=_share,
            pass_fds=[self.slots.descriptor] if self.slots else [],
        )
        with closing(pool([batch] for batch in slices(batches, BATCH_ROWS))) as results:
            for [batch], [answer] in results:
                rows = _rows(batch, answer, schema)
                if self.slots:
                    self.slots.release(batch)
                yield rows


def _rows(batch: Any, answer: bytes | Failure | list[Any], schema: Any) -> Any:
    """The rows that came back for records, or the rows that say why none did."""
    pa = pyarrow()
    if isinstance(answer, Failure):
        return rejected(batch, answer.reason, answer.detail, schema)
    if isinstance(answer, list):
        return pa.concat_batches([_rows(batch.slice(i, 1), each, schema) for i, each in enumerate(answer)])
    return pa.ipc.read_record_batch(pa.py_buffer(answer), schema)


def _pack(requests: Sequence[Any]) -> Any:
    (batch,) = requests
    return packed(batch)


def _split(batch: Any) -> list[Any]:
    return list(slices([batch], 1))


# In the worker


def _unpack(slots: SharedPages | None, message: bytes) -> list[Any]:
    batch = unpacked(message)
    return [slots.with_pages(batch) if slots else batch]


def _share(batch: Any) -> float:
    return _SHARE if batch.num_rows > 1 else 1.0


def _start(step: CrawlStep) -> Callable[[Any], bytes]:
    """The step as a function of a batch of records.

    It is run once on a small page, so that what it loads for itself is not counted against the first real one.
    """
    if type(step).__module__.startswith("webstrata."):
        # Other people's steps may use it.
        without_pandas()
    page = {"html": b"<title>a</title><p>a", "file": "", "record": 0}
    list(step(iter([pyarrow().RecordBatch.from_pylist([page], record_schema())])))
    return partial(_run, step)


def _run(step: CrawlStep, records: Any) -> bytes:
    rows = pyarrow().concat_batches(step(iter([records])))
    if rows.num_rows != records.num_rows:
        raise ValueError("the step gave no single row for each record")
    return bytes(rows.serialize())
