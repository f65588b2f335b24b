"""The pages that the scripts of this folder measure on, and their progress on the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

from webstrata.evaluation.datasets.locate import data_path

T = TypeVar("T")


def progress(items: Iterable[T], what: str, limit: int | None = None) -> Iterator[T]:
    """The items, at most ``limit``, with a progress line on a terminal."""
    from rich.console import Console
    from rich.progress import track

    return iter(track(islice(items, limit), what, total=limit, console=Console(stderr=True), transient=True))


def wcxb_rows(*columns: str, limit: int | None = None) -> list[dict[str, Any]]:
    """These columns of the WCXB development pages, a row for each page."""
    import pyarrow.parquet as pq

    table = pq.read_table(data_path("wcxb-dev/wcxb-dev.parquet"), columns=list(columns))
    rows: list[dict[str, Any]] = table.slice(0, limit).to_pylist()
    return rows


def wcxb_pages(limit: int | None = None) -> list[bytes]:
    """The HTML of the WCXB development pages."""
    return [row["html"] for row in wcxb_rows("html", limit=limit) if row["html"]]
