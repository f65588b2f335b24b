"""Labels by alignment, folds, and training from small pages."""

from __future__ import annotations

from functools import cache

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from webstrata.training._align import align
from webstrata.training.samples import Labelled, label, prepare


def _score_by_brute_force(left: tuple[int, ...], right: tuple[int, ...]) -> int:
    """The best score of any alignment: 1 a match, 2 when it continues the one just before."""

    @cache
    def best(i: int, j: int, continues: bool) -> int:
        if i == len(left) or j == len(right):
            return 0
        options = [best(i + 1, j, False), best(i, j + 1, False)]
        if left[i] == right[j]:
            options.append((2 if continues else 1) + best(i + 1, j + 1, True))
        return max(options)

    return best(0, 0, False)


words = st.lists(st.integers(0, 3), max_size=9)


@given(words, words)
def test_alignment_is_a_common_subsequence(left: list[int], right: list[int]) -> None:
    places = np.arange(len(left), dtype=np.int32)
    matched = align(np.array(left, np.int32), places, np.array(right, np.int32))
    rest = iter(right)
    assert all(word in rest for word in np.array(left)[matched].tolist())


@given(words, words)
def test_alignment_has_the_best_score(left: list[int], right: list[int]) -> None:
    places = np.arange(len(left), dtype=np.int32)
    matched = align(np.array(left, np.int32), places, np.array(right, np.int32))
    best = _score_by_brute_force(tuple(left), tuple(right))
    # The matched words, aligned again, reach the best score that the whole has.
    chosen = tuple(word if hit else -1 for word, hit in zip(left, matched.tolist(), strict=True))
    assert _score_by_brute_force(chosen, tuple(right)) == best


def test_label_tells_repeated_words_by_their_place() -> None:
    share, counts = label(["About", "About the cat", "It sat down.", "About"], "about the cat it sat down")
    assert share.tolist() == [0, 1, 1, 0]
    assert counts.tolist() == [1, 3, 3, 1]


def test_label_finds_a_paragraph_that_was_moved() -> None:
    first, second = "one two three four five six", "red green blue cyan pink grey white black"
    assert label([first, second], f"{second} {first}")[0].tolist() == [1, 1]


def test_label_of_nothing() -> None:
    assert label([], "words")[0].tolist() == []
    assert label(["words", ""], "")[0].tolist() == [0, 0]


def test_a_title_is_not_trained_on_where_the_gold_leaves_titles_out() -> None:
    html = b"<title>Silt is fine</title><h1>Silt is fine</h1><p>It lies between the sand and the clay of a river bed."
    of = {
        source: prepare(Labelled("1", "https://a.example/", "article", html, "It lies between", source))
        for source in ("fundus", "wcxb-dev")
    }
    assert np.isnan(of["fundus"].content).tolist() == [True, False]
    assert not np.isnan(of["wcxb-dev"].content).any()
