"""A report with its tables and figures beside it."""

from __future__ import annotations

from pathlib import Path

from webstrata.evaluation.reports.document import Figure, write_document
from webstrata.evaluation.reports.tables import ReportTable


def test_every_part_is_a_file_and_in_the_report(tmp_path: Path) -> None:
    table = ReportTable("table-1", "Table 1: one", ("name", "value"), (("a", 0.5),))
    path = write_document(tmp_path / "new", "A paper", ["Some words.", table, Figure("figure-2", "Figure 2", "<svg/>")])
    assert {file.name for file in path.parent.iterdir()} == {"report.md", "table-1.csv", "table-1.tex", "figure-2.svg"}
    report = path.read_text()
    assert report.startswith("# A paper\n\nSome words.\n\n### Table 1: one\n")
    assert "| a | 0.500 |" in report
    assert report.endswith("![Figure 2](figure-2.svg)\n")
    assert (path.parent / "figure-2.svg").read_text() == "<svg/>"
