"""The marked pages: complete ground truth, on the pages that were marked and no others."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from webstrata import urls
from webstrata.errors import InputError
from webstrata.evaluation.answers.files import PageAnswer
from webstrata.evaluation.datasets import marked_pages
from webstrata.evaluation.datasets.base import Gold, Item, PageInput
from webstrata.evaluation.judge import Judge, Submission
from webstrata.evaluation.measures import METRICS
from webstrata.page import parse
from webstrata.segmentation import Segment, Segmentation
from webstrata.segmentation.learned.model import ALL_KINDS

MARKS = files("webstrata.evaluation.datasets").joinpath("marks.jsonl").read_text(encoding="utf-8")


def test_marks_have_no_text_of_pages() -> None:
    rows = [json.loads(line) for line in MARKS.splitlines()]
    assert len(rows) == 120
    assert sum(len(row["passes"]) == 2 for row in rows) == 30
    for row in rows:
        assert row.keys() == {"dataset", "page", "digest", "type", "half", "passes"}
        for first, last, level, kind in (mark for marks in row["passes"] for mark in marks):
            assert 0 <= first < last
            assert level in (1, 2, 3)
            assert kind in ALL_KINDS
            assert (kind == "Item") == (level == 3)


def test_the_first_level_cuts_all_of_each_page(dataset_dir: Callable[[str], Path]) -> None:
    dataset_dir("wcxb-dev")
    dataset_dir("many-dev")
    hosts = []
    for half in ("train", "test"):
        items = list(marked_pages.read(half))
        hosts.append({urls.host(item.inputs["html"].url or "") or item.name for item in items})
        for item in items:
            truth = item.gold.segmentation
            assert truth is not None
            shown = ~truth.page.blocks.hidden & (truth.page.blocks.words > 0)
            count = np.zeros(len(shown), int)
            for segment in truth.at(1):
                count[segment.start : segment.stop] += 1
            assert (count[shown] == 1).mean() > 0.97, item.name
    assert not hosts[0] & hosts[1]


def test_another_page_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    def pages() -> list[Item]:
        return [Item("4170", {"html": PageInput(b"<p>another")}, Gold())]

    monkeypatch.setattr(marked_pages, "_SOURCES", {"wcxb": pages})
    with pytest.raises(InputError, match="not the one that was marked"):
        next(marked_pages.read("train"))


@pytest.mark.parametrize("complete", [False, True])
def test_extra_segments_count_where_the_gold_is_complete(complete: bool) -> None:
    page = parse("<p>one<p>two<p>three")
    truth = Segmentation(page, (Segment(0, 3, 1, "Content"), Segment(1, 2, 2, "Item")), "marks")
    rows = [
        {"start": 0, "stop": 3, "level": 1, "kind": "Content", "extra": False},
        {"start": 1, "stop": 2, "level": 2, "kind": "Item", "extra": True},
        {"start": 2, "stop": 3, "level": 2, "kind": "Item", "extra": True},
    ]
    answer = PageAnswer(page="p", input="html", algorithm="x", segments=rows, blocks=3)
    given = Submission(Judge(Gold(segmentation=truth, complete=complete), PageInput(page.source, "utf-8")), answer)
    score, _ = METRICS["kinds"].measure(given)
    assert not isinstance(score, float)
    assert (score.hits, score.retrieved, score.relevant) == ((2, 3, 2) if complete else (1, 1, 2))
