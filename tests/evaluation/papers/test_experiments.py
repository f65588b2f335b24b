"""Cross-validation and information gain on small data, and table 4.9 on the real pages."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

from webstrata.errors import InputError
from webstrata.evaluation.datasets.l3s_gn1 import read
from webstrata.evaluation.papers.experiments import (
    TRIALS,
    Instances,
    Trial,
    cross_validate,
    four_classes,
    information_gain,
    instances,
    labelled_page,
    two_classes,
)
from webstrata.evaluation.papers.learners import DecisionTree, OneR, ZeroR

pytestmark = pytest.mark.slow

RANDOM = np.random.default_rng(2)


def made(blocks: int = 400) -> Instances:
    """Blocks whose first feature tells content from boilerplate and whose second is the number of their page."""
    label = RANDOM.choice([0, 2], blocks)
    page = np.sort(RANDOM.integers(0, 20, blocks))
    return Instances(
        ("good", "page"), np.stack([label + 0.5, page], axis=1).astype(float), label, np.full(blocks, 3), page
    )


def test_a_telling_feature_gives_perfect_scores() -> None:
    result = cross_validate(Trial("good", lambda: OneR(least=10), ("good",)), made(), two_classes)
    assert (result.precision, result.recall, result.f, result.false_positive_rate, result.auc) == (1, 1, 1, 0, 1)
    assert (result.dimensions, result.leaves) == (1, 2)


def test_folds_by_page_hide_features_of_the_page() -> None:
    data = made()
    label = np.where(data.page % 2, 2, 0)
    by_page = Instances(data.names, data.x, label, data.words, data.page)
    rule = Trial("page", lambda: DecisionTree(least=3), ("page",))
    shuffled = cross_validate(rule, by_page, two_classes)
    apart = cross_validate(rule, by_page, two_classes, by_page=True)
    assert shuffled.f > 0.99
    assert apart.f < 0.8


def test_fewer_pages_than_folds_leave_folds_empty() -> None:
    data = made()
    rule = Trial("good", lambda: DecisionTree(least=3), ("good",))
    few = Instances(data.names, data.x, data.label, data.words, data.page % 4)
    assert cross_validate(rule, few, two_classes, by_page=True).f == 1
    one = Instances(data.names, data.x, data.label, data.words, data.page * 0)
    with pytest.raises(InputError, match="two pages at least"):
        cross_validate(rule, one, two_classes, by_page=True)


def test_zero_r_has_an_area_of_at_most_half() -> None:
    assert cross_validate(Trial("ZeroR", ZeroR, ()), made(), two_classes).auc <= 0.5


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2)), min_size=1, max_size=60))
def test_information_gain_is_mutual_information(rows: list[tuple[int, int]]) -> None:
    x, y = (np.array(column) for column in zip(*rows, strict=True))
    gain = information_gain(x[:, None].astype(float), y, np.ones(len(y)))
    np.testing.assert_allclose(gain, mutual_info_score(x, y) / np.log(2), atol=1e-9)


def test_many_values_are_put_in_intervals_of_equal_weight() -> None:
    x = np.arange(1000.0)
    y = (x >= 500).astype(np.int64)
    assert information_gain(x[:, None], y, np.ones(1000), bins=8)[0] == pytest.approx(1.0)


@pytest.fixture(scope="module")
def news(dataset_dir: Callable[[str], Path]) -> Instances:
    dataset_dir("l3s-gn1")
    return instances(list(map(labelled_page, islice(read(), 150))))


@pytest.mark.parametrize(
    ("name", "least_f", "least_auc"),
    [
        ("Only Number of Words", 0.84, 0.83),
        ("C4.8 NumWords + LinkDensity, simplified", 0.90, 0.94),
        ("C4.8 Text+Link Density (P/C/N)", 0.92, 0.96),
    ],
)
def test_table_4_9_on_some_pages(news: Instances, name: str, least_f: float, least_auc: float) -> None:
    trial = next(each for each in TRIALS if each.name == name)
    result = cross_validate(trial, news, two_classes, folds=5)
    assert result.f > least_f
    assert result.auc > least_auc
    assert cross_validate(trial, news, four_classes, folds=5).f < result.f
