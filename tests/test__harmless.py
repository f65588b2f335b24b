"""Pages written with allowed tags only: what is left out, what is kept, and that browsers read the same tree."""

from __future__ import annotations

import time
from itertools import islice
from typing import Any

import pytest
from fuzz import pages, seed_pages
from hypothesis import given
from hypothesis import strategies as st
from injection import PAGES, browser
from mutation_xss import MUTATING
from second_reading import WRITERS, chromium, unlike

from webstrata._allowed import HTML, allowed_element
from webstrata._harmless import harmless
from webstrata.page import parse


def written(html: str, **options: Any) -> str:
    return harmless(parse(html, url="http://example.org/a"), "", **options)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p onclick=x() title='\"<b>'>x", '<p title="&quot;&lt;b&gt;">x'),
        ("<p>a<script><b>x</b></script>b<style>p > a { content: '<b>' }</style>",
         "<p>ab<style>p > a { content: '\\3c b>' }</style>"),
        ("<p>&lt;b> &amp;l<!-- x -->t; &", "<p>&lt;b&gt; &amp;lt; &amp;"),
        ("<p>a</p x='>'>b</x>c</>d<?php e ?>f<![CDATA[g]]>h", "<p>a</p>bcdfh"),
        ("<svg><![CDATA[<b>]]><path d=x /><LinearGradient></lineargradient></svg>",
         '<svg>&lt;b&gt;<path d="x" /><linearGradient></linearGradient></svg>'),
        ("<a href='java&#10;script:x()'>x</a><a href=b>y</a>", '<a href="#">x</a><a href="http://example.org/b">y</a>'),
        ("<img src=x><img src='data:image/png;base64,eA=='><video src=x poster=y>",
         '<img src="data:,"><img src="data:image/png;base64,eA=="><video>'),
        ("<iframe src=x srcdoc='<b>'><b></iframe>x", '<iframe sandbox=""></iframe>x'),
        ("<xmp><b></xmp><textarea>\n\n</p></textarea>", "<pre>\n&lt;b&gt;</pre><textarea>\n\n&lt;/p&gt;</textarea>"),
        ("<table><p>x<tr><td>y</table>", "<table><p>x<tr><td>y</table>"),
        ("<head><noscript><p>x</noscript><p>y<noscript>z</noscript>", "<head><p>y"),
        ("<meta http-equiv=refresh content=0><link rel=stylesheet href=x><base href=//x>x", '<meta content="0">x'),
        ("<p>x</p", "<p>x"),
    ],
)  # fmt: skip
def test_what_is_written(html: str, expected: str) -> None:
    assert written(html) == expected


def test_what_is_added_is_left_out_inside_of_what_is_left_out() -> None:
    inserts = [(3, "<i>"), (4, "</i>"), (13, "<hr>")]
    assert written("<p>a<script>b</script>c", attributes={3: " x"}, inserts=inserts) == "<p x><i>a</i>c"


def test_names_of_many_dots_are_read_in_linear_time() -> None:
    start = time.process_time()
    assert allowed_element("a" + "." * 38 + "!", HTML) == "x-a"
    assert time.process_time() - start < 1
    assert written("<a" + "." * 5000 + "!>x") == "<x-a>x"


@given(st.lists(st.sampled_from([*"<>/!-'\"= ab&;", "<!--", "-->", "<p", "<style", "</style", "<svg"])).map("".join))
def test_no_tag_that_is_not_allowed_is_written(html: str) -> None:
    once = written(html)
    names = {element.tag for element in parse(once).elements}
    assert {name for name in names if not name.startswith("x-")} <= {
        "html",
        "head",
        "body",
        "p",
        "style",
        "svg",
        "a",
        "b",
    }
    assert "<!--" not in once


@pytest.mark.slow
@pytest.mark.skipif(browser() is None, reason="no chromium on the PATH")
@pytest.mark.parametrize("writer", WRITERS)
def test_a_browser_reads_what_was_meant(writer: str) -> None:
    """Some of what `make fuzz` does with 1,000 mutated pages (`second_reading`)."""
    named: list[tuple[object, str | bytes]] = [
        *list(PAGES.items())[::2],
        *list(MUTATING.items())[::4],
        *enumerate(islice(pages(seed_pages([]), 3), 20)),
    ]
    with chromium() as tab:
        assert [(name, found) for name, html in named if (found := unlike(tab, writer, html))[0]] == []
        moved = [name for name, html in named if not unlike(tab, writer, html)[1]]
    assert len(moved) <= len(named) // 20, moved
