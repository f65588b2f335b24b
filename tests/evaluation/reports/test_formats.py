"""Tables as files: nothing is lost, nothing breaks out of its cell."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
from itertools import pairwise
from math import isnan
from pathlib import Path

import pytest
from lxml import etree
from lxml import html as lxml_html

from webstrata.evaluation.reports.formats import to_csv, to_html, to_latex, to_markdown
from webstrata.evaluation.reports.plots import bars, curves, scatter
from webstrata.evaluation.reports.statistics import Interval
from webstrata.evaluation.reports.tables import Table

NASTY = "a|b & <c> 100% _x_ {y} \\z $ # ~ ^"
TABLE = Table(
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


def numbers(svg: str) -> list[float]:
    return [float(x) for x in re.findall(r"-?\d+(?:\.\d+)?(?=[ ,'LVH])", svg)]


def test_plots_are_well_formed_and_on_the_canvas() -> None:
    means = {NASTY: Interval(0.5, 0.4, 0.6), "low": Interval(-0.05, -0.1, 0.0), "high": Interval(1.0, 1.0, 1.0)}
    names = sorted(means)
    plots = [
        bars(means),
        curves({name: [0.0, 0.5, 1.0] for name in means}, y="F", names=names),
        curves({"high": [0.3]}, y="F", names=names),
        scatter({name: (10.0 ** (i - 2), item) for i, (name, item) in enumerate(means.items())}, y="F", names=names),
        scatter({"high": (0.0, Interval(0.0, 0.0, 0.0))}, y="F", names=names),
    ]
    for svg in plots:
        tree = etree.fromstring(svg.encode())
        width, height = float(tree.get("width")), float(tree.get("height"))
        for text in tree.iter("{*}text"):
            assert 0 <= float(text.get("x")) <= width
            assert 0 <= float(text.get("y")) <= height
        assert not any(isnan(x) for x in numbers(svg))


def test_bars_are_as_long_as_their_values() -> None:
    tree = etree.fromstring(bars({"a": Interval(1.0, 1.0, 1.0), "b": Interval(0.5, 0.5, 0.5)}).encode())
    one, half = (float(bar.get("width")) for bar in tree.iter("{*}rect"))
    assert half == pytest.approx(one / 2, abs=0.1)


def test_labels_do_not_overlap() -> None:
    points = {f"n{i}": (1.0, Interval(0.01 * (i % 3), 0, 0.05)) for i in range(14)}
    tree = etree.fromstring(scatter(points, y="F", names=list(points)).encode())
    places = sorted(float(text.get("y")) for text in tree.iter("{*}text") if (text.text or "").startswith("n"))
    assert len(places) == 14
    assert min(b - a for a, b in pairwise(places)) >= 14.9
    assert places[-1] <= float(tree.get("height"))
