"""Clean HTML: well formed, safe, and with the same text."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markup import blocks

from webstrata._scan.tags import VOID_TAGS
from webstrata.extraction.structure.html import html
from webstrata.extraction.structure.text import text
from webstrata.page import parse

URL = "https://example.org/a/b"
ALLOWED = {
    "article": {"lang", "dir"}, "a": {"href"}, "img": {"src", "alt"}, "ol": {"start"}, "code": {"class"},
    "span": {"class"},
    "td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan"},
    **{name: set() for name in "h1 h2 h3 h4 h5 h6 p ul li dl dt dd blockquote pre table tr caption figure figcaption hr"
       " br strong em del mark sub sup".split()},
}  # fmt: skip
INSIDE = {"li": {"ul", "ol"}, "dt": {"dl"}, "dd": {"dl"}, "tr": {"table"}, "td": {"tr"}, "th": {"tr"}}
BLOCKS = set("h1 h2 h3 h4 h5 h6 p ul ol dl blockquote pre table figure hr".split())


class Checker(HTMLParser):
    """Fails on a tag or attribute that is not allowed, on an end tag that does not fit, and on wrong nesting."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert {name for name, _ in attrs} <= ALLOWED[tag], (tag, attrs)
        parent = self.open[-1] if self.open else ""
        assert parent in INSIDE.get(tag, {parent}), (tag, self.open)
        if tag in BLOCKS:
            assert not {"p", "h1", "h3", "pre", "a", "strong"} & set(self.open), (tag, self.open)
        for name, value in attrs:
            assert name not in ("href", "src") or (value or "").startswith(("http", "mailto:")), value
        if tag not in VOID_TAGS:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def check(value: str) -> None:
    checker = Checker()
    checker.feed(value)
    checker.close()
    assert checker.open == []


def render(source: str) -> str:
    page = parse(source, url=URL)
    value = html(page, ~page.blocks.hidden)
    check(value)
    return value.removeprefix("<article>").removesuffix("</article>").strip()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("", ""),
        ("a < b & c", "<p>a &lt; b &amp; c</p>"),
        ("<p onclick=x() style=y class=z id=w>a", "<p>a</p>"),
        ("<script>x</script><p>a<style>y</style>", "<p>a</p>"),
        ("<p><a href='JaVa&#9;Script:x'>a</a><a href=' data:text/html,x'>b</a>", "<p>ab</p>"),
        ("<p><a href='vbscript:x' title='\"'>a</a>", "<p>a</p>"),
        ("<p><a href='/x?a=1&b=\"2\"'>a</a>", '<p><a href="https://example.org/x?a=1&amp;b=&quot;2&quot;">a</a></p>'),
        ("<p><a href=//other.example>a</a>", '<p><a href="https://other.example">a</a></p>'),
        ("<p><img src=x onerror=alert(1)>a", '<p><img src="https://example.org/a/x" alt=""> a</p>'),
        ("<p><img src='javascript:x' alt=y>a", "<p>a</p>"),
        ("<svg><script>x</script><text>a</text></svg>", "<p>a</p>"),
        ("<p>&lt;script&gt;", "<p>&lt;script&gt;</p>"),
        ("<p>a<br>b <b>c<i>d</i></b>", "<p>a<br>b <strong>c</strong><strong><em>d</em></strong></p>"),
        ("<li>a", "<p>a</p>"),
        ("<ul>a<li>b</ul>", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
        ("<ol start=3><li>a<p>b</ol>", '<ol start="3">\n<li>a\n<p>b</p>\n</li>\n</ol>'),
        ("<pre>\n\n a</pre>", "<pre><code> a</code></pre>"),
        ("<pre class=language-py>a</pre>", '<pre><code class="language-py">a</code></pre>'),
        (
            "<table><tr><td colspan=2 onclick=x>a<tr><td>b<td>c</table>",
            '<table>\n<tr>\n<td colspan="2">a</td>\n</tr>\n<tr>\n<td>b</td>\n<td>c</td>\n</tr>\n</table>',
        ),
        (
            "<figure><img src=/i.png alt=I><figcaption>c</figcaption></figure>",
            '<figure>\n<p><img src="https://example.org/i.png" alt="I"></p>\n<figcaption>c</figcaption>\n</figure>',
        ),
    ],
)
def test_structure(source: str, expected: str) -> None:
    assert render(source) == expected


def test_language_and_direction() -> None:
    page = parse("<html lang='ar' dir=RTL><p>a")
    assert html(page, np.ones(1, bool)).startswith('<article lang="ar" dir="rtl">')
    page = parse("<html lang='\"><script>' dir='x'><p>a")
    assert html(page, np.ones(1, bool)).startswith("<article>")


@settings(max_examples=300)
@given(source=blocks, seed=st.integers(0, 2**16))
@pytest.mark.slow
def test_well_formed_and_the_same_text(source: str, seed: int) -> None:
    page = parse(source, url=URL)
    keep = np.random.default_rng(seed).random(len(page.blocks)) < 0.8
    for row in page.elements.find("pre"):  # code is written whole
        code = slice(*page.elements.block_span(int(row)))
        keep[code] = keep[code].any()
    value = html(page, keep)
    check(value)
    # Signs that link a heading to itself are left out.
    signs = str.maketrans("", "", "¶#§🔗⚓")
    shown, wanted = (found.translate(signs).split() for found in (parse(value).text, text(page, keep)))
    assert "".join(shown) == "".join(wanted)


@given(source=st.binary(max_size=400), seed=st.integers(0, 2**16))
def test_any_bytes_make_well_formed_html(source: bytes, seed: int) -> None:
    page = parse(b"<ul><table><tr><td><a href='" + source + b"'><dl><figure><img src=x>" + source, url=URL)
    keep = np.random.default_rng(seed).random(len(page.blocks)) < 0.7
    check(html(page, keep))
