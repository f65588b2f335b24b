"""Near-duplicates of crawls: against all pairs by brute force, dropped with a reason, resumed, and on Spark."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from itertools import combinations
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from commands import webstrata
from warcs import page_record

from webstrata.crawls import FoldJob, Job, find_inputs
from webstrata.crawls.folding.engines import Engine
from webstrata.crawls.jobs.duplicates.clusters import Deduplicator, Duplicates, read_record, write_clusters
from webstrata.crawls.jobs.duplicates.signatures import Bands, SignPages, page_numbers, signatures_of
from webstrata.duplicates import Rule
from webstrata.errors import InputError

RULE = Rule(bands=16, rows=2)


def article(chance: random.Random, words: int = 60) -> list[str]:
    return [f"w{chance.randrange(10**6)}" for _ in range(words)]


def pages(count: int = 40) -> list[str]:
    """Articles, half of them with copies that differ in some words, in templates of two sites."""
    chance = random.Random(7)
    found = []
    for number in range(count):
        words = article(chance)
        for copy in range(1 + 2 * (number % 2)):
            changed = [word if chance.random() > 0.02 * copy else "changed" for word in words]
            menu = "<ul><li><a href=/>Home</a><li><a href=/about>About us</a></ul>" * (1 + copy)
            found.append(f"<title>{number}</title>{menu}<p>{' '.join(changed)}.</p>")
    return found


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    path = tmp_path / "crawl.warc"
    records = [page_record(f"http://h{n % 3}.example/{n}", html.encode()) for n, html in enumerate(pages())]
    path.write_bytes(b"".join([*records, page_record("http://h0.example/empty", b"<p>")]))
    return path


def clusters(folder: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(folder / "clusters.parquet").to_pylist()
    return rows


def test_clusters_are_those_of_all_pairs(crawl: Path, tmp_path: Path) -> None:
    inputs = tuple(find_inputs([str(crawl)]))
    Job(inputs=inputs, step=SignPages(by="page", rule=RULE), output=tmp_path / "rows").run(jobs=1)
    FoldJob(rows=tmp_path / "rows", fold=Bands(rule=RULE), output=tmp_path / "pairs", part_bytes=1).run(jobs=1)
    table = pq.read_table(next((tmp_path / "rows").glob("*.parquet")))
    signatures = signatures_of(table.column("signature"), RULE)
    numbers = page_numbers(table).tolist()
    graph = nx.Graph()
    for i, j in combinations(range(len(numbers)), 2):
        if RULE.agree(signatures[i], signatures[j]) and (RULE.keys(signatures)[i] == RULE.keys(signatures)[j]).any():
            graph.add_edge(numbers[i], numbers[j])
    assert write_clusters(tmp_path, RULE)["clusters"] == len(list(nx.connected_components(graph)))
    found: dict[int, set[int]] = {}
    for row in clusters(tmp_path):
        found.setdefault(row["cluster"], set()).add(row["page"])
    assert sorted(map(sorted, found.values())) == sorted(map(sorted, nx.connected_components(graph)))


@pytest.mark.slow
def test_copies_are_found_and_one_of_each_is_kept(crawl: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = webstrata("duplicates", str(crawl), "-o", str(out), "--algorithm", "min-words", "-j", "1", "--top", "2")
    assert result.exit_code == 0, result.output
    assert "81 records read, 80 pages compared by content" in result.output
    rows = clusters(out)
    by_cluster: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        by_cluster.setdefault(row["cluster"], []).append(row)
    assert len(by_cluster) == 20
    for members in by_cluster.values():
        assert len({row["title"] for row in members}) == 1
        assert [row["keeper"] for row in members] == [True] + [False] * (len(members) - 1)
        assert {row["keeper_url"] for row in members} == {members[0]["url"]}
        assert members[0]["words"] == max(row["words"] for row in members)
        assert members[0]["shared"] == 1.0
        assert all(row["shared"] > 0.3 for row in members)
    about = json.loads((out / "duplicates.json").read_text())
    assert about["members"] == len(rows) == about["clusters"] + about["dropped"]
    assert about["records"] == about["written"] + sum(about["rejected"].values())
    names = [".webstrata.lock", "clusters.parquet", "duplicates.json", "probability.svg", "report.html"]
    assert sorted(path.name for path in out.iterdir()) == names
    assert "holds the results of an earlier run" in webstrata("duplicates", str(crawl), "-o", str(out)).output


def test_extraction_drops_copies_and_says_which_page_is_kept(crawl: Path, tmp_path: Path) -> None:
    out = tmp_path / "text"
    options = ("--drop-duplicates", "--rejected", "--algorithm", "min-words", "-j", "1")
    result = webstrata("run", "extract", str(crawl), "-o", str(out), *options)
    assert result.exit_code == 0, result.output
    dropped = [row for row in clusters(tmp_path / "text-duplicates") if not row["keeper"]]
    summary = json.loads((out / "_summary.json").read_text())
    assert summary["rejected"] == {"duplicate": len(dropped), "no content": 1}
    assert summary["records"] == summary["written"] + len(dropped) + 1
    lines = "".join(path.read_text() for path in (out / "_rejected").iterdir()).splitlines()
    told = {row["url"]: row["detail"] for row in map(json.loads, lines) if row["reason"] == "duplicate"}
    expected = {row["url"]: f"of {row['keeper_url']} ({row['keeper_file']}#{row['keeper_record']})" for row in dropped}
    assert told == expected
    written = {row["url"] for path in out.glob("*.parquet") for row in pq.read_table(path).to_pylist()}
    assert written.isdisjoint(told)
    again = webstrata("run", "extract", str(crawl), "-o", str(out), *options, "--resume")
    assert again.exit_code == 0, again.output
    assert json.loads((out / "_summary.json").read_text()) == summary
    piped = webstrata("run", "extract", "-", "-o", str(tmp_path / "piped"), "--drop-duplicates", stdin=b"<p>x")
    assert "a pipe can be read once" in piped.output


@pytest.mark.slow
def test_a_crawl_without_duplicates_has_no_clusters(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>one page alone")
    inputs = tuple(find_inputs([str(tmp_path / "a.html")]))
    Deduplicator(inputs=inputs, output=tmp_path / "out", by="page").run(Engine(jobs=1))
    found = Duplicates(tmp_path / "out")
    assert (found.about["members"], found.about["clusters"]) == (0, 0)
    assert found.table.num_rows == 0
    assert found.keepers(pa.RecordBatch.from_pylist([{"file": "a", "record": 0}])) == [None]
    assert (
        "0 pages in 0 clusters" in webstrata("duplicates", str(tmp_path / "a.html"), "-o", str(tmp_path / "b")).output
    )


@pytest.mark.slow
def test_pages_that_cannot_be_read_leave_nothing_to_join(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("")
    Deduplicator(inputs=tuple(find_inputs([str(tmp_path / "a.html")])), output=tmp_path / "out").run(Engine(jobs=1))
    assert Duplicates(tmp_path / "out").about["rejected"] == {"empty": 1}


def test_showing_two_pages(crawl: Path, tmp_path: Path) -> None:
    a, b = f"{crawl}#1", f"{crawl}#2"
    result = webstrata("duplicates", "show", a, b, "--by", "page")
    assert result.exit_code == 0, result.output
    assert "are on both pages" in result.output
    page = tmp_path / "a.html"
    page.write_text("<p>one two three four five six <b>&lt;script>alert(1)&lt;/script></b>")
    target = tmp_path / "both.html"
    result = webstrata("duplicates", "show", str(page), str(page), "--by", "page", "-o", str(target))
    assert result.exit_code == 0, result.output
    written = target.read_text()
    assert "<mark>one two three" in written
    assert "<script" not in written
    assert "&lt;script&gt;" in written


def test_records_that_are_not_there_say_so(crawl: Path, tmp_path: Path) -> None:
    assert read_record(f"{crawl}#3").title == "1"
    for name, message in ((f"{crawl}#900", "has no record 900"), (str(tmp_path / "none.html"), "cannot|unreadable")):
        with pytest.raises(InputError, match=message):
            read_record(name)
    with pytest.raises(InputError, match="holds no duplicates"):
        Duplicates(tmp_path)


@pytest.mark.slow
def test_killed_and_resumed_the_clusters_are_the_same(crawl: Path, tmp_path: Path, kills: int) -> None:
    code = (
        "import sys; from pathlib import Path; from webstrata.crawls import find_inputs;"
        "from webstrata.crawls.jobs.duplicates.clusters import Deduplicator;"
        "from webstrata.crawls.folding.engines import Engine;"
        "Deduplicator(inputs=tuple(find_inputs([sys.argv[1]])), output=Path(sys.argv[2]), by='page')"
        ".run(Engine(jobs=2, resume=True))"
    )
    calm, killed = tmp_path / "calm", tmp_path / "killed"
    subprocess.run([sys.executable, "-c", code, str(crawl), str(calm)], check=True)
    chance = random.Random()
    for _ in range(kills):
        process = subprocess.Popen([sys.executable, "-c", code, str(crawl), str(killed)], start_new_session=True)
        time.sleep(chance.uniform(0.3, 2.0))
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.wait()
    subprocess.run([sys.executable, "-c", code, str(crawl), str(killed)], check=True)
    assert clusters(killed) == clusters(calm)
    assert (killed / "duplicates.json").read_bytes() == (calm / "duplicates.json").read_bytes()


@pytest.mark.usefixtures("spark")
def test_local_and_spark_give_the_same_clusters(crawl: Path, tmp_path: Path) -> None:
    for engine in ("local", "spark"):
        inputs = tuple(find_inputs([str(crawl)]))
        Deduplicator(inputs=inputs, output=tmp_path / engine, by="page").run(Engine(name=engine, jobs=2))
    assert clusters(tmp_path / "local") == clusters(tmp_path / "spark")
    assert len(clusters(tmp_path / "local")) > 40


def test_equal_pages_of_any_number_are_one_cluster() -> None:
    rule = Rule()
    signature = rule.signature("the same text on every page of the crawl")
    assert signature is not None
    keys = rule.keys(np.stack([signature] * 3))
    assert (keys == keys[0]).all()
