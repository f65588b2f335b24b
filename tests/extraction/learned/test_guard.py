"""The guard against losses on pages that are mostly prose, and hidden paragraphs."""

from __future__ import annotations

import numpy as np
import pytest

from webstrata.errors import InputError
from webstrata.extraction.learned.decision import REASONS, decide
from webstrata.extraction.learned.extractor import LearnedExtractor
from webstrata.extraction.learned.model import shipped
from webstrata.extraction.learned.pipeline import classify_paragraphs
from webstrata.extraction.learned.reading import read_page
from webstrata.page import parse

SAID = "The ferry crosses the river every hour, and the old bridge was closed after the flood of that year. "
PAGE = "".join(f"<div class=c{i}><p>{i} {SAID * 3}</div>" for i in range(10))


def _decided(html: str, kept: int) -> tuple[list[int], list[str]]:
    """Kinds and reasons of the paragraphs of a page of which the scores keep the first ones."""
    paragraphs = read_page(parse(html))
    scores = np.zeros(len(paragraphs))
    scores[:kept] = 1
    kinds, reasons = decide(paragraphs, scores, scores, 0.5)
    return kinds.tolist(), [REASONS[reason] for reason in reasons]


def test_a_page_of_prose_is_not_lost() -> None:
    """Two of ten paragraphs are kept by their scores: all are, and they say why."""
    kinds, reasons = _decided(PAGE, 2)
    assert kinds == [1] * 10
    assert reasons[2] == "kept by simple rules, for most prose of the page would be lost"


def test_prose_beside_other_text_is_marked() -> None:
    """With a third of other text, the scores decide, and each paragraph that is left out says what it is."""
    other = "<div class=x>" + "<p>short words here" * 100 + "</div>"
    kinds, reasons = _decided(PAGE + other, 2)
    assert kinds[:10] == [1, 1, 0, 0, 0, 0, 0, 0, 0, 0]
    assert set(reasons[2:10]) == {"prose that is left out, though most of the page is prose"}
    assert set(reasons[10:]) == {"boilerplate by what is around it"} or "boilerplate" in reasons[10]


def test_a_page_with_most_of_its_prose_is_left_alone() -> None:
    kinds, reasons = _decided(PAGE + "<div class=x>" + "<p>short words here" * 100 + "</div>", 8)
    assert kinds[:8] == [1] * 8
    assert not any("lost" in reason or "though" in reason for reason in reasons)


def test_comments_are_no_loss() -> None:
    comments = f"<ol class=comments>{PAGE}</ol>"
    _, reasons = _decided(f"<title>The ferry</title><h1>The ferry</h1><p>{SAID * 4}</p>{comments}", 2)
    assert not any("lost" in reason or "left out, though" in reason for reason in reasons)


def test_hidden_paragraphs_need_the_features_of_the_page() -> None:
    page = parse("<p>one two three")
    limits, given = np.full(7, 0.5), bytes(5)
    with pytest.raises(InputError, match="features"):
        classify_paragraphs(shipped().scorer, page, limits, given, hidden=np.zeros(1, bool))
    with pytest.raises(InputError, match="each of its paragraphs"):
        classify_paragraphs(shipped().scorer, read_page(page), limits, given, hidden=np.zeros(2, bool))
    assert LearnedExtractor(hidden="keep")(page).text == LearnedExtractor()(page).text
