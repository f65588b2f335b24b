"""Inputs: WARC files, files of HTML, JSON lines, Parquet, indexes of archives, the standard input.

An input is read from its beginning, or after a record that was read before (`Place`), so that a run can be resumed.
"""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, repeat
from typing import Any, BinaryIO, cast

from webstrata._first_bytes import begins_as_html
from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.reading.archive import next_record
from webstrata.crawls.reading.captures import captures_in, is_capture_table, read_captures
from webstrata.crawls.reading.records import batches_of
from webstrata.crawls.reading.stores import archive_at, digest_of_ends, open_input, state_of
from webstrata.crawls.reading.tables import read_json_lines, read_parquet
from webstrata.crawls.reading.warc import payload_digest, read_warc
from webstrata.errors import InputError

__all__ = ["KINDS", "Input", "Place", "kind_of"]

#: The kinds of inputs, with the endings of their files.
KINDS = {
    "warc": (".warc", ".warc.gz", ".warc.zst"),
    "jsonl": tuple(f".{name}{packed}" for name in ("jsonl", "ndjson") for packed in ("", ".gz", ".zst")),
    "parquet": (".parquet",),
    "html": (".html", ".htm", ".xhtml"),
    "cdx": tuple(f".{name}{packed}" for name in ("cdx", "cdxj") for packed in ("", ".gz")),
}

Row = dict[str, Any]

_HEAD = 1024


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
    """One input: its kind, its files in order, and the URLs of these (empty where a file has none) or nothing.

    >>> Input("warc", ("crawl.warc.gz",)).name
    'crawl.warc.gz'
    """

    kind: str
    files: tuple[str, ...]
    urls: tuple[str, ...] = ()
    base: str = field(default="", repr=False, compare=False)
    filters: tuple[Any, ...] = field(default=(), repr=False, compare=False)

    def within(self, base: str) -> Input:
        """The same input, read by processes with another working directory: relative paths are below ``base``."""
        return replace(self, base=base)

    def filtered(self, filters: Sequence[Any]) -> Input:
        """The same input; of an index, records that filters leave out by their URLs are not read."""
        return replace(self, filters=tuple(filters))

    def _open(self, name: str) -> BinaryIO:
        plain = name == "-" or "://" in name or not self.base
        return open_input(name if plain else os.path.join(self.base, name))

    @property
    def name(self) -> str:
        return self.files[0] if len(self.files) == 1 else f"{self.files[0]} and {len(self.files) - 1} more"

    @property
    def size(self) -> int | None:
        """The end of `reached`: the number of records if it is known, else bytes; None if both are unknown."""
        name = self.files[0]
        if self.kind == "html":
            return len(self.files)
        if self.kind in ("stdin", "cdx") or "://" in name or (self.kind == "jsonl" and name.endswith((".gz", ".zst"))):
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
            states = [state_of(name) for name in self.files]
            ends = digest_of_ends(self.files[0], states[0][0]) if len(self.files) == 1 else ""
        except (OSError, ValueError):
            return None
        digest = hashlib.sha256(repr((states, self.urls) if self.urls else states).encode()).hexdigest()
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
        rows = self._captured(limit, start)
        if rows is not None:
            pass
        elif skip:
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
        stream = self._open(self.files[0])
        at: int | None = -1 if offset is None else offset
        for _ in range(skip + 1):
            at = None if at is None else next_record(stream, at + 1)
        return _closing(stream, iter(()) if at is None else read_warc(stream, limit=limit, start=at, damaged=True))

    def _captured(self, limit: int, start: int) -> Iterator[Row] | None:
        """The records that an index names, from number ``start`` on; None if this is no index."""
        name = self.files[0]
        if self.kind not in ("cdx", "parquet"):
            return None
        stream = self._open(name)
        if self.kind == "parquet" and not is_capture_table(stream):
            stream.close()
            return None
        index = captures_in(stream, table=self.kind == "parquet")
        listed_in = name if "://" in name else os.path.join(self.base, name)
        placed = partial(archive_at, listed_in=listed_in)
        return _closing(stream, read_captures(index, placed, limit=limit, skip=start, left_out=self._left_out))

    def _left_out(self, row: Row) -> tuple[str, str] | None:
        """The reason and the detail of the first filter that leaves a record out."""
        found = ((rule.reason, rule(row)) for rule in self.filters)
        return next(((reason, detail) for reason, detail in found if detail is not None), None)

    def _jump(self, limit: int, after: Place) -> Iterator[Row] | None:
        """The rows after a record of a WARC file, found by its offset; None if it is not there.

        Offsets are useless if a whole file was compressed as one: then the file is read from its beginning.
        """
        if self.kind != "warc" or after.offset is None:
            return None
        stream = self._open(self.files[0])
        rows = read_warc(stream, limit=limit, start=after.offset, damaged=after.damaged)
        found = next(rows, {})
        if all(found.get(name) == getattr(after, name) for name in ("offset", "url", "crawled")):
            return _closing(stream, rows)
        stream.close()
        return None

    def _rows(self, limit: int) -> Iterator[Row]:
        if self.kind == "html":
            return _read_files(self.files, self.urls, limit, self._open)
        stream = self._open(self.files[0])
        kind = _sniff(stream) if self.kind == "stdin" else self.kind
        if kind == "parquet" and self.kind == "stdin":
            stream = _on_disk(stream)
        read = {"warc": read_warc, "jsonl": read_json_lines, "parquet": read_parquet, "html": _read_page}
        return _closing(stream, read[kind](stream, limit=limit))


def _closing(stream: BinaryIO, rows: Iterator[Row]) -> Iterator[Row]:
    """The rows; their stream is closed at their end."""
    with stream:
        yield from rows


def kind_of(name: str) -> str | None:
    """The kind of a file by the ending of its name; None if no kind has it."""
    lower = name.lower()
    return next((kind for kind, endings in KINDS.items() if lower.endswith(endings)), None)


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


def _read_files(
    files: Sequence[str], urls: Sequence[str], limit: int, opened: Callable[[str], BinaryIO]
) -> Iterator[Row]:
    """One record for each file. A file whose name does not end like HTML must begin like it."""
    for name, url in zip(files, urls or repeat("", len(files)), strict=True):
        row: Row = {"file": name, "url": url} if url else {"file": name}
        try:
            with opened(name) as stream:
                if kind_of(name) != "html" and not begins_as_html(stream.read(_HEAD)):
                    yield {**row, "reason": "not HTML"}
                    continue
                stream.seek(0)
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
