"""What bytes are, from the first of them: HTML, or a file of another kind that was taken for a page.

The signatures are those of the MIME Sniffing standard and of the archives that crawls come in.
"""

from __future__ import annotations

from collections import Counter

__all__ = ["begins_as_html", "other_kind"]

_SIGNATURES = (
    (b"WARC/", "WARC"),
    (b"%PDF-", "PDF"),
    (b"%!PS-Adobe-", "PostScript"),
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
    (b"\x00\x00\x01\x00", "icon"),
    (b"\x1f\x8b\x08", "gzip"),
    (b"\x28\xb5\x2f\xfd", "Zstandard"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!\x1a\x07", "RAR"),
    (b"PK\x03\x04", "ZIP"),
    (b"PAR1", "Parquet"),
    (b"\x7fELF", "program"),
    (b"MZ\x90\x00", "program"),
    (b"\x00asm", "WebAssembly"),
    (b"OggS\x00", "Ogg"),
    (b"fLaC", "FLAC"),
    (b"ID3", "MP3"),
    (b"\x1a\x45\xdf\xa3", "Matroska"),
    (b"wOFF", "font"),
    (b"wOF2", "font"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Office document"),
)
_FIRST = frozenset(signature[0] for signature, _ in _SIGNATURES)
_RIFF = {b"WEBP": "WebP", b"AVI ": "AVI", b"WAVE": "WAVE"}
# Bytes that no text has, by the MIME Sniffing standard (§3); 0 is left out, because broken pages and UTF-16 have it.
_BINARY = bytes(set(range(1, 0x20)) - {0x09, 0x0A, 0x0C, 0x0D, 0x1B})
_HEAD = 1024
# Compressed data has one such byte among ten. Damaged pages have a few.
_MOST_BINARY = 1 / 32
_FEWEST_BYTES = 64
# The beginnings of a page without a content type, after white space, a byte order mark and comments.
_HTML_STARTS = (b"<html", b"<head", b"<body")


def other_kind(data: bytes) -> str | None:
    """The name of the kind of file that is not HTML; None if it may be HTML.

    >>> other_kind(b"%PDF-1.7 ..."), other_kind(b"WARC/1.1\\r\\n"), other_kind(b"Nothing but text")
    ('PDF', 'WARC', None)
    """
    if not data:
        return None
    head = data[:_HEAD]
    if head[0] in _FIRST:
        for signature, name in _SIGNATURES:
            if head.startswith(signature):
                return name
    if head.startswith(b"RIFF") and head[8:12] in _RIFF:
        return _RIFF[head[8:12]]
    if head[4:8] == b"ftyp":
        return "MP4"
    binary = len(head) - len(head.translate(None, _BINARY))
    if len(head) < _FEWEST_BYTES or binary <= _MOST_BINARY * len(head) or _is_wide(head):
        return None
    return "binary data"


def _is_wide(head: bytes) -> bool:
    """Whether bytes may be UTF-16: one byte is every second one, such as the high halves of letters of an alphabet."""
    halves = (Counter(head[first::2]).most_common(1)[0][1] for first in (0, 1))
    return head.startswith((b"\xff\xfe", b"\xfe\xff")) or max(halves) > len(head) / 4


def begins_as_html(data: bytes) -> bool:
    """Whether bytes begin with a doctype or with one of the first elements of a page.

    >>> begins_as_html(b" <!DOCTYPE html>"), begins_as_html(b"<svg>")
    (True, False)
    """
    rest = data[:_HEAD].lower().removeprefix(b"\xef\xbb\xbf").lstrip()
    while True:
        if rest.startswith(b"<!--"):
            _, end, rest = rest[4:].partition(b"-->")
        elif rest.startswith(b"<?xml"):
            _, end, rest = rest.partition(b">")
        else:
            break
        if not end:
            return False
        rest = rest.lstrip()
    after = rest[9:] if rest.startswith(b"<!doctype") else b""
    return rest.startswith(_HTML_STARTS) or (after[:1].isspace() and after.lstrip().startswith(b"html"))
