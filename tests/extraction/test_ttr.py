"""Text-to-tag ratios: histogram, smoothing and slope against their definitions, and the decisions."""

from __future__ import annotations

import math
import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webstrata.errors import InputError
from webstrata.extraction.base import Extractor
from webstrata.extraction.ttr import TTREM, TTRFarthestFirst, TTRKMeans, TTRThreshold, histogram, slope, smooth
from webstrata.page import parse

HISTOGRAMS = st.lists(st.floats(0, 500), min_size=1, max_size=60)

PAGE = parse(
    "\n".join(
        [
            *(f"<ul><li><a href=/{i}>Link {i}</a></li></ul>" for i in range(40)),
            *("<p>A line of text that goes on for a while, with some words, and has two tags only.</p>",) * 20,
            *(f"<ul><li><a href=/{i}>More {i}</a></li></ul>" for i in range(40)),
        ]
    )
)


@given(HISTOGRAMS, st.floats(0.3, 6))
def test_smoothing_is_the_kernel_at_each_line(values: list[float], sigma: float) -> None:
    h, radius = np.array(values), min(math.ceil(sigma), len(values) - 1)
    expected = []
    for i in range(len(h)):
        places = [i + j for j in range(-radius, radius + 1) if 0 <= i + j < len(h)]
        weights = [math.exp(-((place - i) ** 2) / (2 * sigma**2)) for place in places]
        expected.append(sum(w * h[p] for w, p in zip(weights, places, strict=True)) / sum(weights))
    np.testing.assert_allclose(smooth(h, sigma=sigma), expected, atol=1e-9)


@given(st.floats(0, 100), st.integers(1, 40))
def test_a_flat_histogram_stays_flat(level: float, length: int) -> None:
    np.testing.assert_allclose(smooth(np.full(length, level), sigma=2.5), level)
    np.testing.assert_allclose(slope(np.full(length, level)), 0, atol=1e-9)


@given(HISTOGRAMS, st.integers(1, 5))
def test_the_slope_is_the_mean_of_what_follows_less_itself(values: list[float], q: int) -> None:
    following = [values[i + 1 : i + 1 + q] for i in range(len(values))]
    expected = [sum(f) / len(f) - v if f else 0 for f, v in zip(following, values, strict=True)]
    np.testing.assert_allclose(slope(np.array(values), q=q), expected, atol=1e-6)


def test_the_deviation_of_the_histogram_as_sigma() -> None:
    h = np.array([0.0, 0, 0, 30, 0, 0, 0])
    np.testing.assert_array_equal(smooth(h, sigma=None), smooth(h, sigma=float(h.std())))


def test_lines_without_text_and_tags_are_left_out() -> None:
    page = parse("<!-- a\n b -->\n\n<style>\np {}\n</style>\n<p>text</p>\n\n<br>\nplain é")
    bars = histogram(page)
    assert bars.ratio.tolist() == [2.0, 0.0, 7.0]
    assert page.source[bars.start[2] : bars.stop[2]].decode() == "plain é"


def test_a_tag_over_two_lines_counts_where_it_starts() -> None:
    assert histogram(parse("<p\nclass=x>text")).ratio.tolist() == [0.0, 4.0]


def test_indentation_is_no_text_and_white_space_counts_once() -> None:
    assert histogram(parse("<div>alpha\n" + " " * 40 + "beta</div>")).ratio.tolist() == [5.0, 4.0]
    assert histogram(parse("<p>one  \t two   ")).ratio.tolist() == [7.0]


def test_titles_options_and_references_are_text() -> None:
    page = parse("<title>Strata</title>\n<select>\n<option>one\n<p>a&amp;b&nbsp;c &nbsp; d&nbsp;\n<p>&nbsp;")
    assert histogram(page).ratio.tolist() == [3.0, 0.0, 3.0, 7.0, 0.0]


def test_comments_scripts_and_stray_tags_are_no_text() -> None:
    page = parse("<p>one<!-- two -->\n<script>three</script> four</b>\nfive")
    assert histogram(page).ratio.tolist() == [3.0, 4.0, 4.0]


def test_a_page_of_one_line_has_one_bar_and_blocks_have_theirs() -> None:
    page = parse("<p>one</p><p>two words</p>")
    assert histogram(page).ratio.tolist() == [12 / 4]
    assert histogram(page, lines="blocks").ratio.tolist() == [3.0, 9 / 2]


@pytest.mark.parametrize(
    "extractor",
    [
        TTRThreshold(),
        TTRThreshold(lines="blocks"),
        *(
            kind(mode=mode, lines=lines)
            for kind in (TTRKMeans, TTREM, TTRFarthestFirst)
            for mode in ("distance", "density")
            for lines in ("source", "blocks")
        ),
    ],
    ids=repr,
)
def test_the_text_is_found_between_the_links(extractor: Extractor) -> None:
    keep = extractor(PAGE).keep
    assert keep[40:60].all()
    if not isinstance(extractor, TTREM):  # EM finds clusters among the links as well: its precision is the lowest
        # Smoothing spreads into the lines beside the text, as the paper wants it for titles.
        assert keep[:36].sum() == keep[64:].sum() == 0


def test_a_higher_coefficient_keeps_no_more() -> None:
    kept = [TTRThreshold(coefficient=c)(PAGE).keep for c in (0, 1, 2, 4, 19)]
    assert kept[0].all()
    assert not kept[-1].any()
    assert all((more | less).tolist() == more.tolist() for more, less in pairwise(kept))


def test_a_block_over_several_lines_is_kept_by_its_larger_part() -> None:
    page = parse("<b></b>\n<p>short\n" + "long text here " * 9 + "\n<b></b>\n<b></b>")
    assert TTRThreshold(sigma=0)(page).keep.tolist() == [True]


def test_modes_and_lines_that_are_none() -> None:
    with pytest.raises(InputError, match="mode must be"):
        TTRKMeans(mode="depth")(PAGE)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="lines must be"):
        TTRThreshold(lines="words")(PAGE)  # type: ignore[arg-type]


LINES = st.lists(
    st.lists(st.sampled_from(["<b>bold</b>", "<i> </i>", "<br>", "one", " two", "  ", "three ", "&amp;"]), max_size=6),
    max_size=8,
)


@given(LINES)
def test_the_histogram_is_a_count_of_characters_and_tags(lines: list[list[str]]) -> None:
    """The definition of the paper: the characters of a line without its tags, over the number of its tags or one."""
    source = "<p>start\n" + "\n".join("".join(line) for line in lines)
    expected = []
    for line in source.split("\n"):
        tags = len(re.findall(r"<[^>]*>", line))
        text = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", line).replace("&amp;", "&")).strip()
        if text or tags:
            expected.append(len(text) / max(tags, 1))
    assert histogram(parse(source)).ratio.tolist() == pytest.approx(expected)
