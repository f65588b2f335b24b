"""The sentences before the scores of a report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from commands import webstrata

from webstrata.evaluation.reports.cautions import cautions
from webstrata.evaluation.scores import read_scores


def test_few_pages_and_pages_of_the_training_are_said(tmp_path: Path) -> None:
    found = webstrata("evaluate", "--dataset", "tiny", "--algorithm", "learned,numwords", "-o", str(tmp_path))
    assert found.exit_code == 0, found.output
    report = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<strong>tiny has 5 pages: too few for a comparison.</strong>" in report
    assert "tiny has 5 pages" in (tmp_path / "report.md").read_text(encoding="utf-8")
    rows = [replace(row, dataset="wcxb") for row in read_scores(tmp_path)]
    assert cautions(rows)[0].startswith("learned was trained on pages of wcxb, so its scores there are too high")
