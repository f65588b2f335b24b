"""The pages that the scripts of this folder measure on, and their progress on the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

from webstrata.evaluation.datasets.catalogue import find_dataset

T = TypeVar("T")


def progress(items: Iterable[T], what: str, limit: int | None = None) -> Iterator[T]:
    """The items, at most ``limit``, with a progress line on a terminal."""
    from rich.console import Console
    from rich.progress import track

    return iter(track(islice(items, limit), what, total=limit, console=Console(stderr=True), transient=True))


def html_of(name: str, limit: int | None = None) -> Iterator[bytes]:
    """The HTML of the pages of a data set."""
    return (html for item in find_dataset(name).items(limit) if (html := item.inputs["html"].html))


def wcxb_pages(limit: int | None = None) -> list[bytes]:
    """The HTML of the WCXB development pages."""
    return list(html_of("wcxb", limit))
