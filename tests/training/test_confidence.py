"""Training of the confidence: its reliability on pages whose outcome follows from what a page shows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from webstrata.extraction.learned.confidence import ConfidenceModel, confidence_columns
from webstrata.training.confidence import (
    ConfidenceSample,
    TrainedConfidence,
    reliability_curve,
    train_confidence,
    write_confidence_card,
)

pytest.importorskip("lightgbm")
pytest.importorskip("sklearn")


def _samples() -> list[ConfidenceSample]:
    """Pages that are good with the chance that their expected F1 says; all other columns are noise."""
    random = np.random.default_rng(3)
    found = []
    for number in range(600):
        row = random.random((1, len(confidence_columns()))).astype(np.float32)
        chance = float(row[0, 0])
        f = 0.95 if random.random() < chance else 0.4
        found.append(ConfidenceSample("made", number % 5, row, f))
    return found


@pytest.fixture(scope="module")
def samples() -> list[ConfidenceSample]:
    return _samples()


@pytest.fixture(scope="module")
def trained(samples: list[ConfidenceSample]) -> TrainedConfidence:
    return train_confidence(samples)


def test_the_confidence_is_calibrated_out_of_fold(samples: list[ConfidenceSample], trained: TrainedConfidence) -> None:
    curve = reliability_curve([trained.of(sample) for sample in samples], [sample.f for sample in samples])
    assert sum(row.pages for row in curve) == len(samples)
    for row in curve:
        if row.pages >= 40:
            assert abs(row.confidence - row.good) < 0.15, row
    assert curve[0].good < 0.35
    assert curve[-1].good > 0.75


def test_the_same_samples_give_the_same_model(samples: list[ConfidenceSample], trained: TrainedConfidence) -> None:
    again = train_confidence(samples)
    assert [again.of(sample) for sample in samples[:20]] == [trained.of(sample) for sample in samples[:20]]


def test_a_model_is_saved_and_read(samples: list[ConfidenceSample], trained: TrainedConfidence, tmp_path: Path) -> None:
    trained.model.save(tmp_path / "model.confidence.npz")
    read = ConfidenceModel.load(tmp_path / "model.confidence.npz")
    assert [read.chance(sample.row) for sample in samples] == [trained.model.chance(sample.row) for sample in samples]


def test_the_card_has_each_source(samples: list[ConfidenceSample], trained: TrainedConfidence) -> None:
    card = write_confidence_card(samples, trained, credit="made for this test")
    assert "Data: made for this test" in card
    assert "| made | 600 |" in card


def test_all_pages_may_be_good() -> None:
    rows = [ConfidenceSample("made", number % 2, sample.row, 0.9) for number, sample in enumerate(_samples()[:60])]
    trained = train_confidence(rows)
    assert all(trained.of(row) > 0.5 for row in rows)
