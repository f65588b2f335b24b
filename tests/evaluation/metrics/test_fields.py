"""Fields of metadata: what counts as the same."""

from __future__ import annotations

import pytest

from webstrata.evaluation.metrics.fields import same_field


@pytest.mark.parametrize(
    ("field", "truth", "found", "same"),
    [
        ("title", "Strata & Layers", "strata  layers", True),
        ("title", "Ｓtrata", "Strata", True),
        ("title", "Strata", "Strata | Example", False),
        ("title", "Strata", "", False),
        ("author", "Ann Bee, Cy Dee", "Cy Dee and Ann Bee", True),
        ("author", "Ann Bee", "Ann Bee, Cy Dee", False),
        ("author", "Brandon Landy", "Brandon Landy", True),
        ("date", "2020-01-02", "2020-01-02 10:00", True),
        ("date", "2020-01-02", "2020-01-03", False),
    ],
)
def test_same(field: str, truth: str, found: str, same: bool) -> None:
    assert same_field(field, truth, found) is same
    assert not same_field(field, truth, None)
