"""The index of all papers: every state, links to reports, and in red what was not run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import webstrata

from webstrata.evaluation.papers.catalogue import PAPERS, Paper, Setting, find_paper, reproduce
from webstrata.evaluation.papers.index import write_index
from webstrata.evaluation.papers.states import STATES
from webstrata.files import write_json


def test_every_table_and_figure_is_listed_with_its_state(tmp_path: Path) -> None:
    path, missing = write_index(tmp_path)
    text = path.read_text(encoding="utf-8")
    for items in STATES.values():
        for item in items:
            assert item.name in text
            assert item.state in text
    assert [part.name for part in missing] == list(PAPERS)


def test_what_was_not_run_is_told_and_the_command_fails(tmp_path: Path) -> None:
    for key, paper in PAPERS.items():
        (tmp_path / key).mkdir()
        seconds = dict.fromkeys(paper.parts, 1.5)
        write_json(tmp_path / key / "parts.json", {"paper": key, "seconds": seconds, "not run": {}})
    path, missing = write_index(tmp_path)
    assert missing == []
    assert 'href="kreuzer-2013/report.html"' in path.read_text(encoding="utf-8")
    assert webstrata("reproduce", "-o", str(tmp_path)).exit_code == 0
    half = {"paper": "kreuzer-2013", "seconds": {"tables-7": 2.0}, "not run": {"VIPS": "No recordings."}}
    write_json(tmp_path / "kreuzer-2013" / "parts.json", half)
    result = webstrata("reproduce", "-o", str(tmp_path))
    assert result.exit_code == 1
    assert "not run: kreuzer-2013, VIPS: No recordings." in result.output
    assert "not run: kreuzer-2013, table-8.1" in result.output
    assert '<p class="missing">' in path.read_text(encoding="utf-8")


def test_a_report_has_headings_and_times(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<title>Silt</title>\n<p>Home</p>\n<p>A line of text.</p>\n", encoding="utf-8")
    setting = Setting(folder=tmp_path / "out", page=page)
    path, missing = reproduce(find_paper("weninger-hsu-2008"), setting, ["figures-1-to-5"])
    assert missing == []
    text = path.read_text(encoding="utf-8")
    assert "<h2>Figures 1 to 5: the text-to-tag ratios of a page, line by line</h2>" in text
    assert re.search(r'<figure id="figure-5">.*<h2>Time</h2>.*figures-1-to-5', text, re.DOTALL)
    assert (tmp_path / "out" / "times.csv").read_text().startswith("part,seconds\nfigures-1-to-5,")


def test_a_report_begins_for_readers_who_do_not_know_the_paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for paper in PAPERS.values():
        monkeypatch.setattr(Paper, "parts", {})
        path, _ = reproduce(paper, Setting(folder=tmp_path / paper.key), ())
        text = path.read_text(encoding="utf-8")
        about = text.index(f"<p>{paper.about.split('*')[0][:60]}")
        assert about < text.index("What became of each table and figure") < text.index("<ul><li><em>")
