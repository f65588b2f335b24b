"""Where comments are the content: pages that say that they are threads, and pages with nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from webstrata.extraction.learned.decision import REASONS, decide
from webstrata.extraction.learned.reading import read_page
from webstrata.page import parse

POST = "<p>" + "The ferry crosses the river every hour in summer. " * 3
REPLIES = (
    "<ol class=comments>"
    + "".join(f"<li><p>{i} {'The bridge was closed after the flood. ' * 5}" for i in range(6))
    + "</ol>"
)
SAYS_SO = (
    "<link rel=canonical href=https://river.example/forums/12/the-ferry>",
    "<meta property=og:type content=Forum>",
    "<meta name=generator content='Discourse 3.1'>",
    '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "DiscussionForumPosting"}</script>',
    "<body class='viewtopic section'>",
)


def _kinds(html: str) -> tuple[list[int], set[str]]:
    paragraphs = read_page(parse(html))
    scores = np.ones(len(paragraphs))
    kinds, reasons = decide(paragraphs, scores, scores, 0.5)
    return kinds.tolist(), {REASONS[reason] for reason in reasons}


@pytest.mark.parametrize("sign", SAYS_SO)
def test_replies_of_a_thread_are_content(sign: str) -> None:
    kinds, reasons = _kinds(f"<title>The ferry</title>{sign}<h1>The ferry</h1>{POST}{REPLIES}")
    assert kinds == [2, 1, 1, 1, 1, 1, 1, 1]
    assert "a reply of a thread" in reasons


def test_comments_on_a_post_are_comments() -> None:
    kinds, _ = _kinds(f"<title>The ferry</title><h1>The ferry</h1>{POST}{REPLIES}")
    assert kinds == [2, 1, 3, 3, 3, 3, 3, 3]


def test_comments_that_do_not_outweigh_the_answers_stay_comments() -> None:
    kinds, _ = _kinds(f"<title>The ferry</title>{SAYS_SO[0]}<h1>The ferry</h1>{POST * 6}{REPLIES}")
    assert kinds == [2, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3]


def test_a_page_of_comments_gives_them() -> None:
    kinds, _ = _kinds(f"<title>The ferry</title><h1>The ferry</h1>{REPLIES}")
    assert kinds == [2, 1, 1, 1, 1, 1, 1]
