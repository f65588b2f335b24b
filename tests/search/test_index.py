"""An index against a slow reference: every ranking, built at once and in shards, whole, damaged and killed."""

from __future__ import annotations

import json
import math
import os
import pickle
import random
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from webstrata.errors import InputError
from webstrata.search import RANKINGS, Analyser, Document, Index
from webstrata.search.documents import CONTENT, HEADING, TEMPLATE
from webstrata.search.shard import TITLE_LABEL, ShardBuilder

WORDS = [f"w{number}" for number in range(12)]


def document(url: str, title: str, rows: list[tuple[list[str], int, int, int]]) -> Document:
    """A document of blocks: the words of each, its stratum, its segment and the label of its class."""
    texts = [" ".join(words) for words, *_ in rows]
    stop = np.cumsum([len(text) + 1 for text in texts]) - 1
    start = stop - [len(text) for text in texts]
    count = np.array([len(words) for words, *_ in rows], np.int64)
    stratum, segment, label = (np.array([row[place] for row in rows], np.int64) for place in (1, 2, 3))
    return Document(
        url=url, title=title, text="\n".join(texts), start=start, stop=stop, source_start=start, source_stop=stop,
        words=count, density=count, bte=np.ones(len(rows)), paragraph=np.arange(len(rows)), stratum=stratum,
        segment=segment, label=label,
    )  # fmt: skip


_row = st.tuples(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=8),
    st.sampled_from([HEADING, CONTENT, TEMPLATE]),
    st.integers(0, 2),
)
_page = st.tuples(st.sampled_from(["", "w1", "w2 w3"]), st.lists(_row, max_size=5))


def corpus(pages: list[tuple[str, list[tuple[list[str], int, int]]]]) -> list[Document]:
    """Documents whose segments of one number are of one class."""
    return [
        document(
            f"http://a.org/{number}",
            title,
            [(words, stratum, segment, segment + 100) for words, stratum, segment in rows],
        )
        for number, (title, rows) in enumerate(pages)
    ]


def slow_bm25(documents: list[Document], query: list[str], k1: float = 1.2, b: float = 0.75) -> list[float]:
    """BM25 to the letter, over titles and texts."""
    texts = [(item.title + " " + item.text).split() for item in documents]
    mean = sum(map(len, texts)) / len(texts)
    scores = []
    for text in texts:
        score, counts = 0.0, Counter(text)
        for term in query:
            having = sum(term in other for other in texts)
            if counts[term]:
                idf = math.log(1 + (len(texts) - having + 0.5) / (having + 0.5))
                norm = k1 * (1 - b + b * len(text) / mean)
                score += idf * counts[term] * (k1 + 1) / (counts[term] + norm)
        scores.append(score)
    return scores


def as_scores(index: Index, text: str, ranking: str) -> dict[str, float]:
    answers = index.query(text, k=10_000, ranking=ranking, snippets=False).answers
    return {answer.url: answer.score for answer in answers}


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pages=st.lists(_page, min_size=1, max_size=12), query=st.lists(st.sampled_from([*WORDS, "none"]), max_size=5))
def test_bm25_is_that_of_the_slow_reference(tmp_path_factory, pages, query) -> None:  # type: ignore[no-untyped-def]
    documents = corpus(pages)
    index = Index.build(documents, tmp_path_factory.mktemp("index") / "i", rankings=["bm25"])
    expected = slow_bm25(documents, query)
    for ranking in ("bm25", "bm25(k1=1.2000001)"):  # impacts that the index holds, and those computed for the query
        found = as_scores(index, " ".join(query), ranking)
        assert set(found) == {item.url for item, score in zip(documents, expected, strict=True) if score > 0}
        for item, score in zip(documents, expected, strict=True):
            assert found.get(item.url, 0.0) == pytest.approx(score, rel=1e-6 if ranking == "bm25" else 1e-5)


def slow_weights(documents: list[Document], reading: str) -> dict[int, float]:
    """The weight of each class by the definitions, without any rare classes; the key of titles is -1."""
    segments: list[tuple[int, int, list[str]]] = []  # page, class, terms
    for number, item in enumerate(documents):
        found: dict[tuple[int, int], list[str]] = {}
        if item.title:
            found[-1, -1] = item.title.split()
        for place in range(len(item.start)):
            key = int(item.segment[place]), int(item.label[place])
            found.setdefault(key, []).extend(item.text[item.start[place] : item.stop[place]].split())
        segments += [(number, label, terms) for (_, label), terms in found.items()]
    spread = Counter((page, term) for page, _, terms in segments for term in set(terms))
    sums: dict[int, list[float]] = {}
    occurrences: Counter[int] = Counter()
    for label in {label for _, label, _ in segments}:
        own = [(page, terms) for page, other, terms in segments if other == label]
        icf = {term: math.log(len(own) / sum(term in terms for _, terms in own)) for _, terms in own for term in terms}
        if reading == "vocabulary":
            means = {term: [spread[page, term] for page, terms in own if term in terms] for term in icf}
            sums[label] = [icf[term] * sum(values) / len(values) for term, values in means.items()]
        else:
            sums[label] = [icf[term] * spread[page, term] for page, terms in own for term in terms]
        occurrences[label] = sum(len(terms) for _, terms in own)
    importance = {label: sum(values) / len(values) for label, values in sums.items()}
    mean = sum(importance[label] * occurrences[label] for label in importance) / sum(occurrences.values())
    return {label: value / mean if mean > 0 else 1.0 for label, value in importance.items()}


