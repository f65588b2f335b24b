"""The commands for segments, run as a user would."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import Result
from commands import webstrata

from webstrata.segmentation.html import from_html

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
    assert (
        "one page by one algorithm" in run("segment", file, "--html", "--algorithm", "taggap,wordwrap", code=2).output
    )
    assert "cannot read" in run("segment", "nowhere.html", code=2).output
    assert ".svg or a .png" in run("densitogram", file, "-o", "x.gif", code=2).output


def test_densitogram(file: str, tmp_path: Path) -> None:
    picture = tmp_path / "new" / "page.svg"
    run("densitogram", file, "-o", str(picture), "--algorithm", "taggap,bf-plain")
    svg = picture.read_text(encoding="utf-8")
    assert "taggap: 5 segments" in svg
    assert "bf-plain: 2 segments" in svg


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no chromium")
def test_densitogram_as_png(file: str, tmp_path: Path) -> None:
    run("densitogram", file, "-o", str(tmp_path / "page.png"))
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")


def test_algorithms() -> None:
    lines = [re.split("  +", line)[:3] for line in run("algorithms").output.splitlines()]
    assert ["segmenter", "bf-rulebased", "Kohlschütter & Nejdl 2008 equation 8"] in lines
    rows = [json.loads(line) for line in run("algorithms", "--json").output.splitlines()]
    (taggap,) = (row for row in rows if row["name"] == "taggap")
    assert (taggap["kind"], taggap["paper"], taggap["needs"]) == ("segmenter", "Kohlschütter & Nejdl 2008 §5", "")
    assert {row["kind"] for row in rows} == {"segmenter", "extractor", "filter"}


def test_sweep(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<h1 data-block="1">one two</h1><p data-block="1">three<p>four', encoding="utf-8")
    (tmp_path / "b.html").write_text('<h1 data-block="1">one</h1><p data-block="1">two three four', encoding="utf-8")
    result = run("sweep", str(tmp_path), "-o", str(tmp_path / "out"))
    assert result.stdout.startswith("2 pages with ground truth\n")
    assert "129/129" in result.stderr
    assert json.loads((tmp_path / "out" / "figures.json").read_text(encoding="utf-8"))["pages"] == 2
    assert (tmp_path / "out" / "zipf.svg").is_file()
