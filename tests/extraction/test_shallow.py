"""Algorithms 4.2 and 4.3 against their printed form, one block at a time, on any counts."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata import features
from webstrata.extraction.base import extract
from webstrata.extraction.shallow import Densitometric, DensityCutoff, KeepAll, MinWords, NumWords
from webstrata.page import parse

# Words, linked words and whether hidden, around every bound of both algorithms.
COUNTS = st.tuples(
    st.sampled_from([0, 1, 3, 4, 5, 8, 9, 10, 11, 12, 15, 16, 17, 18, 40, 41, 80]), st.floats(0, 1), st.booleans()
)


def html(blocks: list[tuple[int, float, bool]]) -> str:
    """A page with such blocks; a block without words is a bar."""
    parts = []
    for words, share, hidden in blocks:
        linked = round(words * share)
        text = f"<a href=/>{'word ' * linked}</a>{'word ' * (words - linked)}" if words else "|"
        parts.append(f"<p {'hidden' if hidden else ''}>{text}</p>")
    return "".join(parts)


def num_words(links: float, before: float, current: float, previous: float, following: float) -> bool:
    """Algorithm 4.3 as it is printed."""
    if links <= 0.333333:
        if before <= 0.555556:
            if current <= 16:
                if following <= 15:
                    return previous > 4
                return True
            return True
        if current <= 40:
            return following > 17
        return True
    return False


def densitometric(links: float, before: float, current: float, previous: float, following: float) -> bool:
    """Algorithm 4.2 as it is printed."""
    if links <= 0.333333:
        if before <= 0.555556:
            if current <= 9:
                if following <= 10:
                    return previous > 4
                return True
            return following != 0
        return following > 11
    return False


@pytest.mark.parametrize(
    ("extractor", "rule", "measure"),
    [
        (NumWords(), num_words, lambda blocks: blocks.words),
        (Densitometric(), densitometric, features.text_density),
    ],
)
@settings(max_examples=200)
@given(blocks=st.lists(COUNTS, max_size=12))
def test_the_vector_form_decides_as_the_printed_form(extractor, rule, measure, blocks) -> None:  # type: ignore[no-untyped-def]
    page = parse(html(blocks))
    shown = np.flatnonzero(~page.blocks.hidden).tolist()
    links, values = features.link_density(page.blocks), measure(page.blocks)
    expected = np.zeros(len(page.blocks), bool)
    for place, row in enumerate(shown):
        previous = shown[place - 1] if place else None
        following = shown[place + 1] if place + 1 < len(shown) else None
        expected[row] = rule(
            links[row],
            0.0 if previous is None else links[previous],
            values[row],
            0 if previous is None else values[previous],
            0 if following is None else values[following],
        )
    assert extractor(page).keep.tolist() == expected.tolist()


def test_a_third_of_links_is_more_than_the_printed_bound() -> None:
    page = parse("<p>" + "word " * 40 + "<a href=/>" + "word " * 20 + "</a>")
    assert not NumWords()(page).keep.any()
    assert NumWords(link_density=1 / 3)(page).keep.all()


def test_reasons_name_the_leaf() -> None:
    found = NumWords()(parse("<p><a href=/>Home</a><p>" + "word " * 41 + "<p>short<p hidden>x"))
    reasons = [found.reasons[i] for i in found.reason.tolist()]
    assert reasons == ["mostly links", "after links, very long", "short after text", "hidden"]


def test_min_words_keeps_ten_and_drops_nine() -> None:
    page = parse("<p>" + "word " * 9 + "<p>" + "word " * 10 + "<p hidden>" + "word " * 10)
    assert MinWords()(page).keep.tolist() == [False, True, False]


def test_keep_all_keeps_what_is_shown() -> None:
    assert KeepAll()(parse("<p>a<p hidden>b<p>|")).keep.tolist() == [True, False, True]


@pytest.mark.skipif(importlib.util.find_spec("webstrata.segmentation") is None, reason="the segmenters are not there")
def test_density_cutoff_drops_thin_segments() -> None:
    page = parse("<ul><li>Home<li>News<li>Sport</ul><p>" + "Some words of a text that goes on for lines. " * 9)
    found = extract(page, "density-cutoff")
    assert found.keep.tolist() == [False, False, False, True]
    assert DensityCutoff(density=20)(page).keep.sum() == 0
