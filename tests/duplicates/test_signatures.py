"""Min-hash signatures against the shingles themselves, and against rensa and datasketch where these are installed."""

from __future__ import annotations

from collections import Counter
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.duplicates import PAPER, Rule, hashed_shingles
from webstrata.duplicates._minhash import min_hashes, shingle_hashes, word_hashes
from webstrata.errors import InputError
from webstrata.text import shingles, words

# Few letters, so that words and shingles come back; marks, scripts without spaces, and what grows in lower case.
TEXTS = st.text(st.sampled_from("ab' .,-|\n欢迎กขİẞ\U0001f600"), max_size=80)


def jaccard(a: str, b: str, length: int) -> float:
    one, other = set(shingles(a, length)), set(shingles(b, length))
    return len(one & other) / max(1, len(one | other))


@given(text=TEXTS)
def test_words_that_are_equal_have_equal_hashes_and_no_others(text: str) -> None:
    hashes = np.asarray(word_hashes(text)).tolist()
    found = words(text)
    assert len(hashes) == len(found)
    assert len(set(zip(found, hashes, strict=True))) == len(set(found)) == len(set(hashes))


@given(text=TEXTS, length=st.integers(1, 7))
def test_shingles_that_are_equal_have_equal_hashes_and_no_others(text: str, length: int) -> None:
    hashes = np.asarray(shingle_hashes(word_hashes(text.lower()), length)).tolist()
    found = shingles(text, length)
    assert len(hashes) == len(found)
    assert Counter(Counter(hashes).values()) == Counter(Counter(found).values())
    assert len(hashed_shingles(text, length)) == len(set(found))


def test_long_texts_are_hashed_as_short_ones() -> None:
    text = " ".join(f"word{n}" for n in range(5000))
    assert np.asarray(word_hashes(text)).tolist() == [word_hashes(f"word{n}")[0] for n in range(5000)]


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=20), st.integers(1, 9))
def test_min_hashes_are_the_least_values(values: list[int], count: int) -> None:
    factors = np.random.default_rng(1).integers(0, 2**63, count).astype(np.uint64)
    terms = factors[::-1].copy()
    out = np.empty(count, np.uint32)
    min_hashes(np.array(values, np.uint64), factors, terms, out)
    expected = [
        min((a * value + b) % 2**64 >> 32 for value in values)
        for a, b in zip(factors.tolist(), terms.tolist(), strict=True)
    ]
    assert out.tolist() == expected


@pytest.mark.parametrize("kept", [0.95, 0.7, 0.4, 0.1])
def test_agreement_estimates_the_share_of_shingles(kept: float) -> None:
    random = np.random.default_rng(3)
    rule = Rule(bands=1024, rows=1)
    first = [f"w{n}" for n in random.integers(0, 10**6, 800).tolist()]
    second = [word if random.random() < kept ** (1 / 6) else "other" + word for word in first]
    a, b = " ".join(first), " ".join(second)
    one, other = rule.signature(a), rule.signature(b)
    assert one is not None
    assert other is not None
    # The standard deviation of the estimate is at most 0.5 / 32: four of these.
    assert abs(float(rule.share(one, other)) - jaccard(a, b, 6)) < 4 * 0.5 / 32


def test_a_text_without_a_word_has_no_signature() -> None:
    assert Rule().signature(" | -- ") is None
    assert Rule().signature("") is None


def test_case_and_marks_do_not_matter() -> None:
    rule = Rule()
    a, b = rule.signature("It RAINED, twice: we slept until ten."), rule.signature("it rained twice we slept until ten")
    assert a is not None
    assert a.tolist() == (b.tolist() if b is not None else None)


@given(st.lists(st.lists(st.integers(0, 3), min_size=6, max_size=6), min_size=2, max_size=8))
def test_keys_are_equal_where_bands_are(rows: list[list[int]]) -> None:
    rule = Rule(bands=3, rows=2)
    keys = rule.keys(np.array(rows, np.uint32))
    for i, a in enumerate(rows):
        for j, b in enumerate(rows):
            for band in range(3):
                same = a[2 * band : 2 * band + 2] == b[2 * band : 2 * band + 2]
                assert (keys[i, band] == keys[j, band]) == same
    assert len({int(key) for key in keys[0]}) == 3


@settings(max_examples=20, deadline=None)
@given(bands=st.integers(1, 3), rows=st.integers(1, 3), shared=st.sampled_from([0.2, 0.5, 1.0]), s=st.floats(0, 1))
def test_the_probability_is_that_of_all_outcomes(bands: int, rows: int, shared: float, s: float) -> None:
    rule = Rule(bands=bands, rows=rows, shared=shared)
    n = bands * rows
    total = 0.0
    for outcome in range(2**n):
        agree = [(outcome >> place) & 1 for place in range(n)]
        in_band = any(all(agree[band * rows : (band + 1) * rows]) for band in range(bands))
        if in_band and sum(agree) >= rule.needed:
            total += s ** sum(agree) * (1 - s) ** (n - sum(agree))
    assert abs(float(rule.probability(np.array([s]))[0]) - total) < 1e-9


def test_the_paper_misses_no_pair_of_its_rule() -> None:
    s = 0.4
    exact = sum(comb(8, k) * s**k * (1 - s) ** (8 - k) for k in range(4, 9))
    assert abs(float(PAPER.probability(np.array([s]))[0]) - exact) < 1e-12


def test_rules_that_make_no_sense_say_so() -> None:
    for parameters in ({"bands": 0}, {"rows": 0}, {"length": 0}, {"shared": 0.0}, {"shared": 1.5}, {"bands": 5000}):
        with pytest.raises(InputError):
            Rule(**parameters)
