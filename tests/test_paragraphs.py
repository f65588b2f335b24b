"""What a paragraph is, and that everything that gives paragraphs gives the same ones."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from webstrata.apps.explain import report
from webstrata.extraction import extract
from webstrata.extraction.learned.reading import read_page
from webstrata.extraction.structure.text import separator, text
from webstrata.page import parse
from webstrata.paragraphs import ITEM, LINE, PARAGRAPH, WITHIN, WITHIN_TAGS, ends, ends_kept

ONE = [
    "Press <kbd>x</kbd> or <input> here.",
    "See <img src=a.png alt=''> there.",
    "Click <button>Go</button> now.",
    "A <svg><text>label</text></svg> in a line.",
    "Energy is <math><mi>E</mi></math> here.",
    "A <blurb>strange</blurb> tag.",
    "The <relative-time>3 months ago</relative-time> update (<x-b>one</x-b>), <x-c>two</x-c>.",
    "one <b>two</b> <i>three</i><wbr>four <a href=/>five</a>",
    "one <span hidden>secret</span> two",
]
TWO = [
    *("one<hr>two", "one<div>two</div>", "one<h2>two</h2>", "one<p>two", "one<ul><li>two</ul>"),
    *("one<my-box>two</my-box>", "<my-box>one</my-box><my-box>two</my-box>", "one <my-box><p>two</my-box>"),
]


def text_paragraphs(html: str) -> int:
    return len(extract(html, "keep-all").text.split("\n\n"))


def markdown_paragraphs(html: str) -> int:
    tokens = MarkdownIt().parse(extract(html, "keep-all").markdown)
    return sum(token.type == "inline" for token in tokens)


def learned_paragraphs(html: str) -> int:
    page = parse(html)
    first = read_page(page).first_block
    return len([row for row in first.tolist() if not page.blocks.hidden[row]])


def explained_paragraphs(html: str) -> int:
    shown = report(extract(html, "keep-all"), name="page").partition("<main")[2] or report(
        extract(html, "keep-all"), name="page"
    )
    return len(re.findall(r"<p><span id=\"b", shown))


@pytest.mark.parametrize("count", [text_paragraphs, markdown_paragraphs, explained_paragraphs])
@pytest.mark.parametrize("html", ONE)
def test_inline_content_does_not_end_a_paragraph(count: object, html: str) -> None:
    assert callable(count)
    assert count(f"<p>{html}</p>") == 1


@pytest.mark.parametrize("html", ONE[:-1])
def test_the_learned_extractor_judges_the_same_paragraphs(html: str) -> None:
    assert learned_paragraphs(f"<p>{html}</p>") == 1


@pytest.mark.parametrize("count", [text_paragraphs, markdown_paragraphs, learned_paragraphs, explained_paragraphs])
@pytest.mark.parametrize("html", TWO)
def test_everything_else_does(count: object, html: str) -> None:
    assert callable(count)
    assert count(f"<div>{html}</div>") == 2


def test_what_ends_before_each_block() -> None:
    page = parse("<p>one<br>two <b>three</b><ul><li>four<li>five</ul><table><tr><td>six<td>seven</table>")
    assert ends(page).tolist() == [PARAGRAPH, LINE, WITHIN, PARAGRAPH, ITEM, PARAGRAPH, ITEM]


@pytest.mark.parametrize(
    ("html", "keep", "expected"),
    [
        ("one <b>two</b> three", [1, 0, 1], [PARAGRAPH, WITHIN]),
        ("one<br>two<br>three", [1, 0, 1], [PARAGRAPH, PARAGRAPH]),
        ("one<br><span hidden>two</span><br>three", [1, 0, 1], [PARAGRAPH, LINE]),
        ("<li>one<li>two<li>three", [1, 0, 1], [PARAGRAPH, PARAGRAPH]),
        ("<p>one<p>two", [0, 1], [PARAGRAPH]),
    ],
)
def test_what_is_left_out_between(html: str, keep: list[int], expected: list[int]) -> None:
    assert ends_kept(parse(html), np.array(keep, bool)).tolist() == expected


tags = st.sampled_from(sorted(WITHIN_TAGS - {"", "br", "script", "style", "template", "select", "textarea", "iframe"}))


@given(st.lists(tags, max_size=4))
def test_any_nesting_of_inline_tags_is_one_paragraph(names: list[str]) -> None:
    page = parse("<p>one " + "".join(f"<{name}>" for name in names) + " two")
    assert (ends(page)[1:] <= LINE).all()


@given(st.text("ab \u4e00\U0001f311<>/pdivlrh", max_size=60), st.integers(0, 2**16))
def test_kept_text_is_the_kept_blocks_with_what_separates_them(html: str, seed: int) -> None:
    page = parse(html)
    keep = np.random.default_rng(seed).random(len(page.blocks)) < 0.7
    parts, last = [], -1
    for row, end in zip(np.flatnonzero(keep).tolist(), ends_kept(page, keep).tolist(), strict=True):
        if last >= 0:
            parts.append("\n\n" if end == PARAGRAPH else separator(page, last, row))
        parts.append(page.blocks[row].text)
        last = row
    assert text(page, keep) == "".join(parts)
