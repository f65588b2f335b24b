"""Frozen pages look the same, pixel by pixel, with nothing left to load."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from webstrata.rendering import Renderer
from webstrata.rendering.frozen import freeze_css
from webstrata.rendering.resources import Resource

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
FONTS = sorted(Path("/usr/share/fonts").rglob("*Mono*.ttf"))


def png(red: int, green: int, blue: int, size: int = 24) -> bytes:
    """A picture of one colour."""
    rows = (b"\x00" + bytes((red, green, blue)) * size) * size

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


PAGES: dict[str, str] = {
    "style sheets": "<link rel=stylesheet href=a.css><link rel=stylesheet href=print.css media=print><p class=a>Styled",
    "imports": "<style>@import 'sub/b.css' screen; @import url(missing.css);</style><p class=b>Imported</p>",
    "images": "<img src=red.png><img src=gone.png alt=Gone><img srcset='green.png 1x, red.png 2x'>"
    "<picture><source srcset=green.png><img src=red.png></picture><input type=image src=red.png>",
    "images of two densities": "<img srcset='red.png 24w' sizes=12px><img srcset='green.png 2x'><img src=red.png>",
    "backgrounds": "<style>div { background: url('green.png'); width: 99px; height: 50px }</style><div></div>"
    "<p style='background: url(red.png)'>On red</p><table background=green.png><tr><td>On green</table>",
    "fonts": "<style>@font-face { font-family: own; src: url(own.ttf) } p { font: 30px own }</style><p>Own letters ilW",
    "frames": "<p>Outer<iframe src=inner.html width=300 height=80></iframe>",
    "frame set": "<frameset cols='50%,50%'><frame src=inner.html><frame src=other.html></frameset>",
    "scripted": "<div id=x></div><script>x.textContent = 'Made by a script'; const s = document.createElement('style');"
    "document.head.append(s); s.sheet.insertRule('#x { color: red; font-size: 30px }')</script>",
    "vector": "<svg width=100 height=50><circle cx=20 cy=20 r=15 fill=teal />"
    "<image href=red.png x=50 width=24 height=24 />"
    "<linearGradient id=g><stop stop-color=red /></linearGradient><rect x=80 width=9 height=9 fill='url(#g)' /></svg>",
    "quirks": "<table height=100%><tr><td>Centred in the window</table><pre>\n\n two lines below</pre>",
}
FILES = {
    "a.css": b".a { color: #aa0000; border: 3px solid } /* url(x) */ .a::after { content: 'url(no)' }",
    "print.css": b"p { display: none }",
    "sub/b.css": b"@import '../a.css'; .b { background: url(../red.png); padding: 9px }",
    "red.png": png(200, 0, 0),
    "green.png": png(0, 160, 0),
    "inner.html": b"<link rel=stylesheet href=sub/b.css><p class=b>Inner <img src=green.png>",
    "other.html": b"<body bgcolor=#ddeeff>Other",
}


def pixels(picture: bytes | None) -> np.ndarray:
    assert picture is not None
    return np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name, data in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    if FONTS:
        (tmp_path / "own.ttf").write_bytes(FONTS[0].read_bytes())
    return tmp_path


@pytest.mark.parametrize("name", PAGES)
def test_looks_the_same_offline(renderer: Renderer, site: Path, name: str) -> None:
    page = site / "page.html"
    page.write_text(("" if name in ("quirks", "frame set") else "<!DOCTYPE html>") + PAGES[name])
    options = {"scripts": name == "scripted", "screenshot": True, "timeout": 60}
    frozen, before = renderer.freeze(page, **options)
    assert b"<script" not in frozen
    assert b"data-webstrata-row" not in frozen
    # Given as HTML without a URL, it can reach nothing.
    after = renderer.render(frozen, screenshot=True, timeout=60)
    assert np.array_equal(pixels(before.screenshot), pixels(after.screenshot))
    bare = renderer.render(page.read_bytes(), screenshot=True, timeout=60)
    if name != "quirks":
        assert not np.array_equal(pixels(before.screenshot), pixels(bare.screenshot)), "the test sees no difference"


@pytest.mark.parametrize("path", sorted((ROOT / "src/webstrata/demo").glob("*.html")), ids=lambda path: path.stem)
def test_demo_pages_look_the_same_offline(renderer: Renderer, path: Path) -> None:
    frozen, before = renderer.freeze(path, screenshot=True, timeout=60)
    after = renderer.render(frozen, screenshot=True, timeout=60)
    assert np.array_equal(pixels(before.screenshot), pixels(after.screenshot))


def test_what_could_run_or_load_is_left_out(renderer: Renderer) -> None:
    html = """<base href=http://example.org/><meta http-equiv=refresh content='9;url=x'>
    <link rel=preload href=x as=image>
    <a href='javascript:alert(1)' onclick='alert(2)' ping=x>link</a><a href=y>other</a><object data=z></object>"""
    frozen, _ = renderer.freeze(html)
    for gone in (b"javascript:", b"onclick", b"refresh", b"preload", b"ping", b"<object", b"<base"):
        assert gone not in frozen, gone
    assert b'href="http://example.org/y"' in frozen
    assert b"Content-Security-Policy" in frozen


def test_a_style_sheet_cannot_leave_its_element() -> None:
    assert "</style" not in freeze_css("p::after { content: '</style><script>' }", "http://example.org/", {})


def test_style_sheets_that_import_each_other_end() -> None:
    sheet = Resource("http://example.org/a.css", 200, "text/css", b"@import 'a.css'; p { color: red }")
    assert len(freeze_css("@import 'a.css'", "http://example.org/", {sheet.url: sheet})) < 5000
