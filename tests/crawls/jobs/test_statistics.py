"""Statistics of crawls: the same as of pages one by one, on processes and on Spark, and the report."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from commands import webstrata

from webstrata.apps.statistics_report import write_statistics
from webstrata.crawls import find_inputs
from webstrata.crawls.folding.engines import Engine
from webstrata.crawls.jobs.statistics import Surveyor
from webstrata.errors import InputError
from webstrata.page import parse
from webstrata.statistics.surveys import Survey, survey_page

pytest.importorskip("scipy", reason="scipy is not installed: pip install 'webstrata[stats]'")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pages = tmp_path / "pages"
    pages.mkdir()
    for number in range(12):
        menu = "".join(f"<li><a href=/{n}>item {n}</a>" for n in range(5))
        text = " ".join(f"It rained on day {number} and {n} of them slept until ten, as they do." for n in range(9))
        (pages / f"{number}.html").write_text(f"<ul>{menu}</ul><h1>Day {number}</h1><p>{text}</p>")
    (pages / "empty.html").write_text("")
    return pages


def surveyor(folder: Path, output: Path) -> Surveyor:
    return Surveyor(inputs=tuple(find_inputs([str(folder)])), output=output, extractor="")


def test_a_crawl_is_the_sum_of_its_pages(folder: Path, tmp_path: Path) -> None:
    job = surveyor(folder, tmp_path / "out")
    summary = job.run(Engine(jobs=1))
    assert (summary.written, summary.rejected) == (12, {"empty": 1})
    found = job.survey()
    pages = [parse(path.read_bytes()) for path in sorted(folder.glob("[0-9]*.html"))]
    expected = Survey.of(map(survey_page, pages))
    assert found.counts == expected.counts
    assert found.terms == {term: counts for term, counts in expected.terms.items() if counts[2] >= 2}
    assert found.repeats == expected.repeats
    assert not (tmp_path / "out/rows").exists()
    with pytest.raises(InputError, match="holds the results of an earlier run"):
        job.run()


def test_the_report_is_whole_and_harmless(folder: Path, tmp_path: Path) -> None:
    hostile = parse("<p>&lt;script>alert(1)&lt;/script> a|b ]]> x&lt;img/src=x>y [a](javascript:b)c it rained all day.")
    pages = [parse(path.read_bytes()) for path in sorted(folder.glob("[0-9]*.html"))]
    kinds = ["content", "boilerplate"]
    found = Survey.of(
        survey_page(page, classes=[kinds[block.words < 5] for block in page.blocks])
        for page in (*pages, hostile, hostile)
    )
    out = tmp_path / "report"
    write_statistics(out, found, source="<script>alert(2)")
    page = (out / "report.html").read_text()
    assert "<script" not in page
    for heading in (
        "two kinds of text",
        "How long is a text",
        "full stop",
        "typical",
        "How long is a word",
        "template",
    ):
        assert heading in page
    for name in ("density.svg", "words.svg", "full-stop.svg", "token-length.svg", "ranks.svg", "density-classes.svg"):
        ElementTree.parse(out / name)
    assert (out / "density-fits.csv").read_text().startswith("model,equation")
    written = (out / "report.md").read_text()
    assert "# Strata in numbers" in written
    assert not re.search(r"<img|\]\(javascript", written + page)


@pytest.mark.slow
def test_plain_texts_and_single_pages_have_reports(tmp_path: Path) -> None:
    text = tmp_path / "book.txt"
    text.write_text(
        "A title\n\n" + "\n\n".join("It rained, and so they slept until ten in the morning. " * 4 for _ in range(9))
    )
    result = webstrata("stats", str(text), "-o", str(tmp_path / "out"), "--extractor", "none", "-j", "1")
    assert result.exit_code == 0, result.output
    assert "1 records read, 1 pages counted" in result.output
    assert "1 documents with 398 words" in (tmp_path / "out/report.md").read_text()
    missing = webstrata("stats", str(tmp_path / "none.txt"), "-o", str(tmp_path / "b"))
    assert "cannot read" in missing.output


@pytest.mark.usefixtures("spark")
def test_local_and_spark_give_the_same_survey(folder: Path, tmp_path: Path) -> None:
    found = []
    for engine in ("local", "spark"):
        job = surveyor(folder, tmp_path / engine)
        job.run(Engine(name=engine, jobs=2))
        found.append(job.survey())
    assert found[0] == found[1]
