"""Answers: snippets from the content, with marks, source spans and segments; phrases, strata, ranks and facets."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from webstrata.errors import InputError
from webstrata.links import build_graph
from webstrata.links.ranks import Ranks
from webstrata.links.topics import Topics
from webstrata.page import Page, parse
from webstrata.search import Document, Documenter, Index, Snippet
from webstrata.sites.classes import refine
from webstrata.sites.nodes import nodes_of
from webstrata.sites.tree import Tree

_HTML = """<title>{0} – Strata</title><nav>Home of all strata &amp; {0} <a href=/clay>Clay</a></nav>
<main><h1>{0}</h1><p>We tell of {0} &lt;here&gt;, which is
soft when it is wet, and of what rivers leave behind.<p>{1}</main>"""
LONG = "Nothing to see. " * 40 + "Blue marl is rare, and blue marl is old. " + "Nothing at all. " * 40


def pages() -> list[Page]:
    names = ["clay", "sand", "silt", "loam", "chalk", "flint", "slate", "gravel", "peat", "marl"]
    return [
        parse(
            _HTML.format(name, LONG if name == "marl" else "Über alte Straßen geht man hier noch heute gern zu Fuß."),
            url=f"http://a.org/{name}",
        )
        for name in names
    ]


@pytest.fixture(scope="module")
def found() -> list[Page]:
    return pages()


@pytest.fixture(scope="module")
def index(found: list[Page], tmp_path_factory: pytest.TempPathFactory) -> Index:
    tree = refine(Tree.of(map(nodes_of, found)))
    documenter = Documenter(extractor="min-words(minimum=8)")
    graph = build_graph([page.url or "" for page in found], [0, 1, 2, 3], [4, 4, 4, 9])
    soft = [graph.urls.index(f"http://a.org/{name}") for name in ("clay", "loam")]
    topics = Topics.of({"Soft": soft, "Hard": [2, 9]})
    biased = np.ones((10, 2))
    biased[soft, topics.names.index("Soft")] = 9.0
    ranks = Ranks(np.ones(10), topics, biased, "made up")
    documents = [documenter(page, tree) for page in found]
    return Index.build(documents, tmp_path_factory.mktemp("answers") / "index", graph=graph, ranks=ranks)


def test_a_snippet_is_content_with_marks_and_its_place_in_the_source(index: Index, found: list[Page]) -> None:
    [answer] = index.query("title:sand").answers
    snippet = answer.snippet
    assert (answer.url, answer.title_html) == ("http://a.org/sand", "<mark>sand</mark> – Strata")
    assert snippet is not None
    assert snippet.stratum == "content"
    assert "of <mark>sand</mark> &lt;here&gt;, which" in snippet.html
    assert snippet.text[slice(*snippet.marks[0])] == "sand"
    assert len(snippet.segment) == 16
    source = found[1].source[slice(*snippet.source)].decode()
    assert source.startswith("We tell of sand")
    assert source.endswith("leave behind.")


def test_a_long_paragraph_is_cut_around_its_terms(index: Index) -> None:
    [answer] = index.query('"blue marl"').answers
    assert answer.snippet is not None
    text = answer.snippet.text
    assert text.startswith("… ")
    assert text.endswith(" …")
    assert len(text) < 260
    assert [text[a:b] for a, b in answer.snippet.marks] == ["Blue", "marl", "blue", "marl"]


def _snippet(tmp_path: Path, html: str, query: str) -> Snippet:
    page = parse(f"<title>Clay</title><main>{html}</main>", url="http://a.org/")
    index = Index.build([Documenter(extractor="keep-all")(page)], tmp_path / "index")
    found = index.query(query)[0].snippet
    assert found is not None
    return found


def test_a_snippet_is_of_sentences_and_has_the_heading_above(tmp_path: Path) -> None:
    few = "Some words are here to be left out of what is shown. " * 9
    found = _snippet(
        tmp_path,
        f"<h1>Clay</h1><p>Soft.<h2>Where <i>rivers</i> run</h2><p>{few}Marl is old. Blue marl is rare. {few}",
        "blue marl",
    )
    assert found.heading == "Where rivers run"
    shown = found.text.removeprefix("… ").removesuffix(" …")
    assert shown.startswith(("Some words", "Marl is old."))
    assert "Marl is old. Blue marl is rare. " in shown
    assert shown.endswith("is shown.")
    assert len(shown) <= 240


def test_a_snippet_has_different_terms_rather_than_one_often(tmp_path: Path) -> None:
    text = f"Marl, marl, marl and marl. {'Nothing here. ' * 40} Blue marl is with clay. {'Nothing there. ' * 40}"
    assert "Blue marl is with clay." in _snippet(tmp_path, f"<p>{text}", "blue marl clay").text


def test_a_snippet_is_prose_rather_than_code(tmp_path: Path) -> None:
    code = "int main() { return open(file); } /* open file */ void close() { x = open(file); }"
    prose = "To open a file, the program asks the system, which looks for its name first."
    assert _snippet(tmp_path / "a", f"<pre>{code}</pre><p>{prose}", "open file").text == prose
    assert _snippet(tmp_path / "b", f"<pre>{code}</pre><p>Nothing.", "open file").text.startswith("int main")
    assert _snippet(tmp_path / "b2", f"<p>{prose}", "open file").heading == ""


def test_a_long_text_with_many_marks_takes_linear_time(tmp_path: Path) -> None:
    words = " ".join(f"t{number % 90}" for number in range(60_000))
    start = time.process_time()
    _snippet(tmp_path, f"<p>{words}", " ".join(f"t{number}" for number in range(90)))
    assert time.process_time() - start < 5


def test_answers_are_a_sequence_with_a_short_repr(index: Index) -> None:
    answers = index.query("rivers", k=3)
    assert [answer.url for answer in answers] == [answer.url for answer in answers.answers]
    assert (len(answers), answers[0], answers[1:]) == (3, answers.answers[0], answers.answers[1:])
    assert repr(answers) == "<Answers to 'rivers' by strata: 3 of 10 pages>"


def test_a_notebook_shows_marked_answers_and_runs_nothing(tmp_path: Path) -> None:
    attack = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    escaped = attack.replace("<", "&lt;").replace(">", "&gt;")
    pages = [Document.of_text(f"javascript:{attack}{n}", f"clay {attack}", f"Clay & {attack}") for n in range(150)]
    html = Index.build(pages, tmp_path / "index").query(f"clay {attack}", k=150)._repr_html_()
    assert "<mark>Clay</mark> &amp; " in html
    assert f"javascript:{escaped}0" in html
    assert "<script" not in html
    assert "<img" not in html
    assert html.count("<li>") == 100


def test_accents_do_not_hide_marks(index: Index) -> None:
    [first, *_] = index.query("strassen uber title:strata").answers
    assert first.snippet is not None
    assert "<mark>Über</mark> alte <mark>Straßen</mark>" in first.snippet.html


def test_phrases_and_strata_must_be_met(index: Index) -> None:
    assert index.query('"rivers leave"').matched == 10
    assert index.query('"leave rivers"').matched == 0
    assert index.query('title:"clay strata"').matched == 1
    assert index.query("content:home").matched == 0
    assert index.query("template:home", ranking="bm25").matched == 10


def test_ranks_and_topics_change_the_order(index: Index) -> None:
    plain = [answer.url for answer in index.query("rivers", k=10).answers]
    soft = [answer.url for answer in index.query("rivers", k=10, ranking="strata+pagerank(topic='Soft')").answers]
    assert set(soft[:2]) == {"http://a.org/clay", "http://a.org/loam"}
    assert set(soft) == set(plain)
    facets = index.facets(
        answer.page for answer in index.query("rivers", k=2, ranking="strata+pagerank(topic='Soft')").answers
    )
    assert facets[0].name == "Soft"


def test_topics_are_combined_with_their_weights(index: Index) -> None:
    model = index.model
    columns = {name: model.biased[:, place].astype(float) for place, name in enumerate(model.topics)}
    first, second = list(columns)[:2]
    assert (model.ranks_on("") == model.rank).all()
    assert np.allclose(model.ranks_on(f"{first}, {second}"), (columns[first] + columns[second]) / 2)
    assert np.allclose(model.ranks_on(f"{first}=3,{second}"), (3 * columns[first] + columns[second]) / 4)
    for wrong in ("Nothing", f"{first},", f"{first}=0", f"{first}=-1", f"{first}=x", f"{first}=nan", f"{first}=inf"):
        with pytest.raises(InputError):
            model.ranks_on(wrong)


def test_ranks_of_pages_come_from_the_graph(found: list[Page], tmp_path: Path) -> None:
    graph = build_graph([page.url or "" for page in found], [0, 1, 2, 3], [4, 4, 4, 9])
    documenter = Documenter(extractor="keep-all")
    index = Index.build([documenter(page) for page in found], tmp_path / "index", graph=graph)
    assert index.query("rivers", ranking="bm25+pagerank").answers[0].url == "http://a.org/chalk"
    assert index.facets([0]) == []
