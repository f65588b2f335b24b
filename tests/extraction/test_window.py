"""The window of three blocks, and the feature matrix against features computed one block at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webstrata.errors import InputError
from webstrata.extraction.window import (
    ALL_FEATURES,
    CURRENT_FEATURES,
    QUOTIENT_FEATURES,
    WINDOW_FEATURES,
    feature_matrix,
    neighbours,
    text_frequencies,
)
from webstrata.page import parse

PAGE = parse(
    "<div><h1>The BBC said so</h1><p>On Monday, 3 March 2008. We <a href=/>met there</a> then. Did we?"
    "<p hidden>Never seen.<p><a href=/>All linked</a><p>Home | News |<h3>End</h3></div>"
)


@given(st.lists(st.integers(0, 9)))
def test_neighbours_are_the_rows_before_and_after(values: list[int]) -> None:
    previous, current, following = neighbours(np.array(values, np.int64))
    assert previous.tolist() == [0, *values][: len(values)]
    assert current.tolist() == values
    assert following.tolist() == [*values, 0][1:]


def test_the_sets_have_the_numbers_of_table_4_9() -> None:
    assert len(CURRENT_FEATURES) == 23
    assert len(CURRENT_FEATURES) + len(QUOTIENT_FEATURES) == 25
    assert len(WINDOW_FEATURES) == 64
    assert len(ALL_FEATURES) == len(set(ALL_FEATURES)) == 67
    matrix = feature_matrix(PAGE, frequencies={})
    assert set(matrix.names) == {*ALL_FEATURES, *CURRENT_FEATURES, *QUOTIENT_FEATURES}


def test_rows_are_the_shown_blocks() -> None:
    matrix = feature_matrix(PAGE)
    assert matrix.rows.tolist() == [0, 1, 3, 4, 5]
    assert matrix.values.shape == (5, len(matrix.names))
    assert np.isfinite(matrix.values).all()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("words (C)", [4, 11, 2, 2, 1]),
        ("words (P)", [0, 4, 11, 2, 2]),
        ("words (N)", [11, 2, 2, 1, 0]),
        ("in_h1 (C)", [1, 0, 0, 0, 0]),
        ("in_h3 (N)", [0, 0, 0, 1, 0]),
        ("in_p (C)", [0, 1, 1, 1, 0]),
        ("in_div (C)", [1, 1, 1, 1, 1]),
        ("in_a (C)", [0, 0, 1, 0, 0]),
        ("link_density (C)", [0, 2 / 11, 1, 0, 0]),
        ("upper_words (C)", [1, 0, 0, 0, 0]),
        ("upper_ratio (C)", [1 / 4, 0, 0, 0, 0]),
        ("capital_words (C)", [2, 5, 1, 2, 1]),
        ("full_stop_ratio (C)", [0, 2 / 11, 0, 0, 0]),
        ("average_sentence_length (C)", [4, 11 / 3, 2, 2, 1]),
        ("average_word_length (C)", [12 / 4, 41 / 11, 9 / 2, 4, 3]),
        ("date_tokens (C)", [0, 3, 0, 0, 0]),
        ("bars (C)", [0, 0, 0, 2, 0]),
        ("text_density (C)", [4, 11, 2, 2, 1]),
        ("absolute_position", [0, 1, 2, 3, 4]),
        ("relative_position", [0, 0.25, 0.5, 0.75, 1]),
        ("words_quotient", [0, 11 / 4, 2 / 11, 1, 0.5]),
        ("text_density_quotient", [0, 11 / 4, 2 / 11, 1, 0.5]),
    ],
)
def test_each_feature(name: str, expected: list[float]) -> None:
    np.testing.assert_allclose(feature_matrix(PAGE)[name], expected)


def test_frequency_is_of_the_text_in_the_corpus() -> None:
    counts = text_frequencies([PAGE, parse("<p>END<p>end")])
    assert counts["end"] == 3
    assert "never seen." not in counts
    matrix = feature_matrix(PAGE, frequencies=counts)
    assert matrix["frequency (C)"].tolist() == [1, 1, 1, 1, 3]
    assert matrix["frequency (N)"].tolist() == [1, 1, 1, 3, 0]


def test_a_page_without_blocks_has_a_matrix_without_rows() -> None:
    matrix = feature_matrix(parse(""), frequencies={})
    assert matrix.values.shape == (0, 70)
    assert matrix.select(ALL_FEATURES).values.shape == (0, 67)


def test_a_feature_that_is_none() -> None:
    with pytest.raises(InputError, match="no feature is called 'colour'"):
        feature_matrix(PAGE)["colour"]
