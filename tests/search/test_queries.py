"""The query language: what a text is read as, and the pages that fulfil each condition."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from webstrata.page import parse
from webstrata.search import Analyser, Document, Documenter, Index, Query
from webstrata.search.conditions import keep_fulfilling
from webstrata.search.queries import MOST_CONDITIONS

PAGES = {
    "http://a.org/clay": "<title>Clay</title><h1>Blue clay</h1><p>Rivers leave blue <b>clay</b> and <i>fine sand</i>.",
    "http://docs.a.org/sand": "<title>Sand</title><h1>Dunes</h1><p>Wind moves sand. Clay stays; the blue does not.",
    "http://b.org/paint": "<title>Painting</title><p>A painter paints with pigments of clay and sand.",
    "http://notb.org/silt": "<title>Silt</title><p>Between the blue</p><p>clay and the sand there is silt.",
}
FACTS = {
    "http://a.org/clay": ("2023-12-31", "en"), "http://docs.a.org/sand": ("2024-01-01", "en"),
    "http://b.org/paint": ("2024-05-17", "de"), "http://notb.org/silt": ("", ""),
}  # fmt: skip


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    documents = []
    for url, html in PAGES.items():
        date, language = FACTS[url]
        found = Documenter(extractor="keep-all")(parse(html, url=url))
        documents.append(replace(found, date=date, language=language))
    folder: Path = tmp_path_factory.mktemp("queries")
    return Index.build(documents, folder / "index")


def names(index: Index, text: str) -> set[str]:
    return {answer.url.rpartition("/")[2] for answer in index.query(text)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"blue clay"', {"clay"}),
        ('"leave blue clay and fine sand"', {"clay"}),
        ('"clay blue"', set()),
        ("clay", {"clay", "sand", "paint", "silt"}),
        ("clay -wind", {"clay", "paint", "silt"}),
        ("clay -wind -paint*", {"clay", "silt"}),
        ('clay -"blue clay"', {"sand", "paint", "silt"}),
        ("paint*", {"paint"}),
        ("pig*", {"paint"}),
        ("title:paint*", {"paint"}),
        ("heading:paint*", set()),
        ("title:clay", {"clay"}),
        ("sand -title:sand", {"clay", "paint", "silt"}),
        ('heading:"blue clay"', {"clay"}),
        ('content:"blue clay"', {"clay"}),
        ("clay site:a.org", {"clay", "sand"}),
        ("clay site:docs.a.org", {"sand"}),
        ("clay site:b.org", {"paint"}),
        ("clay -site:a.org", {"paint", "silt"}),
        ("site:A.org", {"clay", "sand"}),
        ("-site:a.org", {"paint", "silt"}),
        ("clay after:2024", {"sand", "paint"}),
        ("clay after:2024-01-02", {"paint"}),
        ("clay before:2024", {"clay"}),
        ("clay before:2024-05-17", {"clay", "sand"}),
        ("clay after:2024-01 before:2024-05", {"sand"}),
        ("-after:2024", {"clay", "silt"}),
        ("clay lang:EN", {"clay", "sand"}),
        ("blue kind:heading", {"clay"}),
        ("clay kind:heading", {"clay"}),
        ("clay -kind:heading", {"sand", "paint", "silt"}),
        ("kind:title", {"clay", "sand", "paint", "silt"}),
        ('"blue cl*"', set()),
        ("unknown*", set()),
        ("unknown -clay", set()),
    ],
)
def test_answers_fulfil_the_conditions(index: Index, text: str, expected: set[str]) -> None:
    assert names(index, text) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("well-known", ("well", "known")),
        ("a --b", ("a", "b")),
        ("- clay", ("clay",)),
        ("std::vector", ("std", "vector")),
        ("http://a.org", ("http", "a", "org")),
        ("before:lunch", ("before", "lunch")),
        ("kind:odd", ("kind", "odd")),
        ("lang:english", ("lang", "english")),
        ("site: a", ("site", "a")),
        ('title:"', ("title",)),
        ("*", ()),
        ("2*3", ("2", "3")),
        ('"clay', ("clay",)),
    ],
)
def test_other_texts_are_words(text: str, words: tuple[str, ...]) -> None:
    query = Query.read(text, Analyser())
    assert (query.words, query.conditions) == (words, ())


def test_a_query_is_a_value_that_json_can_hold() -> None:
    query = Query.read('clay -"blue sand" os.pa* title:x', Analyser())
    assert query == Query.read(query.text, Analyser())
    assert hash(query) == hash(Query.read(query.text, Analyser()))
    with pytest.raises(AttributeError):
        query.words = ()  # type: ignore[misc]
    read = json.loads(json.dumps(query.as_dict()))
    assert read["words"] == ["clay", "os", "x"]
    assert [(item["field"], item["value"], item["prefix"], item["excluded"]) for item in read["conditions"]] == [
        ("", "blue sand", False, True),
        ("", "os.pa*", True, False),
        ("title", "x", False, False),
    ]


def test_a_class_is_named_by_its_first_digits(index: Index, tmp_path: Path) -> None:
    page = Document.of_text("http://a.org/", "", "clay\nsand")
    label = np.array([0x5F3A << 48, 0x6F3A << 48], np.uint64)
    index = Index.build([replace(page, label=label, segment=np.arange(2))], tmp_path / "index")
    found = {text: index.query(text).matched for text in ("clay kind:5f3a", "sand kind:5f3a", "kind:5f3b", "kind:6f3a")}
    assert found == {"clay kind:5f3a": 1, "sand kind:5f3a": 0, "kind:5f3b": 0, "kind:6f3a": 1}


def test_phrases_are_those_of_a_slow_search(tmp_path: Path) -> None:
    draw = random.Random(4)
    texts = ["\n".join(" ".join(draw.choices("abc", k=6)) for _ in range(3)) for _ in range(40)]
    pages = [Document.of_text(f"http://a.org/{number}", "", text) for number, text in enumerate(texts)]
    index = Index.build(pages, tmp_path / "index")
    for _ in range(30):
        phrase = " ".join(draw.choices("abc", k=draw.randint(2, 4)))
        score = np.ones(len(pages), np.float32)
        keep_fulfilling(index.read(f'"{phrase}"'), score, index.shards, index.analyser)
        assert (score > 0).tolist() == [any(phrase in line for line in text.split("\n")) for text in texts]


def test_a_prefix_stands_for_words_of_the_index(index: Index) -> None:
    query = index.read("clay paint*")
    assert query.words == ("clay",)
    assert {term for term, _ in query.further} == {"painter", "painting", "paints"}
    assert index.query("paint*")[0].snippet.html.count("<mark>") == 2  # type: ignore[union-attr]


def test_each_paragraph_is_read_once_for_all_phrases(tmp_path: Path) -> None:
    pages = [Document.of_text(f"http://a.org/{number}", "", "a b c d e\nb a") for number in range(20)]
    index = Index.build(pages, tmp_path / "index")
    read = []

    class Counted(Analyser):
        def __call__(self, text: str) -> list[tuple[str, int, int]]:
            read.append(text)
            return super().__call__(text)

    orders = [" ".join(order) for order in permutations("abcde") if "".join(order) != "abcde"]
    for text in (" ".join(['"a b"'] * 1000), " ".join(f'-"{order}"' for order in orders)):
        score = np.ones(len(pages), np.float32)
        read.clear()
        keep_fulfilling(index.read(text), score, index.shards, Counted())
        assert score.all()
        assert len(read) <= 2 * len(pages)


def test_a_query_has_few_different_conditions() -> None:
    query = Query.read(
        "clay " + "-sand " * 1000 + " ".join(f"-site:{number}.org" for number in range(1000)), Analyser()
    )
    assert query.words == ("clay",)
    assert [item.value for item in query.conditions[:2]] == ["sand", "0.org"]
    assert len(query.conditions) == MOST_CONDITIONS
