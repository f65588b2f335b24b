"""The structure of WARC files: where records start, and whether a record has the length of its header.

fastwarc stops at the first damage. These functions find the next record after it, so that only damaged records of an
archive are lost.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

from webstrata.crawls.arrow import fastwarc

__all__ = ["Patience", "Window", "announced_end", "end_of_record", "is_cut", "next_record", "unit_end"]

# The next record is often near, so chunks of a search begin small and grow.
_FIRST_CHUNK, _CHUNK = 2**12, 2**20
# A block of a Zstandard frame has up to 128 kB; the header of the frame is shorter than the rest.
_LONGEST_BLOCK = 2**17 + 64
# The first line of a record and the name of a field after it. It may be in mid-line, if the record before was cut.
_PLAIN = re.compile(rb"WARC/\d\.\d\r?\n(?=[A-Za-z][A-Za-z-]{0,63}:)")
_PLAIN_LENGTH = 80
_FIELD = re.compile(rb"^([A-Za-z-]++):", re.MULTILINE)
_GZIP = b"\x1f\x8b\x08"
_ZSTD = b"\x28\xb5\x2f\xfd"
# 18 digits are enough for any record, and Python takes long to convert thousands of them.
_LENGTH = re.compile(rb"^content-length:[ \t]*+(\d{1,18})[ \t]*+\r?$", re.IGNORECASE | re.MULTILINE)
# The longest header; fastwarc stops at half of this.
_HEADER_LIMIT = 65_536
_SHORT_HEADER = 2048
# Damaged members and frames may take so much work: times the bytes of the file, and bytes of any file.
_WORK, _FREE_WORK = 16, 2**24
# The header of a block of a frame takes as much work as this many bytes that are inflated.
_BLOCK_WORK = 1024
# Bytes that are read at once of a member; few members are longer.
_MEMBER_CHUNK = 65_536


def next_record(stream: BinaryIO, start: int) -> int | None:
    """The offset of the first record at or after ``start``, or None.

    In a compressed file this is a member (gzip) or frame (Zstandard) that begins with a WARC header.
    """
    stream.seek(0)
    magic = stream.read(4)
    if magic == b"WARC":
        return _find_plain(stream, start)
    # If the first bytes of the file are damaged, all kinds are searched for.
    gzip = (at for at in _find(stream, start, _GZIP) if _begins(stream, at))
    zstd = (at for at in _find(stream, start, _ZSTD) if _begins_zstd(stream, at))
    if magic.startswith(_GZIP):
        return next(gzip, None)
    if magic == _ZSTD:
        return next(zstd, None)
    found = (next(gzip, None), next(zstd, None), _find_plain(stream, start))
    return min((at for at in found if at is not None), default=None)


def _find(stream: BinaryIO, start: int, needle: bytes) -> Iterator[int]:
    """The offsets of a byte string, in order."""
    overlap = len(needle) - 1
    size = _FIRST_CHUNK
    while True:
        stream.seek(start)
        chunk = stream.read(size)
        at = chunk.find(needle)
        while at >= 0:
            yield start + at
            at = chunk.find(needle, at + 1)
        if len(chunk) < size:
            return
        start += len(chunk) - overlap
        size = min(4 * size, _CHUNK)


def _find_plain(stream: BinaryIO, start: int) -> int | None:
    size = _FIRST_CHUNK
    while True:
        stream.seek(start)
        chunk = stream.read(size)
        if found := _PLAIN.search(chunk):
            return start + found.start()
        if len(chunk) < size:
            return None
        start += len(chunk) - _PLAIN_LENGTH
        size = min(4 * size, _CHUNK)


def _begins(stream: BinaryIO, at: int) -> bool:
    stream.seek(at)
    try:
        return zlib.decompressobj(31).decompress(stream.read(4096), 5) == b"WARC/"
    except zlib.error:
        return False


def _begins_zstd(stream: BinaryIO, at: int) -> bool:
    # The first block of a frame is often short, and never longer than the second size.
    for size in (_FIRST_CHUNK, _LONGEST_BLOCK):
        stream.seek(at)
        reader = fastwarc("fastwarc.stream_io").ZstdReader(io.BytesIO(stream.read(size)))
        try:
            if begin := reader.read(5):
                return bool(begin == b"WARC/")
        except (OSError, ValueError):
            return False
    return False


def end_of_record(stream: BinaryIO, start: int) -> int | None:
    """Where the record at ``start`` ends if it is as long as its header says, else None.

    In a compressed file the record must fill its member or frame. If one member contains many records, their offsets
    are useless, and a record that begins at the end of the file is accepted.
    """
    stream.seek(start)
    magic = stream.read(4)
    if magic.startswith(_GZIP):
        return _end_in_member(stream, start)
    if magic == _ZSTD:
        return _end_in_frame(stream, start)
    if magic != b"WARC":
        return None if magic else start
    end = announced_end(stream, start)
    if end is None:
        return None
    stream.seek(end)
    return end + 4 if stream.read(4) == b"\r\n\r\n" else None


def announced_end(stream: BinaryIO, start: int) -> int | None:
    """The end of the block of an uncompressed record by its header; None without a length."""
    parts = _header(_read_header(stream, start))
    return None if parts is None else start + sum(parts)


def is_cut(stream: BinaryIO, start: int) -> bool:
    """Whether the uncompressed header at ``start`` is cut and continues with the header of another record in mid-line.

    A value may end like a first line (some URLs do). Then no field occurs twice.
    """
    head = _read_header(stream, start)
    head = head[: head.find(b"\r\n\r\n") + 2]
    for inner in _PLAIN.finditer(head, 1):
        before, after = (_FIELD.findall(part) for part in (head[: inner.start()], head[inner.start() :]))
        line = head[head.rfind(b"\n", 0, inner.start()) + 1 : inner.start()]
        if b":" not in line or set(map(bytes.lower, before)) & set(map(bytes.lower, after)):
            return True
    return False


def _read_header(stream: BinaryIO, start: int) -> bytes:
    """The bytes from ``start`` to the end of a header at least, where there is one."""
    stream.seek(start)
    # Most headers are short, and this is called for every record of an uncompressed file.
    head = stream.read(_SHORT_HEADER)
    return head if b"\r\n\r\n" in head else head + stream.read(_HEADER_LIMIT - _SHORT_HEADER)


class Patience:
    """How much work may still go into damaged members and frames of a file.

    Each may seem to reach to the end of the file and contain all later ones, so that without a limit the work would be
    the square of their number.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self.left = _WORK * stream.seek(0, io.SEEK_END) + _FREE_WORK


