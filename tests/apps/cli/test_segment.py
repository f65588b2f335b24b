"""The commands for segments, run as a user would."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from boxed_pages import boxed
from click.testing import Result
from commands import webstrata

from webstrata.page import parse
from webstrata.rendering.page import RenderedPage
from webstrata.rendering.recording import SUFFIX, About, source_digest
from webstrata.segmentation.html import from_html
from webstrata.segmentation.learned.segmenter import LearnedSegmenter

HTML = "<h1>Strata</h1><p>A <b>page</b> comes<p>in layers."


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "page.html"
    path.write_text(HTML, encoding="utf-8")
    return str(path)


def run(*arguments: str, code: int = 0) -> Result:
    result = webstrata(*arguments)
    assert result.exit_code == code, result.output
    return result


def test_segment_as_text(file: str) -> None:
    out = run("segment", file, "--algorithm", "justrules,taggap").output
    assert "by justrules: 2 segments" in out
    assert "by taggap: 5 segments" in out
    assert "    A page comes\n    in layers.\n" in out


def test_segmenters_with_parameters(file: str, tmp_path: Path) -> None:
    out = run("segment", file, "--json", "--algorithm", "bf-plain(theta=0.5,inner=0.1),wordwrap(width=5)").output
    assert [json.loads(line)["algorithm"] for line in out.splitlines()] == [
        "BFPlain(theta=0.5, inner=0.1, width=80)",
        "WordWrap(width=5)",
    ]
    run("densitogram", file, "-o", str(tmp_path / "x.svg"), "--algorithm", "bf-plain(theta=inf),taggap")
    assert "bf-plain(theta=inf)" in (tmp_path / "x.svg").read_text(encoding="utf-8")


def test_segment_as_json(file: str) -> None:
    rows = [
        json.loads(line)
        for line in run("segment", file, "--json", "--algorithm", "taggap,wordwrap").output.splitlines()
    ]
    assert [row["algorithm"] for row in rows] == ["TagGap()", "WordWrap(width=80)"]
    assert rows[0]["segments"][0]["text"] == "Strata"


def test_segment_as_html(file: str) -> None:
    back = from_html(run("segment", file, "--html").output)
    assert back.page.source.decode() == HTML
    assert "one colour a segment" in run("segment", file, "--overlay").output


def test_mistakes_are_told(file: str) -> None:
    assert "no segmenter is called 'nothing'" in run("segment", file, "--algorithm", "nothing", code=2).output
    assert "needs the name" in run("segment", file, "--algorithm", ",", code=2).output
    assert "a page by one algorithm" in run("segment", file, "--html", "--algorithm", "taggap,wordwrap", code=2).output
    assert "name a folder by -o" in run("segment", file, file, "--html", "--algorithm", "taggap", code=2).output
    assert "cannot read" in run("segment", "nowhere.html", code=2).output
    assert ".svg or a .png" in run("densitogram", file, "-o", "x.gif", code=2).output


def test_boxes_count_where_a_recording_is_there(file: str, tmp_path: Path) -> None:
    page = parse(HTML)
    given = boxed(page)
    about = About(source=source_digest(page.source))
    record = RenderedPage(page, given.boxes, np.arange(len(page.elements), dtype=np.int32), about)
    record.save(tmp_path / "recordings" / f"page{SUFFIX}")
    assert "needs a rendered page" in run("segment", file, "--algorithm", "webterrain", code=2).output
    plain = run("segment", file, "--json").output
    out = run("segment", file, "--json", "--recordings", str(tmp_path / "recordings")).output
    assert json.loads(out)["blocks"] == json.loads(plain)["blocks"]
    assert out == LearnedSegmenter()(given).json() + "\n" != plain
    folder = str(tmp_path / "recordings")
    assert json.loads(run("segment", file, "--json", "--recordings", folder, "--algorithm", "webterrain").output)
