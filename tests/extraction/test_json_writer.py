"""Extractions as JSON: the native writer against Python's own."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from generated_pages import pages
from hypothesis import given
from hypothesis import strategies as st

from webstrata.errors import InputError
from webstrata.extraction import extract
from webstrata.extraction.base import Extraction, Kind
from webstrata.page import parse

# The characters that JSON escapes, and some that it does not.
TEXT = st.text(st.sampled_from('a"\\/\x00\x01\x1f\x7f\u2028é日𝒳 <'), max_size=12)
SCORES = st.one_of(
    st.floats(0, 1),
    st.floats(),
    st.integers(0, 20_001).map(lambda n: n / 20_000),  # ties
    st.integers(0, 10_000).map(lambda n: n / 10_000),
)


def decided(html: str, scores: list[float], reasons: tuple[str, ...] = ("so",)) -> Extraction:
    """An extraction with these scores, as far as there are blocks."""
    found = extract(parse(html), "keep-all")
    count = len(found.keep)
    kind = np.arange(count) % len(Kind)
    reason = np.arange(count) % len(reasons)
    score = np.resize(np.array([0.0, *scores]), count)
    return replace(found, keep=kind % 2 == 1, kind=kind, score=score, reason=reason, reasons=reasons)


def by_python(found: Extraction) -> str:
    return json.dumps(found.as_dict(), ensure_ascii=False)


@given(pages(), st.lists(SCORES, max_size=9), st.lists(TEXT, min_size=1, max_size=3))
def test_it_is_what_python_writes(html: str, scores: list[float], reasons: list[str]) -> None:
    found = decided(html, scores, tuple(reasons))
    assert found.json() == by_python(found)
    assert found.json(indent=2) == json.dumps(found.as_dict(), ensure_ascii=False, indent=2)


@given(TEXT)
def test_text_is_escaped(text: str) -> None:
    found = decided("<pre>" + text.replace("&", "").replace("<", "&lt;") + "</pre>", [])
    assert found.json() == by_python(found)
    assert json.loads(found.json()) == found.as_dict()


def test_scores_are_rounded_as_python_rounds() -> None:
    scores = [n / 200_000 for n in range(0, 200_001, 7)] + [0.00005, 0.00015, 0.99995, 1.0]
    found = decided("<p>a" * len(scores), scores)
    assert found.json() == by_python(found)


def test_a_page_without_blocks() -> None:
    assert json.loads(extract("").json())["blocks"] == []


def test_decisions_that_do_not_fit_are_refused() -> None:
    found = decided("<p>a<p>b", [])
    with pytest.raises(InputError, match="2 blocks"):
        replace(found, score=found.score[:1]).json()
    with pytest.raises(IndexError, match="block 1"):
        replace(found, reason=np.array([0, 1])).json()
    with pytest.raises(IndexError, match="block 0"):
        replace(found, kind=np.array([-1, 1])).json()
