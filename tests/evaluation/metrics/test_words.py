"""Bag-of-words scores against counting by hand, and snippets."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webstrata.evaluation.metrics import Score, snippets, tokens, word_score

texts = st.lists(st.sampled_from(["the", "The", "cat", "dog,", "dog", "--", "über"]), max_size=12)


def hits_by_crossing_out(truth: list[str], predicted: list[str]) -> int:
    left = list(truth)
    hits = 0
    for word in predicted:
        if word in left:
            left.remove(word)
            hits += 1
    return hits


@given(texts, texts)
def test_hits_are_words_crossed_out_one_by_one(truth: list[str], predicted: list[str]) -> None:
    for tokenise in (tokens, str.split):
        a, b = tokenise(" ".join(truth)), tokenise(" ".join(predicted))
        score = word_score(" ".join(truth), "\n".join(predicted), tokenise=tokenise)
        assert (score.hits, score.retrieved, score.relevant) == (hits_by_crossing_out(a, b), len(b), len(a))


@given(texts, texts, st.randoms())
def test_symmetric_and_blind_to_order(truth: list[str], predicted: list[str], shuffler: random.Random) -> None:
    score = word_score(" ".join(truth), " ".join(predicted))
    back = word_score(" ".join(predicted), " ".join(truth))
    assert (back.precision, back.recall, back.f) == (score.recall, score.precision, score.f)
    shuffler.shuffle(predicted)
    assert word_score(" ".join(truth), " ".join(predicted)) == score
    assert word_score(" ".join(truth), " ".join(truth)).f == 1


@pytest.mark.parametrize(
    ("truth", "predicted", "f"), [("", "", 1.0), (" \n", "...", 1.0), ("word", "", 0.0), ("", "word", 0.0)]
)
def test_texts_without_words(truth: str, predicted: str, f: float) -> None:
    assert word_score(truth, predicted).f == f


def test_tokens_are_unicode_words_in_lower_case() -> None:
    assert tokens("# Über-Straße_2 [link](x)") == ["über", "straße_2", "link", "x"]
    assert tokens("日本語 テスト") == ["日本語", "テスト"]


def test_snippets_ignore_white_space_and_case() -> None:
    text = "First   Paragraph\nof the STRASSE.\n\nSecond one."
    score = snippets(text, wanted=["paragraph of\tthe straße", "third"], unwanted=["second", "Cookie policy"])
    assert (score.found, score.wanted, score.avoided, score.unwanted) == (1, 2, 1, 2)
    assert (score.found_share, score.avoided_share) == (0.5, 0.5)


def test_snippets_that_ask_nothing() -> None:
    score = snippets("text", wanted=[" "], unwanted=[""])
    assert (score.wanted, score.unwanted, score.found_share, score.avoided_share) == (0, 0, 1.0, 1.0)


def test_empty_text_holds_no_snippet() -> None:
    score = snippets("", wanted=["a"], unwanted=["b"])
    assert (score.found_share, score.avoided_share) == (0.0, 1.0)


def test_snippets_as_trafilatura_counts_them() -> None:
    """Case counts; an unwanted snippet that occurs lowers precision, a wanted one that does not lowers recall."""
    found = snippets(
        "A storm hit the coast. Subscribe", ["A storm", "a storm", "coast"], ["Subscribe"], fold_case=False
    )
    assert found.score == Score.from_counts(2, retrieved=3, relevant=3)
    assert snippets("A storm hit", ["a storm"], []).found == 1
