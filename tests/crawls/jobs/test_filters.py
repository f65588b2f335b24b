"""Filters of ``webstrata run``: each page that is left out has the reason, and all reasons are counted."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from commands import webstrata
from small_crawl import HOSTS, pages, write_crawl

pq = pytest.importorskip("pyarrow.parquet")

from webstrata.crawls.jobs.filters import Quality, UrlPattern, UrlSample  # noqa: E402
from webstrata.crawls.reading.records import REASONS  # noqa: E402
from webstrata.errors import InputError  # noqa: E402
from webstrata.extraction.quality import QUALITY  # noqa: E402


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("filtered")
    path = write_crawl(folder, "jsonl")
    short = {"url": "http://short.org/", "html": "<title>Silt</title><article><p>Silt is fine sand.</article>"}
    repeated = "<p>Silt lies on clay here, and the clay lies on stone.</p>" * 9
    twice = {"url": "http://twice.org/tag/silt", "html": f"<title>Silt</title><article>{repeated}</article>"}
    with path.open("a") as stream:
        stream.writelines(json.dumps(page) + "\n" for page in (short, twice))
    return str(path)


def extracted(crawl: str, out: Path, *options: str) -> tuple[list[dict[str, Any]], Counter[tuple[str, str]]]:
    """The rows, and the counts of rejected records by reason and detail."""
    result = webstrata("run", "extract", crawl, "-o", str(out), "-j", "1", "--rejected", *options)
    assert result.exit_code == 0, result.output
    rows = [row for path in out.glob("*.parquet") for row in pq.read_table(path).to_pylist()]
    lines = [line for path in out.glob("_rejected/*.jsonl") for line in path.read_text().splitlines()]
    rejected = Counter((row["reason"], row["detail"]) for row in map(json.loads, lines))
    assert len(rows) + rejected.total() == 20
    return rows, rejected


def test_filters_of_addresses(crawl: str, tmp_path: Path) -> None:
    rows, rejected = extracted(crawl, tmp_path / "out", "--include", r"//[ab]\.example", "--include", "twice",
                               "--exclude", "/tag/", "--exclude", "page3")  # fmt: skip
    assert {row["url"].split("/")[2] for row in rows} == set(HOSTS[:2])
    assert rejected == {
        ("URL", "matches no pattern to include"): 7, ("URL", "matches /tag/"): 1, ("URL", "matches page3"): 2,
    }  # fmt: skip


def test_filters_of_content(crawl: str, tmp_path: Path) -> None:
    _, rejected = extracted(crawl, tmp_path / "out", "--no-deduplicate", "--min-words", "10", "--quality",
                            "gopher-repetition")  # fmt: skip
    assert rejected == {("too short", "4 words"): 1, ("gopher-repetition", "89% of lines are repeated"): 1}


def test_a_sample_is_the_same_in_every_crawl(crawl: str, tmp_path: Path) -> None:
    rows, rejected = extracted(crawl, tmp_path / "out", "--sample", "0.5")
    assert rejected[("not sampled", "")] == 20 - len(rows)
    chosen = {url for url in [*pages(), "http://short.org/", "http://twice.org/tag/silt"] if not_left(url, 0.5)}
    assert {row["url"] for row in rows} == chosen
    assert {url for url in chosen if not_left(url, 0.2)} <= chosen


def not_left(url: str, share: float) -> bool:
    return UrlSample(share=share)({"url": url}) is None


def test_the_detected_language_stands_beside_the_declared_one(crawl: str, tmp_path: Path) -> None:
    pytest.importorskip("py3langid")
    rows, _ = extracted(crawl, tmp_path / "out", "--detect-language")
    first = next(row for row in rows if row["url"] == "http://b.example.org/")
    assert (first["language"], first["detected_language"]) == ("en-GB", "en")
    assert 0.5 < first["language_score"] <= 1


def test_no_page_is_dropped_for_one_that_is_filtered(tmp_path: Path) -> None:
    """Near-duplicates are found among the pages that filters of addresses leave."""
    html = next(iter(pages().values()))
    path = tmp_path / "pages.jsonl"
    urls = ["http://a.org/", "http://a.org/print"]
    path.write_text("".join(json.dumps({"url": url, "html": html}) + "\n" for url in urls))
    out = str(tmp_path / "out")
    result = webstrata("run", "extract", str(path), "-o", out, "-j", "1", "--drop-duplicates", "--exclude", "org/$")
    assert result.exit_code == 0, result.output
    assert pq.read_table(out).column("url").to_pylist() == ["http://a.org/print"]
    assert "pass 1 of 2" in result.stderr
    assert "pass 2 of 2" in result.stderr


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: UrlPattern(include=("(",)), "no regular expression"),
        (lambda: UrlSample(share=0), "above 0 and up to 1"),
        (lambda: Quality(rules="fine"), "choose of c4, gopher"),
    ],
)
def test_wrong_filters_are_refused(make: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()


def test_all_reasons_of_filters_are_known() -> None:
    """Spark counts known reasons only."""
    assert {UrlPattern.reason, UrlSample.reason, "too short", *QUALITY} <= set(REASONS)
