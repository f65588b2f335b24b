"""Completion of terms and of queries."""

from __future__ import annotations

from pathlib import Path

import pytest

from webstrata.search import Document, Index
from webstrata.search.completion import completed, completions


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    texts = ("clay clan", "clay clad über", "clay clan claw")
    pages = [Document.of_text(f"http://a.org/{number}", "", text) for number, text in enumerate(texts)]
    folder: Path = tmp_path_factory.mktemp("completion")
    return Index.build(pages, folder / "index")


def test_terms_are_ordered_by_their_pages(index: Index) -> None:
    assert completions(index, "cla") == [("clay", 3), ("clan", 2), ("clad", 1), ("claw", 1)]
    assert completions(index, "cla", most=1) == [("clay", 3)]
    assert completions(index, "ub") == [("uber", 1)]


def test_nothing_completes_an_unknown_or_an_empty_prefix(index: Index) -> None:
    assert completions(index, "x") == completions(index, "") == []


def test_only_an_unknown_last_word_is_completed(index: Index) -> None:
    assert completed(index, "red cl") == "red clay"
    assert completed(index, "clan") == "clan"
    assert completed(index, "cl ") == "cl "
    assert completed(index, "xyz") == "xyz"
