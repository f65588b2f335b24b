"""Inputs by name: WARC files, folders and files of HTML, JSON lines, Parquet, the standard input.

An input is read from its beginning, or after a record that was read before (`Place`), so that a run can be resumed.
"""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import Any, BinaryIO, cast

from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.reading.archive import next_record
from webstrata.crawls.reading.records import batches_of
from webstrata.crawls.reading.tables import read_json_lines, read_parquet
from webstrata.crawls.reading.warc import payload_digest, read_warc
from webstrata.errors import InputError
from webstrata.files import files_below, open_regular

__all__ = ["Input", "Place", "find_inputs"]

_KINDS = {
    "warc": (".warc", ".warc.gz", ".warc.zst"),
    "jsonl": tuple(f".{name}{packed}" for name in ("jsonl", "ndjson") for packed in ("", ".gz", ".zst")),
    "parquet": (".parquet",),
    "html": (".html", ".htm", ".xhtml"),
}

Row = dict[str, Any]

_REMOTE_BYTES = 8 * 2**20
# Bytes of each end of a file that are part of the digest for noticing changes.
_END_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class Place:
    """A record in its input: its number and, in a WARC file, its offset, url and date.

    ``damaged`` is true if the file is damaged there or before: then it is read in another way.
    """

    record: int
    offset: int | None = None
    url: str | None = None
    crawled: str | None = None
    damaged: bool = False


@dataclass(frozen=True, slots=True)
class Input:
    """One input: its kind and its files, in order.

    >>> Input("warc", ("crawl.warc.gz",)).name
    'crawl.warc.gz'
    """

    kind: str
    files: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.files[0] if len(self.files) == 1 else f"{self.files[0]} and {len(self.files) - 1} more"

    @property
    def size(self) -> int | None:
        """The end of `reached`: the number of records if it is known, else bytes; None if both are unknown."""
        name = self.files[0]
        if self.kind == "html":
            return len(self.files)
        if self.kind == "stdin" or "://" in name or (self.kind == "jsonl" and name.endswith((".gz", ".zst"))):
            return None
        try:
            if self.kind == "parquet":
                return int(pyarrow("pyarrow.parquet").read_metadata(name).num_rows)
            return os.path.getsize(name)
        except (OSError, ValueError):
            return None

    def reached(self, place: Place) -> int:
        """How far a record is in the input, in the unit of `size`."""
        return (place.offset or 0) if self.kind in ("warc", "jsonl") else place.record + 1

    @property
    def identity(self) -> list[Any] | None:
        """Sizes and times of the files and, of a single file, a digest of both ends: it shows whether they changed.

        None for the standard input and for missing files.
        """
        if self.kind == "stdin":
            return None
        try:
            states = [_state(name) for name in self.files]
            ends = _digest_of_ends(self.files[0], states[0][0]) if len(self.files) == 1 else ""
        except (OSError, ValueError):
            return None
        digest = hashlib.sha256(repr(states).encode()).hexdigest()
        return [len(self.files), sum(size for size, _ in states), digest, ends]

    def batches(self, *, limit: int, after: Place | None = None) -> Iterator[Any]:
        """The records as batches.

        Parameters
        ----------
        limit : pages of more bytes are not kept ("too large")
        after : begin after this record
        """
        return batches_of(self.rows(limit=limit, after=after))

    def rows(self, *, limit: int, after: Place | None = None, skip: int = 0) -> Iterator[Row]:
        """The records one by one, with their numbers; ``limit`` and ``after`` as for `batches`.

        With ``skip``, that many records of a WARC file after that one are skipped without being read.
        """
        start = (0 if after is None else after.record + 1) + skip
        rows = None
        if skip:
            rows = self._behind(limit, None if after is None else after.offset, skip)
        elif after is not None:
            rows = self._jump(limit, after)
        if rows is None:
            rows = islice(self._rows(limit), start, None)
        for number, row in enumerate(rows, start):
            html = row.get("html")
            digest = row.get("digest") or (payload_digest(html) if html else None)
            yield {"file": self.files[0], **row, "record": number, "digest": digest}

    def _behind(self, limit: int, offset: int | None, skip: int) -> Iterator[Row]:
        """The rows of a WARC file after the record at ``offset`` and ``skip`` more."""
        stream = _open(self.files[0])
        at: int | None = -1 if offset is None else offset
        for _ in range(skip + 1):
            at = None if at is None else next_record(stream, at + 1)
        return _closing(stream, iter(()) if at is None else read_warc(stream, limit=limit, start=at, damaged=True))

    def _jump(self, limit: int, after: Place) -> Iterator[Row] | None:
        """The rows after a record of a WARC file, found by its offset; None if it is not there.

        Offsets are useless if a whole file was compressed as one: then the file is read from its beginning.
        """
        if self.kind != "warc" or after.offset is None:
            return None
        stream = _open(self.files[0])
        rows = read_warc(stream, limit=limit, start=after.offset, damaged=after.damaged)
        found = next(rows, {})
        if all(found.get(name) == getattr(after, name) for name in ("offset", "url", "crawled")):
            return _closing(stream, rows)
        stream.close()
        return None

    def _rows(self, limit: int) -> Iterator[Row]:
        if self.kind == "html":
            return _read_files(self.files, limit)
        stream = _open(self.files[0])
        kind = _sniff(stream) if self.kind == "stdin" else self.kind
        if kind == "parquet" and self.kind == "stdin":
            stream = _on_disk(stream)
        read = {"warc": read_warc, "jsonl": read_json_lines, "parquet": read_parquet, "html": _read_page}
        return _closing(stream, read[kind](stream, limit=limit))


