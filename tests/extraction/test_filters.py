"""The two steps that follow a classifier."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from webstrata.extraction.base import decide, extract
from webstrata.extraction.filters import LargestContent, MainContent
from webstrata.extraction.shallow import KeepAll
from webstrata.page import parse

TEXT = "<p>" + "Layers of sand settle on the floor of a lake. " * 8


@given(st.lists(st.tuples(st.integers(1, 9), st.booleans()), max_size=25), st.integers(0, 3))
def test_the_largest_run_against_all_runs(blocks: list[tuple[int, bool]], distance: int) -> None:
    page = parse("".join(f"<p>{'word ' * words}" for words, _ in blocks))
    keep = np.array([kept for _, kept in blocks], bool)
    runs: list[list[int]] = []
    for row in np.flatnonzero(keep).tolist():
        if runs and row - runs[-1][-1] - 1 <= distance:
            runs[-1].append(row)
        else:
            runs.append([row])
    best = max(runs, key=lambda run: sum(blocks[row][0] for row in run), default=[])
    found = LargestContent(max_distance=distance)(decide(KeepAll(), page, keep))
    assert np.flatnonzero(found.keep).tolist() == best
    assert {found.reasons[i] for i in found.reason[keep & ~found.keep]} <= {"beside the largest content"}


def test_hidden_blocks_part_nothing() -> None:
    page = parse("<p>one" + "<p hidden>x" * 9 + "<p>two")
    assert LargestContent(max_distance=0)(KeepAll()(page)).text == "one\n\ntwo"


def test_main_content_cuts_above_the_title_and_below_the_comments() -> None:
    html = (
        f"<title>How strata form | The Daily</title>{TEXT}<h1>How strata form</h1>{TEXT}<h3>User comments:</h3>{TEXT}"
    )
    found = extract(html, "keep-all+main-content")
    assert found.keep.tolist() == [False, True, True, False, False]
    assert [found.reasons[i] for i in found.reason[[0, 4]]] == ["above the title", "in the comments"]


def test_a_link_to_the_comments_above_the_text_starts_no_comments() -> None:
    html = f"<title>How strata form</title><h1>How strata form</h1><a href=#c>12 Comments</a>{TEXT}"
    assert extract(html, "keep-all+main-content").keep.all()


def test_the_name_of_a_site_is_no_title() -> None:
    html = f"<title>Strata - The Daily</title>{TEXT}<p>The Daily"
    assert extract(html, "keep-all+main-content").keep.all()


def test_a_title_below_the_text_is_not_its_title() -> None:
    html = f"<title>How strata form</title>{TEXT}<p>How strata form"
    assert extract(html, "keep-all+main-content").keep.all()


def test_nothing_kept_stays_nothing() -> None:
    page = parse("<p>word")
    nothing = decide(KeepAll(), page, [False])
    assert not LargestContent()(nothing).keep.any()
    assert not MainContent()(nothing).keep.any()
