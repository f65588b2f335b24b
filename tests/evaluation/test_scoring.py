"""Answers and failures as scores."""

from __future__ import annotations

from math import isnan
from pathlib import Path

import numpy as np
import pytest
from answering import experiment

from webstrata.errors import InputError
from webstrata.evaluation.answers.files import PageAnswer
from webstrata.evaluation.answers.runner import Experiment, run
from webstrata.evaluation.datasets.base import Card, Dataset, Gold, Item, PageInput
from webstrata.evaluation.judge import Judge, Submission
from webstrata.evaluation.measures import METRICS
from webstrata.evaluation.metrics import word_score
from webstrata.evaluation.metrics.areas import Outlines, Surface
from webstrata.evaluation.metrics.fields import FIELDS
from webstrata.evaluation.scores import read_scores
from webstrata.evaluation.scoring import score, score_answer
from webstrata.segmentation.html import from_html

MARKED = (
    b"<div class=a data-block=1><p data-block=2>One two<p>three</div><nav data-block=1>Home</nav><i data-block=1></i>"
)


def judge(**gold: object) -> Judge:
    found = from_html(MARKED)
    return Judge(Gold(found, MARKED, **gold), PageInput(found.page.source, "utf-8"))  # type: ignore[arg-type]


def answer(**fields: object) -> PageAnswer:
    return PageAnswer(page="p", input="html", algorithm="a", **fields)  # type: ignore[arg-type]


def test_the_two_modes() -> None:
    given = Submission(
        judge(), answer(segments=[{"text": t, "level": 1, "kind": ""} for t in ("One two three", "Home")])
    )
    strict, _ = score_answer(given, METRICS["exact"])
    assert (strict.hits, strict.retrieved, strict.relevant) == (2, 2, 3)
    thesis, _ = score_answer(given, METRICS["exact-thesis"])
    # The block without text is a member of the set.
    assert (thesis.hits, thesis.retrieved, thesis.relevant) == (2, 2, 4)


def test_texts_that_stand_nowhere_are_retrieved_and_counted() -> None:
    given = Submission(judge(), answer(segments=[{"text": t, "level": 1, "kind": ""} for t in ("Home", "Weather")]))
    for name in ("exact", "exact-thesis"):
        found, unmapped = score_answer(given, METRICS[name])
        assert (found.hits, found.retrieved, unmapped) == (1, 2, 1)


@pytest.mark.parametrize("status", ["error", "crash", "time-out", "missing", "empty"])
def test_no_answer_scores_zero_and_stays_counted(status: str) -> None:
    labels = np.array([1, 1, 0])
    known = {"title": "One", "author": "Two", "date": "2008-10-26"}
    square = np.array([[0, 0], [9, 0], [9, 9], [0, 9]], float)
    shapes = Outlines(Surface(9, 9, np.zeros((0, 4)), np.zeros(0, np.int64)), [[square]], np.zeros((3, 4)))
    seat = judge(text="One two three", labels=labels, wanted=("One",), unwanted=("Home",), fields=known, shapes=shapes)
    for metric in METRICS.values():
        if metric.name.startswith("bcubed-edges"):
            continue  # needs a picture
        found, _ = score_answer(Submission(seat, answer(status=status)), metric)
        assert (found.f, found.precision, found.recall) == (0, 0, 0), metric.name
        if found.relevant is not None and metric.name != "labels":
            assert found.relevant > 0


def test_nothing_is_right_only_where_nothing_was_wanted() -> None:
    seat = Judge(Gold(text=" "), PageInput(b"<p>x"))
    assert score_answer(Submission(seat, answer(status="empty", text="")), METRICS["words"])[0].f == 1
    assert score_answer(Submission(seat, answer(status="crash")), METRICS["words"])[0].f == 0


def test_labels_of_an_extractor_and_of_a_text_from_outside() -> None:
    seat = judge(labels=np.array([1, 1, 0]))
    inside = answer(text="One two\n\nthree", keep=[[0, 2]], blocks=3)
    outside = answer(text="One two\nthree")
    for given in (inside, outside):
        assert score_answer(Submission(seat, given), METRICS["labels"])[0].f == 1
    half = answer(text="One two", keep=[[0, 1]], blocks=3)
    assert 0 < score_answer(Submission(seat, half), METRICS["labels"])[0].f < 1


