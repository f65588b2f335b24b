"""Tags before and inside blocks, counted from the tables."""

from __future__ import annotations

import re
import time

from hypothesis import given
from hypothesis import strategies as st

from webstrata.page import parse
from webstrata.tags import tag_counts, tag_positions


def test_implied_tags_and_comments_are_no_tags() -> None:
    page = parse("<ul><li>one<li>two<!-- <b> --></ul>")
    starts, stops = tag_positions(page)
    assert [page.source[i:j] for i, j in zip(starts, stops, strict=True)] == [b"<ul>", b"<li>", b"<li>", b"</ul>"]


def test_a_comment_before_an_implied_end_is_no_tag() -> None:
    page = parse("<div><p>one<b>two</b><!-- c --></div>")
    starts, _ = tag_positions(page)
    assert starts.tolist() == [0, 5, 11, 17, 31]


def test_elements_that_do_not_count() -> None:
    page = parse("<script>a</script><p>text")
    assert len(tag_positions(page)[0]) == 3
    assert len(tag_positions(page, without=("script",))[0]) == 1


@given(st.lists(st.sampled_from(["<p>", "<br>", "word ", "<b>x</b>", "<a href=/>link</a> ", "<i>", "\n"]), max_size=30))
def test_every_tag_is_before_inside_or_after(parts: list[str]) -> None:
    html = "".join(parts)
    page = parse(html)
    before, inside = tag_counts(page)
    written = [match.start() for match in re.finditer("<", html)]
    known = set(tag_positions(page)[0].tolist())
    assert known <= set(written)
    last = 0
    for row in range(len(page.blocks)):
        start, stop = int(page.blocks.source_start[row]), int(page.blocks.source_stop[row])
        assert before[row] == sum(last <= place < start for place in known)
        assert inside[row] == sum(start <= place < stop for place in known)
        last = stop


def test_options_without_end_tags_take_linear_time() -> None:
    """Elements without end tags are not searched for one back to the start of the page; that took minutes."""
    page = parse("<select><option>x" * 60_000)
    start = time.process_time()
    starts, stops = tag_positions(page)
    assert (starts < stops).all()
    assert time.process_time() - start < 2
