"""Which blocks and elements a source gives: the tree, the text, the gaps."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariants import check

from webstrata.page import parse


def paths(html: str) -> list[tuple[str, str]]:
    """Each block with its path below the body."""
    page = parse(html)
    check(page)
    return [(block.text, "/".join(block.path).removeprefix("html/body").lstrip("/")) for block in page.blocks]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a<p>b", [("a", "p"), ("b", "p")]),
        ("<p>a<div>b</div>c</p>d", [("a", "p"), ("b", "div"), ("c", ""), ("d", "")]),
        ("<ul><li>a<li>b<ul><li>c</ul>d", [("a", "ul/li"), ("b", "ul/li"), ("c", "ul/li/ul/li"), ("d", "ul/li")]),
        ("<dl><dt>a<dd>b<dt>c", [("a", "dl/dt"), ("b", "dl/dd"), ("c", "dl/dt")]),
        ("<table><td>a<td>b<tr><th>c</table>d", [
            ("a", "table/tbody/tr/td"), ("b", "table/tbody/tr/td"), ("c", "table/tbody/tr/th"), ("d", "")]),
        ("<table><caption>a<tr><td>b", [("a", "table/caption"), ("b", "table/tbody/tr/td")]),
        ("<table><thead><tr><td>a<tbody><tr><td>b", [("a", "table/thead/tr/td"), ("b", "table/tbody/tr/td")]),
        ("<table><tr><td><table><tr><td>a</table>b</table>", [
            ("a", "table/tbody/tr/td/table/tbody/tr/td"), ("b", "table/tbody/tr/td")]),
        ("<h1>a<h2>b</h1>c", [("a", "h1"), ("b", "h2"), ("c", "")]),
        ("<b>a<p>b</p></b>c", [("a", "b"), ("b", "b/p"), ("c", "")]),
        ("<p><b>a<p>b</b>c", [("a", "p/b"), ("b", "p/b"), ("c", "p")]),
        ("<b>a<i>b</b>c</i>d", [("a", "b"), ("b", "b/i"), ("c", "i"), ("d", "")]),
        ("<a>a<div>b<a>c", [("a", ""), ("bc", "div")]),
        ("<form>a<div>b</form>c</div>d", [("a", "form"), ("b", "form/div"), ("c", "form/div"), ("d", "")]),
        ("a</p>b", [("a", ""), ("b", "")]),
        ("a</div></i>b</br>c", [("a", ""), ("b", ""), ("c", "")]),
        ("<svg><text>a</text><p>b", [("a", "svg/text"), ("b", "p")]),
        ("<svg><foreignObject><p>a</p></foreignObject></svg>b", [("a", "svg/foreignobject/p"), ("b", "")]),
        ("<math><mi>a</mi><annotation>b</annotation></math>c", [
            ("a", "math/mi"), ("b", "math/annotation"), ("c", "")]),
        ("<svg><![CDATA[a<b>]]></svg>", [("a<b>", "svg")]),
        ("<button>a<p>b<button>c", [("a", "button"), ("b", "button/p"), ("c", "button")]),
        ("<ruby>a<rt>b<rt>c</ruby>", [("a", "ruby"), ("b", "ruby/rt"), ("c", "ruby/rt")]),
        ("<head><title>t</title></head>a<body>b</body>c", [("a", ""), ("b", ""), ("c", "")]),
        ("<x-card>a<unknown>b</unknown></x-card>", [("a", "x-card"), ("b", "x-card/unknown")]),
        ("<UNKNOWN>a</unknown>b", [("a", "unknown"), ("b", "")]),
        ("<image>a", [("a", "")]),
        ("<!doctype html><p>a<table><tr><td>b", [("a", "p"), ("b", "table/tbody/tr/td")]),
        ("<p>a<table><tr><td>b", [("a", "p"), ("b", "p/table/tbody/tr/td")]),
        ('<!doctype html public "-//W3C//DTD HTML 4.01 Transitional//EN"><p>a<table><tr><td>b', [
            ("a", "p"), ("b", "p/table/tbody/tr/td")]),
        ('<!doctype html public "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">'
         "<p>a<table><tr><td>b", [("a", "p"), ("b", "table/tbody/tr/td")]),
        ("<body><noscript><p>a</noscript>b", [("a", "noscript/p"), ("b", "")]),
        ("<head><noscript><link><img></noscript><p>a", [("a", "p")]),
        ("<nobr>a<nobr>b", [("a", "nobr"), ("b", "nobr")]),
        ("<font><p>a</p>\n<p>b</font></p>c", [("a", "font/p"), ("b", "font/p"), ("c", "")]),
    ],
)  # fmt: skip
def test_tree(html: str, expected: list[tuple[str, str]]) -> None:
    assert paths(html) == expected


@pytest.mark.parametrize("tag", ["script", "style", "template", "option", "title", "iframe", "noembed", "select"])
def test_silent_elements_have_no_text(tag: str) -> None:
    page = parse(f"<p>a<{tag}>b</{tag}>c")
    assert "".join(page.text.split()) == "ac"
    assert tag in page.blocks[1].gap


@pytest.mark.parametrize(
    "html",
    [
        "<div hidden>x</div>y",
        "<div HIDDEN=until-found><p><b>x</b></div>y",
        "<div style='color:red; Display : None'>x</div>y",
        "<div style=visibility:hidden>x</div>y",
        "<div aria-hidden=true>x</div>y",
        "<body><noscript>x</noscript>y",
        "<head><noscript>x</noscript><body>y",
        "<head><noscript><p>x</p></noscript>y",
        "<video>x</video>y",
        "<svg><title>x</title></svg>y",
        "<a hidden>x</a>y",
        "<p><a aria-hidden=true>x</a>y",
    ],
)
def test_hidden_text_is_kept_and_flagged(html: str) -> None:
    page = parse(html)
    check(page)
    assert [(block.text, block.hidden) for block in page.blocks] == [("x", True), ("y", False)]


def test_a_space_that_is_shown_parts_hidden_text() -> None:
    blocks = parse("<p><a hidden>x</a> <a hidden>y</a><a hidden>z</a>").blocks
    assert [(block.text, block.hidden) for block in blocks] == [("x", True), ("yz", True)]


@pytest.mark.parametrize(
    "html",
    [
        "<p aria-hidden=false>x",
        "<p style='backface-visibility:hidden'>x",
        "<p style='display:block'>x",
        "<p data-hidden>x",
    ],
)
def test_shown_text_is_not_flagged(html: str) -> None:
    assert not parse(html).blocks[0].hidden


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("  a \n\t b  ", "a b"),
        ("a <b> b</b>c", "a bc"),
        ("a<b>b</b>", "ab"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<p>a</p> <p>b</p>", "a\nb"),
        ("a<img>b", "a b"),
        ("a<!-- x -->b", "ab"),
        ("a<script>x</script>b", "ab"),
        ("<td>a</td><td>b", "a\nb"),
        ("<table><tr><td>a</td><td>b", "a\nb"),
        ("a&nbsp;\u3000b&#10;c", "a b c"),
        ("<p>&nbsp;</p>a", "a"),
        ("<pre>\n\n a\n\tb </pre>c", "\n a\n\tb \nc"),
        ("<pre>a  <b>b</b>\r\nc</pre>", "a  b\nc"),
        ("<textarea>\n a\n&lt;b></textarea>", " a\n<b>"),
        ("<p>a\0b", "ab"),
        ("<svg><text>a\0b", "a\ufffdb"),
        ("<x-y>a</x-y>b", "a\nb"),
        ("caf&eacute; 漢字 &#x1F600;", "café 漢字 \U0001f600"),
    ],
)
def test_text_is_folded_as_it_is_shown(html: str, text: str) -> None:
    page = parse(html)
    check(page)
    assert page.text == text


def test_gaps_are_complete() -> None:
    page = parse("a<p><img><i></i></p><script>x</script><br>b<a href=x>c</a>d<a><u>e</u></a>")
    gaps = [sorted(block.gap) for block in page.blocks]
    assert [block.text for block in page.blocks] == ["a", "bcd", "e"]
    assert gaps == [[], ["br", "i", "img", "p", "script"], ["a", "u"]]


def test_gap_names_tags_that_are_ignored_or_unknown() -> None:
    page = parse("a</section><unheard>b")
    assert page.blocks[1].gap == {"section", ""}


def test_link_words() -> None:
    blocks = parse("<p>one <a href=x>two three</a> four<a>five</a>").blocks
    assert (blocks.words.tolist(), blocks.link_words.tolist()) == ([4], [2])


def test_a_named_anchor_is_no_link() -> None:
    """It is often left open, so that all that follows would be the text of a link; what has no name may be a button."""
    blocks = parse("<a name=here>one<p>two three<p><a NAME=top HREF=/x>four</a> five <a onclick=go()>six</a>").blocks
    assert blocks.link_words.tolist() == [0, 0, 2]
    again = parse("<p><a name=x>one<p>two")
    assert again.blocks.link_words.tolist() == [0, 0]
    assert again.links == ()


def test_blocks_of_elements() -> None:
    page = parse("foo <a href=1>bar</a> baz<div>x<a href=2><p>y</p></a></div>")
    assert {element.tag: element.blocks for element in page.elements if element.tag != "a"} == {
        "html": range(3), "head": range(0), "body": range(3), "div": range(1, 3), "p": range(2, 3),
    }  # fmt: skip
    assert [link.blocks for link in page.links] == [range(1), range(2, 3)]


def test_spans_lead_back_to_the_source() -> None:
    page = parse("<h1 id=t> Two &amp; <b>three</b> </h1>\n<p>x")
    assert [block.html for block in page.blocks] == ["Two &amp;", "three", "x"]
    heading = page.elements[int(page.elements.find("h1")[0])]
    assert heading.html == "<h1 id=t> Two &amp; <b>three</b> </h1>"
    assert [block.heading for block in page.blocks] == [1, 1, 0]


def test_metadata_after_the_head_goes_into_the_head() -> None:
    page = parse("<head></head><title>t</title><body>x")
    title = page.elements[int(page.elements.find("title")[0])]
    assert title.path == ("html", "head", "title")
    assert page.title == "t"


def test_deep_trees_are_flattened() -> None:
    page = parse("<div>" * 5000 + "x")
    check(page)
    assert len(page.elements) == 5003
    assert page.elements.depth.max() == 511
    assert page.text == "x"


def test_forgotten_elements_do_not_deepen_the_tree_for_ever() -> None:
    page = parse(("<b>" * 400 + "<div>" + "</b>" * 400) * 30 + "x")
    check(page)
    assert page.elements.depth.max() <= 1024


@given(st.text("abcdefgh0123456789éÿĀ日￿😀\U0010ffff", max_size=60))
def test_text_of_any_width_is_the_string_that_python_would_make(text: str) -> None:
    found = parse(f"<p>{text}").text
    assert (found, hash(found), found.isascii(), sys.getsizeof(found)) == (
        text,
        hash(text),
        text.isascii(),
        sys.getsizeof("".join(list(text))),
    )
