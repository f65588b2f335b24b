"""Records: the rows of a run, as Arrow batches.

A reader yields one row for every record. A step yields one row for each row and keeps the columns of its origin. A
record that cannot be used stays in the stream with a ``reason``, so that counts of rows by reason add up to the number
of records.
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

#: The reasons why a record is rejected, and their meanings.
REASONS = {
    "not a response": "a WARC record without a page: a request, a description of the crawl, a revisit",
    "HTTP error": "the status of the server was not 2xx",
    "not HTML": "a picture, a script, a PDF, or a line or row without HTML, by its type or its first bytes",
    "empty": "no bytes",
    "unreadable": "a file that existed when the run began, and cannot be opened or read",
    "broken record": "the archive is damaged here: no header, a wrong length, data that does not decompress",
    "truncated": "the archive ends inside this record",
    "too large": "more bytes than the limit",
    "too deep": "elements nested deeper than the limit",
    "too many attributes": "more attributes in one element than the limit",
    "timed out": "more time than the limit",
    "out of memory": "more memory than the limit",
    "crashed": "the process that read the page died",
    "failed": "the step raised an exception",
    "no content": "the step found no content in the page",
    "language": "the content is in another language than those to keep",
    "URL": "the URL matches no pattern to include, or one to exclude",
    "not sampled": "the hash of the URL is not in the share to keep",
    "too short": "fewer words of content than the limit",
    "c4": "the content breaks a rule of C4",
    "gopher": "the content breaks a quality rule of Gopher",
    "gopher-repetition": "the content breaks a rule of Gopher against repetition",
    "duplicate": "another page with nearly the same content is kept",
}

#: The columns that every step copies: the origin of a record, and the reason for rejection (null if it was not).
KEPT = ("url", "file", "record", "offset", "digest", "crawled", "reason", "detail")

#: The most rows and bytes of HTML of a batch, its last page excepted: messages cost little compared with pages, and the
#: workers get equal shares.
BATCH_ROWS, BATCH_BYTES = 16, 2**22

# More bytes than Arrow's stream format adds to a schema and a batch.
_FRAME = 1024


def record_schema() -> Any:
    """The columns of a record.

    ``file`` and ``record`` (the number in the file) identify it; ``offset`` is its offset in a WARC file, ``crawled``
    the date there, ``digest`` the SHA-1 of its payload as in WARC files, ``encoding`` the charset of the HTTP header.
    """
    pa = pyarrow()
    return pa.schema([*_kept_fields(pa), ("html", pa.binary()), ("encoding", pa.string()), ("headers", _headers(pa))])


def kept_columns() -> list[Any]:
    """The fields of `KEPT`, with which the schema of a step begins."""
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
    """The text with question marks instead of lone surrogates, which no encoding can write.

    They come from JSON, and from Python for file names that are not UTF-8.

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
    """A batch and its schema as a message: a buffer, which is sent without another copy."""
    pa = pyarrow()
    # Allocated at once, because a stream that grows copies its contents.
    memory = pa.allocate_buffer(pa.ipc.get_record_batch_size(batch) + batch.schema.serialize().size + _FRAME)
    sink = pa.FixedSizeBufferWriter(memory)
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return memory.slice(0, sink.tell())


def unpacked(message: Any) -> Any:
    """The batch of a message, whose memory it shares."""
    pa = pyarrow()
    return pa.ipc.open_stream(pa.py_buffer(message)).read_next_batch()
