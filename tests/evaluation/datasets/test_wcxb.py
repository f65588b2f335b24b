"""WCXB as its reader says it is; its counts are those of its card (see test_datasets)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from webstrata.evaluation.datasets.wcxb import PAGE_TYPES, wcxb_pages


def test_the_collection(dataset_dir: Callable[[str], Path]) -> None:
    dataset_dir("wcxb-dev")
    pages = list(wcxb_pages())
    assert {page.page_type for page in pages} == set(PAGE_TYPES)
    assert sum(not page.gold for page in pages) == 21
