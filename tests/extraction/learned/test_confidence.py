"""The confidence of an extraction: its range, where there is none, and what changes it."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from webstrata.apps.cli import _group
from webstrata.crawls.jobs.filters import LeastConfidence
from webstrata.errors import InputError
from webstrata.extraction import extract
from webstrata.extraction.learned.confidence import ConfidenceModel, beside, confidence_columns, describe_extraction
from webstrata.extraction.learned.model import shipped
from webstrata.page import parse

SAID = "The ferry crosses the river every hour, and the old bridge was closed after the flood of that year. "
ARTICLE = (
    "<title>The ferry</title><nav><a href=/>Home</a></nav><article><h1>The ferry</h1>"
    + "".join(f"<p>{i}. {SAID * 3}</p>" for i in range(8))
    + "</article><footer>© Example</footer>"
)
LINKS = "<title>Links</title>" + "".join(f"<p><a href=/{i}>Stone {i}</a> <i>{i} euro</i>" for i in range(60))


def test_an_article_is_surer_than_a_page_of_links() -> None:
    article, links = extract(ARTICLE).confidence, extract(LINKS).confidence
    assert article is not None
    assert links is not None
    assert 0.9 < article <= 1
    assert 0 <= links < article - 0.2


@pytest.mark.parametrize(
    "html", ["", "<p>", "<p>word", "<p>地层。", "<div hidden>" + "word " * 50, b"\xff\xfe", "<p>" * 3000]
)
def test_it_is_a_number_on_any_page(html: str | bytes) -> None:
    found = extract(html)
    assert found.confidence is not None
    assert 0 <= found.confidence <= 1
    assert bool(found.text) or found.confidence == 0
    assert np.isfinite(describe_extraction(found)).all()


def test_other_extractors_have_none() -> None:
    assert extract(ARTICLE, "numwords").confidence is None
    assert json.loads(extract(ARTICLE, "numwords").json())["confidence"] is None


def test_a_revised_extraction_is_assessed_again() -> None:
    found = extract(ARTICLE)
    most = np.flatnonzero(found.keep)[2:]
    dropped = found.dropping(most, "a test")
    assert dropped.confidence is not None
    assert found.confidence is not None
    assert dropped.confidence < found.confidence
    assert pickle.loads(pickle.dumps(dropped)).confidence == dropped.confidence


def test_json_has_it_rounded() -> None:
    found = extract(ARTICLE)
    assert found.confidence is not None
    assert json.loads(found.json())["confidence"] == found.as_dict(with_blocks=False)["confidence"]
    assert json.loads(found.json())["confidence"] == round(found.confidence, 4)


def test_a_model_has_its_confidence_beside_it(tmp_path: Path) -> None:
    shipped().save(tmp_path / "own.npz")
    assert extract(ARTICLE, model=str(tmp_path / "own.npz")).confidence is None
    beside.cache_clear()
    model = beside(None)
    assert model is not None
    model.save(tmp_path / "own.confidence.npz")
    assert extract(ARTICLE, model=str(tmp_path / "own.npz")).confidence == extract(ARTICLE).confidence
    beside.cache_clear()


@pytest.mark.parametrize("change", [{"version": np.array(99)}, {"columns": np.array(["a"])}, {"curve": np.zeros(3)}])
def test_other_models_are_refused(change: dict[str, np.ndarray]) -> None:
    model = beside(None)
    assert model is not None
    with pytest.raises(InputError, match="train"):
        ConfidenceModel({**model.__reduce__()[1][0], **change})
    assert len(set(confidence_columns())) == len(confidence_columns())


def test_the_command_line_leaves_out_unsure_pages(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(ARTICLE)
    (tmp_path / "b.html").write_text(LINKS)
    run = CliRunner().invoke(_group, ["extract", str(tmp_path), "--min-confidence", "0.9", "--format", "json"])
    assert run.exit_code == 2
    assert "b.html: low confidence (0." in run.output
    assert '"title": "The ferry"' in run.output
    assert '"title": "Links"' not in run.output
    run = CliRunner().invoke(_group, ["extract", str(tmp_path), "--min-confidence", "0.9", "--algorithm", "numwords"])
    assert run.exit_code == 2
    assert "needs the learned extractor" in run.output


def test_the_filter_of_a_crawl_has_its_own_reason() -> None:
    least = LeastConfidence(least=0.9)
    assert least.reason == "low confidence"
    assert least(extract(parse(ARTICLE))) is None
    assert (least(extract(LINKS)) or "").startswith("0.")
    assert least(extract(ARTICLE, "numwords")) == "unknown"
    with pytest.raises(InputError, match="from 0 to 1"):
        LeastConfidence(least=1.5)
