"""Computations of the annotator on a page; each function runs in a guarded process."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from webstrata._escaping import one_line
from webstrata.apps.web.annotation.folder import DataFolder, DerivedFiles
from webstrata.apps.web.annotation.marks import SegmentMark, Sheet, marks_of, read_mark, segmentation, settled
from webstrata.apps.web.stored import StoredPage, load, load_page
from webstrata.errors import InputError
from webstrata.evaluation.metrics import adjusted_rand, cohen_kappa, exact_matching, fuzzy_matching
from webstrata.page import Page
from webstrata.segmentation import SEGMENTERS
from webstrata.segmentation.base import segmented
from webstrata.segmentation.html import from_html, to_html

__all__ = ["agreement", "derived", "described", "import_page", "prepared", "snapshot", "started"]

_SHOWN_TEXT = 120


def prepared(
    source: StoredPage, marks: list[Any], annotator: str, source_rows: list[int] | None
) -> tuple[Any, DerivedFiles]:
    """Marks of a request, settled on their page, and the files derived from them."""
    page = load_page(source)
    try:
        given = [read_mark(value) for value in marks]
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise InputError(f"not a mark: {type(error).__name__}") from error
    rows = None if source_rows is None else np.array(source_rows, np.int64)
    if rows is not None and len(rows) != len(page.elements):
        rows = None
    found = settled(page, given, source_row=rows)
    return found, _derived(page, found, annotator)


def derived(source: StoredPage, sheet: Sheet) -> DerivedFiles:
    """The files derived from a sheet."""
    return _derived(load_page(source), sheet.marks, sheet.annotator)


def _derived(page: Page, marks: tuple[SegmentMark, ...], annotator: str) -> DerivedFiles:
    found = segmentation(page, marks, annotator)
    return DerivedFiles(to_html(found), found.json())


def described(source: StoredPage, sheet: Sheet) -> dict[str, Any]:
    """A sheet as plain values; each mark with the beginning of its text."""
    page = load_page(source)
    return {**asdict(sheet), "marks": [_shown(page, mark) for mark in settled(page, sheet.marks)]}


def _shown(page: Page, mark: SegmentMark) -> dict[str, Any]:
    text = ""
    if mark.start < mark.stop:
        first, last = int(page.blocks.text_start[mark.start]), int(page.blocks.text_stop[mark.stop - 1])
        text = one_line(page.text[first : min(last, first + 4 * _SHOWN_TEXT)], _SHOWN_TEXT)
    return {**asdict(mark), "text": text}


def started(source: StoredPage, algorithm: str) -> list[dict[str, Any]]:
    """The segments of an algorithm as marks to start from."""
    found = segmented(load(source), SEGMENTERS.make(algorithm), needs=SEGMENTERS.needs(algorithm))
    return [_shown(found.page, mark) for mark in marks_of(found)]


def agreement(source: StoredPage, left: Sheet, right: Sheet) -> dict[str, float]:
    """The agreement of two people on a page: on its segments, and on the type of each word."""
    page = load_page(source)
    one = segmentation(page, settled(page, left.marks), left.annotator)
    other = segmentation(page, settled(page, right.marks), right.annotator)
    kinds = {name: number for number, name in enumerate(sorted({s.kind for s in (*one.segments, *other.segments)}))}
    types = []
    for found in (one, other):
        of_segment = np.array([*(kinds[segment.kind] for segment in found.segments), -1])
        types.append(of_segment[found.labels(per="token")])
    return {
        "words": float(page.blocks.words.sum()),
        "exact": exact_matching(one.texts(), other.texts()).f,
        "fuzzy": fuzzy_matching(one.texts(), other.texts()).f,
        "adjusted_rand": adjusted_rand(one.labels(per="token"), other.labels(per="token")),
        "kappa": cohen_kappa(*types),
    }


def snapshot(source: StoredPage) -> tuple[bytes, list[int]]:
    """The HTML of a rendered page, and the row of each of its elements in the original."""
    found = load(source)
    if isinstance(found, Page):
        raise InputError("this page is not rendered: render it first")
    return found.page.source, found.source_row.tolist()


def import_page(folder: str, name: str, staging: str) -> None:
    """Write a page of another data set into the folder of pages to adopt, with all its marks.

    Sheets refer to the snapshot. Block HTML without sheets is a page of its own: the snapshot, if it differs.
    """
    other = DataFolder(Path(folder), bare=True)
    html, given = other.snapshot(name)
    facts: dict[str, Any] = {key: given[key] for key in ("url", "encoding", "group") if key in given}
    original, dom, blocks = (other.file(f"{name}{ending}") for ending in (".html", ".dom.html", ".blocks.html"))
    assert original is not None
    page = load_page(StoredPage(html, name=name, url=given.get("url"), encoding=given.get("encoding")))
    sheets = [replace(sheet, version=1, marks=settled(page, sheet.marks)) for sheet in other.sheets(name)]
    if not sheets and blocks is not None:
        found = from_html(blocks, url=page.url, encoding=given.get("encoding"))
        if found.page.source != page.source:
            page, dom = found.page, found.page.source
        sheets = [Sheet("imported", 1, marks_of(found), done=True)]
    chosen = [sheet for sheet in sheets if sheet.annotator == given.get("annotator")] or sheets
    truth = chosen[0] if chosen else None
    if truth is not None:
        facts["annotator"] = truth.annotator
    new = DataFolder(Path(staging), bare=True)
    new.put(name, original, dom=dom, facts=facts, sheets=sheets)
    if truth is not None:
        new.write_derived(name, truth, _derived(page, truth.marks, truth.annotator))
