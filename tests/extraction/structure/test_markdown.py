"""Markdown: what a CommonMark parser reads back is the text."""

from __future__ import annotations

import re
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markup import blocks
from read_back import parser, read_back

from webstrata.extraction.structure.markdown import escape, markdown
from webstrata.extraction.structure.roles import roles_of
from webstrata.extraction.structure.text import text
from webstrata.page import parse

URL = "https://example.org/a/b"


def render(html: str) -> str:
    page = parse(html, url=URL)
    return markdown(page, ~page.blocks.hidden)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("", ""),
        ("<p>", ""),
        ("plain", "plain"),
        ("<h1>A</h1><h6>B</h6>", "# A\n\n###### B"),
        ("<h2>C #</h2>", "## C \\#"),
        ("<h2>C#</h2>", "## C#"),
        ("<h2><div>a</div><div>b</div></h2>", "## a b"),
        ('<h2>Title<a href="#t">¶</a></h2>', "## Title"),
        ('<h2><a href="#t">§</a></h2>', "## [§](https://example.org/a/b#t)"),
        ("<p>one<p>two", "one\n\ntwo"),
        ("<p>one<br>two", "one\\\ntwo"),
        ("<p>one<br><br>two<br>", "one\\\ntwo"),
        ("<div>a<img src=i.png alt='an [i]'>b</div>", "a ![an \\[i\\]](https://example.org/a/i.png) b"),
        ("<p><img src=i.png>text</p>", "![](https://example.org/a/i.png) text"),
        ("<p>text<img src=i.png></p>", "text ![](https://example.org/a/i.png)"),
        ("<p>a</p><img width=1 src=i.png><p>b", "a\n\nb"),
        ("<p>a</p><hr><p>b", "a\n\n***\n\nb"),
        ("<p><a href=../c?x=1&amp;y=(2)>link</a>", "[link](https://example.org/c?x=1&y=%282%29)"),
        ("<p>a<a href=/x> b </a>c", "a [b](https://example.org/x) c"),
        ("<p><a href='javascript:alert(1)'>link</a>", "link"),
        ("<p>Wow!<a href=/x>b</a>", "Wow\\![b](https://example.org/x)"),
        (
            "<a href=/x><h2>A</h2><p>b</p></a>",
            "## [A](https://example.org/x)\n\n[b](https://example.org/x)",
        ),
        ("<p><b>a</b> <i>b</i> <b><i>c</i></b> <s>d</s>", "**a** *b* ***c*** ~~d~~"),
        ("<p>x<b>a</b>y", "x**a**y"),
        ("<p><b>a:</b>b", "<strong>a:</strong>b"),
        ("<p><b>a </b>b", "**a** b"),
        ("<p><b>a</b><i>b</i>", "**a**<em>b</em>"),
        ("<p><b></b>a<i> </i>b", "a b"),
        ("<p>10<sup>6</sup>", "10<sup>6</sup>"),
        ("<p><code>a`b</code> <code>`</code> <code>c<b>d</b></code>", "``a`b`` `` ` `` `cd`"),
        ("<b><p>one</p><p>two</p></b>", "**one**\n\n**two**"),
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<ol start=9><li>a<li>b</ol>", "9. a\n10. b"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c"),
        ("<ul><li>a</li><ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c"),
        ("<ul><li><p>a<p>b<li>c</ul>", "- a\n\n  b\n- c"),
        ("<ul><li>a<pre>b\n  c</pre></ul>", "- a\n\n  ```\n  b\n    c\n  ```"),
        ("<ul><li>a<pre>b</pre><li>c</ul>d", "- a\n\n  ```\n  b\n  ```\n- c\n\nd"),
        ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b"),
        ("<ul>loose<li>a</ul>", "- loose\n- a"),
        ("<p>x<li>a", "x\n\na"),
        ("<blockquote><p>a<p>b<blockquote>c</blockquote></blockquote>d", "> a\n>\n> b\n>\n> > c\n\nd"),
        ("<dl><dt>a<dd>b</dl>", "**a**\n\nb"),
        ("<pre>  a\n\n b</pre>", "```\n  a\n\n b\n```"),
        ("<pre>```</pre>", "````\n```\n````"),
        ("<pre><code class='x language-c++'>a</code></pre>", "```c++\na\n```"),
        ("<div class='highlight highlight-source-shell'><pre>a</pre></div>", "```shell\na\n```"),
        ("<table><tr><th>a<th>b<tr><td>c<td>d</table>", "| a | b |\n| --- | --- |\n| c | d |"),
        ("<table><tr><td>a<td>b<tr><td><td>d</table>", "| a | b |\n| --- | --- |\n|  | d |"),
        (
            "<table><tr><th colspan=2>a<th rowspan=2>b<tr><td>c<td>d</table>",
            "| a | a | b |\n| --- | --- | --- |\n| c | d | b |",
        ),
        ("<table><tr><th>a|b<th><p>c<p>d<tr><td>x</table>", "| a\\|b | c<br>d |\n| --- | --- |\n| x |"),
        ("<table><caption>t</caption><tr><th>a<th>b</table>", "t\n\n| a | b |\n| --- | --- |"),
        (
            "<table><tr><th rowspan=2>a<th colspan=2>b<tr><th>c<th>d<tr><td>e<td>f<td>g<tr><td colspan=3>h</table>",
            "| a | b c | b d |\n| --- | --- | --- |\n| e | f | g |\n| h |  |  |",
        ),
        (
            "<table><tr><td>a<td rowspan=3>b|<tr><td>c<tr><td>d</table>",
            "| a | b\\| |\n| --- | --- |\n| c | b\\| |\n| d | b\\| |",
        ),
        (
            "<table><tr><td>a<td><pre>b\n  c</pre><tr><td>c<td>d</table>",
            "| a | `b`<br>`  c` |\n| --- | --- |\n| c | d |",
        ),
        ("<table><tr><td>a<td><ul><li>b<li>c</ul><tr><td>c<td>d</table>", "| a | b<br>c |\n| --- | --- |\n| c | d |"),
        ("<table><tr><td><table><tr><td>a<td>b<tr><td>c<td>d</table><td>e<tr><td>f</table>", None),
    ],
)
def test_structure(html: str, expected: str | None) -> None:
    page = parse(html, url=URL)
    found = render(html)
    if expected is not None:
        assert found == expected
    else:
        assert "| c | d |" in found
    words, expected_words = read_back(found).split(), text(page, ~page.blocks.hidden).replace("¶", "").split()
    # Cells that span others are written in each of them.
    assert set(words) == set(expected_words) if "span=" in html else words == expected_words


