"""Texts from outside, found on their page."""

from __future__ import annotations

import pytest
from generated_pages import pages
from hypothesis import given, settings

from webstrata.evaluation.answers.mapper import BlockMapper
from webstrata.page import parse
from webstrata.segmentation import SEGMENTERS, segment
from webstrata.segmentation.base import RENDERED, readable

HTML = """<nav><a>Home</a> <a>News</a></nav><h1>Homecoming</h1><p>The river <b>rose</b> again on Monday.</p>
<p hidden>Loading</p><p>Farmers moved their sheep to the upper meadows before night fell.</p><footer>Home</footer>"""


def places(*texts: str) -> list[str | None]:
    page = parse(HTML)
    found = BlockMapper(page).places(texts).places
    return [
        None
        if place is None
        else " ".join(page.blocks[row].text for row in range(*place) if not page.blocks.hidden[row])
        for place in found
    ]


def test_exactly() -> None:
    assert places("The river rose again on Monday.") == ["The river rose again on Monday."]
    assert places("The  river\nrose") == ["The river rose"]


def test_a_whole_block_is_better_than_a_part_of_a_word() -> None:
    # "Home" begins the menu and the heading, and is the footer.
    assert BlockMapper(parse(HTML)).places(["Home"]).places == ((7, 8),)


def test_a_text_that_occurs_twice_is_two_places() -> None:
    page = parse("<p>Reply<p>One<p>Reply<p>Two")
    assert BlockMapper(page).places(["One", "Reply", "Reply", "Reply"]).places == ((1, 2), (2, 3), (0, 1), (0, 1))


def test_nearly() -> None:
    near = "Farmers had moved the sheep to upper meadows before the night fell"
    assert places(near) == ["Farmers moved their sheep to the upper meadows before night fell."]
    mapped = BlockMapper(parse(HTML)).places([near, "River", "Completely other words stand here", "", "***"])
    assert (mapped.exact, mapped.fuzzy, mapped.unmapped) == (0, 2, 3)
    assert mapped.places[2:] == (None, None, None)


def test_hidden_text_is_not_on_the_page() -> None:
    assert places("Loading") == [None]


@pytest.mark.parametrize("text", ["", " ", "\x00"])
def test_empty_pages_and_texts(text: str) -> None:
    for html in ("", "<p hidden>x", "<p>x"):
        assert BlockMapper(parse(html)).places([text]).unmapped == 1


@settings(max_examples=60)
@given(pages())
def test_the_texts_of_any_segmentation_are_found_again(html: str) -> None:
    page = parse(html)
    mapper = BlockMapper(page)
    for name in (name for name in SEGMENTERS if SEGMENTERS.needs(name) != RENDERED):
        found = segment(page, name)
        texts = [text for text in found.texts() if text.split()]
        mapped = mapper.places(texts)
        assert mapped.exact == len(texts)
        for text, place in zip(texts, mapped.places, strict=True):
            assert place is not None
            rows = [row for row in readable(page).tolist() if place[0] <= row < place[1]]
            there = "".join("".join(page.blocks[row].text.split()) for row in rows)
            assert "".join(text.split()) in there
