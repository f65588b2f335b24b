"""Reasons for the score of a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from webstrata.search import Document, Index
from webstrata.search.reasons import reasons

_NAMES = ("clay", "sand", "silt")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """Pages in two shards, each with a heading-like title and two blocks."""
    texts = {name: f"All about {name}.\n{name} and {name} and rivers." for name in _NAMES}
    pages = [Document.of_text(f"http://a.org/{name}", name, text) for name, text in texts.items()]
    folder: Path = tmp_path_factory.mktemp("reasons")
    return Index.build(pages[:2], folder / "index", rankings=("strata", "bm25")).add(pages[2:])


@pytest.mark.parametrize("ranking", ["strata", "bm25", "bm25+min-words(minimum=4)"])
def test_the_reasons_of_each_answer_add_up_to_its_score(index: Index, ranking: str) -> None:
    for query in ("silt rivers", "about clay", "sand"):
        answers = index.query(query, ranking=ranking)
        assert len(answers)
        for answer in answers:
            found = reasons(index, query, answer.page, ranking=ranking)
            assert found.score == pytest.approx(answer.score, rel=1e-4)
            for term in found.terms:
                weighted = sum(item.count * item.weight for item in term.occurrences)
                assert weighted == pytest.approx(term.frequency, rel=1e-4)


def test_occurrences_are_counted_by_stratum(index: Index) -> None:
    [page] = [answer.page for answer in index.query("silt", ranking="bm25")]
    [term] = reasons(index, "silt", page, ranking="bm25").terms
    assert {item.stratum: item.count for item in term.occurrences} == {"title": 1, "content": 3}


def test_pages_out_of_range_are_refused(index: Index) -> None:
    for page in (-1, len(_NAMES)):
        with pytest.raises(IndexError, match=f"no page {page}"):
            reasons(index, "clay", page)
