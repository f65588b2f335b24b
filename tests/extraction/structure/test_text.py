"""Text of kept blocks against the plain form of its rules, one block at a time."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.errors import InputError
from webstrata.extraction.structure.markdown import markdown
from webstrata.extraction.structure.text import text
from webstrata.page import Page, parse
from webstrata.paragraphs import WITHIN_TAGS

LINES = ("br", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "colgroup", "col", "option")

PARTS = (
    "one ,two,<b>,</b>,<p>,<br>,<ul><li>,<li>,</ul>,<table><tr><td>,<td>,<img>,<i hidden>three </i>,<rp>four</rp>,"
    "<p hidden>five,<pre>,</pre>, \n "
).split(",")


def plain(page: Page, keep: list[bool]) -> str:
    """What `text` says it does, said again one block at a time."""
    blocks = page.blocks
    found, last = "", None
    for row in np.flatnonzero(keep).tolist():
        if last is not None:
            gaps = range(last + 1, row + 1)
            tags = {tag for gap in gaps for tag in blocks[gap].gap}
            between = [page.text[blocks.text_stop[gap - 1] : blocks.text_start[gap]] for gap in gaps]
            nothing_shown_left_out = all(blocks[other].hidden for other in gaps[:-1])
            if not tags <= {*(WITHIN_TAGS - {"br"}), *(LINES if nothing_shown_left_out else ())}:
                found += "\n\n"
            elif last == row - 1 or blocks.preformatted[row]:
                found += "".join(between)
            elif any(between):
                found += max(between, key=["", " ", "\n"].index)
            elif re.search(r"[a-z]$", found) and re.match(r"[a-z]", blocks[row].text):
                found += " "
        found += blocks[row].text
        last = row
    return found


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PARTS), max_size=30), st.randoms())
def test_runs_as_slices_are_the_blocks_one_by_one(parts: list[str], random) -> None:  # type: ignore[no-untyped-def]
    page = parse("".join(parts))
    keep = [random.random() < 0.8 for _ in page.blocks]
    assert text(page, np.array(keep, bool)) == plain(page, keep)


def test_decisions_that_do_not_fit_are_refused() -> None:
    page = parse("<p>one<p>two")
    for wrong in (np.ones(1, bool), np.ones(3, bool)):
        with pytest.raises(InputError, match="2 blocks"):
            text(page, wrong)
        with pytest.raises(InputError, match="2 blocks"):
            markdown(page, wrong)
    assert text(page, np.array([True, False, False, True])[::2]) == "one"


def test_nothing_kept_is_no_text() -> None:
    page = parse("<p>one")
    assert text(page, np.zeros(1, bool)) == ""
    assert text(parse(""), np.zeros(0, bool)) == ""


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>A <ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> B", "A 漢kan B"),
        ("<p>one <i hidden>x</i>two", "one two"),
        ("<p>one<i hidden> x </i>two", "one two"),
        ("<p>one<i hidden>x</i>two", "one two"),
        ("<p>Home<i aria-hidden=true>/</i>News", "Home News"),
        ("<p>one<i hidden>x</i>: two", "one: two"),
        ("<p>one<br><i hidden>x</i> two", "one\ntwo"),
        ("<ul><li>one<li hidden>x<li>two</ul>", "one\ntwo"),
        ("<p>one<p hidden>x<p>two", "one\n\ntwo"),
        ("<pre>one\n\n<i hidden>x</i>  two</pre>", "one\n\n  two"),
        ("<p>one <i>drop</i> two", "one two"),
        ("<p>one<sup>drop</sup>, two", "one, two"),
        ("<p>one <i>drop</i><b>drop</b> two", "one two"),
        ("<p>one <i>drop</i><br>two", "one\n\ntwo"),
        ("<p>one<p>drop<p>two", "one\n\ntwo"),
        ("<ul><li>one<li>drop<li>two</ul>", "one\n\ntwo"),
    ],
)
def test_what_is_left_out_tears_no_paragraph(html: str, expected: str) -> None:
    page = parse(html)
    keep = [not block.hidden and block.text != "drop" for block in page.blocks]
    assert text(page, np.array(keep, bool)) == expected
    if "<ul>" not in html and "<pre>" not in html:
        # Markdown has the same paragraphs, and writes a line break in its way.
        assert markdown(page, np.array(keep, bool)).replace("\\\n", "\n") == expected