@pytest.mark.parametrize("reading", ["vocabulary", "occurrence"])
def test_weights_of_classes_are_those_of_the_definitions(tmp_path: Path, reading: str) -> None:
    draw = random.Random(5)
    documents = corpus(
        [
            (draw.choice(WORDS), [(draw.choices(WORDS[segment * 3 :], k=6), CONTENT, segment) for segment in (0, 1, 2)])
            for _ in range(12)
        ]
    )
    index = Index.build(documents, tmp_path / "index", rankings=["bm25"])
    expected = slow_weights(documents, reading)
    classes = index.model.classes
    found = dict(zip(classes.label.tolist(), classes.weight[reading][classes.number].tolist(), strict=True))
    for label, weight in expected.items():
        assert found[TITLE_LABEL if label == -1 else label] == pytest.approx(weight, rel=1e-9)


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    draw = random.Random(3)
    menu = (["menu", "home"], TEMPLATE, 9)
    pages = []
    for _ in range(30):
        rows = [(draw.choices(WORDS, k=draw.randint(1, 20)), draw.choice([HEADING, CONTENT]), 1) for _ in range(4)]
        pages.append((" ".join(draw.choices(WORDS, k=2)), [menu, *rows]))
    return corpus(pages)


@pytest.fixture(scope="module")
def index(documents: list[Document], tmp_path_factory: pytest.TempPathFactory) -> Index:
    return Index.build(documents, tmp_path_factory.mktemp("search") / "index", rankings=["segment-aware", "bm25"])


RANKED = ["bm25", "bm25nt", "segment-aware", "bm25f", "strata", "bm25+min-words(minimum=5)", "bm25+bte"]


def test_shards_that_are_added_and_merged_answer_as_all_at_once(
    documents: list[Document], index: Index, tmp_path: Path
) -> None:
    grown = Index.build(documents[:10], tmp_path / "index", rankings=["segment-aware", "bm25"])
    grown = grown.add(documents[10:11])
    # A page that is added again counts once.
    grown = grown.add([documents[0], *documents[11:]])
    assert (grown.pages, len(grown.shards)) == (30, 3)
    merged = grown.merged()
    assert (merged.pages, len(merged.shards), len(merged.model.alive)) == (30, 1, 30)
    for one in (grown, merged, Index.open(tmp_path / "index")):
        for ranking in RANKED:
            for query in ("w1", "w2 w3 w3 menu", "w4 w5 w6 w7"):
                assert as_scores(one, query, ranking) == pytest.approx(as_scores(index, query, ranking), rel=1e-5)
    left = sorted(path.name for path in (tmp_path / "index").iterdir())
    assert len(left) == 4, left  # about.json, the lock of writers, a shard, a model


def test_how_many_pages_wait_makes_no_difference(documents: list[Document], monkeypatch: pytest.MonkeyPatch) -> None:
    shards = []
    for waiting in (1, 3, 10_000):
        monkeypatch.setattr("webstrata.search.shard._WAITING", waiting)
        builder = ShardBuilder(Analyser())
        for number, page in enumerate(documents):
            builder.add(page, {"wide words": 2} if number % 2 else None)
        shards.append(builder.shard().arrays())
    for other in shards[1:]:
        assert all(np.array_equal(column, other[name]) for name, column in shards[0].items())


@pytest.mark.parametrize("ranking", ["bm25+min-words(minimum=3)", "strata(power=2.0)+pagerank(power=0.5)"])
def test_impacts_that_are_held_for_a_while_give_the_same_scores(index: Index, ranking: str) -> None:
    held = index.holding(ranking)
    assert held.holding(ranking) is held
    recipe = RANKINGS.make(ranking)
    for text in ("w1 w2", "w3", "nowhere"):
        query = index.read(text)
        assert np.allclose(held.scores(query, recipe), index.scores(query, recipe), rtol=1e-6)


def test_a_menu_counts_for_nothing_where_classes_are_known(index: Index) -> None:
    assert len(as_scores(index, "menu", "bm25")) == 30
    assert as_scores(index, "menu", "segment-aware") == as_scores(index, "menu", "bm25nt") == {}


