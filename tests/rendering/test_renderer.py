"""Rendered pages: boxes row for row, the way back to the source, files and folders."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

import webstrata
from webstrata._boxes import DISPLAYS, seen_blocks
from webstrata.errors import InputError, RenderError
from webstrata.page import CLONED, IMPLIED
from webstrata.rendering import RenderedPage, Renderer, render
from webstrata.rendering.sources import find_source
from webstrata.segmentation import segment

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
DEMO = sorted((ROOT / "src/webstrata/demo").glob("*.html"))
PAGES = sorted((ROOT / "tests/pages").glob("*/source.html"))

LAYOUT = """<!DOCTYPE html><style>
body { margin: 0 } div { position: absolute; left: 100px; top: 50px; width: 200px; height: 80px; background: #abcdef;
border: 2px solid; border-bottom-width: 5px } #gone { display: none } i { visibility: hidden; font-size: 30px }
p::before { content: "not in the tree" } </style>
<div id=box><p>One <b>two</b> <a href=x>three</a></p></div><div id=gone>Gone</div><i>Unseen</i>"""


def test_boxes_are_where_the_style_sheet_puts_them(renderer: Renderer) -> None:
    found = renderer.render(LAYOUT)
    boxes, elements = found.boxes, found.page.elements
    by_id = {elements[row].attributes.get("id"): row for row in range(len(elements))}
    box = by_id["box"]
    assert [float(column[box]) for column in (boxes.left, boxes.top, boxes.width, boxes.height)] == [100, 50, 204, 87]
    assert boxes.background[box] == 0xABCDEFFF
    assert [float(boxes.border_top[box]), float(boxes.border_bottom[box])] == [2, 5]
    assert DISPLAYS[boxes.display[box]] == "block"
    gone, unseen = by_id["gone"], int(elements.find("i")[0])
    assert not boxes.visible[gone]
    assert boxes.width[gone] == 0
    assert not boxes.visible[unseen]
    assert boxes.font_size[unseen] == 30
    texts = [block.text for block, seen in zip(found.page.blocks, seen_blocks(found), strict=True) if seen]
    assert texts == ["One", "two", "three"]
    assert "not in the tree" not in found.page.text
    assert found.about.fonts
    assert found.about.browser.startswith("Chromium")


def test_text_boxes_lie_in_the_boxes_of_their_elements(renderer: Renderer) -> None:
    found = renderer.render(LAYOUT)
    text, boxes = found.boxes.text, found.boxes
    for row in np.flatnonzero(seen_blocks(found)).tolist():
        element = int(found.page.blocks.element[row])
        assert text.left[row] >= boxes.left[element] - 0.5
        assert text.left[row] + text.width[row] <= boxes.left[element] + boxes.width[element] + 0.5


@pytest.mark.parametrize("path", [*DEMO, *PAGES], ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_each_element_has_its_box_and_leads_back(renderer: Renderer, path: Path) -> None:
    found = renderer.render(path, timeout=120)
    original = webstrata.parse(path.read_bytes())
    elements = found.page.elements
    own = np.flatnonzero((elements.flags & (IMPLIED | CLONED)) == 0)
    has_style = found.boxes.font_size[own] > 0
    shown = ~elements.hidden[own] & has_style
    assert shown.any()
    back = found.source_row[own]
    known = back >= 0
    assert (~known).sum() <= max(1, 0.02 * len(known))
    for row, source in zip(own[known].tolist(), back[known].tolist(), strict=True):
        assert elements[row].tag == original.elements[source].tag
        assert "data-webstrata-row" not in elements[row].attributes
    assert b"data-webstrata-row" not in found.page.source


def test_scripts_run_only_when_asked_for(renderer: Renderer) -> None:
    html = "<p>old</p><noscript>none</noscript><script>document.querySelector('p').textContent = 'new'</script>"
    assert renderer.render(html).page.blocks[0].text == "old"
    assert renderer.render(html, scripts=True).page.blocks[0].text == "new"
    # Whether scripts run or not, what is for browsers without scripts is not shown.
    assert not (renderer.render(html).boxes.text.width[1:] > 0).any()


def test_a_file_reaches_its_folder_and_nothing_else(renderer: Renderer, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (tmp_path / "secret.css").write_text("p { font-size: 40px }")
    (folder / "own.css").write_text("p { color: #010203 }")
    (folder / "link.css").symlink_to(tmp_path / "secret.css")
    links = "own.css ../secret.css link.css %2e%2e/secret.css".split()
    links.append((tmp_path / "secret.css").as_uri())
    page = folder / "page.html"
    page.write_text("".join(f"<link rel=stylesheet href='{link}'>" for link in links) + "<p>x")
    found = renderer.render(page)
    row = int(found.page.elements.find("p")[0])
    assert found.boxes.colour[row] == 0x010203FF
    assert found.boxes.font_size[row] == 16
    # A wider folder is the caller's choice.
    assert renderer.render(page, folder=tmp_path).boxes.font_size[row] == 40


def test_a_recording_is_the_page(renderer: Renderer, tmp_path: Path) -> None:
    found = renderer.render(DEMO[0], screenshot=True)
    found.save(tmp_path / "page.rendered")
    again = RenderedPage.load(tmp_path / "page.rendered")
    assert again.page.source == found.page.source
    assert again.about == found.about
    assert (again.source_row == found.source_row).all()
    for name, column in vars(found.boxes).items():
        if isinstance(column, np.ndarray):
            assert (getattr(again.boxes, name) == column).all(), name
            assert getattr(again.boxes, name).dtype == column.dtype, name
    for name, column in vars(found.boxes.text).items():
        assert (getattr(again.boxes.text, name) == column).all(), name
    assert found.screenshot is not None
    assert found.screenshot.startswith(b"\x89PNG")
    for name in ("vips", "webterrain"):
        assert webstrata.segment(found, name) == webstrata.segment(again, name)
        assert len(webstrata.segment(found, name)) > 1


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 and no more", None, "cut", "other"])
def test_what_is_no_recording_is_told(renderer: Renderer, tmp_path: Path, damage: bytes | str | None) -> None:
    path = tmp_path / "page.rendered"
    if isinstance(damage, bytes):
        path.write_bytes(damage)
    elif damage is not None:
        renderer.render("<p>one").save(path)
        data = bytearray(path.read_bytes())
        data = data[: len(data) // 2] if damage == "cut" else data.replace(b"page.html", b"pageXhtml")
        path.write_bytes(bytes(data))
    with pytest.raises(InputError, match=r"page\.rendered"):
        RenderedPage.load(path)


def test_sources_that_cannot_be_used_are_told(renderer: Renderer) -> None:
    with pytest.raises(InputError, match="there is no file"):
        renderer.submit("no-such-page.html")
    with pytest.raises(InputError, match="begins with http"):
        find_source("<p>", url="file:///etc/passwd")
    with pytest.raises(InputError, match="HTML, a path or a URL"):
        find_source(7)  # type: ignore[arg-type]
    with pytest.raises(RenderError, match="cannot load"):
        renderer.render("http://127.0.0.1:9/", timeout=20)


def test_a_page_with_files_that_cannot_be_read_ends_alone(renderer: Renderer, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    page = tmp_path / "page.html"
    page.write_text("<p>one<img src='a%00b.png'><img src=loop><img src=loop/x>")
    found = list(renderer.render_all([page, tmp_path / "missing.html", "<p>two"]))
    assert isinstance(found[1], InputError)
    assert [each.page.text for each in found[::2] if isinstance(each, RenderedPage)] == ["one", "two"]


def test_scripts_read_no_other_port_and_no_other_host(renderer: Renderer) -> None:
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode() if self.path == "/" else b"secret")

        def log_message(self, *_: object) -> None:
            """Nothing is logged."""

    addresses = ("127.0.0.1", 0), ("127.0.0.1", 0), ("127.0.0.2", 0)
    with ExitStack() as stack:
        servers = [stack.enter_context(ThreadingHTTPServer(address, Handler)) for address in addresses]
        for server in servers:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            stack.callback(server.shutdown)
        urls = [
            f"http://{address}:{server.server_port}/" for (address, _), server in zip(addresses, servers, strict=True)
        ]
        page = "".join(
            f"<p id=p{n}>none<script>fetch('{url}{n}').then(x => x.text()).then(x => p{n}.textContent = x)</script>"
            for n, url in enumerate(urls)
        )
        found = renderer.render(urls[0], scripts=True, hosts=["127.0.0.2"])
    # A page may load from another host that is allowed, but its scripts may not read the answer.
    assert [block.text for block in found.page.blocks if not block.hidden] == ["secret", "none", "none"]
    assert sorted({*asked} - {"/favicon.ico"}) == ["/", "/0", "/2"]


def test_hostile_html_is_rendered(renderer: Renderer) -> None:
    lone = "<p>\ud800".encode("utf-8", "surrogatepass")
    pages = [b"", b"\x00\xff", lone, b"<table><b>x<tr><td>y", b"<pre>\n\nx</pre>", b"<svg><foreignObject><p>x</svg>",
             b"<frameset><frame src=x></frameset>"]  # fmt: skip
    for found in renderer.render_all(pages):
        assert isinstance(found, RenderedPage)
        assert len(found.boxes) == len(found.page.elements)
        assert len(found.boxes.text) == len(found.page.blocks)


@pytest.mark.usefixtures("renderer")
def test_the_lines_of_the_guide(tmp_path: Path) -> None:
    html = "<h1>Strata</h1><p>A page comes in layers."
    path = tmp_path / "page.html"
    path.write_text(html)
    for form in (html, path, str(path)):
        rendered = render(form)
        assert (rendered.boxes.width[rendered.page.blocks.element] > 500).all()
        assert "Strata" in segment(rendered, "vips").texts()[0]
        assert repr(rendered) == f"<RenderedPage {rendered.page.title!r}: 5 boxes at 1024x768>"


def test_a_renderer_tells_whether_it_is_closed(renderer: Renderer) -> None:
    assert repr(renderer).endswith("pages waiting>")
    with Renderer() as other:
        pass
    assert repr(other).endswith("closed>")
    with pytest.raises(RenderError, match="make a new one"):
        other.render("<p>one")


def test_large_pages_go_in_while_large_results_come_out() -> None:
    pages = [f"<p>{number}<!--{'x' * 1_500_000}-->" for number in range(12)]
    with Renderer(tabs=4) as found:
        rendered = list(found.render_all(pages, ahead=12))
    assert [page.page.text.strip() for page in rendered if isinstance(page, RenderedPage)] == [*map(str, range(12))]
