"""WARC files for tests, record by record, sound or damaged."""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Callable
from pathlib import Path

__all__ = ["PACKINGS", "info", "page_record", "record"]

_ID = "<urn:uuid:00000000-0000-4000-8000-000000000000>"


def record(kind: str, block: bytes, *headers: str, length: int | None = None) -> bytes:
    """A record, with a length of its own choice."""
    lines = [
        "WARC/1.0",
        f"WARC-Type: {kind}",
        f"WARC-Record-ID: {_ID}",
        "WARC-Date: 2026-01-02T03:04:05Z",
        *headers,
        f"Content-Length: {len(block) if length is None else length}",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + block + b"\r\n\r\n"


def page_record(
    url: str,
    body: bytes,
    *http: str,
    status: str = "200 OK",
    content_type: str | None = "text/html",
    longer: int = 0,
) -> bytes:
    """The response to a request for a page; ``longer`` makes its length wrong by so many bytes."""
    typed = [f"Content-Type: {content_type}"] if content_type else []
    block = "\r\n".join([f"HTTP/1.1 {status}", *typed, *http, "", ""]).encode() + body
    return record(
        "response",
        block,
        f"WARC-Target-URI: {url}",
        "Content-Type: application/http; msgtype=response",
        length=len(block) + longer,
    )


def info() -> bytes:
    return record("warcinfo", b"software: test\r\n", "Content-Type: application/warc-fields")


def _zstd(data: bytes) -> bytes:
    from fastwarc.stream_io import ZstdWriter

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "frame.zst"
        writer = ZstdWriter(str(path))
        writer.write(data)
        writer.close()
        return path.read_bytes()


#: How a record is packed in each kind of file.
PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    ".warc": lambda data: data,
    ".warc.gz": lambda data: gzip.compress(data, 1, mtime=0),
    ".warc.zst": _zstd,
}
