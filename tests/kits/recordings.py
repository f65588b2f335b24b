"""Records for tests, as batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from webstrata.crawls.reading.records import batches_of

__all__ = ["batches", "rows_of"]


def batches(*pages: bytes, count: int = 32) -> Iterator[Any]:
    """Pages as records."""
    rows = [{"html": html, "file": "f", "record": number} for number, html in enumerate(pages)]
    return batches_of(rows, count=count)


def rows_of(result: Iterator[Any]) -> list[dict[str, Any]]:
    """The rows of batches."""
    return [row for batch in result for row in batch.to_pylist()]
