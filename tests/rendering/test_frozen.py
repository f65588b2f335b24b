"""Frozen pages look the same, pixel by pixel, with nothing left to load."""

from __future__ import annotations

import base64
import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from frozen_trees import HEIGHT, changes, real_pages
from injection import PAGES as PAGES_THAT_RUN
from injection import opened
from mutation_xss import MUTATING, NO_PARSER_BUILDS, SCRIPTED
from PIL import Image
from second_reading import chromium, faults, frozen_pages, keeps_its_tree

from webstrata._allowed import POLICY
from webstrata.errors import InputError, WebstrataError
from webstrata.page import parse
from webstrata.rendering import Renderer
from webstrata.rendering.inlining import freeze_css
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
    for gone in (b"javascript:", b"onclick", b"refresh", b"preload", b"ping", b"data=", b"<base"):
        assert gone not in frozen, gone
    assert b'href="http://example.org/y"' in frozen
    assert b"Content-Security-Policy" in frozen


def test_a_style_sheet_cannot_leave_its_element() -> None:
    assert "</style" not in freeze_css("p::after { content: '</style><script>' }", "http://example.org/", {})


def test_style_sheets_that_import_each_other_end() -> None:
    sheet = Resource("http://example.org/a.css", 200, "text/css", b"@import 'a.css'; p { color: red }")
    assert len(freeze_css("@import 'a.css'", "http://example.org/", {sheet.url: sheet})) < 5000


@pytest.mark.parametrize("left_out", ["<script>x</script>", "<style>p { color: red }</style>", "<!-- x -->", "<base>"])
def test_the_tree_is_kept(renderer: Renderer, left_out: str) -> None:
    frozen, _ = renderer.freeze(f"<div><p>one</p>{left_out}<p>two</p></div>")
    elements = parse(frozen).elements
    assert [elements[int(elements.parent[row])].tag for row in elements.find("p").tolist()] == ["div", "div"]


def test_files_are_embedded_where_they_fit(renderer: Renderer, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("p { color: #abcdef } secret")
    (tmp_path / "red.bin").write_bytes(png(200, 0, 0))
    page = tmp_path / "page.html"
    page.write_text(
        "<link rel=stylesheet href=notes.txt><style>@import 'notes.txt'; p { background: url(notes.txt) }</style>"
        "<img src=notes.txt><img src=red.bin>"
    )
    frozen, _ = renderer.freeze(page)
    assert b"secret" not in frozen
    assert base64.b64encode(b"p { color: #abcdef } secret") not in frozen
    assert b"data:image/png;base64," in frozen


@pytest.fixture(scope="module")
def hostile() -> dict[str, str]:
    """A sample of the hostile pages and of what only scripts can build, frozen; `make fuzz` freezes all."""
    pages = [*PAGES_THAT_RUN.items(), *MUTATING.items()]
    try:
        with Renderer(tabs=4) as found:
            return dict([*frozen_pages(found, pages[::5]), *frozen_pages(found, SCRIPTED.items(), scripts=True)])
    except WebstrataError as error:
        pytest.skip(str(error))


def test_hostile_pages_are_read_as_they_are_meant(hostile: dict[str, str]) -> None:
    assert len(hostile) > 30
    with chromium() as tab:
        assert {name: found for name, html in hostile.items() if (found := faults(tab, html))} == {}
        known = {*SCRIPTED, *NO_PARSER_BUILDS}
        assert [name for name, html in hostile.items() if name not in known and not keeps_its_tree(tab, html)] == []


def test_the_second_reading_sees_faults() -> None:
    with chromium() as tab:
        for html in ("<p>x", f"<html><head>{POLICY}</head><body><img onerror=x>", f"<html><head>{POLICY}<script>"):
            assert faults(tab, html), html
        good = f"<html><head>{POLICY}</head><body><p>x</p></body></html>"
        assert faults(tab, good) == []
        assert keeps_its_tree(tab, good)
        assert not keeps_its_tree(tab, good.replace("x", "<p>y</p>"))


def test_hostile_pages_do_nothing_when_they_are_opened(hostile: dict[str, str]) -> None:
    result = opened(hostile)
    assert result.documents == len(hostile)
    assert result.fetched == []


def test_real_pages_keep_their_tree_and_height(renderer: Renderer) -> None:
    try:
        pages = list(real_pages(6))
    except InputError as error:
        pytest.skip(str(error))
    for name, html in pages:
        found, height = changes(renderer, html)
        assert found == [], name
        assert abs(height - 1) <= HEIGHT, name


def test_images_with_sizes_keep_their_size(renderer: Renderer) -> None:
    # The browser's own style sheet looks at this attribute.
    style = b"<style>img { contain-intrinsic-size: 9px 1500px }</style>"
    found, height = changes(renderer, b"<!DOCTYPE html>" + style + b"<img src=x.png loading=lazy sizes=auto>")
    assert (found, height) == ([], 1.0)
