"""The parts of a data set."""

from __future__ import annotations

from webstrata.evaluation.datasets.base import PageInput


def test_an_unknown_encoding_is_ignored() -> None:
    assert PageInput(b"<p>one", "utf-9").page().text == "one"
