"""Steps: functions from a stream of record batches to a stream of record batches.

A step is picklable, knows the ``schema`` of its rows, and gives one row for each row, in order. So the same step runs
in this process, on local processes (`webstrata.crawls.running.guard`) and under Spark's ``mapInArrow``, unchanged.
The steps of this package are in `webstrata.crawls.jobs`; most derive from `PageStep`.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from webstrata._once import once
from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.reading.records import KEPT, kept_columns
from webstrata.extraction.metadata import canonical_url
from webstrata.page import Page
from webstrata.workers.limits import Limits, Reject, read_page

__all__ = ["CrawlStep", "PageStep", "RecordFilter", "default_algorithm", "marked"]

# The columns of a record that pages are read from. The others are copied.
_READ = ["url", "html", "encoding", "reason"]


class CrawlStep(Protocol):
    """Batches in, batches out: one row for each row, in order."""

    @property
    def schema(self) -> Any: ...

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]: ...


class RecordFilter(Protocol):
    """A filter of records: returns why a record is left out, or None."""

    @property
    def reason(self) -> str: ...

    def __call__(self, record: dict[str, Any]) -> str | None: ...


@dataclass(frozen=True, kw_only=True)
class PageStep(ABC):
    """A step that reads each page and makes one row of it. Rejected records keep their reasons.

    A page without an address gets that of its canonical link, if it has one.

    Subclasses implement `columns` and `row`.

    Parameters
    ----------
    limits : of size and depth of a page
    records : filters of records (`webstrata.crawls.jobs.filters`), applied in their order before pages are read
    """

    limits: Limits = field(default_factory=Limits)
    records: tuple[RecordFilter, ...] = ()

    @abstractmethod
    def columns(self) -> Sequence[tuple[str, Any]]:
        """Names and types of the columns behind those of `webstrata.crawls.reading.records.KEPT`."""

    @abstractmethod
    def row(self, page: Page) -> dict[str, Any]:
        """The row of a page by column, or `Reject`."""

    @once
    def schema(self) -> Any:
        return pyarrow().schema([*kept_columns(), *self.columns()])

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            for record_filter in self.records:
                place = batch.select(["url", "file", "record"]).to_pylist()
                batch = marked(batch, record_filter.reason, list(map(record_filter, place)))
            rows = [self._row(record) for record in batch.select(_READ).to_pylist()]
            arrays = [_column(column, rows, batch) for column in self.schema]
            yield pyarrow().RecordBatch.from_arrays(arrays, schema=self.schema)

    def _row(self, record: dict[str, Any]) -> dict[str, Any]:
        if record["reason"] is not None:
            return {}
        try:
            page = read_page(record, self.limits)
            if page.url is None and (address := canonical_url(page)):
                return {"url": address, **self.row(replace(page, url=address))}
            return self.row(page)
        except Reject as rejection:
            return {"reason": rejection.reason, "detail": rejection.detail}


def _column(column: Any, rows: list[dict[str, Any]], batch: Any) -> Any:
    """A column of a step: the values of its rows, or of the records where the rows have none."""
    name = column.name
    if name not in KEPT:
        return pyarrow().array([row.get(name) for row in rows], column.type)
    before = batch.column(name)
    if not any(name in row for row in rows):
        return before.cast(column.type)
    values = [row.get(name, value) for row, value in zip(rows, before.to_pylist(), strict=True)]
    return pyarrow().array(values, column.type)


def default_algorithm(function: Callable[..., Any]) -> str:
    """The default of the parameter ``algorithm`` of a function."""
    return str(inspect.signature(function).parameters["algorithm"].default)


def marked(batch: Any, reason: str, details: Sequence[str | None]) -> Any:
    """A batch of records in which those with a detail, and no reason yet, are rejected."""
    if all(detail is None for detail in details):
        return batch
    pa = pyarrow()
    columns = dict(zip(batch.schema.names, batch.columns, strict=True))
    before = columns["reason"].to_pylist()
    fresh = [old is None and detail is not None for old, detail in zip(before, details, strict=True)]
    for name, values in (("reason", [reason] * len(fresh)), ("detail", details)):
        rows = zip(columns[name].to_pylist(), values, fresh, strict=True)
        columns[name] = pa.array([value if new else old for old, value, new in rows], pa.string())
    return pa.RecordBatch.from_arrays(list(columns.values()), schema=batch.schema)
