"""Segments of 120 modern pages of wcxb and many-dev: three levels with kinds, and two independent passes on 30 pages.

``marks.jsonl`` ships with webstrata and has no text of the pages: a mark is a level, a kind and a range of bytes of the
HTML as UTF-8. The pages come from the two data sets, by their name and the SHA-256 of their HTML.

The first level cuts all of a page (Header, Content, Sidebar, Footer, Overlay), the second one has its parts, and the
third one the records of lists (Item). So the ground truth is complete: what is not marked is no segment.

One half trains, the other tests; all pages of a host are in one half.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.resources import files
from typing import Any, Literal

import numpy as np

from webstrata.errors import InputError
from webstrata.evaluation.datasets import many_dev, wcxb
from webstrata.evaluation.datasets.base import Card, Gold, Item
from webstrata.page import Page
from webstrata.segmentation import Segment, Segmentation
from webstrata.segmentation.base import readable

__all__ = ["TEST_CARD", "TRAIN_CARD", "marked", "read", "read_passes", "read_test", "read_train"]

Half = Literal["train", "test"]

_SOURCES: dict[str, Callable[[], Iterator[Item]]] = {"wcxb": wcxb.read, "many-dev": many_dev.read}
_NOTE = (
    "The marks ship with webstrata, the pages are those of wcxb and many-dev. A language model marked them, by written"
    " rules and from outlines of the pages, without a picture and without the answers of an algorithm."
)


def _card(half: Half, title: str, pages: int, segments: int, trains: tuple[str, ...] = ()) -> Card:
    return Card(
        f"marked-pages-{half}",
        f"Marked pages, {title}",
        "marks made for webstrata, on pages of wcxb and many-dev",
        "the marks: CC-BY-4.0; the pages: see wcxb and many-dev",
        pages,
        {"blocks": segments},
        {**wcxb.CARD.files, **many_dev.CARD.files},
        note=_NOTE,
        trains=trains,
    )


TRAIN_CARD = _card("train", "the half that trains", 61, 1676, ("learned",))
TEST_CARD = _card("test", "the half that tests", 59, 1618)


def read(half: Half) -> Iterator[Item]:
    """The pages of a half in the order of the marks; the group is the type of the page. The first pass counts."""
    for row, item in _pages([row for row in _rows() if row["half"] == half]):
        truth = marked(item.inputs["html"].page(), row["passes"][0])
        yield Item(f"{row['dataset']}-{item.name}", item.inputs, Gold(segmentation=truth, complete=True), row["type"])


read_train = partial(read, "train")
read_test = partial(read, "test")


def read_passes() -> Iterator[tuple[Segmentation, Segmentation]]:
    """Both passes over the pages that were marked twice."""
    for row, item in _pages([row for row in _rows() if len(row["passes"]) > 1]):
        page = item.inputs["html"].page()
        first, second = (marked(page, marks) for marks in row["passes"])
        yield first, second


def marked(page: Page, marks: Sequence[tuple[int, int, int, str]]) -> Segmentation:
    """The segments of marks: first and last byte, level and kind.

    >>> from webstrata.page import parse
    >>> page = parse("<h1>Strata</h1><img src=a.png><p>A page comes<p>in layers.")
    >>> found = marked(page, [(4, 58, 1, "Content"), (15, 30, 2, "Image")])
    >>> [(item.kind, item.start, item.stop) for item in found]
    [('Content', 0, 3), ('Image', 1, 1)]
    """
    blocks, hidden = page.blocks, bool(page.blocks.hidden[readable(page)].any())
    segments = []
    for first, last, level, kind in marks:
        start = int(np.searchsorted(blocks.source_start, first))
        stop = int(np.searchsorted(blocks.source_stop, last, side="right"))
        segments.append(Segment(start, max(start, stop), level, kind, hidden=hidden))
    segments.sort(key=lambda item: (item.start, -item.stop, item.level))
    return Segmentation(page, tuple(segments), "marks")


def _rows() -> list[dict[str, Any]]:
    lines = files("webstrata.evaluation.datasets").joinpath("marks.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _pages(rows: Sequence[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], Item]]:
    """Each row with its page, which has to be the one that was marked."""
    names = {(row["dataset"], row["page"]) for row in rows}
    found = {
        (dataset, item.name): item
        for dataset, pages in _SOURCES.items()
        for item in pages()
        if (dataset, item.name) in names
    }
    for row in rows:
        item = found.get((row["dataset"], row["page"]))
        if item is None or hashlib.sha256(item.inputs["html"].html).hexdigest() != row["digest"]:
            raise InputError(f"page {row['page']} of {row['dataset']} is missing, or it is not the one that was marked")
        yield row, item
