"""Extractions: how blocks are dropped and added, and how people see them."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

from webstrata.extraction import Extraction, extract
from webstrata.extraction.base import Kind

PAGE = "<title>Silt</title><p>Silt is pale in spring.<p>Share<p>Mud is dark in autumn."


@pytest.fixture
def found() -> Extraction:
    return extract(PAGE, "keep-all", url="https://a.example/silt")


@pytest.mark.parametrize("rows", [[1], [False, True, False], np.array([1]), np.array([False, True, False])])
def test_dropped_blocks_are_boilerplate_everywhere(found: Extraction, rows: object) -> None:
    dropped = found.dropping(rows, "a call to share")  # type: ignore[arg-type]
    assert dropped.text == "Silt is pale in spring.\n\nMud is dark in autumn."
    assert json.loads(dropped.json())["blocks"][1] == {
        "text": "Share",
        "source": [48, 53],
        "hidden": False,
        "keep": False,
        "kind": "boilerplate",
        "score": 0.0,
        "reason": "a call to share",
    }
    assert found.keep.all()


def test_a_block_that_was_not_kept_keeps_its_first_reason(found: Extraction) -> None:
    again = found.dropping([1], "first").dropping([0, 1], "second")
    assert again.explanations == ("second", "first", "content")


def test_dropped_comments_stay_comments() -> None:
    found = extract(PAGE, "keep-all")
    found.kind[2] = Kind.COMMENT
    dropped = found.dropping([1, 2], "below")
    assert dropped.kind.tolist() == [Kind.CONTENT, Kind.BOILERPLATE, Kind.COMMENT]
    assert dropped.comments == "Mud is dark in autumn."


def test_added_blocks_are_content() -> None:
    found = extract(PAGE, "min-words(minimum=3)").adding([0, 1], "between two")
    assert found.kind.tolist() == [Kind.CONTENT] * 3
    assert found.score.tolist() == [1.0] * 3
    assert found.explanations == ("enough words", "between two", "enough words")


@pytest.mark.parametrize(
    "algorithm", ["min-words(minimum=3)+largest-content(max_distance=0)", "keep-all+main-content(words=3)"]
)
def test_filters_drop_the_kind_as_well(algorithm: str) -> None:
    text = "<h1>How strata form</h1><p>A page comes in layers."
    found = extract(f"<title>How strata form</title><p>A first one{text}<h2>Comments</h2><p>First of all", algorithm)
    assert {"beside the largest content", "in the comments"} & {found.reasons[reason] for reason in found.reason}
    assert (found.kind == found.keep).all()


def test_extractions_can_be_pickled_whatever_was_read_of_them(found: Extraction) -> None:
    texts = {name: getattr(found, name) for name in ("text", "markdown", "html", "tei")}
    fields = found.metadata.as_dict()
    again = pickle.loads(pickle.dumps(found))
    assert {name: getattr(again, name) for name in texts} == texts
    assert again.metadata.as_dict() == fields


def test_an_extraction_prints_its_text_and_shows_its_size_and_origin(found: Extraction) -> None:
    assert str(found) == found.text
    assert repr(found) == "<Extraction of https://a.example/silt by KeepAll: 3 of 3 blocks kept, 11 words>"
    assert repr(extract(PAGE, "keep-all")).startswith("<Extraction of 'Silt' by KeepAll")


def test_a_notebook_shows_kept_blocks_in_colour(found: Extraction) -> None:
    shown = found.dropping([1], "a call to share")._repr_html_()
    assert shown.count("background:") == 2
    assert '<td>a call to share</td><td style="text-align:left">Share</td>' in shown


def test_a_notebook_runs_nothing_of_a_page() -> None:
    hostile = "&lt;script>alert(1)&lt;/script>"
    shown = extract(f"<title>{hostile}</title><p>{hostile}<p>" + "x" * 10**6, "keep-all")._repr_html_()
    assert "<script" not in shown
    assert len(shown) < 10_000
