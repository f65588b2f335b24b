"""Label scores and the area under the ROC curve against scikit-learn and the definitions."""

import math
import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from webstrata.evaluation.metrics import label_scores, roc_auc

blocks = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 9)), max_size=20)
ranked = st.lists(st.tuples(st.booleans(), st.integers(-3, 3), st.integers(0, 9)), max_size=20)


@settings(deadline=None)  # the first example pays for importing the oracle
@given(blocks)
def test_equals_scikit_learn(rows: list[tuple[int, int, int]]) -> None:
    sklearn = pytest.importorskip("sklearn.metrics")
    assume(sum(w for _, _, w in rows))
    truth, predicted, weights = map(list, zip(*rows, strict=True))
    scores = label_scores(truth, predicted, weights)
    options = {"sample_weight": weights, "zero_division": 0}
    precision, recall, f, _ = sklearn.precision_recall_fscore_support(truth, predicted, average="weighted", **options)
    average = scores.average
    assert (average.precision, average.recall, average.f) == pytest.approx((precision, recall, f))
    assert scores.accuracy == pytest.approx(sklearn.accuracy_score(truth, predicted, sample_weight=weights))
    labels = [each.label for each in scores.classes]
    assert labels == sorted(set(truth) | set(predicted))
    per_class = sklearn.precision_recall_fscore_support(truth, predicted, labels=labels, **options)
    for each, p, r, f1 in zip(scores.classes, *per_class[:3], strict=True):
        if each.score.retrieved or each.score.relevant:
            assert (each.score.precision, each.score.recall, each.score.f) == pytest.approx((p, r, f1))


@given(blocks)
def test_false_positive_rate_is_the_share_of_others_that_were_called_so(rows: list[tuple[int, int, int]]) -> None:
    truth, predicted, weights = [t for t, _, _ in rows], [p for _, p, _ in rows], [w for _, _, w in rows]
    scores = label_scores(truth, predicted, weights)
    mean = 0.0
    for each in scores.classes:
        others = sum(w for t, _, w in rows if t != each.label)
        wrong = sum(w for t, p, w in rows if t != each.label and p == each.label)
        assert each.false_positive_rate == pytest.approx(wrong / others if others else 0)
        mean += each.false_positive_rate * sum(w for t, _, w in rows if t == each.label)
    assert scores.false_positive_rate == pytest.approx(mean / sum(weights) if sum(weights) else 0)


@given(blocks, st.randoms())
def test_bounded_perfect_on_itself_and_blind_to_order(
    rows: list[tuple[int, int, int]], shuffler: random.Random
) -> None:
    truth, predicted, weights = [t for t, _, _ in rows], [p for _, p, _ in rows], [w for _, _, w in rows]
    scores = label_scores(truth, predicted, weights)
    for value in (scores.average.precision, scores.average.recall, scores.average.f, scores.false_positive_rate):
        assert 0 <= value <= 1
    assert scores.accuracy == pytest.approx(scores.average.recall)
    same = label_scores(truth, truth, weights)
    assert same.average.f == pytest.approx(1)
    assert same.accuracy == 1
    assert same.false_positive_rate == 0
    shuffler.shuffle(rows)
    assert label_scores([t for t, _, _ in rows], [p for _, p, _ in rows], [w for _, _, w in rows]) == scores


def test_always_the_larger_class_as_in_table_4_9() -> None:
    # Row ZeroR of Kohlschütter's table: precision 40.7, recall 63.8, F1 49.7, false positives 63.8.
    scores = label_scores([1] * 638 + [0] * 362, [1] * 1000)
    assert scores.average.precision == pytest.approx(0.407, abs=5e-4)
    assert scores.average.recall == pytest.approx(0.638)
    assert scores.average.f == pytest.approx(0.497, abs=5e-4)
    assert scores.false_positive_rate == pytest.approx(0.638)


def test_no_blocks_and_no_weight() -> None:
    for scores in (label_scores([], []), label_scores([0, 1], [1, 1], [0, 0])):
        assert (scores.accuracy, scores.average.f, scores.false_positive_rate) == (1.0, 1.0, 0.0)
    assert label_scores([], []).classes == ()


@given(ranked)
def test_area_equals_the_chance_over_all_pairs(rows: list[tuple[bool, int, int]]) -> None:
    positives, negatives = [(s, w) for t, s, w in rows if t], [(s, w) for t, s, w in rows if not t]
    area = roc_auc([t for t, _, _ in rows], [s for _, s, _ in rows], [w for _, _, w in rows])
    whole = sum(w for _, w in positives) * sum(w for _, w in negatives)
    if not whole:
        assert math.isnan(area)
        return
    won = sum(v * w * ((s > t) + (s == t) / 2) for s, v in positives for t, w in negatives)
    assert area == pytest.approx(won / whole)


@settings(deadline=None)  # the first example pays for importing the oracle
@given(ranked)
def test_area_equals_scikit_learn(rows: list[tuple[bool, int, int]]) -> None:
    sklearn = pytest.importorskip("sklearn.metrics")
    assume(sum(w for t, _, w in rows if t) and sum(w for t, _, w in rows if not t))
    truth, score, weights = map(list, zip(*rows, strict=True))
    oracle = sklearn.roc_auc_score(truth, score, sample_weight=weights)
    assert roc_auc(truth, score, weights) == pytest.approx(oracle)
    assert roc_auc([not t for t in truth], score, weights) == pytest.approx(1 - oracle)
    assert roc_auc(truth, [math.exp(s) for s in score], weights) == pytest.approx(oracle)


def test_area_of_perfect_and_constant_scores() -> None:
    assert roc_auc([0, 0, 1], [-math.inf, 0, math.inf]) == 1.0
    assert roc_auc([1, 0, 0], [0, 1, 2]) == 0.0
    assert roc_auc([1, 0], [3, 3]) == 0.5
    assert math.isnan(roc_auc([1, 1], [0, 1]))
    assert math.isnan(roc_auc([], []))


@pytest.mark.parametrize(
    ("truth", "score", "message"),
    [([0, 1], [1.0], "one score"), ([0, 1], [0.0, math.nan], "NaN"), ([0, 2], [0.0, 1.0], "0 or 1")],
)
def test_wrong_scores_are_named(truth: list[int], score: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        roc_auc(truth, score)
