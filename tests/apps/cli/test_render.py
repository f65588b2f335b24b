"""``webstrata render``, ``snapshot``, and ``segment`` on what they wrote."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from commands import webstrata

from webstrata.rendering import RenderedPage
from webstrata.rendering.tab import BROWSERS

pytestmark = pytest.mark.slow

pytest.importorskip("playwright")
if not any(map(shutil.which, BROWSERS)):
    pytest.skip("no chromium", allow_module_level=True)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "site" / "page.html"
    path.parent.mkdir()
    (path.parent / "own.css").write_text("h1 { color: red }")
    path.write_text("<link rel=stylesheet href=own.css><h1>Strata</h1><p>One</p><h1>More</h1><p>Two</p>")
    return path


def test_render_writes_what_it_says(page: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = webstrata("render", str(page), str(tmp_path / "none.html"), "-o", str(out), "--screenshot")
    assert result.exit_code == 2
    assert "there is no file" in result.output
    assert sorted(path.name for path in out.iterdir()) == ["page.html", "page.png", "page.rendered"]
    found = RenderedPage.load(out / "page.rendered")
    assert 0xFF0000FF in found.boxes.colour
    assert (out / "page.html").read_bytes() == found.page.source
    result = webstrata("segment", str(out / "page.rendered"), "--algorithm", "webterrain,vips,taggap")
    assert result.exit_code == 0, result.output
    assert "by webterrain: " in result.output
    assert "Strata" in result.output


def test_segment_says_what_a_plain_page_lacks(page: Path) -> None:
    result = webstrata("segment", str(page), "--algorithm", "vips")
    assert result.exit_code == 2
    assert "webstrata render" in result.output


def test_snapshot_is_one_file(page: Path, tmp_path: Path) -> None:
    result = webstrata("snapshot", str(page), "-o", str(tmp_path / "frozen.html"))
    assert result.exit_code == 0, result.output
    assert "bytes, fonts " in result.output
    frozen = (tmp_path / "frozen.html").read_text()
    assert "<style>h1 { color: red }</style>" in frozen
    assert "own.css" not in frozen


def test_a_bad_size_is_told(page: Path, tmp_path: Path) -> None:
    result = webstrata("render", str(page), "-o", str(tmp_path), "--viewport", "large")
    assert result.exit_code == 2
    assert "not a size such as 1024x768" in result.output
