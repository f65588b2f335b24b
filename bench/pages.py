"""The pages that parsers are measured on."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def data_folder() -> Path:
    """Where the data sets are: the variable WEBSTRATA_DATA, or ../shared/data beside the project."""
    folder = Path(os.environ.get("WEBSTRATA_DATA") or Path(__file__).parents[2] / "shared/data")
    if not folder.is_dir():
        sys.exit(f"no data sets in {folder}: set WEBSTRATA_DATA to the folder that holds them")
    return folder


def progress(items: Iterable[T], what: str, limit: int | None = None) -> Iterator[T]:
    """The items, with a progress line on a terminal."""
    from rich.console import Console
    from rich.progress import track

    return iter(track(islice(items, limit), what, total=limit, console=Console(stderr=True), transient=True))


def wcxb_pages(limit: int | None = None) -> list[bytes]:
    """The HTML of the WCXB development pages."""
    import pyarrow.parquet as pq

    table = pq.read_table(data_folder() / "wcxb-dev/wcxb-dev.parquet", columns=["html"])
    return [html for html in table.to_pydict()["html"][:limit] if html]
