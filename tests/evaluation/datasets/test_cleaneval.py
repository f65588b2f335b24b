"""CleanEval's wrapper and marks, and its counts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from webstrata.evaluation.datasets.cleaneval import plain_gold, read, unwrap
from webstrata.evaluation.metrics import word_score
from webstrata.extraction.shallow import KeepAll


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (b'<text id="1" encoding="utf8"><p>a</text>\n', (b"<p>a", "utf8")),
        (b"\n<TEXT id=1 title='x'><p>a</TEXT>", (b"<p>a", None)),
        (b"<p>a", (b"<p>a", None)),
        (b"", (b"", None)),
    ],
)
def test_the_wrapper_is_taken_off(html: bytes, expected: tuple[bytes, str | None]) -> None:
    assert unwrap(html) == expected


@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        (b"URL: http://example.org/a\n<p>one\n<l>two", "one\ntwo"),
        (b"<h>caf\xe9", "café"),
        ("<p>café".encode(), "café"),
        (b"a <b> c", "a <b> c"),
        (b"", ""),
    ],
)
def test_gold_is_plain_text(gold: bytes, expected: str) -> None:
    assert plain_gold(gold) == expected


def test_gold_texts_are_on_their_pages(dataset_dir: Callable[[str], Path]) -> None:
    dataset_dir("cleaneval")
    items = [item for item in read() if item.group == "dev"]
    recall = [word_score(item.gold.text or "", KeepAll()(item.inputs["html"].page()).text).recall for item in items]
    assert sum(recall) / len(recall) > 0.95
