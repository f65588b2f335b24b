"""Arrow tables with a column of HTML to tables with its content, for Ray Data and Spark."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from webstrata._once import once
from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.jobs.extract import Extract
from webstrata.crawls.reading.records import KEPT, record_schema
from webstrata.crawls.running.guard import Guard
from webstrata.workers.limits import Limits

__all__ = ["ExtractTable"]


@dataclass(frozen=True, kw_only=True)
class ExtractTable:
    """A function for ``dataset.map_batches(ExtractTable(), batch_format="pyarrow")``.

    The output has the columns of the input without the HTML, and those of ``webstrata run extract``: metadata,
    ``text``, the other formats, and ``reason`` and ``detail`` for pages without content.

    Parameters
    ----------
    html : the column of the pages, text or bytes
    url, encoding : the columns of their addresses and encodings, if the table has them
    algorithm : the extractor
    formats : the formats of the content
    guard : read each page in a process that can be killed, so that no page can crash the worker
    limits : time and memory for one page

    >>> import pyarrow as pa
    >>> table = pa.table({"id": [7], "html": ["<title>Silt</title><p>Pale."]})
    >>> [row] = ExtractTable(algorithm="keep-all")(table).to_pylist()
    >>> row["id"], row["title"], row["text"], row["reason"]
    (7, 'Silt', 'Pale.', None)
    """

    html: str = "html"
    url: str = "url"
    encoding: str = "encoding"
    algorithm: str = "learned"
    formats: tuple[str, ...] = ("text",)
    guard: bool = False
    limits: Limits = field(default_factory=Limits)

    @once
    def _step(self) -> Extract:
        return Extract(algorithm=self.algorithm, formats=self.formats, limits=self.limits)

    def __call__(self, table: Any) -> Any:
        pa = pyarrow()
        records = self._records(table)
        step = Guard(step=self._step, limits=self.limits) if self.guard else self._step
        # In small batches, so that the pages of a large table are not all copied at once.
        batches = list(step(iter(records.to_batches(max_chunksize=64))))
        found = pa.Table.from_batches(batches, self._step.schema)
        given = table.drop_columns([self.html])
        for name in found.column_names:
            if name in KEPT and name not in ("url", "reason", "detail"):
                continue  # columns about the archive of a crawl; a table has none
            if name in given.column_names:
                given = given.set_column(given.column_names.index(name), name, found.column(name))
            else:
                given = given.append_column(name, found.column(name))
        return given

    def _records(self, table: Any) -> Any:
        """The table with the columns of crawl records."""
        pa = pyarrow()
        schema, rows = record_schema(), table.num_rows
        pages = table.column(self.html)
        is_text = pa.types.is_string(pages.type) or pa.types.is_large_string(pages.type)
        columns = {"html": pages, "url": self._column(table, self.url), "record": pa.array(range(rows), pa.int64())}
        columns["encoding"] = pa.array(["utf-8"] * rows) if is_text else self._column(table, self.encoding)
        return pa.table(
            [
                pa.nulls(rows, item.type) if columns.get(item.name) is None else columns[item.name].cast(item.type)
                for item in schema
            ],
            schema=schema,
        )

    @staticmethod
    def _column(table: Any, name: str) -> Any:
        return table.column(name) if name in table.column_names else None