def unit_end(stream: BinaryIO, start: int, patience: Patience | None = None) -> int | None:
    """The end of the record, member or frame at ``start``, whatever its contents; None if it is damaged.

    Once ``patience`` is used up, nothing is read past the beginning of the next record.
    """
    stop = next_record(stream, start + 1) if patience is not None and patience.left <= 0 else None
    within, first = (stream, start) if stop is None else (cast(BinaryIO, Window(stream, start, stop)), 0)
    within.seek(first)
    magic = within.read(4)
    if magic.startswith(_GZIP):
        end, work = _end_of_member(within, first)
    elif magic == _ZSTD:
        end, work = _end_of_frame(within, first)
    else:
        return end_of_record(stream, start)
    if end is None and patience is not None:
        patience.left -= work
    return None if end is None else start - first + end


def _end_of_member(stream: BinaryIO, start: int) -> tuple[int | None, int]:
    """The end of a member, None if it is damaged, and the bytes that were inflated."""
    member = _Member(stream, start)
    size = sum(map(len, member))
    return member.end, size


class _Member:
    """Iterates over the decompressed pieces of a gzip member; then ``end`` is its end, or None if it is damaged."""

    def __init__(self, stream: BinaryIO, start: int) -> None:
        self._stream, self._start = stream, start
        self.end: int | None = None

    def __iter__(self) -> Iterator[bytes]:
        self._stream.seek(self._start)
        inflater = zlib.decompressobj(31)
        read = self._start
        try:
            while not inflater.eof:
                piece = inflater.unconsumed_tail
                if not piece:
                    piece = self._stream.read(_MEMBER_CHUNK)
                    read += len(piece)
                if not piece:
                    return
                yield inflater.decompress(piece, _CHUNK)
        except zlib.error:
            return
        self.end = read - len(inflater.unused_data)


class Window(io.RawIOBase):
    """A part of a file as a file: it ends there, even if lengths in it are wrong."""

    def __init__(self, stream: BinaryIO, start: int, stop: int) -> None:
        self._stream, self._start, self._stop, self._at = stream, start, stop, start

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: self._start, io.SEEK_CUR: self._at, io.SEEK_END: self._stop}[whence]
        self._at = max(self._start, base + offset)
        return self.tell()

    def tell(self) -> int:
        return self._at - self._start

    def readinto(self, buffer: Any) -> int:
        self._stream.seek(self._at)
        data = self._stream.read(max(0, min(len(buffer), self._stop - self._at)))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


def _end_in_member(stream: BinaryIO, start: int) -> int | None:
    """The end of a member that contains one record of the right length."""
    member = _Member(stream, start)
    head, total, tail = b"", 0, b""
    for data in member:
        head += data[: max(0, _HEADER_LIMIT - len(head))]
        total += len(data)
        tail = (tail + data[-4:])[-4:]
    parts = _header(head)
    if parts is None or sum(parts) + 4 != total or tail != b"\r\n\r\n":
        return None
    return member.end


def _end_in_frame(stream: BinaryIO, start: int) -> int | None:
    """The end of a Zstandard frame that contains one record of the right length."""
    stop, _ = _end_of_frame(stream, start)
    if stop is None:
        return None
    stream.seek(start)
    reader = fastwarc("fastwarc.stream_io").ZstdReader(io.BytesIO(stream.read(stop - start)))
    try:
        head = reader.read(_HEADER_LIMIT)
        total = len(head)
        while data := reader.read(_HEADER_LIMIT):
            total += len(data)
    except (OSError, ValueError):
        return None
    parts = _header(head)
    return stop if parts is not None and sum(parts) + 4 == total else None


def _end_of_frame(stream: BinaryIO, start: int) -> tuple[int | None, int]:
    """The end of a Zstandard frame, from the sizes of its blocks (RFC 8878, 3.1.1), or None; and the work."""
    stream.seek(start + 4)
    descriptor = stream.read(1)
    work = 0
    if not descriptor:
        return None, work
    flags = descriptor[0]
    single = flags >> 5 & 1
    content_size = (single, 2, 4, 8)[flags >> 6]
    at = start + 5 + (1 - single) + (0, 1, 2, 4)[flags & 3] + content_size
    last = False
    while not last:
        stream.seek(at)
        work += _BLOCK_WORK
        block = int.from_bytes(stream.read(3), "little")
        last, kind, size = bool(block & 1), block >> 1 & 3, block >> 3
        if kind == 3 or (not block and not stream.read(1)):
            return None, work
        at += 3 + (1 if kind == 1 else size)
    at += 4 * (flags >> 2 & 1)
    return at if at <= stream.seek(0, io.SEEK_END) else None, work


def _header(head: bytes) -> tuple[int, int] | None:
    """The length of a header and the length of the block in it."""
    stop = head.find(b"\r\n\r\n")
    length = _LENGTH.search(head, 0, stop) if stop >= 0 else None
    return (stop + 4, int(length[1])) if length else None