def _closing(stream: BinaryIO, rows: Iterator[Row]) -> Iterator[Row]:
    """The rows; their stream is closed at their end."""
    with stream:
        yield from rows


def find_inputs(names: Sequence[str]) -> list[Input]:
    """The inputs of these names. Consecutive HTML files are one input, and so is a folder of them.

    >>> find_inputs(["a.warc.gz", "-"])
    [Input(kind='warc', files=('a.warc.gz',)), Input(kind='stdin', files=('-',))]
    """
    files = [(kind, name) for given in names for kind, name in _expand(given)]
    inputs: list[Input] = []
    for kind, group in groupby(files, key=lambda file: file[0]):
        members = tuple(name for _, name in group)
        inputs += [Input(kind, members)] if kind == "html" else [Input(kind, (name,)) for name in members]
    if sum(item.kind == "stdin" for item in inputs) > 1:
        raise InputError("the standard input can be read once: name - once")
    return inputs


def _expand(name: str) -> list[tuple[str, str]]:
    if name == "-":
        return [("stdin", name)]
    path = Path(name)
    if "://" not in name and path.is_dir():
        files = sorted(map(str, files_below(path)))
        if not files:
            raise InputError(f"{name} is an empty folder")
        # In a folder every file is a record: files that are neither archives nor tables are read as HTML or rejected.
        return [(_kind(file) or "html", file) for file in files]
    kind = _kind(name)
    if kind is None:
        endings = ", ".join(ending for group in _KINDS.values() for ending in group)
        raise InputError(f"the kind of {name} is not clear from its name: known endings are {endings}")
    return [(kind, name)]


def _kind(name: str) -> str | None:
    lower = name.lower()
    return next((kind for kind, endings in _KINDS.items() if lower.endswith(endings)), None)


def _open(name: str) -> BinaryIO:
    """Open a path, ``-`` for the standard input, or a URI that pyarrow supports (s3://, gs://)."""
    try:
        if name == "-":
            return os.fdopen(os.dup(0), "rb")
        if "://" not in name:
            return open_regular(name)
        system, path = pyarrow("pyarrow.fs").FileSystem.from_uri(name)
        # Each read of a remote file is a request, so reads are large.
        return io.BufferedReader(system.open_input_file(path), _REMOTE_BYTES)
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror or error}") from error


def _state(name: str) -> tuple[int, int]:
    """Size and time of a file."""
    if "://" not in name:
        found = os.stat(name)
        return found.st_size, found.st_mtime_ns
    system, path = pyarrow("pyarrow.fs").FileSystem.from_uri(name)
    info = system.get_file_info(path)
    return info.size or 0, info.mtime_ns or 0


def _digest_of_ends(name: str, size: int) -> str:
    with _open(name) as stream:
        digest = hashlib.sha256(stream.read(_END_BYTES))
        stream.seek(max(0, size - _END_BYTES))
        digest.update(stream.read(_END_BYTES))
    return digest.hexdigest()


def _on_disk(stream: BinaryIO) -> BinaryIO:
    """The contents of a pipe as a file without a name, because Parquet is read from its end."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 (the caller closes it)
    with stream:
        shutil.copyfileobj(stream, file)
    file.seek(0)
    return cast(BinaryIO, file)


def _sniff(stream: Any) -> str:
    """The kind of the standard input, from its first bytes."""
    head = stream.peek(64)
    if head.startswith(b"PAR1"):
        return "parquet"
    packed = head.startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd"))
    if packed:
        head = _unpacked(head)
    head = head.lstrip()
    if head.startswith(b"{"):
        return "jsonl"
    return "warc" if packed or head.startswith(b"WARC/") else "html"


def _unpacked(head: bytes) -> bytes:
    """The first bytes of compressed data, or none if it is damaged."""
    try:
        if head.startswith(b"\x1f\x8b"):
            return zlib.decompressobj(31).decompress(head, 64)
        return bytes(pyarrow().CompressedInputStream(io.BytesIO(head), "zstd").read(64))
    except (OSError, ValueError, zlib.error):
        return b""


def _read_files(files: Sequence[str], limit: int) -> Iterator[Row]:
    for name in files:
        row: Row = {"file": name}
        if _kind(name) != "html":
            yield {**row, "reason": "not HTML"}
            continue
        try:
            with _open(name) as stream:
                html = next(_read_page(stream, limit=limit))
        except (InputError, OSError) as error:
            yield {**row, "reason": "unreadable", "detail": str(error)}
        else:
            yield row | html


def _read_page(stream: BinaryIO, *, limit: int) -> Iterator[Row]:
    """The whole stream as one page."""
    html = stream.read(limit + 1)
    if len(html) > limit:
        yield {"reason": "too large", "detail": f"more than {limit} bytes"}
    else:
        yield {"html": html} if html else {"reason": "empty"}
