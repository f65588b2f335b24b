"""Files of other kinds are known by their first bytes, and no page is taken for one."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from pathlib import Path

import pytest
from generated_pages import HOSTILE

from webstrata._first_bytes import other_kind

TEXT = b"<p>Silt settles in summer, and mud in winter." * 50


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.7\n%\xe2\xe3", "PDF"),
        (b"\x89PNG\r\n\x1a\n\0\0", "PNG"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "JPEG"),
        (b"RIFF\x24\0\0\0WEBPVP8 ", "WebP"),
        (b"\0\0\0\x18ftypmp42", "MP4"),
        (b"WARC/1.0\r\nWARC-Type: response", "WARC"),
        (gzip.compress(TEXT, mtime=0), "gzip"),
        (bz2.compress(TEXT), "bzip2"),
        (lzma.compress(TEXT), "xz"),
        (zlib.compress(bytes(range(256)) * 8)[2:], "binary data"),
        (b"", None),
        (b"I", None),
        (TEXT, None),
        ("Слои ила".encode("cp1251") * 90, None),
        ("シルト".encode("iso-2022-jp") * 90, None),
        ("Слои ила ".encode("utf-16-le") * 90, None),
        (b"GIF pictures are old", None),
    ],
)
def test_kinds(data: bytes, kind: str | None) -> None:
    assert other_kind(data) == kind


def test_pages_are_html_however_broken() -> None:
    wrong = {name for name, html in HOSTILE.items() if isinstance(html, bytes) and other_kind(html)}
    # Every byte once is no page that a server sends.
    assert wrong <= {"not text"}


def test_golden_pages_are_html() -> None:
    pages = list((Path(__file__).parent / "pages").glob("*/source.html"))
    assert pages
    assert not [path for path in pages if other_kind(path.read_bytes())]
