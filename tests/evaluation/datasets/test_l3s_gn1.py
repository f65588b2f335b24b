"""Annotations taken out of pages, and the collection's counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from webstrata.evaluation.datasets.l3s_gn1 import (
    CLASSES,
    FULL_TEXT,
    crawled_html,
    labelled_text,
    read,
    read_annotated,
)
from webstrata.evaluation.papers.experiments import LabelledPage, labelled_page
from webstrata.page import parse


def span(number: int, text: str) -> str:
    return f'<span class="x-nc-sel{number}">{text}</span>'


@pytest.mark.parametrize(
    ("html", "source", "labels"),
    [
        (f"<p>{span(2, 'One')}<p>two", "<p>One<p>two", [2, 0]),
        (f"<p>{span(2, 'One ')}<a>{span(2, 'two')}</a>", "<p>One <a>two</a>", [2]),
        (f"<p>{span(0, 'a ' + span(3, 'b'))}<p>{span(5, 'c')}", "<p>a b<p>c", [0, 5]),
        (f"<p>{span(2, 'one two three ')}<a>{span(4, 'four')}</a>", "<p>one two three <a>four</a>", [2]),
        (f"<p><span>{span(1, 'kept')}</span>", "<p><span>kept</span>", [1]),
        ('<div class="x x-nc-sel2">one</div>two', '<div class="x x-nc-sel2">one</div>two', [2, 0]),
        ('<SPAN class="x-nc-sel2" x-text-density="13.0">one</SPAN>', "one", [2]),
        ("", "", []),
    ],
)
def test_annotations_become_labels(html: str, source: str, labels: list[int]) -> None:
    page, found = read_annotated(html.encode())
    assert page.source.decode() == source
    assert found.tolist() == labels


@pytest.fixture(scope="module")
def pages(dataset_dir: Callable[[str], Path]) -> list[LabelledPage]:
    dataset_dir("l3s-gn1")
    return list(map(labelled_page, read()))


def words_by_class(pages: list[LabelledPage]) -> Iterator[float]:
    counts = np.zeros(len(CLASSES))
    for page, labels in pages:
        shown = ~page.blocks.hidden
        counts += np.bincount(labels[shown], page.blocks.words[shown], minlength=len(CLASSES))
    yield from counts / counts.sum()


def test_the_counts_are_those_of_table_4_8(pages: list[LabelledPage]) -> None:
    blocks = sum(int((~page.blocks.hidden).sum()) for page, _ in pages)
    assert blocks == pytest.approx(72662, rel=0.02)
    boilerplate, headline, full_text, supplemental, related, comments = words_by_class(pages)
    assert boilerplate == pytest.approx(0.35, abs=0.01)
    assert headline == pytest.approx(0.01, abs=0.005)
    assert full_text == pytest.approx(0.51, abs=0.01)
    assert supplemental == pytest.approx(0.03, abs=0.015)
    # The table has these two the other way round.
    assert related == pytest.approx(0.01, abs=0.005)
    assert comments == pytest.approx(0.09, abs=0.005)


def test_no_annotation_is_left_and_every_page_has_full_text(pages: list[LabelledPage]) -> None:
    for page, labels in pages:
        spans = [page.elements[int(row)] for row in page.elements.find("span")]
        assert not any("x-nc-sel" in span.attributes.get("class", "") for span in spans), page.url
        assert labelled_text(page, labels, (FULL_TEXT,)), page.url


def test_crawled_pages_come_in_the_order_of_the_items(pages: list[LabelledPage]) -> None:
    html = list(crawled_html())
    assert len(html) == len(pages)
    # Annotations damaged some titles.
    pairs = zip(pages[:50], html, strict=False)
    assert sum(page.title[:20] == parse(source).title[:20] for (page, _), source in pairs) > 40
