"""The search view: its JSON interface and its results."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest
from web_server import Running

from webstrata.apps.web.search.service import SearchRequest, SearchService
from webstrata.search import Document, Index


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
    both = server.ask("/api/search?q=water&facet=rocks&facet=rocks/hard").json
    assert both["ranking"] == "strata+pagerank(power=0.5, topic='rocks, rocks/hard')"
    assert server.ask("/api/search?q=water&facet=nothing").json["matched"] == everything["matched"]


def test_facets_reorder_with_limits_of_the_request(server: Running) -> None:
    everything = server.ask("/api/search?q=water").json
    ordered = server.ask("/api/search?q=water&facet=books&reorder=true").json
    pages = [[result["page"] for result in answer["results"]] for answer in (everything, ordered)]
    assert ordered["matched"] == everything["matched"]
    assert pages[0] != pages[1]
    assert 0 < everything["facets"]["general"] < 1
    first = server.ask("/api/search?q=water&k=1").json
    assert {row["share"] for row in first["facets"]["list"]} == {1.0}
    assert [row["name"] for row in first["facets"]["list"]] == [row["name"] for row in first["results"][0]["topics"]]
    assert len(server.ask("/api/search?q=water&theta=0.1").json["facets"]["list"]) > len(everything["facets"]["list"])
    assert server.ask("/api/search?q=water&k=0").status == 422
    assert "k=7" in server.ask("/search/results?q=water&k=7&reorder=true").text


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


def test_reasons_say_where_terms_stand(server: Running) -> None:
    page = server.ask("/api/search?q=clay").json["results"][0]["page"]
    assert (
        server.ask(f"/api/search/why/{page}?q=clay").json["terms"][0]["places"].startswith("in the title, in a heading")
    )
    assert "Try" in server.ask("/search").text


def test_the_way_back_from_a_result_is_a_search_only(server: Running) -> None:
    page = server.post("/api/pages/demo/article").json["id"]
    text = server.ask(f"/view/{page}?back={quote('//evil.example/')}").text
    assert 'href="/search?//evil.example/"' in text
    assert 'href="//evil' not in text
