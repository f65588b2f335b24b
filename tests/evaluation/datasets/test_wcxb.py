"""WCXB: its types are those of the learned extractor."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from webstrata.evaluation.datasets.wcxb import CARD, read
from webstrata.extraction.learned.model import PAGE_TYPES


def test_types_and_empty_contents(dataset_dir: Callable[[str], Path]) -> None:
    assert set(CARD.counts) == set(PAGE_TYPES)
    dataset_dir("wcxb-dev")
    assert sum(not item.gold.text for item in read()) == 21
