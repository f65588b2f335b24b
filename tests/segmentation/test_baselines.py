"""The baselines against slow versions of themselves."""

from __future__ import annotations

import math
import textwrap

import numpy as np
import pytest
from generated_pages import HOSTILE, pages
from hypothesis import given, settings
from hypothesis import strategies as st

import webstrata
from webstrata.errors import InputError
from webstrata.evaluation.metrics.segments import PageWords
from webstrata.segmentation import segment
from webstrata.segmentation.baselines import Containers, WordWrap

TOKENS = st.text("abcdefghij", min_size=1, max_size=12)


@settings(max_examples=300)
@given(st.lists(st.lists(TOKENS, min_size=1, max_size=8), max_size=8), st.integers(1, 30))
def test_wordwrap_equals_textwrap(paragraphs: list[list[str]], width: int) -> None:
    page = webstrata.parse("".join(f"<p>{' '.join(tokens)}" for tokens in paragraphs))
    text = " ".join(token for tokens in paragraphs for token in tokens)
    lines = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
    expected = [number for number, line in enumerate(lines) for _ in line.split()]
    labels = WordWrap(width=width).lines_at(page, PageWords.of(page).offsets).tolist()
    assert labels == expected
    # A block belongs to the line of its first word.
    firsts = np.cumsum([0, *(len(tokens) for tokens in paragraphs)])[:-1]
    starts = [i for i, first in enumerate(firsts) if i == 0 or labels[first] != labels[firsts[i - 1]]]
    assert [item.start for item in segment(page, "wordwrap", width=width).segments] == starts


@settings(max_examples=300)
@given(pages())
def test_wordwrap_has_a_line_for_each_shown_word(html: str) -> None:
    page = webstrata.parse(html)
    lines = WordWrap(width=20).lines_at(page, PageWords.of(page).offsets)
    assert (np.diff(lines) >= 0).all()


def test_wordwrap_breaks_scripts_without_spaces() -> None:
    page = webstrata.parse(HOSTILE["no spaces"] + b"<p>last")
    assert WordWrap().lines_at(page, PageWords.of(page).offsets)[-1] > 10


def test_wordwrap_needs_a_width() -> None:
    with pytest.raises(InputError, match="width"):
        segment("x", "wordwrap", width=0)


@settings(max_examples=300)
@given(pages())
def test_justrules_is_rule_based_fusion_without_a_threshold(html: str) -> None:
    page = webstrata.parse(html)
    assert segment(page, "justrules").segments == segment(page, "bf-rulebased", theta=math.inf).segments


@settings(max_examples=100)
@given(pages())
def test_taggap_has_one_segment_a_shown_block(html: str) -> None:
    page = webstrata.parse(html)
    shown = np.flatnonzero(~page.blocks.hidden).tolist()
    assert [(item.start, item.stop) for item in segment(page, "taggap").segments] == [(row, row + 1) for row in shown]


@settings(max_examples=300)
@given(pages())
def test_containers_are_the_elements_with_shown_text(html: str) -> None:
    page = webstrata.parse(html)
    expected: list[tuple[int, int, int]] = []
    depth: dict[int, int] = {}
    for row, element in enumerate(page.elements):
        above = depth.get(int(page.elements.parent[row]), 0)
        depth[row] = above + (element.tag in ("div", "ul", "table"))
        blocks = range(int(page.elements.first_block[row]), int(page.elements.end_block[row]))
        if above < depth[row] <= 24 and not all(page.blocks[block].hidden for block in blocks):
            expected.append((blocks.start, blocks.stop, depth[row]))
    found = segment(page, "containers").segments
    assert sorted((item.start, item.stop, item.level) for item in found) == sorted(expected)


def test_containers_of_any_depth_take_linear_space() -> None:
    page = webstrata.parse("<div>" * 200 + "deep")
    assert len(segment(page, "containers")) == 24
    assert len(Containers(depth=3)(page)) == 3
