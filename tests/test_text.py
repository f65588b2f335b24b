"""Words and lines, against a version in plain Python."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from webstrata._scan import words as native
from webstrata.page import parse
from webstrata.text import count_words, sentences, shingles, words, wrap

SPACED = st.text(st.sampled_from("aB9é-|.,;äжا한\u00d7 \n\t"), max_size=300)


def layout(text: str, width: int) -> tuple[int, int, int]:
    """Words, lines and wrapped words of a text in a spaced script, by the definition."""
    lines: list[list[str]] = [[]]
    used = 0
    for token in text.split():
        size = sum(2 if "가" <= c <= "힣" else 1 for c in token)
        if lines[-1] and used + 1 + size > width:
            lines.append([])
            used = 0
        used += size + (1 if lines[-1] else 0)
        lines[-1].append(token)
    words = [sum(any(c.isalnum() for c in token) for token in line) for line in lines]
    return sum(words), len(lines), sum(words[:-1])


@given(SPACED, st.integers(1, 90))
@example("", 80)
@example("-- | --", 80)
@example("a" * 200 + " b", 80)
def test_layout(text: str, width: int) -> None:
    assert tuple(int(column[0]) for column in wrap(text, [0], [len(text)], width=width)) == layout(text, width)


@given(SPACED)
def test_blocks_are_counted_like_texts(text: str) -> None:
    page = parse(text.replace("<", ""))
    for block in page.blocks:
        assert (block.words, block.lines, int(page.blocks.wrapped_words[block.row])) == layout(block.text, 80)


def test_unspaced_scripts() -> None:
    assert count_words("主页") == 1
    assert count_words("联系我们") == 2
    assert count_words("网页由若干层组成，每一层都有自己的密度。") == 7
    assert count_words("Python语言 3 日本") == 4
    assert count_words("ประเทศไทยสวยงาม") == 3


def test_a_full_line_of_chinese_is_as_dense_as_one_of_english() -> None:
    words, lines, wrapped_words = wrap("层" * 400, [0], [400])
    assert lines[0] > 2
    assert 12 <= wrapped_words[0] / (lines[0] - 1) <= 14
    assert words[0] == 134


def test_chinese_sentences_are_denser_than_labels() -> None:
    words, lines, _ = wrap("首页\n网页由若干层组成，每一层都有自己的密度和链接。", [0, 3], [2, 25])
    assert lines.tolist() == [1, 1]
    assert words[1] > 5 * words[0]


def test_bad_spans_are_refused() -> None:
    import pytest

    with pytest.raises(IndexError):
        wrap("abc", [0], [4])


@given(st.text(st.sampled_from(list("aB1 -/.,!?\n\t 漢かก。é'’")), max_size=60))
def test_words_are_those_that_are_counted(text: str) -> None:
    found = words(text)
    assert len(found) == count_words(text)
    assert all((word and word[0].isalnum()) or not word.isascii() for word in found)
    position = 0
    for word in found:  # in order, without overlap
        position = text.index(word, position) + len(word)


@given(st.text(st.sampled_from(list("aB1 -.!?\n”漢。")), max_size=60))
def test_sentences_are_those_that_are_counted(text: str) -> None:
    found = sentences(text)
    assert len(found) == _sentence_count(text)
    assert "".join("".join(found).split()) == "".join(text.split()) or not found


def _sentence_count(text: str) -> int:
    starts, stops = np.array([0], np.int32), np.array([len(text)], np.int32)
    return int(np.frombuffer(native.shallow(text, starts, stops)[5], np.int32)[0])


@given(st.text("ab c", max_size=40), st.integers(1, 5))
def test_shingles(text: str, length: int) -> None:
    found = words(text)
    assert len(shingles(text, length)) == (max(len(found) - length, 0) + 1 if found else 0)
    assert [shingle[0] for shingle in shingles(text, length)] == found[: len(shingles(text, length))]
