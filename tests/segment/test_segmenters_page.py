"""The examples of docs/segmenters.md."""

from __future__ import annotations

import doctest
from pathlib import Path


def test_examples_of_the_documentation() -> None:
    path = Path(__file__).parents[2] / "docs" / "segmenters.md"
    failed, tried = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert tried > 20
    assert failed == 0
