"""From pages to the link graph: the step, the fold, the graph, and the commands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from commands import webstrata

from webstrata.crawls import Job, find_inputs
from webstrata.crawls.jobs.links import ListLinks, build_rows
from webstrata.errors import InputError
from webstrata.evaluation.datasets.wpcd import subjects, wpcd_graph
from webstrata.links import LinkGraph
from webstrata.links.ranks import Ranks

pytestmark = pytest.mark.slow

TEXT = "<p>" + "These are the words of a long paragraph that nobody would take for a menu. " * 5
PAGES = {
    "http://A.org/": f"<nav><a href=/b>B</a></nav>{TEXT} See <a href=/b#x>the other</a> and <a href=http://c.org/>C</a>.",
    "http://a.org/b": "<a href=/>home</a><a href=/b>self</a><a href='mailto:x@y'>mail</a><a href=http://[x>broken</a>",
    "http://c.org/": f"{TEXT}<a href=http://a.org/?q=1>with a query</a><a href=http://nowhere.org/>nowhere</a>",
}


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rows of a run over the pages, the first of which was crawled twice."""
    folder = tmp_path_factory.mktemp("links")
    urls = [*PAGES, "http://a.org/#again", "not a url"]
    html = [page.encode() for page in [*PAGES.values(), "<a href=/new>new</a>", "<p>lost"]]
    pq.write_table(pa.table({"url": urls, "html": html}), folder / "pages.parquet")
    job = Job(
        inputs=tuple(find_inputs([str(folder / "pages.parquet")])),
        step=ListLinks(algorithm="numwords"),
        output=folder / "rows",
    )
    summary = job.run(jobs=1)
    assert (summary.written, summary.rejected) == (4, {"no content": 1})
    return folder / "rows"


def links_of(graph: LinkGraph) -> set[tuple[str, str, int]]:
    source = np.repeat(np.arange(graph.pages), np.diff(graph.out_start)).tolist()
    ends = zip(source, graph.out_target.tolist(), graph.out_content.tolist(), strict=True)
    return {(graph.urls[s], graph.urls[t], mark) for s, t, mark in ends}


def test_the_graph_of_a_crawl(rows: Path, tmp_path: Path) -> None:
    graph = build_rows(rows, tmp_path / "graph")
    assert list(graph.urls) == ["http://a.org/", "http://a.org/b", "http://c.org/"]
    # The link to b stands in the menu and in the content: it is one of the content.
    assert links_of(graph) == {
        ("http://a.org/", "http://a.org/b", 1),
        ("http://a.org/", "http://c.org/", 1),
        ("http://a.org/b", "http://a.org/", 0),
        ("http://a.org/b", "http://a.org/b", 0),
    }
    assert dict(graph.counts) == {"repeated": 1, "broken": 2, "dropped": 0, "outside": 3}
    with_all = build_rows(rows, tmp_path / "all", outside=True)
    assert {"http://nowhere.org/", "http://a.org/?q=1", "http://a.org/new"} <= set(with_all.urls)
    assert with_all.links == 7


def test_kinds_of_sites_are_named(rows: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="host, domain, directory"):
        build_rows(rows, tmp_path / "graph", site="planet")


def test_other_rows_are_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": ["x"]}), tmp_path / "rows.parquet")
    with pytest.raises(InputError, match="webstrata run links"):
        build_rows(tmp_path, tmp_path / "out")


def test_commands_from_rows_to_facets(rows: Path, tmp_path: Path) -> None:
    graph, ranks, stats = (str(tmp_path / name) for name in ("graph", "ranks", "stats"))
    built = webstrata("links", "build", str(rows), "-o", graph, "-j", "1")
    assert built.exit_code == 0, built.output
    assert "3 pages of 2 sites, 4 links" in built.output
    counted = webstrata("links", "stats", graph, "-o", stats, "--partitions", "2")
    assert counted.exit_code == 0, counted.output
    assert "votes between partitions" in counted.output
    for svg in Path(stats).glob("*.svg"):
        ElementTree.fromstring(svg.read_text(encoding="utf-8"))
    topics = tmp_path / "topics.tsv"
    topics.write_text("A\thttp://a.org/b\nC\thttp://c.org/\n")
    for method in ("jacobi", "gauss-seidel", "unified", "partitioned"):
        made = webstrata("links", "rank", graph, "-o", f"{ranks}-{method}", "--method", method, "--topics", str(topics))
        assert made.exit_code == 0, made.output
        assert "converged after" in made.output
    for more in (
        "hits",
        "harmonic",
        "hits --hubs",
        "harmonic --registers 64",
        f"jacobi --start {graph} {ranks}-jacobi",
    ):
        name = f"{ranks}-{more.replace('/', '').replace(' ', '')}"
        made = webstrata("links", "rank", graph, "-o", name, "--method", *more.split())
        assert made.exit_code == 0, made.output
        assert len(Ranks.open(Path(name)).unbiased) == 3
    refused = webstrata("links", "rank", graph, "-o", f"{ranks}-x", "--method", "hits", "--alpha", "0.5")
    assert refused.exit_code == 2
    assert "--alpha is for PageRank" in refused.output
    text, again = f"{ranks}-text", f"{ranks}-again"
    assert webstrata("links", "export", graph, "--ranks", f"{ranks}-jacobi", "-o", text).exit_code == 0
    read = webstrata("links", "import", f"{text}/edges.txt.gz", "--vertices", f"{text}/vertices.txt.gz", "-o", again)
    assert "3 pages of 2 sites, 4 links" in read.output
    both = [Ranks.open(Path(f"{ranks}-{method}")) for method in ("jacobi", "partitioned")]
    assert np.abs(both[0].biased - both[1].biased).max() < 1e-8
    ElementTree.fromstring((Path(f"{ranks}-jacobi") / "residuals.svg").read_text(encoding="utf-8"))
    found = webstrata("links", "facets", graph, f"{ranks}-jacobi", "-", stdin=b"http://c.org/\nhttp://x.org/\n")
    assert found.exit_code == 0, found.output
    assert found.output.split() == ["100.0", "%", "C"]


def test_commands_say_what_is_wrong(tmp_path: Path) -> None:
    for arguments in (
        ("links", "stats", str(tmp_path)),
        ("links", "rank", str(tmp_path), "-o", str(tmp_path / "x")),
        ("links", "build", str(tmp_path / "nothing"), "-o", str(tmp_path / "x")),
        ("links", "build", str(tmp_path), "-o", str(tmp_path)),
    ):
        wrong = webstrata(*arguments)
        assert wrong.exit_code == 2, wrong.output


def test_the_counts_of_the_encyclopedia(dataset_dir: Callable[[str], Path]) -> None:
    graph = wpcd_graph(dataset_dir("wpcd") / "wpcd-2007.tar.xz", algorithm="keep-all")
    source = np.repeat(np.arange(graph.pages), np.diff(graph.out_start))
    assert (graph.pages, int((source != graph.out_target).sum())) == (5462, 160_737)
    topics = subjects(graph)
    assert [sum(topics.level(topic) == level for topic in range(len(topics))) for level in (1, 2, 3)] == [15, 103, 27]
