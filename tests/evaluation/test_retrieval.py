"""Measures of retrieval against other implementations, files of queries, and queries from sites."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.errors import InputError
from webstrata.evaluation.known_items import anchor_queries, without_queries
from webstrata.evaluation.metrics.retrieval import average_precision, ndcg, precision, reciprocal_rank, score_answers
from webstrata.evaluation.retrieval import JudgedQuery, evaluate_rankings, read_queries, table, write_queries
from webstrata.search import Document, Index

gains = st.lists(st.integers(0, 3), min_size=2, max_size=30)


@settings(max_examples=60, deadline=None)
@given(gains)
def test_ndcg_is_that_of_scikit_learn(found: list[int]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    order = -np.arange(len(found), dtype=float)
    assert ndcg(found, found, k=10) == pytest.approx(metrics.ndcg_score([found], [order], k=10))


@settings(max_examples=60, deadline=None)
@given(gains)
def test_average_precision_is_that_of_scikit_learn(found: list[int]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    binary = [gain > 0 for gain in found]
    expected = metrics.average_precision_score(binary, -np.arange(len(found))) if any(binary) else 0.0
    assert average_precision(found, sum(binary)) == pytest.approx(expected)


def test_missing_answers_count() -> None:
    assert average_precision([1], relevant=4) == 0.25
    assert ndcg([], [1, 1]) == reciprocal_rank([0, 0]) == average_precision([], 0) == ndcg([0], []) == 0.0
    assert score_answers(["a", "a", "b"], {"b": 1.0})["MRR"] == 0.5
    with pytest.raises(InputError):
        precision([1], k=0)


def test_queries_are_written_and_read_back(tmp_path: Path) -> None:
    queries = [JudgedQuery("ä b", {"http://a.org/": 2.0}, "title"), JudgedQuery("c", {}, "")]
    write_queries(tmp_path / "out" / "queries.jsonl", queries)
    assert read_queries(tmp_path / "out" / "queries.jsonl") == queries
    for wrong in ("", "{", '{"query": "a"}', "[]", '{"query": "a", "relevant": {"b": "x"}}'):
        (tmp_path / "wrong").write_text(wrong)
        with pytest.raises(InputError):
            read_queries(tmp_path / "wrong")


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    names = [f"name{number}" for number in range(20)]
    return [
        Document.of_text(
            f"http://a.org/{name}",
            name,
            f"about {name}\nsee also",
            links=[("http://a.org/name19", f"the {names[19]} {name}")],
        )
        for name in names
    ]


def test_rankings_are_compared_with_intervals_and_tests(documents: list[Document], tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    queries = anchor_queries(documents, 100)
    assert {item.query for item in queries} == {f"the name19 name{number}" for number in range(19)}
    kept = without_queries(documents, queries)
    assert [len(item.links) for item in kept] == [0] * 19 + [1]
    index = Index.build(documents, tmp_path / "index", rankings=["bm25"])
    rows = evaluate_rankings(index, queries, ["bm25", "bm25f(anchor=9.0)"])
    assert rows[0].difference.mean == 0.0
    assert (rows[0].p_randomisation, rows[0].p_wilcoxon) == (1.0, 1.0)
    assert rows[1].means["MRR"] > rows[0].means["MRR"]
    assert rows[1].p_randomisation < 0.05
    assert rows[1].p_wilcoxon < 0.05
    assert len(list(table(rows))) == 3
    with pytest.raises(InputError):
        evaluate_rankings(index, queries, ["bm25"], measure="F1")


@given(st.lists(st.integers(0, 3), min_size=1, max_size=15))
def test_the_printed_ndcg(found: list[int]) -> None:
    """Kohlschütter 2011 §2.2: the first gain, and each later one divided by log2 of its rank, over the ideal."""

    def printed(gains: list[int]) -> float:
        return gains[0] + sum(gain / math.log2(rank) for rank, gain in enumerate(gains[1:10], start=2))

    best = printed(sorted(found, reverse=True))
    assert ndcg(found, found, discount="log2(i)") == pytest.approx(printed(found) / best if best else 0.0)
