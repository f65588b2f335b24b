"""WCXB's counts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from webstrata.evaluate.datasets.wcxb import PAGE_TYPES, wcxb_pages


def test_the_collection(data_dir: Path) -> None:
    if not (data_dir / "wcxb-dev").is_dir():
        pytest.skip("WEBSTRATA_DATA holds no wcxb-dev")
    types: Counter[str] = Counter()
    empty = 0
    for page in wcxb_pages():
        types[page.page_type] += 1
        empty += not page.gold
    assert types == {
        "article": 711,
        "service": 165,
        "forum": 112,
        "listing": 98,
        "product": 92,
        "collection": 91,
        "documentation": 89,
    }
    assert set(types) == set(PAGE_TYPES)
    assert empty == 21
