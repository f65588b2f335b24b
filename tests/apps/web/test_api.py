"""The JSON interface of the web page, and what it stands on."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path
from urllib.parse import quote

import pytest
from commands import webstrata
from web_server import Running

import webstrata as package
from webstrata.apps.web.guarded import Guarded
from webstrata.apps.web.search.service import SearchRequest, SearchService
from webstrata.apps.web.stored import Store, StoredPage
from webstrata.errors import InputError
from webstrata.extraction.formats import CONTENT_FORMATS
from webstrata.search import Document, Index
from webstrata.segmentation.html import from_html
from webstrata.workers.limits import Limits


def test_everything_is_described(server: Running) -> None:
    described = server.ask("/api/openapi.json").json
    paths = set(described["paths"])
    assert {"/api/pages", "/api/pages/{page}/segmentation", "/api/search", "/api/annotation/pages"} <= paths
    assert all(path.startswith("/api/") for path in paths)
    for path, methods in described["paths"].items():
        for method, about in methods.items():
            assert about["description"], f"{method} {path}"


def test_what_the_viewer_shows_is_what_the_package_says(server: Running) -> None:
    html = (Path(package.__file__).parent / "demo" / "product.html").read_bytes()
    page = server.open(html, name="product.html")
    facts = server.ask(f"/api/pages/{page}").json
    parsed = package.parse(html)
    assert (facts["blocks"], facts["elements"], facts["title"]) == (
        len(parsed.blocks), len(parsed.elements), parsed.title,
    )  # fmt: skip
    found = server.ask(f"/api/pages/{page}/segmentation?algorithm=bf-plain&algorithm.theta=0.5").json
    expected = package.segment(parsed, "bf-plain(theta=0.5)")
    assert found["algorithm"] == expected.algorithm
    assert [(item["start"], item["stop"]) for item in found["segments"]] == [item[:2] for item in expected.segments]
    decided = server.ask(f"/api/pages/{page}/extraction").json
    assert decided["keep"] == package.extract(parsed).keep.astype(int).tolist()
    for name in CONTENT_FORMATS:
        assert server.ask(f"/api/pages/{page}/results/{name}").text == getattr(package.extract(parsed), name)
    assert "TEI" in server.ask(f"/view/{page}/panel/results?form=tei").text
    marked = server.ask(f"/api/pages/{page}/results/blocks?algorithm={quote('bf-plain(theta=0.5)')}").body
    assert from_html(marked).segments == expected.segments
    rows = server.ask(f"/api/pages/{page}/blocks?start=10").json["rows"]
    assert rows[0]["text"] == parsed.blocks[10].text
    start, stop = rows[0]["source"]
    assert html[start:stop].decode() == parsed.blocks[10].html


def test_what_cannot_be_done_is_told(server: Running) -> None:
    page = server.open("<p>x")
    for path, told in (
        (f"/api/pages/{page}/segmentation?algorithm=bfplain", "did you mean bf-plain"),
        (f"/api/pages/{page}/segmentation?algorithm=vips", "as a browser shows it"),
        (f"/api/pages/{page}/segmentation?algorithm=bf-plain&algorithm.theta=much", "theta cannot be"),
        (f"/api/pages/{page}/results/pdf", "choose one of"),
        (f"/api/pages/{page}/blocks?start=-1", "start"),
    ):
        answer = server.ask(path)
        assert answer.status == 422
        assert told in answer.json["detail"]
    assert server.ask("/api/pages/0123456789abcdef01234567").status == 404
    assert "Open a page" in server.ask("/view/0123456789abcdef01234567").text
    assert server.ask("/nothing").status == 404


def test_a_call_that_kills_its_process_or_never_ends_is_told() -> None:
    guarded = Guarded(limits=Limits(seconds=0.1), jobs=1)
    try:
        for call, told in (((os.abort,), "SIGABRT"), ((time.sleep, 60), "longer"), ((int, "x"), "could not be read")):
            with pytest.raises(InputError, match=told):
                asyncio.run(guarded(*call))
        assert asyncio.run(guarded(len, "still here")) == 10
    finally:
        guarded.close()
    with pytest.raises(InputError, match="stopped"):
        asyncio.run(guarded(len, ""))


def test_the_oldest_pages_are_dropped() -> None:
    store = Store(pages=3, size=1000)
    names = [store.add(StoredPage(bytes([number]) * 10)) for number in range(4)]
    assert [name for name, _ in store.recent()] == names[:0:-1]
    with pytest.raises(KeyError):
        store[names[0]]
    last = store.add(StoredPage(b"x" * 2000))
    assert [name for name, _ in store.recent()] == [last]


def test_results_are_those_of_the_index_and_their_reasons_add_up(server: Running) -> None:
    for query in ("q=clay", "q=clay&pagerank=true&ranking=bm25", "q=layers+of+clay&facet=rocks"):
        found = server.ask(f"/api/search?{query}").json
        assert found["matched"] > 0
        for result in found["results"]:
            why = server.ask(f"/api/search/why/{result['page']}?{query}").json
            assert why["score"] == pytest.approx(result["score"], rel=1e-4)
            assert sum(term["impact"] > 0 for term in why["terms"]) > 0


def test_facets_drill_down(server: Running) -> None:
    everything = server.ask("/api/search?q=water").json
    shares = {row["name"]: row["share"] for row in everything["facets"]["list"]}
    assert 0 < shares["rocks"] < 1
    inside = server.ask("/api/search?q=water&facet=rocks").json
    assert inside["matched"] == round(shares["rocks"] * everything["matched"])
    assert {row["name"]: row["share"] for row in inside["facets"]["list"]}["rocks"] == 1
    assert inside["ranking"] == "strata+pagerank(power=0.5, topic='rocks')"
    assert server.ask("/api/search?q=water&facet=nothing").json["matched"] == everything["matched"]


@pytest.mark.parametrize(
    "query", ["", "   ", '"', "title:", "%00%ff", "a" * 1900, "\U0001f600", '"clay" OR 1=1', "<b>clay"]
)
def test_odd_queries_are_answered(server: Running, query: str) -> None:
    answer = server.ask(f"/search/results?q={quote(query)}")
    assert answer.status == 200
    assert "<b>clay" not in answer.text
    assert server.ask("/api/search?q=x&ranking=nothing").status == 422


def test_ranks_come_from_a_graph_on_disk(tmp_path: Path) -> None:
    from webstrata.apps.web.search.ranked import document_graph

    names = ("a/one", "a/two", "b/one", "b/two")
    links = {"a/one": "b/two", "a/two": "b/two", "b/one": "b/two", "b/two": "a/one"}
    documents = [
        Document.of_text(f"http://x.org/{name}.html", name, "clay", links=[(f"http://x.org/{links[name]}.html", "x")])
        for name in names
    ]
    Index.build(documents, tmp_path / "index")
    document_graph(documents).save(tmp_path / "graph")
    room = SearchService.open(tmp_path / "index", graph=tmp_path / "graph")
    assert room.index.model.topics == ("a", "b")
    found = room.answer(SearchRequest(text="clay", pagerank=True))
    assert found["results"][0]["url"] == "http://x.org/b/two.html"
    assert SearchService.open(tmp_path / "index").answer(SearchRequest(text="clay"))["facets"]["list"] == []


def test_what_results_hold_is_escaped(tmp_path: Path) -> None:
    sign = "<img src=x onerror=alert(1)>"
    pages = [
        Document.of_text(f"http://x.org/{sign}", "", f"clay {sign}"),
        Document.of_text("http://y.org/", sign, "clay"),
    ]
    Index.build(pages, tmp_path / "index")
    found = SearchService.open(tmp_path / "index").answer(SearchRequest(text="clay"))["results"]
    assert len(found) == 2
    for result in found:
        assert "<img" not in result["title_html"] + result["snippet_html"]


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    assert "--demo-site" in webstrata("serve", "--help").output
    done = webstrata("serve", "--import", str(tmp_path))
    assert done.exit_code == 2
    assert "--data" in done.output
    done = webstrata("serve", "--index", str(tmp_path / "none"))
    assert done.exit_code == 2
    assert "none" in done.output


def test_a_server_ends_when_it_is_told_to(tmp_path: Path) -> None:
    from web_kills import start

    process, server = start(tmp_path / "pages")
    assert server.ask("/annotate").status == 200
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) in (0, -signal.SIGTERM)
