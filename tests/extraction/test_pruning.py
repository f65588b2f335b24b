"""Pages without the elements that a selector finds."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from commands import webstrata

from webstrata.errors import InputError
from webstrata.extraction import extract
from webstrata.extraction.pruning import pruned
from webstrata.extraction.selectors import matching
from webstrata.page import parse

HTML = """<html lang=en-GB><body><nav id=top><ul><li>a</ul></nav><div class="x y"><p>b<span data-k="v w">c</span></div>
<my-box>d<my-box title='e"f'>e</my-box></my-box><ul><li class=Z>f<ol><li>g</ol></ul><a href="https://example.org/a.pdf">h</a>"""


@pytest.mark.parametrize(
    ("selector", "found"),
    [
        ("nav", ["nav"]),
        ("NAV", ["nav"]),
        ("li", ["li", "li", "li"]),
        ("nav li", ["li"]),
        ("body > ul li", ["li", "li"]),
        ("body>ul>li", ["li"]),
        ("ol > li, #top", ["nav", "li"]),
        (".x.y", ["div"]),
        ("div.x", ["div"]),
        ("p.x", []),
        (".z", []),
        ("my-box", ["my-box", "my-box"]),
        ("my-box my-box", ["my-box"]),
        ("other-box", []),
        ("[data-k]", ["span"]),
        ("[data-k~=w]", ["span"]),
        ("span[data-k=v]", []),
        ("[ data-k = 'v w' ]", ["span"]),
        ("[lang|=en]", ["html"]),
        ('a[href^="https:"][href$=".pdf"]', ["a"]),
        ("a[href*='example']", ["a"]),
        ("[href*='']", []),
        ("[title='e\"f']", ["my-box"]),
        ("div *", ["p", "span"]),
        ("html", ["html"]),
        ("html html", []),
        ("* > html", []),
    ],
)
def test_selectors(selector: str, found: list[str]) -> None:
    elements = parse(HTML).elements
    assert [elements[row].tag for row in np.flatnonzero(matching(elements, selector)).tolist()] == found


@pytest.mark.parametrize(
    "selector", ["", " ", ",a", "a,", "a >", "> a", "a:hover", "a + b", "a[", "a[b=]", "1", "a..b", "#", "a{b"]
)
def test_other_selectors_are_refused(selector: str) -> None:
    with pytest.raises(InputError, match="is not read"):
        matching(parse("<p>a").elements, selector)


@pytest.mark.parametrize(
    ("html", "selector", "text"),
    [
        ("<p>a<b>x</b>c", "b", "ac"),
        ("<p>a<p class=x>b<p>c", ".x", "a\nc"),
        ("<p><b class=x>a</p><p>b</b>c", ".x", "c"),
        ("<table><tr><td>a<td class=x>b<tr><td>c</table>", ".x", "a\nc"),
        ("<table><div class=x>a</div><tr><td>b</table>", ".x", "b"),
        ("<div class=x>a<div class=x>b</div></div>c", ".x", "c"),
        ("<p>a<hr>b", "hr", "a\nb"),
        ("<p>a", "html", ""),
        ("<div class=x>a<!-- --> --></div>b", ".x", "b"),
        ("\ufeff\ufeff<p class=x>a<p>b", ".x", "b"),
        ("<p class=x>a", ".y", "a"),
    ],
)
def test_pruned(html: str, selector: str, text: str) -> None:
    page = parse(html.encode())
    found = pruned(page, selector)
    assert found.text.strip("\ufeff\n") == text
    assert len(found.source) == len(page.source)
    assert (found is page) == (selector == ".y")


def test_nothing_of_an_element_is_left_in_any_format() -> None:
    html = """<title>T</title><p>Silt<sup><a href=#n>1</a></sup> is pale.</p><div class=x><img src=/i.png alt=pic>
    <iframe title=Film src=//www.youtube.com/embed/b_PXuEPxN50></iframe><p>Share</p></div><p>Mud is dark.</p>
    <ol class=x><li id=n>note</ol>"""
    found = extract(html, "keep-all", prune=".x", url="https://example.org/")
    for written in (found.text, found.markdown, found.html, found.tei, found.json()):
        assert "Mud is dark" in written
        assert not any(word in written for word in ("i.png", "Film", "Share", "note"))


def test_spans_hold_for_the_source_of_the_whole_page() -> None:
    html = "<p>Silt</p><div class=x>Share</div><p>Mud &amp; clay</p>"
    span = extract(html, "keep-all", prune=".x").markdown_spans[-1]
    assert html[span.source_start : span.source_stop] == "Mud &amp; clay"


def test_a_page_that_was_parsed_keeps_its_url_and_encoding() -> None:
    page = parse("<p class=x>ä</p><p>ö".encode("windows-1252"), url="https://example.org/", encoding="windows-1252")
    found = extract(page, "keep-all", prune=".x").page
    assert (found.text, found.url, found.encoding) == ("ö", page.url, page.encoding)


@pytest.mark.parametrize("html", ["<div class=x>" * 20_000, "<p><b class=x>" * 20_000, "<p class=x>a</p>" * 20_000])
def test_time_is_linear(html: str) -> None:
    page = parse(html)
    start = time.process_time()
    assert not pruned(page, "div .x, p > b, .x .x").text.strip("a\n")[:9]
    assert time.process_time() - start < 4


def test_the_command_prunes(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    file.write_text("<p class=x>Share</p><p>Silt is pale.")
    run = webstrata("extract", str(file), "--algorithm", "keep-all", "--prune", ".x")
    assert (run.exit_code, run.output) == (0, "Silt is pale.\n")
    assert webstrata("extract", str(file), "--prune", "a:b").exit_code == 2
