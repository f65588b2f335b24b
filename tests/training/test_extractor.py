"""Training, from labelled pages through the command to a model that reads a page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from commands import webstrata as run
from labelled import write_labelled

from webstrata.evaluation.datasets.folds import fold_of
from webstrata.extraction.learned.extractor import LearnedExtractor
from webstrata.extraction.learned.model import ExtractorModel
from webstrata.page import parse

pytest.importorskip("lightgbm", reason="training needs lightgbm")


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("training")
    pages = write_labelled(folder / "pages.parquet")
    result = run(
        "train", str(pages), "-o", str(folder / "model.npz"), "--folds-to", str(folder / "folds"), "--made", "1"
    )
    assert result.exit_code == 0, result.stderr
    assert "out of fold" in result.stderr
    return folder


@pytest.mark.slow
def test_the_model_tells_content_from_boilerplate(trained: Path) -> None:
    paragraphs = "".join(
        f"<p>Layer {i} of the lake was laid down in one long winter, and nobody saw it.</p>" for i in range(9)
    )
    html = f"<nav><a href=/>Home</a> <a href=/a>About us</a></nav><article><h1>Varves</h1>{paragraphs}</article>"
    text = LearnedExtractor(model=str(trained / "model.npz"))(parse(html)).text
    assert "Layer 0 of the lake" in text
    assert "Layer 8 of the lake" in text


@pytest.mark.slow
def test_there_is_a_card_and_a_model_without_each_fold(trained: Path) -> None:
    card = (trained / "model.md").read_text(encoding="utf-8")
    assert "(20 pages); and 16 pages that were made" in card
    folds = {fold_of(f"http://host{number}.example/", "") for number in range(4)}
    made = {f"without-{fold}{ending}" for fold in folds for ending in (".npz", ".confidence.npz")}
    assert {path.name for path in (trained / "folds").iterdir()} == made
    assert "confidence" in (trained / "model.confidence.md").read_text(encoding="utf-8")


def test_the_confidence_is_calibrated_again(trained: Path, tmp_path: Path) -> None:
    pages = write_labelled(tmp_path / "pages.parquet")
    again = ("train", "--confidence", str(pages), "-o", str(tmp_path / "model.npz"))
    assert run(*again).exit_code == 2
    result = run(*again, "--folds", str(trained / "folds"))
    assert result.exit_code == 0, result.stderr
    assert (tmp_path / "model.confidence.npz").read_bytes() == (trained / "model.confidence.npz").read_bytes()
    assert not (tmp_path / "model.npz").exists()


@pytest.mark.slow
def test_the_same_pages_give_the_same_model(trained: Path, tmp_path: Path) -> None:
    pages = write_labelled(tmp_path / "pages.parquet")
    assert run("train", str(pages), "-o", str(tmp_path / "again.npz"), "--made", "1").exit_code == 0
    first, again = ExtractorModel.load(trained / "model.npz"), ExtractorModel.load(tmp_path / "again.npz")
    assert all(np.array_equal(array, again.arrays[name]) for name, array in first.arrays.items())