def test_the_menu_of_a_site_stays_its_menu_beside_another_site(tmp_path: Path) -> None:
    def pages(host: str, first: str) -> list[Document]:
        """Thirty pages whose first segments have one label."""
        rows = [[([first.format(number)], CONTENT, 0, 100), ([f"x{number}"], CONTENT, 1, 101)] for number in range(30)]
        found = [document(f"http://{host}/{number}", "", rows[number]) for number in range(30)]
        return [replace(page, site=host) for page in found]

    one, other = pages("a.org", "menu"), pages("b.org", "menu{}")
    alone = Index.build(one, tmp_path / "alone", rankings=("bm25nt",))
    both = Index.build([*one, *other], tmp_path / "both", rankings=("bm25nt",))
    both = Index.open(tmp_path / "both")
    for ranking in ("bm25nt", "segment-aware", "bm25nt(templates='fingerprint')"):
        assert as_scores(alone, "menu", ranking) == as_scores(both, "menu", ranking) == {}
    assert len(as_scores(both, "menu7", "bm25nt")) == 1
    # Without sites, the class of both hosts is no template.
    merged = Index.build([replace(page, site="") for page in [*one, *other]], tmp_path / "merged", rankings=("bm25nt",))
    assert len(as_scores(merged, "menu", "bm25nt")) == 30


def test_selections_leave_short_blocks_out(documents: list[Document], index: Index) -> None:
    found = as_scores(index, "w1", "bm25+min-words(minimum=15)")
    expected = {
        item.url
        for item in documents
        if "w1" in item.title.split()
        or any(
            "w1" in item.text[start:stop].split()
            for start, stop, words in zip(item.start, item.stop, item.words, strict=True)
            if words >= 15
        )
    }
    assert set(found) == expected
    assert len(found) < len(as_scores(index, "w1", "bm25"))


def test_an_index_that_is_damaged_is_refused(index: Index, tmp_path: Path) -> None:
    files = sorted(path.relative_to(index.folder) for path in index.folder.rglob("*") if path.is_file())
    assert len(files) > 40
    broken = tmp_path / "index"
    shutil.copytree(index.folder, broken)
    for name in files:
        data = (broken / name).read_bytes()
        (broken / name).write_bytes(data[: len(data) // 2])
        with pytest.raises(InputError):
            Index.open(broken)
        (broken / name).unlink()
        with pytest.raises(InputError):
            Index.open(broken)
        (broken / name).write_bytes(data)
    assert Index.open(broken).pages == 30


def test_other_versions_are_refused(index: Index, tmp_path: Path) -> None:
    shutil.copytree(index.folder, tmp_path / "index")
    about = json.loads((tmp_path / "index" / "about.json").read_text())
    (tmp_path / "index" / "about.json").write_text(json.dumps({**about, "version": 99}))
    with pytest.raises(InputError, match="version 99"):
        Index.open(tmp_path / "index")


def test_an_index_that_is_killed_while_it_is_built_is_not_there(documents: list[Document], tmp_path: Path) -> None:
    script = (
        "import os, pickle, sys\nfrom pathlib import Path\nfrom webstrata.search import Index\n"
        "pages = pickle.load(open(sys.argv[1], 'rb'))\n"
        "Index.build(pages, Path(sys.argv[2]), progress=lambda share: os.kill(os.getpid(), 9))\n"
    )
    (tmp_path / "pages").write_bytes(pickle.dumps(documents))
    arguments = [sys.executable, "-c", script, str(tmp_path / "pages"), str(tmp_path / "index")]
    killed = subprocess.run(arguments, check=False, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert killed.returncode == -9
    with pytest.raises(InputError, match="no search index"):
        Index.open(tmp_path / "index")
    # What was left is in nobody's way.
    assert Index.build(documents, tmp_path / "index").pages == 30


@pytest.mark.parametrize(
    "query",
    ["", " ", "?!", "unknown", "\x00\x1b[31m", "\ud800", "title:", '"', '""', 'title:"w1', "🏔️", "a" * 100_000,
     "w1 " * 10_000, " ".join(f"w{n}" for n in range(10_000)), "((((", "title:title:w1", "-", "*", "-*", "-w1", "w1*",
     "site:", "-site:a.org w1", "kind:ffff", "before:2024-13", "ﷺ \u202e \u0300w1"],
)  # fmt: skip
@pytest.mark.parametrize("ranking", ["segment-aware", "bm25f"])
def test_odd_queries_are_answered(index: Index, query: str, ranking: str) -> None:
    answers = index.query(query, ranking=ranking)
    assert len(answers.answers) == min(answers.matched, 10)
    for answer in answers.answers:
        assert answer.snippet is not None
        assert answer.score > 0


def test_pages_of_answers_follow_one_another(index: Index) -> None:
    whole = [answer.page for answer in index.query("w1 w2", k=12).answers]
    assert (
        whole == [answer.page for first in (0, 5, 10) for answer in index.query("w1 w2", k=5, start=first).answers][:12]
    )
    with pytest.raises(InputError):
        index.query("w1", k=-1)


def test_rankings_that_are_not_there_are_refused(index: Index) -> None:
    for wrong in ("bm26", "bm25+stem", "bm25(k2=1)", "bm25+pagerank(topic='Art')"):
        with pytest.raises(InputError):
            index.query("w1", ranking=wrong)
