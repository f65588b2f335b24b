"""The views over the tables."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import numpy as np
import pytest
from generated_pages import pages
from hypothesis import given
from hypothesis import strategies as st

import webstrata
from webstrata.errors import InputError
from webstrata.page import parse, tag_mask
from webstrata.segmentation.html import from_html

HTML = """<!doctype html><html lang=en><title> A
page &amp; more </title><base href="/dir/">
<body class="one two"><p id=first>Hello <a href="x?a=1&amp;b=2">big
world</a></p><a href="//example.com">away</a> <a name=anchor>no link</a> <a href="http://[broken">odd</a>"""


def test_page() -> None:
    page = parse(HTML, url="http://example.org/sub/page.html")
    assert page.title == "A page & more"
    assert page.lang == "en"
    assert page.encoding == "utf-8"
    assert page.base_url == "http://example.org/dir/"
    assert repr(page) == "<Page http://example.org/sub/page.html: 2 blocks, 10 elements>"


def test_links() -> None:
    page = parse(HTML, url="http://example.org/sub/page.html")
    assert [(link.url, link.text) for link in page.links] == [
        ("http://example.org/dir/x?a=1&b=2", "big world"),
        ("http://example.com", "away"),
        ("http://[broken", "odd"),
    ]
    assert page.links[0].href == "x?a=1&b=2"
    assert page.links[0].blocks == range(1)


def test_elements() -> None:
    page = parse(HTML)
    paragraph = page.elements[int(page.elements.find("p")[0])]
    assert paragraph.attributes == {"id": "first"}
    assert paragraph.path == ("html", "body", "p")
    assert paragraph.parent is not None
    assert paragraph.parent.attributes == {"class": "one two"}
    assert page.elements[0].parent is None
    assert page.elements[-1].tag == "a"
    assert [element.tag for element in page.elements[:2]] == ["html", "head"]
    with pytest.raises(IndexError):
        page.elements[99]


def test_implied_elements_have_no_attributes() -> None:
    page = parse("<table x=1><td y=2>a")
    assert [element.attributes for element in page.elements[3:]] == [{"x": "1"}, {}, {}, {"y": "2"}]


@given(pages(), st.sampled_from(["href", "class", "id", "hidden", "data-block", "x"]))
def test_one_attribute_is_what_all_attributes_have(html: str, name: str) -> None:
    elements = parse(html + "<p CLASS='a&amp;b' class=c Id=\x00><td colspan=2 colspan=3>").elements
    for element in elements:
        assert elements.attribute(element.row, name) == element.attributes.get(name)


def test_reopened_elements_have_the_attributes_of_the_first() -> None:
    page = parse("<p><font size=1>a<p>b")
    fonts = [page.elements[int(row)] for row in page.elements.find("font")]
    assert [font.attributes for font in fonts] == [{"size": "1"}] * 2


def test_blocks() -> None:
    blocks = parse("<h2>One</h2><p>two <b>three</b> four</p>").blocks
    assert [block.text for block in blocks] == ["One", "two", "three", "four"]
    assert [block.path[2:] for block in blocks] == [("h2",), ("p",), ("p", "b"), ("p",)]
    assert blocks.chars.tolist() == [3, 3, 5, 4]
    assert blocks.heading.tolist() == [2, 0, 0, 0]
    assert blocks[-1].gap == {"b"}
    assert repr(blocks[1]) == "<Block 1: 'two'>"
    assert blocks.gap_within(tag_mask(["b"])).tolist() == [False, False, True, True]
    assert blocks.gap_meets(tag_mask(["p", "h2"])).tolist() == [True, True, False, False]


def test_wrapping_at_another_width() -> None:
    blocks = parse("<p>aaa bbb ccc ddd").blocks
    assert (blocks.lines.tolist(), blocks.wrapped(7).lines.tolist(), blocks.wrapped(7).wrapped_words.tolist()) == (
        [1], [2], [2])  # fmt: skip


def test_columns_are_read_only() -> None:
    blocks = parse("<p>a").blocks
    with pytest.raises(ValueError, match="read-only"):
        blocks.words[0] = 7


def test_pages_can_be_pickled() -> None:
    page = parse(HTML, url="http://example.org/")
    again = pickle.loads(pickle.dumps(page))
    assert again.text == page.text
    assert [link.url for link in again.links] == [link.url for link in page.links]
    assert np.array_equal(again.blocks.gap, page.blocks.gap)


@pytest.mark.parametrize(
    ("html", "lang"), [("<html lang=de>", "de"), ("<html xml:lang=fr>", "fr"), ("<html lang=' '>", None), ("x", None)]
)
def test_lang(html: str, lang: str | None) -> None:
    assert parse(html).lang == lang


def test_only_the_first_title_of_the_page_counts() -> None:
    assert parse("<svg><title>icon</title></svg><title>one</title><title>two</title>").title == "one"


@given(
    st.lists(
        st.sampled_from(["class=a", "CLASS='b c'", "id", "rel=tag", "data-x=&amp;", "/", "class", "=rel"]), max_size=6
    )
)
def test_some_attributes_are_those_of_all(parts: list[str]) -> None:
    elements = parse(f"<p {' '.join(parts)}>x").elements
    row, names = int(elements.find("p")[0]), ("class", "id", "rel", "data-x", "title")
    every = elements[row].attributes
    assert elements.some_attributes(row, tuple(name.encode() for name in names)) == [
        every.get(name, "") for name in names
    ]
    assert [elements.attribute(row, name) for name in names] == [every.get(name) for name in names]


@given(
    st.lists(st.text("canoilCANmthMTHld+jsre=/ \n", max_size=40), max_size=5),
    st.sampled_from([b"canonical", b"math", b"ld+json", b"href", b"c"]),
)
def test_elements_are_found_by_the_words_of_their_start_tags(values: list[str], word: bytes) -> None:
    page = parse("".join(f'<p title="{value}">x<b class=math>y</b>' for value in [*values, f"x{word.decode()}"]))
    elements = page.elements
    tags = {row: page.source[slice(*elements.start_tag(row))].lower() for row in elements.find("p").tolist()}
    assert elements.holding("p", word) == [row for row, tag in tags.items() if word in tag]


@pytest.mark.parametrize("read", [webstrata.parse, webstrata.extract, webstrata.segment])
def test_an_address_is_not_taken_for_html(read: Callable[[str], object]) -> None:
    with pytest.raises(InputError, match="is an address, not HTML"):
        read("https://example.org/silt")
    with pytest.raises(InputError, match="is the name of a file, not HTML: give Path"):
        read("pages/silt.html")


@pytest.mark.parametrize(
    "html", ["https://example.org/silt is a page", "http://a.example/<b>", b"http://a.example/", ""]
)
def test_html_that_begins_with_an_address_is_html(html: str | bytes) -> None:
    text = html.decode() if isinstance(html, bytes) else html
    assert parse(html).text == text.replace("<b>", "")
    assert from_html(b"http://a.example/").page.text == "http://a.example/"
