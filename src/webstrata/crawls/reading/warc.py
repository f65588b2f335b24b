"""Records from WARC files, plain or compressed by record (``.gz``, ``.zst``).

Everything in the file becomes a row: pages, other records, and each damaged place.
"""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from webstrata.crawls.arrow import fastwarc
from webstrata.crawls.reading.archive import (
    Patience,
    Window,
    announced_end,
    end_of_record,
    is_cut,
    next_record,
    unit_end,
)
from webstrata.crawls.reading.http import decode_body, is_html, read_up_to
from webstrata.encoding import charset

__all__ = ["DAMAGE", "payload_digest", "read_warc"]

#: The reasons of rows for damaged places.
DAMAGE = frozenset({"broken record", "truncated"})

Row = dict[str, Any]

_TAIL = 65_536
# No length has more digits than this.
_LENGTH_DIGITS = 18
# The type of unexpected errors in fastwarc's native code, which is not an Exception and cannot be imported.
_PANIC = "PanicException"


class _Pipe:
    """A stream that cannot seek but has ``tell``, which fastwarc needs."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._position = 0

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self._position += len(data)
        return data

    def tell(self) -> int:
        return self._position

    def seekable(self) -> bool:
        return False

    def seek(self, offset: int, whence: int = 0) -> int:
        if (offset, whence) not in ((0, 1), (self._position, 0)):
            raise OSError("a pipe cannot seek")
        return self._position

    def close(self) -> None:
        self._stream.close()


class _CutHeader(ValueError):
    """The header of a record is cut. Raised and caught while the file is read, like the errors of fastwarc."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A record that was read: its row, and whether its block was as long as announced."""

    row: Row
    complete: bool


def read_warc(stream: BinaryIO, *, limit: int, start: int = 0, damaged: bool = False) -> Iterator[Row]:
    """The records of a WARC file from the offset ``start`` on.

    An intact file is read in one go. After the first damage, each record is read from a window that ends with the
    record, so that a wrong length does not make the reader scan the rest of the file again and again.

    Parameters
    ----------
    stream : the file; if it cannot seek, reading ends at the first damage
    limit : payloads of more bytes are not kept ("too large")
    start : the offset of a record
    damaged : whether there was damage before
    """
    if not stream.seekable():
        yield from _run(cast(BinaryIO, _Pipe(stream)), start, limit)
        return
    at: int | None = start
    if not damaged:
        at = yield from _run(stream, start, limit)
    patience = Patience(stream)
    while at is not None:
        at = yield from _unit(stream, at, limit, patience)


def _unit(stream: BinaryIO, start: int, limit: int, patience: Patience) -> Generator[Row, None, int | None]:
    """The rows of one record, member or frame; returns where the next one is, or None."""
    end = unit_end(stream, start, patience)
    following = next_record(stream, start + 1) if end is None else None
    stop = end or following or stream.seek(0, io.SEEK_END)
    inner = yield from _shifted(stream, start, stop, limit, last=following is None)
    if inner is not None:
        return inner
    if end is None:
        return following
    following = next_record(stream, end)
    stream.seek(end)
    if following != end and stream.read(_TAIL).strip():
        yield _broken(end, "not the beginning of a record")
    return following


def _shifted(stream: BinaryIO, start: int, stop: int, limit: int, *, last: bool) -> Generator[Row, None, int | None]:
    """The rows of a part of the file, as those of `_run`; ``last`` means that nothing follows it."""
    rows = _run(cast(BinaryIO, io.BufferedReader(Window(stream, start, stop))), 0, limit)
    while True:
        try:
            row = next(rows)
        except StopIteration as end:
            return None if end.value is None else start + int(end.value)
        row = {**row, "offset": start + row["offset"]}
        yield {**row, "reason": "broken record"} if row.get("reason") == "truncated" and not last else row


def _run(stream: BinaryIO, start: int, limit: int) -> Generator[Row, None, int | None]:
    """Yield the records up to the end or the first damage; return the offset to continue at.

    fastwarc notices a wrong length only at the next record, or not at all, so each record is held until the next one.
    """
    plain = False
    if stream.seekable():
        stream.seek(start)
        plain = stream.read(5) == b"WARC/"
        stream.seek(start)
    held: _Read | None = None
    damage = ""
    records = iter(fastwarc().ArchiveIterator(stream, strict_mode=False))
    while True:
        try:
            record = next(records, None)
            if plain and record is not None and _is_cut(stream, record.stream_pos):
                raise _CutHeader("the header is cut, and another record follows in mid-line")
            following = None if record is None else _read(record, limit)
        except BaseException as error:
            if not isinstance(error, OSError | ValueError) and type(error).__name__ != _PANIC:
                raise
            damage = str(error)
            break
        if following is None or (held is not None and not held.complete):
            break
        if held is not None:
            if plain and not _joined(stream, held.row["offset"], following.row["offset"]):
                damage = "the next record does not begin where this one ends"
                break
            yield held.row
        held = following
    if held is None:
        if not damage and stream.seekable() and _holds_something(stream, start):
            damage = "no record, and data that does not decompress"
        if damage:
            yield _broken(start, damage)
        return next_record(stream, start + 1) if damage and stream.seekable() else None
    if held.complete and not damage:
        yield held.row
        return (yield from _tail(stream, held.row["offset"]))
    return (yield from _damaged(stream, held, damage))


