"""Text of kept blocks against the plain form of its rules, one block at a time."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.extract.render import _LINE_TAGS, text
from webstrata.page import INLINE_TAGS, Page, parse

PARTS = ["one ", "two", "<b>", "</b>", "<p>", "<br>", "<ul><li>", "<li>", "</ul>", "<table><tr><td>", "<td>", "<img>"]


def plain(page: Page, keep: list[bool]) -> str:
    parts: list[str] = []
    last = None
    for row in range(len(page.blocks)):
        if not keep[row]:
            continue
        gap = page.blocks[row].gap
        if last is not None and last == row - 1 and gap <= {*INLINE_TAGS}:
            parts.append(page.text[page.blocks.text_stop[last] : page.blocks.text_start[row]])
        elif last is not None:
            parts.append("\n" if last == row - 1 and gap <= {*INLINE_TAGS, *_LINE_TAGS} else "\n\n")
        parts.append(page.blocks[row].text)
        last = row
    return "".join(parts)


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PARTS), max_size=30), st.randoms())
def test_runs_as_slices_are_the_blocks_one_by_one(parts: list[str], random) -> None:  # type: ignore[no-untyped-def]
    page = parse("".join(parts))
    keep = [random.random() < 0.8 for _ in page.blocks]
    assert text(page, np.array(keep, bool)) == plain(page, keep)


def test_nothing_kept_is_no_text() -> None:
    page = parse("<p>one")
    assert text(page, np.zeros(1, bool)) == ""
    assert text(parse(""), np.zeros(0, bool)) == ""
