"""Images: the best of the addresses that a page gives for them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webstrata.extraction.structure.images import Images, srcset
from webstrata.extraction.structure.markdown import markdown
from webstrata.page import parse
from webstrata.urls import Resolver


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", []),
        (" , ,", []),
        ("a.jpg", [("a.jpg", 0, 1)]),
        ("a.jpg 1x, b.jpg 2x", [("a.jpg", 0, 1), ("b.jpg", 0, 2)]),
        ("a.jpg 300w,b.jpg 600w", [("a.jpg", 300, 1), ("b.jpg", 600, 1)]),
        ("a,b.jpg 300w, c,d.jpg 2x", [("a,b.jpg", 300, 1), ("c,d.jpg", 0, 2)]),
        ("a.jpg, b.jpg 2x", [("a.jpg", 0, 1), ("b.jpg", 0, 2)]),
        ("a.jpg,b.jpg 2x", [("a.jpg,b.jpg", 0, 2)]),
        ("a.jpg,, b.jpg", [("a.jpg", 0, 1), ("b.jpg", 0, 1)]),
        ("data:image/gif;base64,AA 1x, b.jpg 1.5x", [("data:image/gif;base64,AA", 0, 1), ("b.jpg", 0, 1.5)]),
        ("a.jpg 300w 200h, b.jpg 2q, c.jpg (x, y) 2x, d.jpg 3x", [("a.jpg", 300, 1), ("d.jpg", 0, 3)]),
        ("\n a.jpg\t300w\n,\n b.jpg 600w \n", [("a.jpg", 300, 1), ("b.jpg", 600, 1)]),
    ],
)
def test_srcset_is_read_as_the_standard_says(value: str, expected: list[tuple[str, int, float]]) -> None:
    assert srcset(value) == expected


@given(st.text(alphabet="a, \n().2wx:/"))
def test_any_srcset_can_be_read(value: str) -> None:
    for url, _, _ in srcset(value):
        assert url
        assert not url.endswith(",")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<img src=a.jpg>", "a.jpg"),
        ("<img src=a.jpg srcset='b.jpg 300w, c.jpg 1200w, d.jpg 600w'>", "c.jpg"),
        ("<img src=a.jpg srcset='b.jpg 2x, c.jpg 3x'>", "c.jpg"),
        ("<img src=a.jpg srcset='b.jpg 1x'>", "a.jpg"),
        ("<img srcset='b.jpg'>", "b.jpg"),
        ("<img src=small.jpg data-src=b.jpg>", "b.jpg"),
        ("<img src='data:image/gif;base64,AA' data-srcset='b,1.jpg 300w, b,2.jpg 900w'>", "b,2.jpg"),
        ("<img src=/img/blank.gif data-lazy-src=b.jpg>", "b.jpg"),
        ("<img src=/img/blank.gif>", None),
        ("<img src=loading-dock.jpg>", "loading-dock.jpg"),
        ("<img src=a.jpg width=1>", None),
        ("<img>", None),
        ("<img src='javascript:x' data-src='data:image/png;base64,AA'>", None),
        ("<img srcset='javascript:x 2x, b.jpg 1.5x'>", "b.jpg"),
        (
            "<picture><source srcset='b.webp 800w'><source data-srcset='c.webp 1600w'><img src=a.jpg></picture>",
            "c.webp",
        ),
        ("<picture><source srcset='b.webp'><img src=a.jpg></picture>", "a.jpg"),
        ("<picture><source srcset='b.webp'><img></picture>", "b.webp"),
    ],
)
def test_the_best_address_is_taken(html: str, expected: str | None) -> None:
    page = parse(html)
    found = Images(page, Resolver("", size=len(page.source))).image(int(page.elements.find("img")[-1]))
    assert (found and found[0]) == expected


# The names as they are said.
_PLACEHOLDER = re.compile(
    r"(?:^|/)(?:img|image)?[-_]?(?:blank|spacer|pixel|lazyload|1x1|x)(?:[-_.]?\d+(?:x\d+)?|[-_]?(?:img|image|pixel|gif))?"
    r"\.gif(?:[?#]|$)",
    re.IGNORECASE,
)
_PARTS = ["img", "image", "-", "_", "/", "blank", "Spacer", "pixel", "lazyload", "1x1", "x", "7", "im", ".gif", "?"]


@given(st.lists(st.sampled_from(_PARTS), min_size=1, max_size=6).map("".join))
def test_what_shows_nothing_is_told_by_its_name(name: str) -> None:
    page = parse(f"<img src={name}>")
    found = Images(page, Resolver("http://a/", size=len(page.source))).image(int(page.elements.find("img")[0]))
    assert (found is None) == bool(_PLACEHOLDER.search(name))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<noscript><img src=b.jpg></noscript>", "![](b.jpg)"),
        ("<img src=blank.gif><noscript><img src=b.jpg></noscript>", "![](b.jpg)"),
        ("<noscript><img src=b.jpg></noscript><img src=blank.gif>", "![](b.jpg)"),
        ("<img data-src=a.jpg><noscript><img src=b.jpg></noscript>", "![](a.jpg)"),
        ("<noscript><img src=b.jpg style='display:none'></noscript>", ""),
        ("<noscript><img src=b.jpg width=1></noscript>", ""),
        ("<div hidden><noscript><img src=b.jpg></noscript></div>", ""),
        ("<img hidden src=b.jpg>", ""),
    ],
)
def test_an_image_of_a_noscript_stands_in_for_one_that_cannot_be_shown(html: str, expected: str) -> None:
    page = parse(f"<div><p>before</p>{html}<p>after</p></div>")
    assert markdown(page, ~page.blocks.hidden).split("\n\n") == [*filter(None, ("before", expected, "after"))]


def test_a_figure_between_kept_paragraphs_keeps_its_image() -> None:
    page = parse("<p>one<figure><img src=a.jpg><figcaption>seen from the sea</figcaption></figure><p>two")
    keep = page.blocks.words < 3
    assert markdown(page, keep) == "one\n\n![](a.jpg)\n\ntwo"


def test_images_and_links_can_be_left_out() -> None:
    page = parse("<p>one <a href=/x>two <img src=a.jpg></a> three")
    keep = ~page.blocks.hidden
    assert markdown(page, keep) == "one [two](/x) [![](a.jpg)](/x) three"
    assert markdown(page, keep, images=False) == "one [two](/x) three"
    assert markdown(page, keep, links=False) == "one two ![](a.jpg) three"
