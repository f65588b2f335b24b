"""The learned extractor on pages that are made to be hard: floors under what it keeps and leaves out."""

from __future__ import annotations

import pytest
from stress import Case, cases, share

from webstrata.extraction import extract

CASES = cases()
#: The least share of the wanted words, by kind of page.
FLOORS = {"long": 0.98, "fragment": 1.0, "hole": 0.95, "sidebar": 1.0, "hidden": 1.0, "comments": 1.0}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kind}: {case.name}")
def test_what_belongs_to_the_content_is_kept(case: Case) -> None:
    assert share(case.wanted, extract(case.html).text) >= FLOORS[case.kind]


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.unwanted], ids=lambda case: f"{case.kind}: {case.name}"
)
def test_what_does_not_is_left_out(case: Case) -> None:
    assert share(case.unwanted, extract(case.html).text) <= 0.1


@pytest.mark.parametrize("case", [case for case in CASES if case.comments], ids=lambda case: case.name)
def test_comments_are_had_apart_and_are_all_that_is(case: Case) -> None:
    found = extract(case.html)
    assert share(case.comments, found.comments) > 0.8
    assert share(case.wanted, found.comments) == 0
    assert share(case.comments, extract(case.html, comments=True).text) > 0.8


@pytest.mark.parametrize("case", [case for case in CASES if case.kind == "hidden"], ids=lambda case: case.name)
def test_a_hidden_copy_comes_once(case: Case) -> None:
    text = extract(case.html).text
    assert all(text.count(paragraph) == 1 for paragraph in case.wanted)


def test_a_chorus_is_kept() -> None:
    chorus = "<p>And down by the river we sang of the sea and of the long road home again.</p>"
    verses = [
        f"<p>Verse {i} tells of what the old ferryman saw in the year when the ice came early.</p>" for i in range(3)
    ]
    html = "<article><h1>A song</h1>" + "".join(verse + chorus for verse in verses) + "</article>"
    assert extract(html).text.count("And down by the river") == 3