def _holds_something(stream: BinaryIO, start: int) -> bool:
    """Whether there are damaged bytes. Empty compressed data is not damaged."""
    stream.seek(start)
    return bool(stream.read(_TAIL).strip()) and unit_end(stream, start) is None


def _is_cut(stream: BinaryIO, offset: int) -> bool:
    """As `is_cut`; the position of the stream stays."""
    position = stream.tell()
    try:
        return is_cut(stream, offset)
    finally:
        stream.seek(position)


def _joined(stream: BinaryIO, offset: int, following: int) -> bool:
    """Whether there are only line ends between two records that are not compressed.

    fastwarc skips everything there. If the first record was cut, that is the rest of the second one, and fastwarc
    continues with the third.
    """
    position = stream.tell()
    try:
        end = announced_end(stream, offset)
        if end is None:
            return True
        stream.seek(end)
        return end <= following and not stream.read(min(following - end, _TAIL)).strip(b"\r\n")
    finally:
        stream.seek(position)


def _tail(stream: BinaryIO, offset: int) -> Generator[Row, None, int | None]:
    """Report bytes after the last record, which fastwarc skips if they are few; return the next record."""
    end = end_of_record(stream, offset) if stream.seekable() else None
    if end is None:
        return None
    stream.seek(end)
    if not stream.read(_TAIL).strip():
        return None
    yield _broken(end, "not the beginning of a record")
    return next_record(stream, end + 1)


def _damaged(stream: BinaryIO, held: _Read, damage: str) -> Generator[Row, None, int | None]:
    """Yield the last record before damage, and the damage itself if it follows; return the offset to continue at."""
    offset = held.row["offset"]
    if not stream.seekable():
        yield held.row if held.complete else _emptied(held.row, "truncated", "")
        if damage:
            yield _broken(offset, f"{damage}; the input cannot seek, so what follows was not read")
        return None
    end = end_of_record(stream, offset) if held.complete else None
    if end is not None:
        yield held.row
        yield _broken(end, damage)
        return next_record(stream, end + 1)
    following = next_record(stream, offset + 1)
    cut = not held.complete and following is None
    yield _emptied(held.row, "truncated" if cut else "broken record", damage or "shorter than its header says")
    return following


def _emptied(row: Row, reason: str, detail: str) -> Row:
    return {**row, "html": None, "reason": reason, "detail": detail}


def _broken(offset: int, detail: str) -> Row:
    return {"offset": offset, "reason": "broken record", "detail": detail}


def _read(record: Any, limit: int) -> _Read:
    """A record as a row. The block is read to its end, and at most ``limit + 1`` bytes are kept."""
    headers = record.headers
    row: Row = {
        "url": headers.get("WARC-Target-URI"),
        "offset": record.stream_pos,
        "digest": headers.get("WARC-Payload-Digest"),
        "crawled": headers.get("WARC-Date"),
    }
    # Without a length fastwarc reads nothing, and the record is complete.
    announced = headers.get("Content-Length") or ""
    length = record.content_length if announced.isdecimal() and len(announced) <= _LENGTH_DIGITS else -1
    kind = str(record.record_type)
    if kind not in ("response", "resource"):
        return _Read({**row, "reason": "not a response", "detail": kind}, record.reader.consume() == length)
    http = _http_headers(record) if record.is_http else {}
    status = record.http_headers.status_code if record.is_http else 200
    content_type = http.get("content-type") if record.is_http else headers.get("Content-Type")
    body = read_up_to(record.reader, limit + 1)
    complete = len(body) + record.reader.consume() == length
    content_type = content_type or headers.get("WARC-Identified-Payload-Type")
    return _Read(row | _page(body, http, status, content_type, limit), complete)


def _http_headers(record: Any) -> dict[str, str]:
    """The HTTP headers by lower-case name; repeated ones are joined by commas, as in HTTP."""
    headers: dict[str, str] = {}
    for name, value in record.http_headers.items():
        name = name.lower()
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


def _page(body: bytes, http: dict[str, str], status: int | None, content_type: str | None, limit: int) -> Row:
    """The page of a response, or the reason why there is none."""
    if status is None or not 200 <= status < 300:
        return {"reason": "HTTP error", "detail": "no status" if status is None else str(status)}
    if content_type and not is_html(content_type, b""):
        return {"reason": "not HTML", "detail": content_type}
    if len(body) <= limit:
        body = decode_body(body, http, limit)
    if len(body) > limit:
        return {"reason": "too large", "detail": f"more than {limit} bytes"}
    if not body:
        return {"reason": "empty"}
    if not is_html(content_type, body):
        return {"reason": "not HTML", "detail": "no content type"}
    return {"html": body, "encoding": charset(content_type), "headers": list(http.items())}


def payload_digest(body: bytes) -> str:
    """The SHA-1 of a payload, in the notation of WARC files.

    >>> payload_digest(b"<p>one")
    'sha1:MSUZ7UE6YJT5IN7DIXLSN5BKGX62NBFL'
    """
    return "sha1:" + base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()
