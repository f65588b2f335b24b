"""Terms: what they are, where they stand, and postings against a slow count."""

from __future__ import annotations

import unicodedata
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.errors import InputError
from webstrata.search import Analyser


def terms(text: str) -> list[str]:
    return [term for term, _, _ in Analyser()(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Café ÉTÉ", ["cafe", "ete"]),
        ("Straße, ﬁne", ["strasse", "fine"]),
        ("os.path_join(a-b)", ["os", "path", "join", "a", "b"]),
        ("欢迎光临", ["欢迎", "迎光", "光临"]),
        ("山 web网", ["山", "web", "网"]),
        ("한국어 हिन्दी", ["한국어", "हिन्दी"]),
        ("co\u00adoperate e\u0301t", ["cooperate", "et"]),
        ("ＡＢＣ １２", ["abc", "12"]),
        ("\x00\x1b[0m \ud800", ["0m"]),
        ("", []),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_long_terms_are_cut() -> None:
    assert [len(term) for term in terms("a" * 1000 + " b")] == [256, 1]


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_places_are_within_the_text_and_in_order(text: str) -> None:
    found = Analyser()(text)
    assert all(term and 0 <= start < stop <= len(text) for term, start, stop in found)
    assert [start for _, start, _ in found] == sorted(start for _, start, _ in found)


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(min_codepoint=32, max_codepoint=0x24F), max_size=40))
def test_composed_and_decomposed_texts_have_the_same_terms(text: str) -> None:
    assert terms(text) == terms(unicodedata.normalize("NFD", text))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(st.sampled_from("ab é漢字.- "), max_size=20), max_size=8))
def test_postings_count_every_term_of_every_block(blocks: list[str]) -> None:
    postings = Analyser().postings()
    text = "\n".join(blocks)
    stop = np.cumsum([len(block) + 1 for block in blocks] or [0])[: len(blocks)] - 1
    start = stop - [len(block) for block in blocks]
    tokens, digests = postings.add(text, start.astype(np.int64), stop.astype(np.int64), 0)
    names, first, block, count = postings.columns()
    expected = [Counter(terms(one)) for one in blocks]
    assert tokens.tolist() == [sum(counts.values()) for counts in expected]
    assert names == sorted(name.encode() for name in set().union(*expected))
    for number, name in enumerate(names):
        own = slice(first[number], first[number + 1])
        found = dict(zip(block[own].tolist(), count[own].tolist(), strict=True))
        assert found == {place: counts[name.decode()] for place, counts in enumerate(expected) if counts[name.decode()]}
    same = {tuple(terms(one)) for one in blocks if terms(one)}
    assert len({digest for digest in digests.tolist() if digest}) == len(same)


def test_words_are_stemmed_and_left_out() -> None:
    pytest.importorskip("Stemmer")
    analyser = Analyser(stemmer="english", stop_words="the")
    assert [term for term, _, _ in analyser("The layers layered")] == ["layer", "layer"]
    postings = analyser.postings()
    tokens, _ = postings.add("The layers layered", np.array([0]), np.array([18]), 0)
    names, _, _, count = postings.columns()
    assert (tokens.tolist(), names, count.tolist()) == ([2], [b"layer"], [2])
    with pytest.raises(InputError, match="no stemmer is called 'klingon'"):
        Analyser(stemmer="klingon")("word")


def test_spans_that_leave_the_text_are_refused() -> None:
    with pytest.raises(IndexError):
        Analyser().postings().add("abc", np.array([0]), np.array([4]), 0)
