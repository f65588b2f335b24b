"""A report with its tables and figures beside it."""

from __future__ import annotations

from pathlib import Path

from webstrata.evaluation.reports.document import Figure, NotRun, write_document
from webstrata.evaluation.reports.tables import ReportTable


def test_every_part_is_a_file_and_in_the_report(tmp_path: Path) -> None:
    table = ReportTable("table-1", "Table 1: one", ("name", "value"), (("<a>", 0.5),))
    path, missing = write_document(
        tmp_path / "new", "A <paper>", ["Some *words* <here>.", table, Figure("figure-2", "Figure 2", "<svg/>")]
    )
    files = {"report.html", "report.md", "table-1.csv", "table-1.tex", "figure-2.svg"}
    assert {file.name for file in path.parent.iterdir()} == files
    assert (path.name, missing) == ("report.html", [])
    report = (path.parent / "report.md").read_text()
    assert report.startswith("# A <paper>\n\nSome *words* <here>.\n\n### Table 1: one\n")
    assert "| <a> | 0.500 |" in report
    assert report.endswith("![Figure 2](figure-2.svg)\n")
    assert (path.parent / "figure-2.svg").read_text() == "<svg/>"
    page = path.read_text()
    assert "<h1>A &lt;paper&gt;</h1>" in page
    assert "<p>Some <em>words</em> &lt;here&gt;.</p>" in page
    assert "<th>&lt;a&gt;</th>" in page
    assert "<figcaption>Figure 2</figcaption><svg/>" in page


def test_a_title_that_is_in_the_picture_stands_once(tmp_path: Path) -> None:
    path, _ = write_document(tmp_path, "A paper", [Figure("a", "R & D", "<svg><text>R &amp; D</text></svg>")])
    assert path.read_text().count("R &amp; D") == 1


def test_names_in_tables_are_code(tmp_path: Path) -> None:
    table = ReportTable("t", "T", ("why",), (("by `<a>`, `b`",),))
    path, _ = write_document(tmp_path, "A paper", [table])
    assert "by <code>&lt;a&gt;</code>, <code>b</code>" in path.read_text()
    assert "by `<a>`" in (tmp_path / "report.md").read_text()


def test_a_report_begins_with_what_was_not_run(tmp_path: Path) -> None:
    path, missing = write_document(tmp_path, "A paper", ["Some words.", NotRun("table-7", "There is no <recording>.")])
    assert missing == [NotRun("table-7", "There is no <recording>.")]
    page = path.read_text()
    assert page.index("Not run: table-7.</strong> There is no &lt;recording&gt;.") < page.index("Some words.")
    assert (tmp_path / "report.md").read_text().startswith("# A paper\n\n**Not run: table-7.** There is no <rec")
