"""HTTP responses in WARC records: whether they are pages, their encodings, and their decoded bytes."""

from __future__ import annotations

import io
import zlib
from typing import Any

from webstrata._first_bytes import begins_as_html
from webstrata.crawls.arrow import fastwarc

__all__ = ["decode_body", "is_html", "read_up_to"]

_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
# A body may consist of many compressed parts. Pieces are small because zlib copies the rest of a piece for each part.
_PIECE = 4096


def is_html(content_type: str | None, body: bytes) -> bool:
    """Whether a response is a page, by its type or, without a type, by its first bytes.

    >>> is_html("text/html; charset=utf-8", b""), is_html("image/png", b""), is_html(None, b" <!DOCTYPE html>")
    (True, False, True)
    """
    kind = (content_type or "").partition(";")[0].strip().lower()
    return kind in _HTML_TYPES if kind else begins_as_html(body)


def decode_body(body: bytes, headers: dict[str, str], limit: int) -> bytes:
    """The body without its transfer and content encodings, at most ``limit + 1`` bytes.

    Many crawlers store the decoded body with the original headers: a body that cannot be decoded is returned unchanged.

    >>> decode_body(b"5\\r\\n<p>on\\r\\n1\\r\\ne\\r\\n0\\r\\n\\r\\n", {"transfer-encoding": "chunked"}, 100)
    b'<p>one'
    >>> decode_body(b"<p>one", {"transfer-encoding": "chunked", "content-encoding": "gzip"}, 100)
    b'<p>one'
    """
    codings = [*_list(headers.get("content-encoding")), *_list(headers.get("transfer-encoding"))]
    for coding in reversed(codings):
        decoded = _decoded(body, coding, limit)
        if decoded is not None:
            body = decoded
    return body


def _list(value: str | None) -> list[str]:
    return [item.strip().lower() for item in (value or "").split(",") if item.strip()]


def _decoded(body: bytes, coding: str, limit: int) -> bytes | None:
    """The body without one encoding, or None if it cannot be decoded."""
    if coding in ("gzip", "x-gzip"):
        return _inflated(body, 31, limit)
    if coding == "deflate":
        # The standard means zlib's format; some servers send the bare stream.
        return _inflated(body, 15, limit) or _inflated(body, -15, limit)
    name = {"chunked": "ChunkedReader", "br": "BrotliReader", "zstd": "ZstdReader"}.get(coding)
    if name is None:
        return None
    reader: Any = getattr(fastwarc("fastwarc.stream_io"), name)(io.BytesIO(body))
    try:
        return read_up_to(reader, limit + 1) or None
    except (OSError, ValueError):
        return None


def read_up_to(reader: Any, limit: int) -> bytes:
    """All bytes of a reader up to ``limit``, even if single reads return fewer."""
    parts = []
    while limit > 0 and (part := reader.read(min(limit, 2**20))):
        parts.append(part)
        limit -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _inflated(body: bytes, window: int, limit: int) -> bytes | None:
    """The decompressed bytes, at most ``limit + 1``; None if they are not compressed.

    A gzip stream may have several members. Bytes after the last one are ignored.
    """
    parts: list[bytes] = []
    room, whole = limit + 1, 0
    inflater = zlib.decompressobj(window)
    try:
        for start in range(0, len(body), _PIECE):
            piece = body[start : start + _PIECE]
            while piece and room > 0:
                if inflater.eof:
                    if window < 16:
                        return b"".join(parts)
                    inflater, whole = zlib.decompressobj(window), len(parts)
                parts.append(inflater.decompress(piece, room))
                room -= len(parts[-1])
                piece = inflater.unused_data or inflater.unconsumed_tail
    except zlib.error:
        return b"".join(parts[:whole]) if whole else None
    return b"".join(parts)
