"""Training of the learned segmenter, from marked pages through the command to a model that is measured."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from commands import webstrata as run
from hypothesis import given
from hypothesis import strategies as st

from webstrata.errors import InputError
from webstrata.evaluation.answers.ours import OutOfFoldSegmenter
from webstrata.evaluation.datasets.base import PageInput
from webstrata.evaluation.metrics import fuzzy_matching
from webstrata.segmentation.learned.model import SegmenterModel
from webstrata.segmentation.learned.segmenter import LearnedSegmenter

texts = st.lists(st.text("ab", max_size=12), max_size=6)


@given(texts, texts)
def test_pages_are_scored_as_the_metric_scores_them(found: list[str], truth: list[str]) -> None:
    pytest.importorskip("scipy")
    from webstrata.training.segment_samples import match_texts
    from webstrata.training.segmenter import page_score

    found, truth = [text for text in found if text], [text for text in truth if text]
    assert page_score(match_texts(found, truth)) == pytest.approx(fuzzy_matching(truth, found).f)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("lightgbm", reason="training needs lightgbm")
    folder = tmp_path_factory.mktemp("segmenter")
    recordings = folder / "recordings"
    result = run(
        "train", "--segmenter", "tiny", "-o", str(folder / "model.npz"), "--folds-to", str(folder / "folds"),
        "--recordings", str(recordings),
    )  # fmt: skip
    assert result.exit_code == 0, result.stderr
    assert "no page has a recording" in result.stderr
    return folder


def test_the_model_segments_and_has_a_card(trained: Path) -> None:
    html = "<div id=head><h1>Varves</h1></div><p>Layers of a lake.</p><div id=foot>Copyright 2013</div>"
    from webstrata.page import parse

    assert len(LearnedSegmenter(model=str(trained / "model.npz"), granularity=1.0)(parse(html))) > 1
    card = (trained / "model.md").read_text(encoding="utf-8")
    assert "tiny; 5 pages." in card
    assert "| tiny | html | no | 5 |" in card
    assert "| Footer | 5 |" in card


def test_each_page_is_measured_by_a_model_without_its_fold(trained: Path, tmp_path: Path) -> None:
    spec = f"learned-segmenter(folds='{trained / 'folds'}')"
    done = run(
        "evaluate", "--dataset", "tiny", "--algorithm", f"{spec},taggap", "--metric", "fuzzy,fuzzy-level-1,kinds",
        "-o", str(tmp_path), "--jobs", "1",
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    answers = [line for file in tmp_path.rglob("*.jsonl") for line in file.read_text(encoding="utf-8").splitlines()]
    assert any(json.loads(line)["algorithm"].startswith("OutOfFoldSegmenter(") for line in answers)


def test_pages_of_no_fold_are_refused(trained: Path) -> None:
    with pytest.raises(InputError, match="models without the folds"):
        OutOfFoldSegmenter(folds=str(trained / "folds"))(PageInput(b"<p>one", fold=99))
    with pytest.raises(InputError, match="webstrata train --segmenter"):
        OutOfFoldSegmenter(folds=str(trained / "nothing"))


@pytest.mark.slow
def test_the_same_pages_give_the_same_model(trained: Path, tmp_path: Path) -> None:
    assert run("train", "--segmenter", "tiny", "-o", str(tmp_path / "again.npz")).exit_code == 0
    first, again = SegmenterModel.load(trained / "model.npz"), SegmenterModel.load(tmp_path / "again.npz")
    assert all(np.array_equal(array, again.arrays[name]) for name, array in first.arrays.items())


def test_what_has_no_segments_is_told(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>one", encoding="utf-8")
    assert run("train", "--segmenter", "no-such-set", "-o", str(tmp_path / "m.npz")).exit_code != 0
    assert run("train", "no-such-file", "-o", str(tmp_path / "m.npz")).exit_code != 0
