"""Sweeps, fits and charts over small pages with ground truth."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import webstrata
from webstrata.drawing.charts import Series, line_chart
from webstrata.errors import InputError
from webstrata.evaluation.metrics.segments import PageWords, Truth
from webstrata.evaluation.papers.sweeps import (
    draw,
    read_truths,
    sizes_of,
    sweep_iterations,
    sweep_theta,
    sweep_width,
    zipf_classes,
)
from webstrata.segmentation import Segment, Segmentation, segment
from webstrata.segmentation.html import from_html, to_html
from webstrata.statistics.ranks import fit_zipf

MARKED = """<div data-block="1" data-block-type="Menu"><a>Home</a><br><a>News</a></div>
<p class=x data-block="1">A sentence of some more words than that.</p><p>not judged</p>"""


def truth() -> Truth:
    found = from_html(MARKED)
    return Truth(found, found.page)


def test_agreement_judges_marked_words_only() -> None:
    ready = truth()
    labels = np.array([0, 0, *[1] * 8, 7, 8])
    assert ready.agreement(labels) == (1.0, 1.0)
    assert ready.agreement(np.zeros(12, int))[1] == 0.0


def test_agreement_across_versions_of_a_page() -> None:
    other = webstrata.parse("<p>Hello</p><p>Home News</p><p>A sentence of SOME more words than that.</p>")
    ready = Truth(truth().truth, other)
    assert ready.words.texts[:3] == ("Hello", "Home", "News")
    assert ready.agreement(np.array([5, 0, 0, *[1] * 8])) == pytest.approx((1.0, 1.0))


def test_scores() -> None:
    ready = truth()
    scores = ready.scores(segment(ready.page, "taggap"))
    assert scores.segments == 4
    assert (scores.exact.hits, scores.exact.retrieved, scores.exact.relevant) == (1, 4, 2)
    assert scores.adjusted_rand < 1


def test_words_of_repeated_tokens() -> None:
    words = PageWords.of(webstrata.parse("<p>a ba a<p>a"))
    assert (words.texts, words.offsets.tolist(), words.blocks.tolist()) == (
        ("a", "ba", "a", "a"),
        [0, 2, 5, 7],
        [0, 0, 0, 1],
    )


def test_sweeps() -> None:
    truths = [truth()]
    thetas = sweep_theta(truths, "bf-plain", [0, 1])
    assert [(point.value, point.segments) for point in thetas] == [(0, 3), (1, 1)]
    assert thetas[0].adjusted_rand > thetas[1].adjusted_rand
    assert [point.value for point in sweep_width(truths, "bf-smoothed", [5, 80])] == [5, 80]
    passes = sweep_iterations(truths, "bf-plain", range(3))
    assert [(point.segments, point.fusions) for point in passes] == [(4, 0), (3, 1), (3, 0)]


def test_folder_of_marked_pages(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="data-block"):
        read_truths(tmp_path)
    (tmp_path / "a.html").write_text(MARKED, encoding="utf-8")
    (tmp_path / "plain.html").write_text("<p>no marks", encoding="utf-8")
    (tmp_path / "b.HTM").write_text(to_html(segment("<h1>a</h1><p>b c", "taggap")), encoding="utf-8")
    truths = read_truths(tmp_path)
    assert [len(item.truth) for item in truths] == [2, 2]
    calls: list[tuple[int, int]] = []
    charts, figures = draw(truths, progress=lambda done, total: calls.append((done, total)))
    assert calls == [(done, len(calls)) for done in range(1, len(calls) + 1)]
    for svg in charts.values():
        ElementTree.fromstring(svg)
    assert figures["pages"] == 2


def test_zipf_classes_by_hand() -> None:
    page = webstrata.parse("<p>a<p>b<p>c d<p>e<p>-<p>f g h")
    items = tuple(Segment(row, row + 1) for row in range(6))
    # Three segments of one word, one of two, one of three; the one without words is no class.
    assert zipf_classes(sizes_of(Segmentation(page, items, ""))).tolist() == [3, 1, 1]


@given(st.floats(0.1, 3), st.floats(0.05, 3.5))
def test_fit_finds_exact_laws(c: float, b: float) -> None:
    fit = fit_zipf(c * np.arange(1, 80.0) ** -b)
    assert (fit.c, fit.b) == pytest.approx((c, b), rel=1e-4)
    assert fit.error < 1e-6


def test_fit_is_the_least_square() -> None:
    y = np.array([1, 0.7, 0.5, 0.45, 0.2, 0.2])
    fit = fit_zipf(y)
    x = np.arange(1, 7.0)
    others = [
        np.sqrt(np.mean((y - c * x**-b) ** 2))
        for c in np.linspace(fit.c - 0.1, fit.c + 0.1, 21)
        for b in np.linspace(fit.b - 0.1, fit.b + 0.1, 21)
    ]
    assert fit.error <= min(others) + 1e-12
    with pytest.raises(InputError, match="at least two values"):
        fit_zipf(np.ones(1))


@pytest.mark.parametrize("log", [False, True])
def test_charts_of_odd_data(log: bool) -> None:
    series = [Series("none", [], []), Series("one & <only>", [1], [1], right=True), Series("flat", [0, 2], [3, 3])]
    ElementTree.fromstring(line_chart(series, title="title", x="x", y="y", log=log))
