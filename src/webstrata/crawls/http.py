"""What a WARC record says over HTTP: is it a page, how is it encoded, what are its bytes."""

from __future__ import annotations

import io
import re
import zlib
from typing import Any

from webstrata.crawls.arrow import fastwarc

__all__ = ["charset", "decode_body", "is_html", "read_up_to"]

_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([^\s\"';,]+)", re.IGNORECASE)
# What a page without a content type begins with, after white space, marks and comments.
_HTML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:<\?xml[^>]*>|<!--.*?-->|\s)*<(?:!doctype\s+html|html|head|body)", re.IGNORECASE | re.DOTALL
)


def is_html(content_type: str | None, body: bytes) -> bool:
    """Whether a response holds a page: its type says so, or, without a type, its first bytes do.

    >>> is_html("text/html; charset=utf-8", b""), is_html("image/png", b""), is_html(None, b" <!DOCTYPE html>")
    (True, False, True)
    """
    kind = (content_type or "").partition(";")[0].strip().lower()
    return kind in _HTML_TYPES if kind else _HTML_START.match(body[:1024]) is not None


def charset(content_type: str | None) -> str | None:
    """The encoding that a content type names.

    >>> charset('text/html; Charset="Shift_JIS"')
    'Shift_JIS'
    """
    found = _CHARSET.search(content_type or "")
    return found[1] if found else None


def decode_body(body: bytes, headers: dict[str, str], limit: int) -> bytes:
    """The body without its transfer and content encodings, at most ``limit`` bytes and one.

    Many crawlers store the decoded body under the original headers: what does not decode is taken as it is.

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
    """The body without one encoding, or None if it does not have it."""
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
    """As many bytes as a reader has, at most ``limit``, however few it gives at a time."""
    parts = []
    while limit > 0 and (part := reader.read(min(limit, 2**20))):
        parts.append(part)
        limit -= len(part)
    return b"".join(parts)


def _inflated(body: bytes, window: int, limit: int) -> bytes | None:
    try:
        return zlib.decompressobj(window).decompress(body, limit + 1)
    except zlib.error:
        return None