@pytest.mark.parametrize(
    "line",
    [
        "# a", "#", "1. a", "1) a", "1.", "- a", "+ a", "* a", "-", "> a", ">", "---", "- - -", "***", "===", "=",
        "```", "~~~", "[a]: b", "[a](b)", "![a](b)", "<b>", "<http://a.b>", "<!-- a -->", "&amp;", "&#35;", "a  ",
        "\\", "a\\", "`", "``a`", "*a*", "**a**", "_a_", "__a__", "a_b_c", "~~a~~", "| a | b |", "|---|---|",
        ":-- | --:", "a | b",
        "!", "!!", "http://a.b/*c*", "{% a %}", "$a$", "a*b*c", "1\\. a", "\t- a", "0) ]", "-a", "+", "&", "<", "a<b>c",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "frame",
    ["<p>%s", "<p>x<br>%s", "<ul><li>%s</ul>", "<h2>%s</h2>", "<blockquote>%s</blockquote>", "<p><b>%s</b>y",
     "<p>y<i>%s</i>", "<p><code>%s</code>", "<p><a href=/x>%s</a>", "<table><tr><th>%s<th>b<tr><td>%s<td>%s</table>",
     "<p>%s<b>%s</b>%s", "<pre>%s</pre>", "<p>a<p>%s<p>b"],
)  # fmt: skip
def test_text_that_looks_like_markdown(line: str, frame: str) -> None:
    html = frame.replace("%s", line.replace("&", "&amp;").replace("<", "&lt;"))
    page = parse(html, url=URL)
    keep = np.ones(len(page.blocks), bool)
    assert read_back(markdown(page, keep)).split() == text(page, keep).split()


def test_what_follows_code_stands_where_it_belongs() -> None:
    item = "<li><p>a<blockquote><pre>b</pre></blockquote>"
    found = render(f"<ul>{item * 12}</ul><p>end")
    assert found.endswith("\n\nend")
    assert parser().render(found).count("<ul>") == 1


@settings(max_examples=400)
@given(html=blocks, seed=st.integers(0, 2**16))
@example(html="<pre><ol>1</ol>1</pre>", seed=0)
@pytest.mark.slow
def test_a_parser_reads_the_text_back(html: str, seed: int) -> None:
    page = parse(html, url=URL)
    keep = np.random.default_rng(seed).random(len(page.blocks)) < 0.8
    found = markdown(page, keep)
    # A link of a heading that shows nothing but a sign is a permalink, and left out.
    sign = "#" if "<h" in html and "<a" in html else "no sign"
    assert read_back(found).replace(sign, "").split() == text(page, keep).replace(sign, "").split()
    if "```" not in found:  # code may end with a space
        assert not any(line.endswith(" ") for line in found.split("\n") if not line.strip("> "))


def test_marks_are_read_back_as_marks() -> None:
    found = parser().render(render("<p><b>a</b>,<i>b</i> <b><i>c</i></b><p>注意<b>：粗</b>体"))
    assert found == (
        "<p><strong>a</strong>,<em>b</em> <em><strong>c</strong></em></p>\n<p>注意<strong>：粗</strong>体</p>\n"
    )


def test_nesting_is_read_back_as_nesting() -> None:
    html = parser().render(render("<ol><li>a<ul><li>b<ol><li>c</ol></ul><li><blockquote>d</blockquote></ol>"))
    assert "".join(html.split()) == (
        "<ol><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li><li><blockquote><p>d</p></blockquote></li></ol>"
    )


@pytest.mark.parametrize(
    "html",
    [
        "<ul><li>x" * 500,
        "<blockquote>x" * 500,
        "<div>" * 2000 + "x",
        "<ul><li>a" * 400 + "<p>x" * 20_000,
        "<p>x<b>y</b>" * 50_000,
        "<table><tr>" + "<td rowspan=1000>x" * 500 + "<tr><td>y" * 20_000,
        "<table>" + "<tr><td>a<td colspan=1000>b" * 20_000,
        "<p>" + "<a href=/x>x</a> " * 20_000,
        "<p>x" + "<img src=a.png>" * 20_000 + "y",
        "<h1>" + "<div>x</div>" * 20_000,
    ],
    ids=lambda html: html[:24],
)
@pytest.mark.slow
def test_big_and_deep_pages_take_linear_room_and_time(html: str) -> None:
    start = time.process_time()
    found = render(html)
    assert time.process_time() - start < 8
    assert 0 < len(found) < 40 * len(html)


@pytest.mark.slow
def test_time_grows_with_the_page_only() -> None:
    def seconds(count: int) -> float:
        page = parse("<p>x <b>y</b> <a href=/z>z</a><ul><li>a<li>b</ul>" * count, url=URL)
        start = time.process_time()
        markdown(page, np.ones(len(page.blocks), bool))
        return time.process_time() - start

    # Eight times the page; quadratic time would be sixty-four times as long.
    assert seconds(8000) < 24 * min(seconds(1000) for _ in range(3))


@pytest.mark.slow
def test_real_pages_are_read_back(data_dir: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    # Signs that link a heading to itself are in the text and not in the Markdown.
    signs = str.maketrans("", "", "¶#§🔗⚓")
    number = 0
    for batch in pq.ParquetFile(data_dir / "wcxb-dev/wcxb-dev.parquet").iter_batches(16, columns=["html", "file_id"]):
        row = batch.slice(0, 1).to_pylist()[0]
        page = parse(row["html"], url=URL)
        roles = roles_of(page)
        if roles.formulas or roles.code or roles.callouts or roles.note is not None:
            continue
        keep = ~page.blocks.hidden if roles.dropped is None else ~page.blocks.hidden & ~roles.dropped
        # Embeds are links with text of their own.
        found, expected = read_back(markdown(page, keep, links=not roles.embeds)), text(page, keep)
        assert "".join(found.translate(signs).split()) == "".join(expected.translate(signs).split()), row["file_id"]
        number += 1
    assert number > 70


@pytest.mark.parametrize("around", ["<blockquote>{}</blockquote>", "<ul><li>{}</ul>", "<ol><li><ul><li>{}</ul></ol>"])
@pytest.mark.parametrize("end", ["&#13;", "&#13;&#10;", "&#13;&#13;", "\n"])
def test_no_line_end_leads_out_of_code(around: str, end: str) -> None:
    page = parse(around.format(f"<pre>a{end}&lt;script>x&lt;/script>{end}b</pre>"))
    rendered = MarkdownIt("commonmark", {"html": True}).render(markdown(page, ~page.blocks.hidden))
    assert "<script" not in rendered
    assert rendered.count("<pre>") == 1


def test_a_fence_is_longer_than_what_it_holds() -> None:
    page = parse("<pre>```` ` ``</pre>")
    assert markdown(page, ~page.blocks.hidden) == "`````\n```` ` ``\n`````"


# What is escaped, as it is said: these signs, underscores but inside of words, and what begins a tag or a reference.
SPECIAL = re.compile(r"[\\`*\[\]~]|(?<![^\W_])_|_(?![^\W_])|<(?=[A-Za-z/!?])|&(?=#?\w+;)")


@given(st.text(st.sampled_from("ab1_é日*`[]~<>/!?&#;\\ \u0661²@Z{"), max_size=20))
def test_escaping_is_as_it_is_said(written: str) -> None:
    assert escape(written) == SPECIAL.sub(lambda match: f"\\{match[0]}", written)
