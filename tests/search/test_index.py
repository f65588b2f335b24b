"""An index against a slow reference: every ranking, built at once and in shards, whole, damaged and killed."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from webstrata.search import Document, Index
from webstrata.search.documents import CONTENT, HEADING, TEMPLATE

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
