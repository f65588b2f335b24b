"""Tables as files: nothing is lost, nothing breaks out of its cell."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from lxml import html as lxml_html

from webstrata.evaluation.reports.formats import to_csv, to_html, to_latex, to_markdown
from webstrata.evaluation.reports.statistics import Interval
from webstrata.evaluation.reports.tables import ReportTable

NASTY = "a|b & <c> 100% _x_ {y} \\z $ # ~ ^"
TABLE = ReportTable(
    "nasty",
    f"Title {NASTY}",
    ("algorithm", "mean (95%)", "pages", "note"),
    ((NASTY, Interval(0.123456789, 0.1, 0.2), 1358, None), ("plain", None, 2, "x")),
)


def test_csv_has_all_digits() -> None:
    header, first, second = csv.reader(io.StringIO(to_csv(TABLE)))
    assert header == ["algorithm", "mean (95%)", "mean (95%) low", "mean (95%) high", "pages", "note"]
    assert first == [NASTY, "0.123456789", "0.1", "0.2", "1358", ""]
    assert second == ["plain", "", "", "", "2", "x"]


def test_no_cell_is_a_formula_for_a_spreadsheet() -> None:
    cells = ("=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", "-1.5", "+2e3", "-", "1=1", -0.5)
    [header, line] = csv.reader(io.StringIO(to_csv(ReportTable("a", "b", ("=name",) * len(cells), (cells,)))))
    assert header == ["'=name"] * len(cells)
    assert line == ["'=1+1", "'+cmd", "'-2+3", "'@SUM(A1)", "'\t=1", "-1.5", "+2e3", "-", "1=1", "-0.5"]


def test_markdown_keeps_its_columns() -> None:
    lines = to_markdown(TABLE).strip().splitlines()[2:]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {5}
    assert "0.123 [0.100, 0.200]" in lines[2]


def test_html_is_escaped() -> None:
    tree = lxml_html.fromstring(to_html(TABLE))
    assert tree.xpath("string(//tbody/tr[1]/th)") == NASTY
    assert tree.xpath("string(//figcaption)") == TABLE.title
    assert [cell.get("class") for cell in tree.xpath("//tbody/tr[1]/*")] == [None, "n", "n", None]


def test_latex_has_no_bare_characters() -> None:
    body = to_latex(TABLE)
    inside = body[body.index(r"\midrule") : body.index(r"\bottomrule")]
    assert len(re.findall(r"(?<!\\)&", inside)) == 2 * 3
    assert not re.findall(r"(?<!\\)[%$#_]", inside)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_compiles(tmp_path: Path) -> None:
    source = rf"\documentclass{{article}}\usepackage{{booktabs}}\begin{{document}}{to_latex(TABLE)}\end{{document}}"
    (tmp_path / "t.tex").write_text(source)
    subprocess.run(["pdflatex", "-halt-on-error", "t.tex"], cwd=tmp_path, check=True, capture_output=True)
