"""Segments written into HTML and read back."""

from __future__ import annotations

import time

import pytest
from generated_pages import HOSTILE, pages
from hypothesis import given, settings
from hypothesis import strategies as st

import webstrata
from webstrata.segmentation import Segment, Segmentation
from webstrata.segmentation.html import from_html, to_html


def marked(html: str, *segments: Segment) -> str:
    return to_html(Segmentation(webstrata.parse(html), segments, ""))


def test_one_element() -> None:
    assert marked("<p>one<p>two", Segment(1, 2, 2, "Menu")) == (
        '<p>one<p data-block="2" data-block-type="Menu" data-block-id="0">two'
    )


def test_run_of_siblings() -> None:
    assert marked("<div><p>one</p> <p>two</p>three</div>", Segment(0, 2)) == (
        '<div><div data-block-added data-block="1" data-block-id="0"><p>one</p> <p>two</p></div>'
        '<!--/data-block-id="0"-->three</div>'
    )


def test_no_div_where_it_would_break_the_page() -> None:
    assert marked("<table><tr><td>a<td>b<td>c</table>", Segment(0, 2)) == (
        '<table><tr><td data-block="1" data-block-id="0">a<td data-block="1" data-block-id="0">b<td>c</table>'
    )
    assert "<div" not in marked("<p>one <b>two</b> <i>three</i>", Segment(0, 2))


def test_cut_through_elements() -> None:
    assert marked("<p>one <b>two</b></p><p>three <b>four</b>", Segment(1, 3)) == (
        '<p>one <b data-block="1" data-block-id="0">two</b></p>'
        '<p><span data-block-added data-block="1" data-block-id="0">three</span><!--/data-block-id="0"--> <b>four</b>'
    )


def test_links_are_not_cut() -> None:
    html = "<p>see <a href=x>this</a> <b>one</b>"
    assert "<a href=x>this</a></span>" in marked(html, Segment(0, 1))
    across = marked("<p>see <a href=x>this <b>one</b></a>", Segment(0, 1))
    assert across.count("<span") == 2
    assert "<a href=x><span" in across


def test_nested_levels_of_one_extent() -> None:
    two = marked("<div><p>one</p></div><p>two", Segment(0, 1, 1, "A"), Segment(0, 1, 2, "B"))
    assert two.startswith('<div data-block="1" data-block-type="A" data-block-id="0"><p data-block="2"')
    shared = marked("<p>one", Segment(0, 1, 1, "A|%"), Segment(0, 1, 2))
    assert shared == '<p data-block="1 2" data-block-type="A%7C%25|" data-block-id="0 1">one'


def test_names_in_the_page_are_not_mistaken() -> None:
    html = HOSTILE["marks already"].decode()
    assert 'data-block-id-3="0"' in marked(html, Segment(0, 1))


def test_ground_truth_of_kreuzer() -> None:
    html = (
        '<body><div data-block="1" data-block-type="Header"><p>a</p><p>b</p></div>'
        '<ul class="x" data-block="2 1" data-block-type="Menu"><li data-block="2">c</ul><img data-block="2">'
    )
    found = from_html(html)
    assert found.page.source == b'<body><p>a</p><p>b</p><ul class="x"><li>c</ul><img>'
    assert found.segments == (
        Segment(0, 2, 1, "Header"),
        Segment(2, 3, 2, "Menu"),
        Segment(2, 3, 1, "Menu"),
        Segment(2, 3, 2),
        Segment(3, 3, 2),
    )


def test_without_marks() -> None:
    assert from_html("<p>one").segments == ()
    assert from_html(b"").page.source == b""


KINDS = st.text(st.characters(codec="utf-8", exclude_characters="\x00\r"), max_size=4)


@settings(max_examples=500)
@given(pages(), st.data())
@pytest.mark.slow
def test_any_segments_of_any_page_round_trip(html: str, data: st.DataObject) -> None:
    """Crossing, nested, equal and empty segments too."""
    page = webstrata.parse(html)
    n = len(page.blocks)
    ranges = st.tuples(st.integers(0, n), st.integers(0, n)).map(sorted)
    one = st.builds(lambda span, level, kind: Segment(span[0], span[1], level, kind), ranges, st.integers(1, 3), KINDS)
    segments = tuple(data.draw(st.lists(one, min_size=1, max_size=6)))
    back = from_html(to_html(Segmentation(page, segments, "")))
    assert back.page.source == page.source
    assert back.segments == segments


@settings(max_examples=200)
@given(st.lists(st.sampled_from(["<div>", "</div>", "<p>", "one", "two ", "<b>three</b>", "<ul><li>x</li></ul>"])))
def test_marks_do_not_change_the_text(parts: list[str]) -> None:
    page = webstrata.parse("".join(parts))
    for start in range(len(page.blocks)):
        found = Segmentation(page, (Segment(start, len(page.blocks)), Segment(start, start + 1, 2)), "")
        assert "".join(webstrata.parse(to_html(found)).text.split()) == "".join(page.text.split())


@pytest.mark.parametrize("html", [b"<p>caf\xe9", "<p>\ufeffx", b"\xef\xbb\xbf<p>x", b"<meta charset=latin1><p>\xe9"])
def test_encodings(html: bytes | str) -> None:
    page = webstrata.parse(html)
    back = from_html(to_html(Segmentation(page, (Segment(0, 1),), "")))
    assert (back.page.source, back.segments) == (page.source, (Segment(0, 1),))


@pytest.mark.parametrize("digits", [10, 20, 5000])
def test_levels_of_any_length_are_read(digits: int) -> None:
    level = "1" * digits
    assert from_html(f'<p data-block="{level} 2">x').segments == (Segment(0, 1, 2),)
    assert from_html(f'<p data-block="{level}" data-block-id="0">x').segments == ()
    assert from_html(f'<p data-block="1" data-block-id="{level}">x').segments == ()


def test_many_segments_take_linear_time() -> None:
    """Searches in a column of another type converted the whole column: 8 times the items, 20 times the time."""
    seconds = []
    for items in (25_000, 200_000):
        segmentation = webstrata.segment("<li>x" * items, "taggap")
        start = time.process_time()
        to_html(segmentation)
        seconds.append(time.process_time() - start)
    assert seconds[1] < 14 * seconds[0]
