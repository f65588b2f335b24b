"""Records: what flows through a run, as Arrow batches.

A reader gives one row for everything it meets. A step gives one row for each row it gets and keeps the columns that
say where it came from. What cannot be used stays in the stream with its ``reason``, so that counting rows by reason
always adds up to what was read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from webstrata.crawls.arrow import pyarrow

__all__ = [
    "BATCH_BYTES",
    "BATCH_ROWS",
    "KEPT",
    "REASONS",
    "batch_of",
    "batches_of",
    "grouped_rows",
    "kept_columns",
    "packed",
    "record_schema",
    "rejected",
    "slices",
    "unpacked",
    "writable",
]

#: Why a record does not come out, and what that means.
REASONS = {
    "not a response": "a WARC record that holds no page: a request, a description of the crawl, a revisit",
    "HTTP error": "the server did not answer with a page (a status other than 2xx)",
    "not HTML": "a picture, a script, a PDF, or a line or row without HTML",
    "empty": "no bytes",
    "unreadable": "a file that was there when the run began, and cannot be opened or read",
    "broken record": "the archive is damaged here: no header, a wrong length, data that does not decompress",
    "truncated": "the archive ends inside this record",
    "too large": "more bytes than the limit",
    "too deep": "elements nested deeper than the limit",
    "too many attributes": "more attributes in one element than the limit",
    "timed out": "more time than the limit",
    "out of memory": "more memory than the limit",
    "crashed": "the process that read the page died",
    "failed": "the step raised an exception",
    "no content": "the page was read, and the step found nothing in it",
    "duplicate": "another page that says nearly the same is kept in its place",
}

#: The columns that every step hands on: where a record came from, and why it was rejected (null if it was not).
KEPT = ("url", "file", "record", "offset", "digest", "crawled", "reason", "detail")

#: Rows and bytes of HTML that a batch has at most, but for its last page: enough that messages cost nothing beside
#: pages, few enough that workers share fairly.
BATCH_ROWS, BATCH_BYTES = 16, 2**22

# Bytes that Arrow's stream format puts around a schema and a batch, and more.
_FRAME = 1024


def record_schema() -> Any:
    """The columns of a record.

    ``file`` and ``record`` (its number in the file) name it; ``offset`` is where it starts in a WARC file, ``crawled``
    the date there, ``digest`` the SHA-1 of its payload as WARC files write it, ``encoding`` what the HTTP header says.
    """
    pa = pyarrow()
    return pa.schema([*_kept_fields(pa), ("html", pa.binary()), ("encoding", pa.string()), ("headers", _headers(pa))])


def kept_columns() -> list[Any]:
    """The fields of `KEPT`, to begin the schema of a step with."""
    return _kept_fields(pyarrow())


def _kept_fields(pa: Any) -> list[Any]:
    numbers = {"record", "offset"}
    return [pa.field(name, pa.int64() if name in numbers else pa.string()) for name in KEPT]


def _headers(pa: Any) -> Any:
    return pa.map_(pa.string(), pa.string())


def rejected(batch: Any, reason: str, detail: str, schema: Any) -> Any:
    """The rows of a batch as rejected rows of a step with that schema."""
    pa = pyarrow()
    rows = batch.select([name for name in KEPT if name in batch.schema.names]).to_pylist()
    return pa.RecordBatch.from_pylist([{**row, "reason": reason, "detail": detail} for row in rows], schema)


def grouped_rows(rows: Iterable[dict[str, Any]], *, count: int = BATCH_ROWS) -> Iterator[list[dict[str, Any]]]:
    """Rows in groups of at most ``count``, each closed once it holds `BATCH_BYTES` of HTML."""
    pending: list[dict[str, Any]] = []
    held = 0
    for row in rows:
        pending.append(row)
        held += len(row.get("html") or b"")
        if len(pending) >= count or held >= BATCH_BYTES:
            yield pending
            pending, held = [], 0
    if pending:
        yield pending


def batch_of(rows: Iterable[dict[str, Any]], *, without: str = "") -> Any:
    """Rows as one batch of records, or of all columns but one."""
    pa = pyarrow()
    schema = pa.schema([field for field in record_schema() if field.name != without])
    values = (row.items() for row in rows)
    written = [{name: writable(value) if isinstance(value, str) else value for name, value in row} for row in values]
    return pa.RecordBatch.from_pylist(written, schema)


def batches_of(rows: Iterable[dict[str, Any]], *, count: int = BATCH_ROWS) -> Iterator[Any]:
    """Rows as batches of records, of at most ``count`` each."""
    return map(batch_of, grouped_rows(rows, count=count))


def writable(text: str) -> str:
    """The text with a question mark in place of each lone surrogate, which no encoding can write.

    JSON can name them, and Python gives them for the bytes of a file name that is not UTF-8.

    >>> writable("http://a/" + chr(0xd800))
    'http://a/?'
    """
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def slices(batches: Iterable[Any], count: int) -> Iterator[Any]:
    """The same rows in batches of at most ``count``."""
    for batch in batches:
        for start in range(0, batch.num_rows, count):
            yield batch.slice(start, count)


def packed(batch: Any) -> Any:
    """A batch as a message that brings its schema: a buffer, which is sent without another copy."""
    pa = pyarrow()
    # Room for all of it at once: a stream that grows copies what it has.
    room = pa.allocate_buffer(pa.ipc.get_record_batch_size(batch) + batch.schema.serialize().size + _FRAME)
    sink = pa.FixedSizeBufferWriter(room)
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return room.slice(0, sink.tell())


def unpacked(message: Any) -> Any:
    """The batch of a message; it lives in the message's memory."""
    pa = pyarrow()
    return pa.ipc.open_stream(pa.py_buffer(message)).read_next_batch()
