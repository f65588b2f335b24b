"""Captures: rows of an index of archives (CDX), each the place of a record, which is read from its archive.

An index is a table of Common Crawl's columnar index (Parquet), or lines of its CDX server: JSON, or a key and a date
before the JSON (CDXJ). Only the bytes of each record are read.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, BinaryIO, NamedTuple

from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.reading.stores import read_range
from webstrata.crawls.reading.tables import decompressed
from webstrata.crawls.reading.warc import read_warc
from webstrata.errors import InputError

__all__ = ["CAPTURE_COLUMNS", "ArchiveCapture", "captures_in", "is_capture_table", "read_captures"]

#: The columns of Common Crawl's table that name the place of a record.
CAPTURE_COLUMNS = ("url", "warc_filename", "warc_record_offset", "warc_record_length")

# A longer line is no capture.
_LONGEST_LINE = 2**20
# A compressed record is at most a little longer than its page: headers, and bytes that do not compress.
_EXTRA = 2**20

Row = dict[str, Any]


class ArchiveCapture(NamedTuple):
    """The place of a record, or why a row of an index is none."""

    url: str
    file: str
    offset: int
    length: int
    wrong: str = ""


def is_capture_table(stream: BinaryIO) -> bool:
    """Whether a Parquet file has captures and no pages. The stream is at its beginning afterwards."""
    try:
        names = pyarrow("pyarrow.parquet").read_schema(stream).names
    except (OSError, ValueError):
        names = []
    stream.seek(0)
    return "html" not in names and set(CAPTURE_COLUMNS) <= set(names)


def captures_in(stream: BinaryIO, *, table: bool) -> Iterator[ArchiveCapture]:
    """The captures of an index: a table, or lines, which may be compressed."""
    yield from _table(stream) if table else map(_line, _lines(stream))


def _table(stream: BinaryIO) -> Iterator[ArchiveCapture]:
    try:
        file = pyarrow("pyarrow.parquet").ParquetFile(stream, pre_buffer=False)
    except (OSError, ValueError) as error:
        raise InputError(f"the index is no Parquet file: {error}") from error
    for batch in file.iter_batches(columns=list(CAPTURE_COLUMNS), use_threads=False):
        for row in batch.to_pylist():
            yield _capture(*(row[name] for name in CAPTURE_COLUMNS))


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    lines, _ = decompressed(stream)
    while line := lines.readline(_LONGEST_LINE):
        if line.strip():
            yield line


def _line(line: bytes) -> ArchiveCapture:
    """The capture of a line: JSON, after a key and a date or alone."""
    try:
        found = json.loads(line[max(0, line.find(b"{")) :])
        return _capture(*(found[name] for name in ("url", "filename", "offset", "length")))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        return ArchiveCapture("", "", 0, 0, f"no capture: {error!r}")


def _capture(url: Any, file: Any, offset: Any, length: Any) -> ArchiveCapture:
    try:
        found = ArchiveCapture(str(url), str(file), int(offset), int(length))
    except (ValueError, TypeError, OverflowError) as error:
        return ArchiveCapture(str(url or ""), "", 0, 0, f"no capture: {error}")
    inside = 0 <= found.offset < 2**62 and 0 < found.length < 2**62
    return found if inside and file else found._replace(wrong="no capture: no file, offset or length")


def read_captures(
    captures: Iterator[ArchiveCapture],
    placed: Callable[[str], str],
    *,
    limit: int,
    skip: int = 0,
    left_out: Callable[[Row], tuple[str, str] | None] = lambda row: None,
) -> Iterator[Row]:
    """The records of captures, one row for each.

    Parameters
    ----------
    captures : from `captures_in`
    placed : gives the path or address of an archive that captures name
    limit : pages of more bytes are not kept ("too large")
    skip : the number of captures to skip
    left_out : gives the reason and the detail of captures that are not to be read
    """
    for capture in islice(captures, skip, None):
        row: Row = {"url": capture.url or None, "offset": capture.offset}
        row |= {"file": capture.file} if capture.file else {}
        why = ("broken record", capture.wrong) if capture.wrong else left_out(row)
        if why is None and capture.length > limit + _EXTRA:
            why = "too large", f"a record of {capture.length} bytes"
        yield {**row, "reason": why[0], "detail": why[1]} if why else {**row, **_record(capture, placed, limit)}


def _record(capture: ArchiveCapture, placed: Callable[[str], str], limit: int) -> Row:
    try:
        data = read_range(placed(capture.file), capture.offset, capture.length)
    except (InputError, OSError) as error:
        return {"reason": "unreadable", "detail": str(error)}
    found = next(read_warc(io.BytesIO(data), limit=limit), None)
    if found is None:
        return {"reason": "broken record", "detail": "no record at this place"}
    return {name: value for name, value in found.items() if name != "offset"}
