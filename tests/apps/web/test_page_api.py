"""The JSON interface to pages."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from web_server import Running

import webstrata as package
from webstrata.extraction.formats import CONTENT_FORMATS
from webstrata.segmentation.html import from_html


def test_everything_is_described(server: Running) -> None:
    described = server.ask("/api/openapi.json").json
    paths = set(described["paths"])
    assert {"/api/pages", "/api/pages/{page}/segmentation", "/api/search", "/api/annotation/pages"} <= paths
    assert all(path.startswith("/api/") for path in paths)
    for path, methods in described["paths"].items():
        for method, about in methods.items():
            assert about["description"], f"{method} {path}"


def test_what_the_viewer_shows_is_what_the_package_says(server: Running) -> None:
    html = (Path(package.__file__).parent / "demo" / "product.html").read_bytes()
    page = server.open(html, name="product.html")
    facts = server.ask(f"/api/pages/{page}").json
    parsed = package.parse(html)
    assert (facts["blocks"], facts["elements"], facts["title"]) == (
        len(parsed.blocks), len(parsed.elements), parsed.title,
    )  # fmt: skip
    found = server.ask(f"/api/pages/{page}/segmentation?algorithm=bf-plain&algorithm.theta=0.5").json
    expected = package.segment(parsed, "bf-plain(theta=0.5)")
    assert found["algorithm"] == expected.algorithm
    assert [(item["start"], item["stop"]) for item in found["segments"]] == [item[:2] for item in expected.segments]
    decided = server.ask(f"/api/pages/{page}/extraction").json
    assert decided["keep"] == package.extract(parsed).keep.astype(int).tolist()
    for name in CONTENT_FORMATS:
        assert server.ask(f"/api/pages/{page}/results/{name}").text == getattr(package.extract(parsed), name)
    assert "TEI" in server.ask(f"/view/{page}/panel/results?form=tei").text
    marked = server.ask(f"/api/pages/{page}/results/blocks?algorithm={quote('bf-plain(theta=0.5)')}").body
    assert from_html(marked).segments == expected.segments
    rows = server.ask(f"/api/pages/{page}/blocks?start=10").json["rows"]
    assert rows[0]["text"] == parsed.blocks[10].text
    start, stop = rows[0]["source"]
    assert html[start:stop].decode() == parsed.blocks[10].html


def test_what_cannot_be_done_is_told(server: Running) -> None:
    page = server.open("<p>x")
    for path, told in (
        (f"/api/pages/{page}/segmentation?algorithm=bfplain", "did you mean bf-plain"),
        (f"/api/pages/{page}/segmentation?algorithm=vips", "needs a rendered page"),
        (f"/api/pages/{page}/segmentation?algorithm=bf-plain&algorithm.theta=much", "theta cannot be"),
        (f"/api/pages/{page}/results/pdf", "choose one of"),
        (f"/api/pages/{page}/blocks?start=-1", "start"),
    ):
        answer = server.ask(path)
        assert answer.status == 422
        assert told in answer.json["detail"]
    assert server.ask("/api/pages/0123456789abcdef01234567").status == 404
    assert "Open a page" in server.ask("/view/0123456789abcdef01234567").text
    assert server.ask("/nothing").status == 404
