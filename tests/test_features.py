"""Block features, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webstrata import features
from webstrata.page import Blocks, parse

HTML = (
    "<nav><a href=1>Home</a></nav><h1>The BBC News</h1>"
    "<div><p>It rained in March 2008. Did it? It did; so they said: " + "more words here " * 12 + "</p></div>"
    "<p>| | |</p><p>Plain <a href=2>linked words</a></p>"
)


@pytest.fixture(scope="module")
def blocks() -> Blocks:
    return parse(HTML).blocks


def test_densities(blocks: Blocks) -> None:
    assert blocks.words.tolist() == [1, 3, 48, 0, 3]
    assert features.link_density(blocks).round(3).tolist() == [1.0, 0.0, 0.0, 0.0, 0.667]
    density = features.text_density(blocks)
    assert density[[0, 1, 3, 4]].tolist() == [1.0, 3.0, 0.0, 3.0]
    assert density[2] == blocks.wrapped_words[2] / (blocks.lines[2] - 1)
    assert 13 < density[2] < 17


@given(st.lists(st.integers(1, 79), min_size=1, max_size=90))
def test_text_density_is_equation_6(lengths: list[int]) -> None:
    """The words of all lines but the last over the number of these lines; of a single line, its words."""
    lines, room = [0], 80
    for length in lengths:
        # A word and the space before it, but for the first of a line.
        needed = length if room == 80 else length + 1
        if needed > room:
            lines, room, needed = [*lines, 0], 80, length
        lines[-1] += 1
        room -= needed
    full = lines[:-1] or lines
    text = " ".join("x" * length for length in lengths)
    found = features.text_density(parse(f"<p>{text}</p>").blocks)
    assert found.tolist() == [sum(full) / len(full)]


def test_positions(blocks: Blocks) -> None:
    assert features.absolute_position(blocks).tolist() == [0, 1, 2, 3, 4]
    assert features.relative_position(blocks).tolist() == [0, 0.25, 0.5, 0.75, 1]


def test_shallow_counts(blocks: Blocks) -> None:
    counts = features.shallow(blocks)
    assert counts.capital_words.tolist() == [1, 3, 4, 0, 1]
    assert counts.upper_words.tolist() == [0, 1, 0, 0, 0]
    assert counts.full_stops.tolist() == [0, 0, 1, 0, 0]
    assert counts.bars.tolist() == [0, 0, 0, 3, 0]
    assert counts.sentences.tolist() == [1, 1, 4, 0, 1]
    assert counts.digits.tolist() == [0, 0, 4, 0, 0]
    assert counts.word_chars.tolist()[:2] == [4, 10]
    assert features.average_word_length(blocks)[:2].round(3).tolist() == [4.0, 3.333]
    assert features.average_word_length(blocks)[3] == 0
    assert features.average_sentence_length(blocks)[[0, 2, 3]].tolist() == [1.0, 12.0, 0.0]
    assert features.date_tokens(blocks).tolist() == [0, 0, 2, 0, 0]


def test_enclosing_tags(blocks: Blocks) -> None:
    assert features.enclosed_by(blocks, "p").tolist() == [False, False, True, True, True]
    assert features.enclosed_by(blocks, "div", "nav").tolist() == [True, False, True, False, False]
    assert features.enclosed_by(blocks, "a").tolist() == [True, False, False, False, False]


def test_sentences_of_east_asian_text() -> None:
    counts = features.shallow(parse("<p>今天下雨了。你带伞了吗？没有").blocks)
    assert counts.sentences.tolist() == [3]


def test_no_blocks() -> None:
    blocks = parse("").blocks
    for feature in (
        features.text_density, features.link_density, features.relative_position, features.average_word_length,
        features.average_sentence_length, features.date_tokens, features.absolute_position,
    ):  # fmt: skip
        assert feature(blocks).shape == (0,)
    assert features.enclosed_by(blocks, "p").shape == (0,)


def test_ratio_of_nothing_is_zero() -> None:
    assert features.ratio([1, 2], [0, 4]).tolist() == [0.0, 0.5]
    assert features.density(np.array([5]), np.array([1]), np.array([0])).tolist() == [5.0]
