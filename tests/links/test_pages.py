"""The link graph of pages in memory: the same as that of a crawl of these pages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from webstrata.crawls import Job, find_inputs
from webstrata.crawls.jobs.links import ListLinks, build_rows
from webstrata.errors import InputError
from webstrata.links import LinkGraph, PageRank, graph_of
from webstrata.page import parse

_TEXT = "<p>" + "These are the words of a long paragraph, and they make up most of the page. " * 5
PAGES = [
    ("http://A.org/", f"<nav><a href=/b>B</a></nav>{_TEXT}<a href=/b#x>the other</a> <a href=http://c.org/>C</a>."),
    ("http://a.org/b", "<a href=/>home</a><a href=/b>self</a><a href='mailto:x@y'>mail</a><a href=http://[x>bad</a>"),
    ("http://c.org/", f"{_TEXT}<a href=http://a.org/?q=1>with a query</a><a href=http://nowhere.org/>nowhere</a>"),
    ("http://a.org/#again", "<a href=/new>new</a><a href=/b>B</a>"),
]
_COLUMNS = ("site_start", "out_start", "out_target", "out_content", "in_start", "in_source", "in_content")


def test_five_lines_rank_pages() -> None:
    graph = graph_of(PAGES)
    ranking = PageRank(method="gauss-seidel")(graph)
    assert repr(graph) == "<LinkGraph: 3 pages of 2 sites, 4 links>"
    assert {graph.urls[page] for page in ranking.top(2)} == {"http://a.org/", "http://a.org/b"}
    assert repr(ranking).startswith("<Ranking of 3 pages by PageRank(")


@pytest.mark.parametrize("outside", [False, True])
@pytest.mark.parametrize("site", ["host", "domain", "directory"])
def test_a_graph_in_memory_equals_that_of_a_crawl(tmp_path: Path, site: str, outside: bool) -> None:
    table = {"url": [url for url, _ in PAGES], "html": [html.encode() for _, html in PAGES]}
    pq.write_table(pa.table(table), tmp_path / "pages.parquet")
    step = ListLinks(algorithm="numwords")
    Job(inputs=tuple(find_inputs([str(tmp_path / "pages.parquet")])), step=step, output=tmp_path / "rows").run(jobs=1)
    crawled = build_rows(tmp_path / "rows", tmp_path / "graph", site=site, outside=outside)
    graph = graph_of([parse(html, url=url) for url, html in PAGES], site=site, outside=outside, algorithm="numwords")
    assert list(graph.urls) == list(crawled.urls)
    assert list(graph.sites) == list(crawled.sites)
    assert dict(graph.counts) == dict(crawled.counts)
    for name in _COLUMNS:
        assert (getattr(graph, name) == getattr(crawled, name)).all()


def test_pages_need_a_url() -> None:
    with pytest.raises(InputError, match="no URL of the web"):
        graph_of([parse("<a href=/>A</a>")])
    with pytest.raises(InputError, match="host, domain, directory"):
        graph_of(PAGES, site="planet")


def test_no_pages_make_an_empty_graph() -> None:
    graph = graph_of([])
    assert isinstance(graph, LinkGraph)
    assert (graph.pages, graph.links) == (0, 0)
    assert len(PageRank()(graph).ranks) == 0
    assert np.array_equal(graph.site_start, [0])
