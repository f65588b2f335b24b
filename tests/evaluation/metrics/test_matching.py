"""Block matching against difflib on all pairs and SciPy's matching of bipartite graphs."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.evaluation.metrics import Score, exact_matching, fuzzy_matching, matching

# Short texts over few letters collide and nearly collide often.
texts = st.lists(st.text("ab \n\u00a0", max_size=8), max_size=7)
near_texts = st.lists(st.text("abc", min_size=4, max_size=9), max_size=7)
modes = st.sampled_from(["strict", "thesis"])


def by_all_pairs(
    truth: list[str], predicted: list[str], mode: matching.Mode, threshold: float, autojunk: bool
) -> tuple[int, int, int]:
    """Hits, retrieved and relevant from ``ratio()`` on every pair."""
    csgraph = pytest.importorskip("scipy.sparse.csgraph")
    sparse = pytest.importorskip("scipy.sparse")
    if mode == "thesis":
        table = str.maketrans("", "", " \t\n\r\f\v")
        relevant = Counter({text.translate(table) for text in truth})
        retrieved = Counter({text.translate(table) for text in predicted})
    else:
        relevant = Counter(bare for text in truth if (bare := "".join(c for c in text if not c.isspace())))
        retrieved = Counter(bare for text in predicted if (bare := "".join(c for c in text if not c.isspace())))
    rows, columns = list(relevant.elements()), list(retrieved.elements())
    hits = 0
    if rows and columns:
        close = [[p == t or SequenceMatcher(None, p, t, autojunk).ratio() > threshold for p in columns] for t in rows]
        hits = int(np.sum(csgraph.maximum_bipartite_matching(sparse.csr_matrix(np.array(close, dtype=int))) >= 0))
    return hits, retrieved.total(), relevant.total()


@settings(deadline=None)  # the first example pays for importing the oracle
@given(texts, texts, modes, st.sampled_from([0.0, 0.5, 0.8, 1.0]), st.booleans())
def test_fuzzy_equals_all_pairs(
    truth: list[str], predicted: list[str], mode: matching.Mode, threshold: float, autojunk: bool
) -> None:
    score = fuzzy_matching(truth, predicted, mode=mode, threshold=threshold, autojunk=autojunk)
    expected = by_all_pairs(truth, predicted, mode, threshold, autojunk)
    assert (score.hits, score.retrieved, score.relevant) == expected


@settings(deadline=None)  # the first example pays for importing the oracle
@given(near_texts, near_texts, modes)
def test_fuzzy_equals_all_pairs_where_most_are_close(
    truth: list[str], predicted: list[str], mode: matching.Mode
) -> None:
    score = fuzzy_matching(truth, predicted, mode=mode, threshold=0.6)
    assert (score.hits, score.retrieved, score.relevant) == by_all_pairs(truth, predicted, mode, 0.6, True)


@given(near_texts, near_texts)
def test_greedy_is_two_loops(truth: list[str], predicted: list[str]) -> None:
    left, hits = list(truth), 0
    for found in dict.fromkeys(predicted):
        for _ in range(predicted.count(found)):
            for wanted in sorted(left, key=truth.index):
                if wanted == found or SequenceMatcher(None, found, wanted).ratio() > 0.6:
                    left.remove(wanted)
                    hits += 1
                    break
    assert fuzzy_matching(truth, predicted, threshold=0.6, pairing="greedy").hits == hits
    assert hits <= (fuzzy_matching(truth, predicted, threshold=0.6).hits or 0)


def noisy_blocks(seed: int) -> tuple[list[str], list[str]]:
    """Blocks of Zipf-like words and copies of them with words lost, added or changed."""
    rng = random.Random(seed)
    vocabulary = ["".join(rng.choices("etaoinshrdluEKQ1290", k=rng.randint(1, 9))) for _ in range(300)]
    truth = [" ".join(rng.choices(vocabulary, k=int(rng.paretovariate(0.6)) % 150)) for _ in range(60)]

    def damaged(text: str) -> Iterator[str]:
        rate = rng.choice([0, 0.05, 0.15, 0.3])
        for word in text.split():
            if rng.random() >= rate:
                yield word
            elif rng.random() < 0.5:
                yield rng.choice(vocabulary)

    return truth, [" ".join(damaged(text)) for text in truth + rng.sample(truth, 20)]


@pytest.mark.parametrize("mode", ["strict", "thesis"])
@pytest.mark.parametrize("seed", range(3))
def test_fuzzy_equals_all_pairs_on_long_texts(seed: int, mode: matching.Mode) -> None:
    truth, predicted = noisy_blocks(seed)
    score = fuzzy_matching(truth, predicted, mode=mode)
    assert (score.hits, score.retrieved, score.relevant) == by_all_pairs(truth, predicted, mode, 0.8, True)
    assert score.hits is not None
    exact = exact_matching(truth, predicted, mode=mode).hits
    assert exact is not None
    assert exact < score.hits < min(len(truth), len(predicted))


@given(st.lists(st.integers(0, 60), max_size=20), st.integers(0, 60), st.floats(0, 1))
def test_length_window_holds_exactly_the_possible_lengths(lengths: list[int], length: int, threshold: float) -> None:
    lengths.sort()
    window = matching._length_window(lengths, length, threshold)
    possible = [n for n in lengths if SequenceMatcher(None, "x" * n, "x" * length).real_quick_ratio() > threshold]
    assert lengths[window] == possible


def test_bounds_spare_most_ratios(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0
    ratio = SequenceMatcher.ratio

    def counted(self: SequenceMatcher[str]) -> float:
        nonlocal calls
        calls += 1
        return ratio(self)

    monkeypatch.setattr(SequenceMatcher, "ratio", counted)
    truth, predicted = noisy_blocks(0)
    fuzzy_matching(truth, predicted)
    assert 0 < calls < len(truth) * len(predicted) / 20


@given(texts, texts, modes, st.randoms())
def test_order_does_not_matter_and_fuzzy_is_never_below_exact(
    truth: list[str], predicted: list[str], mode: matching.Mode, shuffler: random.Random
) -> None:
    exact, fuzzy = exact_matching(truth, predicted, mode=mode), fuzzy_matching(truth, predicted, mode=mode)
    assert exact.f <= fuzzy.f <= 1
    shuffler.shuffle(truth)
    shuffler.shuffle(predicted)
    assert exact_matching(truth, predicted, mode=mode) == exact
    assert fuzzy_matching(truth, predicted, mode=mode) == fuzzy


@given(texts, texts, modes)
def test_exact_is_symmetric_and_perfect_on_itself(truth: list[str], predicted: list[str], mode: matching.Mode) -> None:
    there, back = exact_matching(truth, predicted, mode=mode), exact_matching(predicted, truth, mode=mode)
    assert (there.precision, there.recall, there.f) == (back.recall, back.precision, back.f)
    assert exact_matching(truth, truth, mode=mode).f == 1
    assert fuzzy_matching(truth, truth, mode=mode).f == 1


def test_modes_differ_in_white_space_repetition_and_empty_blocks() -> None:
    truth = ["Home", "Home", "", " ", "a\u00a0b"]
    predicted = ["Home", "\n", "ab"]
    strict, thesis = exact_matching(truth, predicted), exact_matching(truth, predicted, mode="thesis")
    assert (strict.hits, strict.retrieved, strict.relevant) == (2, 2, 3)
    assert (thesis.hits, thesis.retrieved, thesis.relevant) == (2, 3, 3)


@pytest.mark.parametrize("match", [exact_matching, fuzzy_matching])
def test_nothing_to_compare(match: Callable[..., Score]) -> None:
    assert match([], []).f == 1
    assert match(["a"], []).f == 0
    assert match([], ["a"]).f == 0
    assert match([" "], []).f == 1
    assert match([" "], [], mode="thesis").f == 0
    assert match([" "], ["", "\t"], mode="thesis").f == 1


def test_exactly_at_the_threshold_is_no_match() -> None:
    assert SequenceMatcher(None, "abcde", "abcdx").ratio() == 0.8
    assert fuzzy_matching(["abcdx"], ["abcde"]).hits == 0


def test_truth_is_the_second_sequence() -> None:
    truth, predicted = "diet", "tide"  # the example of the difflib manual: 0.25 one way, 0.5 the other
    first, second = SequenceMatcher(None, predicted, truth).ratio(), SequenceMatcher(None, truth, predicted).ratio()
    assert first != second
    middle = (first + second) / 2
    assert fuzzy_matching([truth], [predicted], threshold=middle).hits == int(first > middle)
    assert fuzzy_matching([predicted], [truth], threshold=middle).hits == int(second > middle)


def test_matching_is_one_to_one_and_maximum() -> None:
    # The first text is near to both predictions, the second to the shorter one alone: whoever pairs the first with the
    # shorter one, which comes first, must take that back.
    truth = ["abcdefghij", "abcdefgXYj"]
    predicted = ["abcdefgXij", "abcdefghijkl"]
    assert fuzzy_matching(truth, predicted).hits == 2
    assert fuzzy_matching(["abcdefghij"], [f"abcdefghij{n}" for n in range(5)]).precision == 0.2


@given(st.integers(1, 2000), st.integers(1, 2000))
def test_repeated_texts_are_matched_together(copies_truth: int, copies_predicted: int) -> None:
    score = fuzzy_matching(["Reply to this"] * copies_truth, ["Reply to this!"] * copies_predicted)
    assert score.hits == min(copies_truth, copies_predicted)


def test_autojunk_matters_on_long_texts() -> None:
    truth = "abcdefghij" * 30  # each character is popular, so that difflib finds no match but a common beginning
    assert fuzzy_matching([truth], [truth]).hits == 1
    assert fuzzy_matching([truth], [truth + "k"]).hits == 1
    assert fuzzy_matching([truth], ["k" + truth]).hits == 0
    assert fuzzy_matching([truth], ["k" + truth], autojunk=False).hits == 1


def test_wrong_parameters_are_named() -> None:
    with pytest.raises(ValueError, match="mode"):
        exact_matching([], [], mode="loose")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="threshold"):
        fuzzy_matching([], [], threshold=80)