def test_blocks_of_another_parser_raise() -> None:
    with pytest.raises(InputError, match="counted 9 blocks, the page has 3"):
        score_answer(Submission(judge(), answer(segments=[], blocks=9)), METRICS["exact"])


def test_rows_of_a_whole_run(tmp_path: Path) -> None:
    made = experiment(tmp_path, "numwords", "taggap", "answering:fail")
    run(made, jobs=2)
    rows = score(made)
    assert repr(sorted(read_scores(made.folder), key=repr)) == repr(sorted(rows, key=repr))
    gold = {item.name: item.gold for item in made.dataset.items()}
    answers = {answer.page: answer for answer in made.answers[made.specs[0]]}
    for row in rows:
        if (row.algorithm, row.metric) == ("numwords", "words"):
            expected = word_score(gold[row.page].text or "", answers[row.page].text or "")
            assert (row.value, row.precision, row.recall) == (expected.f, expected.precision, expected.recall)
        if row.algorithm == "answering:fail":
            assert (row.value, row.status) == (0, "error")
        if row.metric == "nmi" and row.algorithm == "taggap":
            assert isnan(row.precision)
    # One that never answered is judged by every metric of the data set, which has no labels and no metadata.
    judged = {row.metric for row in rows if row.algorithm == "answering:fail"}
    assert judged == {
        name
        for name, metric in METRICS.items()
        if metric.gold not in FIELDS and metric.gold not in ("labels", "shapes")
    }


def test_pages_without_an_answer_are_missing(tmp_path: Path) -> None:
    run(experiment(tmp_path, "taggap", pages=2))
    rows = [row for row in score(experiment(tmp_path, "taggap")) if row.metric == "fuzzy"]
    assert [row.status for row in rows] == ["ok", "ok", "missing", "missing", "missing"]
    assert [row.value for row in rows[2:]] == [0, 0, 0]


def test_a_page_that_changed_is_missing(tmp_path: Path) -> None:
    def dataset(html: bytes) -> Dataset:
        item = Item("p", {"html": PageInput(html)}, Gold(text="One"))
        return Dataset(Card("d", "", "", "", 1), lambda: iter([item]))

    from webstrata.evaluation.answers.algorithms import Spec

    run(Experiment(dataset(b"<p>One"), (Spec("keep-all"),), tmp_path, ("html",)))
    assert score(Experiment(dataset(b"<p>One"), (Spec("keep-all"),), tmp_path, ("html",)))[0].status == "ok"
    assert score(Experiment(dataset(b"<p>Two"), (Spec("keep-all"),), tmp_path, ("html",)))[0].status == "missing"


def test_answers_without_a_metric_raise(tmp_path: Path) -> None:
    made = experiment(tmp_path, "numwords")
    run(made)
    with pytest.raises(InputError, match="'numwords' gives text"):
        score(made, metrics=("fuzzy",))
    with pytest.raises(InputError, match="no metric is called 'f2'"):
        score(made, metrics=("f2",))
    with pytest.raises(InputError, match="has the input html"):
        Experiment(made.dataset, made.specs, made.folder, ("dom",))


def test_levels_apart_and_kinds() -> None:
    marked = (
        b"<div class=a data-block=1 data-block-type=Content><p data-block=2 data-block-type=Title>One</p><p>two</div>"
    )
    found = from_html(marked)
    seat = Judge(Gold(found, marked), PageInput(found.page.source, "utf-8"))

    def scores(metric: str, *segments: tuple[str, int, str]) -> tuple[float | None, ...]:
        rows = [{"text": text, "level": level, "kind": kind} for text, level, kind in segments]
        score, _ = score_answer(Submission(seat, answer(segments=rows)), METRICS[metric])
        return score.hits, score.retrieved, score.relevant

    both = ("One two", 1, "Content"), ("One", 2, "Menu")
    assert scores("fuzzy-level-1", *both) == (1, 1, 1)
    assert scores("fuzzy-level-2", *both) == (1, 1, 1)
    assert scores("fuzzy-level-2", ("One two", 1, ""), ("One", 3, "")) == (1, 1, 1)
    assert scores("kinds", *both) == (1, 2, 2)
    assert scores("kinds", ("One two", 1, ""), ("One", 2, "Title")) == (1, 2, 2)
