"""Documents of pages: the same as the rows of a crawl of these pages."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from webstrata.crawls import Job, find_inputs
from webstrata.crawls.arrow import signed
from webstrata.crawls.folding.engines import Engine
from webstrata.crawls.jobs.search import SearchRows, SearchShards, fold_shards, write_search_index
from webstrata.crawls.jobs.sites.learning import SiteLearner
from webstrata.page import parse
from webstrata.search import Analyser, Index
from webstrata.search.documents import COLUMNS, documents_of

_HTML = (
    "<title>{0}</title><div id=top>Home, clay and sand <a href=/clay>clay</a></div><div class=text><h1>{0}</h1>"
    "<p>Rivers leave {0} behind, and what they leave is <a href=/sand>sand of {0}</a> to those who come later.</div>"
)
PAGES = [
    *((f"http://a.org/{name}", _HTML.format(name)) for name in "clay sand silt marl loam chalk flint slate".split()),
    *((f"http://b.org/{name}", f"<table><tr><td>{name}<td>of b</table><p>All about {name}.") for name in "xyz"),
    ("http://a.org/empty", "<p hidden>nothing to see"),
]
QUERIES = ("rivers sand", "title:clay", "chalk marl", '"leave silt"', "about y")


def test_five_lines_search_pages(tmp_path: Path) -> None:
    index = Index.of_pages(PAGES, f"{tmp_path}/index", extractor="keep-all")
    answers = index.query("rivers sand")
    assert answers[0].url == "http://a.org/sand"
    assert repr(index) == f"<Index {tmp_path}/index: 11 pages, {len(index.model.terms)} terms, 1 shard>"


@pytest.mark.slow
def test_an_index_of_pages_equals_that_of_a_crawl(tmp_path: Path) -> None:
    table = {"url": [url for url, _ in PAGES], "html": [html.encode() for _, html in PAGES]}
    pq.write_table(pa.table(table), tmp_path / "pages.parquet")
    inputs = tuple(find_inputs([str(tmp_path / "pages.parquet")]))
    SiteLearner(inputs=inputs, output=tmp_path / "site", extractor="").learn(Engine(jobs=1))
    step = SearchRows(site=str(tmp_path / "site"), algorithm="numwords")
    Job(inputs=inputs, step=step, output=tmp_path / "rows").run(jobs=1)

    rows = [row for path in sorted((tmp_path / "rows").glob("*.parquet")) for row in pq.read_table(path).to_pylist()]
    crawled = {row["page"]: row for row in rows if row["page"]}
    documents = list(documents_of([parse(html, url=url) for url, html in PAGES], extractor="numwords"))
    assert [document.url for document in documents] == [url for url, _ in PAGES[:-1]]
    assert {document.url for document in documents} == set(crawled)
    for document in documents:
        row = crawled[document.url]
        assert (document.title, document.site, document.text) == (row["title"], row["site"], row["text"])
        assert document.links == tuple(zip(row["link_target"], row["link_text"], strict=True))
        for name in COLUMNS:
            assert signed(getattr(document, name)).tolist() == row[name], name

    fold_shards(tmp_path / "rows", tmp_path / "shards", SearchShards(), engine=Engine(jobs=1))
    of_crawl = write_search_index(
        tmp_path / "shards", tmp_path / "crawled", analyser=Analyser(), rankings=("strata", "bm25nt")
    )
    of_pages = Index.of_pages(PAGES, tmp_path / "index", extractor="numwords", rankings=("strata", "bm25nt"))
    for query in QUERIES:
        for ranking in ("strata", "bm25nt"):
            found, expected = (
                {answer.url: (answer.score, answer.snippet) for answer in index.query(query, k=20, ranking=ranking)}
                for index in (of_pages, of_crawl)
            )
            assert found == expected, (query, ranking)
            assert found or query == "about y"
