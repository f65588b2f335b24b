"""The covering segmentation: every word is in a part, titles and records are parts, and headings go with their text."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest
from generated_pages import pages
from hypothesis import given, settings
from hypothesis import strategies as st

import webstrata
from webstrata.errors import InputError
from webstrata.page import parse
from webstrata.segmentation import Segment, Segmentation
from webstrata.segmentation.html import from_html, to_html
from webstrata.segmentation.learned.candidates import Candidates
from webstrata.segmentation.learned.cover import cover
from webstrata.segmentation.learned.decoding import select_parts

CARD = "<div class=card><h3><a href=/{0}>Offer {0}</a></h3><p>A tent for {0} people.</p><span>{0} euros</span></div>"


def kinds(found: Segmentation) -> dict[str, str]:
    """The first line of each segment with a kind, and that kind."""
    return {found.text(item).splitlines()[0]: item.kind for item in reversed(found) if item.kind}


@settings(max_examples=300)
@given(pages(), st.integers(0, 1000))
def test_the_first_level_partitions_the_shown_words(html: str, seed: int) -> None:
    page = parse(html)
    found = Candidates(page)
    random = np.random.default_rng(seed)
    rows = np.flatnonzero(random.random(len(found)) < 0.3).astype(np.int32)
    kinds = np.where(random.random(len(found)) < 0.3, random.integers(0, 18, len(found)), -1).astype(np.int32)
    table, _ = cover(found, rows, kinds, random.random(len(found)).astype(np.float32))
    count = np.zeros(len(page.blocks), int)
    around: list[tuple[int, int]] = []
    kept = {(start, stop) for start, stop, *_, extra in table.tolist() if not extra}
    assert kept == set(map(tuple, found.ranges()[rows].tolist()))
    for start, stop, level, *_ in table.tolist():
        count[start:stop] += level == 1
        del around[level - 1 :]
        assert len(around) == level - 1
        assert not around or (around[-1][0] <= start and stop <= around[-1][1] and around[-1] != (start, stop))
        around.append((start, stop))
    words = page.blocks.words if found.shows_nothing else np.where(page.blocks.hidden, 0, page.blocks.words)
    size = np.concatenate(([0], np.cumsum(words)))
    for start, stop, _, kind, *_ in table.tolist():
        for first, last, _, other, *_ in table.tolist():
            inside = first <= start and stop <= last and (first, last) != (start, stop)
            same = 3 * (size[stop] - size[start]) > 2 * (size[last] - size[first])
            assert not (inside and same and kind == other >= 0), "two segments of one kind for one thing"
    shown = page.blocks.words > 0
    if not found.shows_nothing:
        shown &= ~page.blocks.hidden
    assert (count[shown] == 1).all()
    assert count.max(initial=0) <= 1


def test_rows_kinds_and_chances_belong_together() -> None:
    with pytest.raises(InputError, match="need as many"):
        cover(Candidates(parse("<p>one")), np.zeros(1, np.int32), np.zeros(0, np.int32), np.zeros(0, np.float32))


def test_of_near_duplicates_of_one_kind_the_likeliest_is_a_part() -> None:
    found = Candidates(parse("<div><ul><li>one two three<li>four five six<li>seven eight</ul><p>nine</div>"))
    inner = int(np.flatnonzero((found.ranges() == [0, 3]).all(axis=1))[0])
    chances = np.zeros(len(found))
    chances[0], chances[inner] = 0.6, 0.7
    kinds = np.full(len(found), 5, np.int32)
    assert np.flatnonzero(select_parts(found, kinds, chances, 0.5)).tolist() == [inner]
    assert np.flatnonzero(select_parts(found, kinds, chances, 0.65)).tolist() == [inner]
    kinds[inner] = 7
    assert np.flatnonzero(select_parts(found, kinds, chances, 0.5)).tolist() == [0, inner]
    with pytest.raises(InputError, match="candidates, 0 kinds"):
        select_parts(found, np.zeros(0, np.int32), chances, 0.5)


def test_nine_tenths_of_a_long_page_are_divided() -> None:
    text = "It settles slowly in the water. " * 30
    parts = "".join(f"<h2>Layer {number}</h2><p>{text}</p>" for number in range(9))
    page = parse(f"<div class=content><div>{parts}</div></div><div>Imprint and contact</div>")
    found = Candidates(page)
    whole = np.flatnonzero((found.ranges() == [0, 18]).all(axis=1)).astype(np.int32)
    kinds = np.full(len(found), -1, np.int32)
    kinds[whole] = 2
    table, _ = cover(found, whole, kinds, np.ones(len(found), np.float32))
    assert len(whole) == 1
    assert table[:, 0].tolist() == [0, 2, 4, 6, 8, 10, 12, 14, 16, 18]


def test_what_completes_a_segmentation_is_extra() -> None:
    page = parse("<p>one<p>two<p>three<p>four")
    segments = (Segment(0, 3, 1, extra=True), Segment(0, 2, 2), Segment(0, 1, 3, extra=True), Segment(1, 2, 3))
    found = Segmentation(page, segments, "by hand")
    assert found.without_extra().segments == (Segment(0, 2, 1), Segment(1, 2, 2))
    assert from_html(to_html(found)).segments == segments
    assert Segmentation.from_json(page, found.json()) == found


def test_a_page_that_shows_nothing_has_hidden_segments() -> None:
    page = parse("<div style='display:none'><h1>Kiln trips</h1><p>It went off at 900 degrees, twice.</p></div>")
    found = webstrata.segment(page)
    assert len(found)
    assert all(item.hidden for item in found)
    assert "\n".join(found.texts(1)) == "Kiln trips\nIt went off at 900 degrees, twice."
    assert (found.labels() >= 0).all()
    assert webstrata.Segmentation.from_json(page, found.json()) == found
    shown = webstrata.segment("<p>Shown.<p hidden>Not shown.")
    assert not any(item.hidden for item in shown)
    assert shown.texts() == ["Shown."]


def test_cards_are_cut_one_by_one() -> None:
    cards = "".join(map(CARD.format, range(6)))
    html = f"<header><a href=/>Tents</a></header><main><h1>All tents</h1><div>{cards}</div></main>"
    found = webstrata.segment(html)
    assert [found.text(item).splitlines()[0] for item in found if item.kind == "Item"] == [
        f"Offer {number}" for number in range(6)
    ]
    assert kinds(found)["All tents"] in ("Title", "Content")


def test_a_heading_belongs_to_what_it_heads() -> None:
    links = "".join(f"<li><a href=/{number}>Layer {number} of the wall</a>" for number in range(9))
    text = "It settles slowly. " * 30
    html = f"<article><h1>Mud</h1><p>{text}</p><h2>More layers</h2><ul class=related>{links}</ul></article>"
    found = webstrata.segment(html)
    assert any(found.text(item).startswith("More layers\nLayer 0") for item in found)


def test_the_demo_article_is_cut_as_people_see_it() -> None:
    html = (files("webstrata") / "demo/article.html").read_bytes()
    found = webstrata.segment(html)
    named = [(item.kind, found.text(item)) for item in found]

    def text_of(kind: str) -> str:
        return next(text for name, text in named if name == kind)

    assert text_of("Title") == "How a quarry wall taught a town to read time"
    assert text_of("Comments").startswith("3 comments")
    assert text_of("Form").startswith("The Friday Ferry")
    assert text_of("Overlay").startswith("We and our 214 partners")
    assert any("The first draft begins" in text for name, text in named if name in ("Article", "Content"))
    assert sum(kind == "Item" for kind, _ in named) >= 3


def test_a_single_paragraph_is_content() -> None:
    assert [item.kind for item in webstrata.segment("<p>This page is a placeholder and will be filled soon.")] == [
        "Content"
    ]
