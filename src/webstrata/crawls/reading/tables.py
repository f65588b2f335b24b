"""Records from JSON lines and from Parquet.

The page is in the field ``html``; ``url``, ``encoding`` (of bytes), ``digest`` and ``crawled`` are copied.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from itertools import islice
from typing import Any, BinaryIO, cast

from webstrata.crawls.arrow import pyarrow
from webstrata.errors import InputError

__all__ = ["decompressed", "read_json_lines", "read_parquet"]

_COPIED = ("url", "encoding", "digest", "crawled")
_MAGIC = {b"\x1f\x8b": "gzip", b"\x28\xb5": "zstd"}
# JSON may escape a byte of HTML as six ("\u0000"), and adds names and a URL.
_LINE_FACTOR, _LINE_EXTRA = 6, 65_536
_BATCH_ROWS = 32

Row = dict[str, Any]


def read_json_lines(stream: BinaryIO, *, limit: int) -> Iterator[Row]:
    """One record a line, plain or compressed. A line that is no JSON object is a broken record.

    >>> list(read_json_lines(io.BytesIO(b'{"url": "http://a/", "html": "<p>one"}\\n{}'), limit=100))
    [{'offset': 0, 'url': 'http://a/', 'encoding': 'utf-8', 'html': b'<p>one'},
     {'offset': 39, 'reason': 'not HTML', 'detail': 'no field html'}]
    """
    lines, plain = decompressed(stream)
    offset = 0
    longest = _LINE_FACTOR * limit + _LINE_EXTRA
    try:
        while line := lines.readline(longest):
            place = {"offset": offset} if plain else {}
            offset += len(line)
            if len(line) >= longest:
                while line and not line.endswith(b"\n"):
                    line = lines.readline(longest)
                    offset += len(line)
                yield {**place, "reason": "too large", "detail": f"a line of more than {longest} bytes"}
            elif line.strip():
                yield place | _from_line(line, limit)
    except (OSError, EOFError) as error:
        yield {"reason": "broken record", "detail": str(error)}


def decompressed(stream: BinaryIO) -> tuple[Any, bool]:
    """The stream of lines, and whether the file is not compressed."""
    buffered: Any = stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, stream))
    kind = _MAGIC.get(buffered.peek(2)[:2])
    if kind is None:
        return buffered, True
    return io.BufferedReader(pyarrow().CompressedInputStream(buffered, kind)), False


def _from_line(line: bytes, limit: int) -> Row:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        return {"reason": "broken record", "detail": str(error)}
    except MemoryError:
        return {"reason": "out of memory", "detail": "a line of JSON that needs too much memory"}
    if not isinstance(value, dict):
        return {"reason": "broken record", "detail": "no JSON object"}
    return _row(value, limit)


def read_parquet(stream: BinaryIO, *, limit: int) -> Iterator[Row]:
    """One record a row. ``html`` may be text or bytes."""
    pq = pyarrow("pyarrow.parquet")
    try:
        file = pq.ParquetFile(stream, memory_map=False, pre_buffer=False)
    except (OSError, ValueError) as error:
        yield {"reason": "broken record", "detail": str(error)}
        return
    names = file.schema_arrow.names
    if "html" not in names:
        raise InputError(f"the Parquet file has no column html, only {', '.join(names)}")
    columns = [name for name in ("html", *_COPIED) if name in names]
    done = 0
    # A few bytes of Parquet can decompress to many long values. Rows that do not fit into memory together are read one
    # by one.
    for rows in (_BATCH_ROWS, 1):
        try:
            for value in islice(_values(file, columns, rows), done, None):
                done += 1
                yield _row(value, limit)
            return
        except OSError as error:
            yield {"reason": "broken record", "detail": str(error)}
            return
        except MemoryError:
            continue
    yield {"reason": "out of memory", "detail": f"row {done} does not fit into memory; what follows was not read"}


def _values(file: Any, columns: list[str], rows: int) -> Iterator[Row]:
    for batch in file.iter_batches(batch_size=rows, columns=columns, use_threads=False):
        yield from batch.to_pylist()


def _row(value: Row, limit: int) -> Row:
    """A record from the fields of a line or row."""
    row: Row = {name: str(value[name]) for name in _COPIED if value.get(name) is not None and _is_single(value[name])}
    html = value.get("html")
    if isinstance(html, str):
        # Text has no other encoding any more; lone surrogates, which JSON can contain, become U+FFFD.
        html = html.encode("utf-8", "surrogatepass").decode("utf-8", "replace").encode()
        row["encoding"] = "utf-8"
    if not isinstance(html, bytes):
        return {**row, "reason": "not HTML", "detail": "no field html"}
    if len(html) > limit:
        return {**row, "reason": "too large", "detail": f"{len(html)} bytes"}
    return {**row, "html": html} if html else {**row, "reason": "empty"}


def _is_single(value: Any) -> bool:
    """Whether a field has a single value; lists and objects are ignored."""
    return not isinstance(value, list | dict | bytes)
