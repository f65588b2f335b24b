"""Every command of the pages about tasks, in order, on a small crawl of three hosts; each reads what the last wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_crawl import HOSTS, KINDS

from chains import DOCS, CrawlFolder, Step, contents, equal, kind_of, named_kinds, steps_of, table_of

pytest.importorskip("pyarrow")
pytest.importorskip("fastwarc")
pytestmark = pytest.mark.slow

ANALYSIS = DOCS / "tasks/analysis.md"
TABLE = table_of(ANALYSIS)
PAGES = sorted((DOCS / "tasks").glob("*.md"))
# Fits of distributions take most of the time of a chain: one chain has them.
_COSTLY = "stats"


def chain(page: Path) -> list[Step]:
    return steps_of(page)


def run_chain(crawl: CrawlFolder, steps: list[Step], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run commands in a new folder; returns the contents of what they wrote, by name."""
    crawl.write()
    monkeypatch.chdir(crawl.folder)
    for step, _, writes in named_kinds(steps, TABLE):
        crawl.run(step)
        if step.output:
            assert kind_of(Path(step.output)) == writes, step.words
    written = dict.fromkeys(step.output for step in steps if step.output and Path(step.output).is_dir())
    return {name: contents(Path(name)) for name in written if name}


@pytest.fixture(scope="module")
def analysis(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the analysis of the crawl writes on this machine, from an archive."""
    with pytest.MonkeyPatch.context() as patch:
        return run_chain(CrawlFolder(tmp_path_factory.mktemp("analysis") / "crawl"), chain(ANALYSIS), patch)


def test_the_table_has_what_the_pages_do() -> None:
    done = {(step.name, reads, writes) for page in PAGES for step, reads, writes in named_kinds(chain(page), TABLE)}
    listed = {(*read, writes) for read, kinds in TABLE.items() for writes in kinds}
    assert done == listed


@pytest.mark.parametrize(
    ("page", "kind"), [("corpus", "parquet"), ("retrieval", "jsonl"), ("segmentation", "folder"), ("site", "folder")]
)
def test_the_commands_of_a_page(page: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = run_chain(CrawlFolder(tmp_path / "crawl", kind), chain(DOCS / f"tasks/{page}.md"), monkeypatch)
    if page == "corpus":
        # Of the articles that two hosts have, one is kept.
        assert (len(found["out/corpus"]), len(found["out/clean"])) == (20, 18)
        assert all(row["markdown"].startswith("# The ") for row in found["out/clean"])
    if page == "site":
        assert any(answers for answers in found["out/index"])


def test_the_analysis_of_a_crawl(analysis: dict[str, Any]) -> None:
    text, clean = analysis["out/text"], analysis["out/clean"]
    assert [row["url"] for row in text] == [row["url"] for row in clean]
    assert len({row["url"].split("/")[2] for row in text}) == len(HOSTS)
    # With the templates of the sites, no page has more than without.
    assert all(len(row["text"]) <= len(before["text"]) for row, before in zip(clean, text, strict=True))
    links, counts = analysis["out/graph"]
    assert {source.split("/")[2] for source, _, _ in links} == set(HOSTS)
    assert counts["broken"] == counts["dropped"] == 0
    assert sum(analysis["out/ranks"]) == pytest.approx(1)
    assert [site.name for site in analysis["out/site"]] == sorted(HOSTS)
    assert len(analysis["out/duplicates"]) == 4
    assert all(answers for answers in analysis["out/index"])


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "warc"])
def test_all_inputs_give_the_same(
    kind: str, analysis: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = [step for step in chain(ANALYSIS) if step.name in ("run links", "links build")]
    compare(run_chain(CrawlFolder(tmp_path / "crawl", kind), steps, monkeypatch), analysis)


@pytest.mark.usefixtures("spark")
def test_spark_gives_the_same(analysis: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [step for step in chain(ANALYSIS) if step.name != _COSTLY]
    compare(run_chain(CrawlFolder(tmp_path / "crawl", engine="spark"), steps, monkeypatch), analysis)


def compare(found: dict[str, Any], expected: dict[str, Any]) -> None:
    assert found
    for name, value in found.items():
        assert equal(value, expected[name]), name
