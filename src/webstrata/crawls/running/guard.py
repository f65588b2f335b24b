"""The guard: a step run by worker processes, so that no page can crash or stall the crawl.

The guard of a step is itself a step. It sends records to a pool of killable processes (`webstrata.workers.pool.Pool`),
a few at a time, since Arrow is slow with single rows. If a few together kill their worker or take long, each is tried
alone, under the limits: a record that kills its worker or exceeds the limits becomes a row with a reason. Rows keep
their order, whatever the number of workers.
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
from webstrata.errors import InputError
from webstrata.workers.limits import Limits
from webstrata.workers.pool import Failure, Pool

__all__ = ["Guard"]

# The share of the time limit for records that are sent together: far more than normal pages take.
_SHARE = 0.2


@dataclass(frozen=True, kw_only=True)
class Guard:
    """A step under limits of time and memory, on killable processes.

    Parameters
    ----------
    step : the step to run
    limits : for one page
    jobs : how many worker processes
    pages : the shared memory where the reader of the batches puts their pages; None if the batches contain them
    """

    step: CrawlStep
    limits: Limits = field(default_factory=Limits)
    jobs: int = 1
    pages: SharedPages | None = None

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
            unpack=partial(_unpack, self.pages),
            split=_split,
            share=_share,
            pass_fds=[self.pages.descriptor] if self.pages else [],
        )
        with closing(pool([batch] for batch in slices(batches, BATCH_ROWS))) as results:
            for [batch], [answer] in results:
                rows = _rows(batch, answer, schema)
                if self.pages:
                    self.pages.release(batch)
                yield rows


def _rows(batch: Any, answer: bytes | Failure | list[Any], schema: Any) -> Any:
    """The rows of an answer, or rejected rows for a failure."""
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


def _unpack(pages: SharedPages | None, message: bytes) -> list[Any]:
    batch = unpacked(message)
    return [pages.with_pages(batch) if pages else batch]


def _share(batch: Any) -> float:
    return _SHARE if batch.num_rows > 1 else 1.0


def _start(step: CrawlStep) -> Callable[[Any], bytes]:
    """The step as a function of a batch of records.

    A first call with a small page loads models, so that their memory is not charged to a page.
    """
    if type(step).__module__.startswith("webstrata."):
        # Steps of other packages may use pandas.
        without_pandas()
    page = {"html": b"<title>a</title><p>a", "file": "", "record": 0}
    list(step(iter([pyarrow().RecordBatch.from_pylist([page], record_schema())])))
    return partial(_run, step)


def _run(step: CrawlStep, records: Any) -> bytes:
    rows = pyarrow().concat_batches(step(iter([records])))
    if rows.num_rows != records.num_rows:
        raise InputError("the step must give one row for each record")
    return bytes(rows.serialize())
