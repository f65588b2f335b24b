"""The JSON interface of the annotator."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

from fastapi import APIRouter, Body, HTTPException, Query, Request
from fastapi.responses import FileResponse
from pydantic import BaseModel, Field
from starlette.background import BackgroundTask

from webstrata.apps.web import analysis
from webstrata.apps.web.annotation import work
from webstrata.apps.web.annotation.archive import export_zip, import_zip
from webstrata.apps.web.annotation.folder import DataFolder, SheetConflict, check_annotator, check_name, name_of
from webstrata.apps.web.annotation.marks import Sheet
from webstrata.apps.web.choices import checked
from webstrata.apps.web.security import DOWNLOAD_POLICY
from webstrata.apps.web.state import page_of, state_of
from webstrata.apps.web.stored import StoredPage
from webstrata.errors import InputError
from webstrata.segmentation import SEGMENTERS

__all__ = ["SegmentTypes", "SheetChange", "agreement", "data_of", "progress", "repair", "router", "source_of"]

router = APIRouter(prefix="/api/annotation", tags=["annotation"])

# Choosing ground truth is tried again when the marks change meanwhile.
_CHOICES = 10

Bytes = Annotated[bytes, Body(media_type="application/octet-stream")]


class SheetChange(BaseModel):
    """A changed sheet; ``version`` is the version before the change."""

    version: int = Field(ge=0)
    marks: list[dict[str, Any]] = Field(max_length=5000)
    notes: str = Field("", max_length=20_000)
    done: bool = False


class SegmentTypes(BaseModel):
    """The types of segments by level."""

    types: dict[int, list[Annotated[str, Field(min_length=1, max_length=60)]]] = Field(min_length=1, max_length=9)


def data_of(request: Request) -> DataFolder:
    """The data set of the annotator, or 404."""
    data = state_of(request).data
    if data is None:
        raise HTTPException(404, "no data set is open: start the server with --data FOLDER")
    return data


def source_of(data: DataFolder, name: str) -> StoredPage:
    """The snapshot of a page."""
    try:
        html, facts = data.snapshot(check_name(name))
    except KeyError:
        raise HTTPException(404, "the data set has no such page") from None
    return StoredPage(html, name=name, url=facts.get("url"), encoding=facts.get("encoding"))


async def repair(data: DataFolder, guarded: Any) -> None:
    """Write the derived files again that are older than their sheets, for all pages for which that is possible."""
    for name, sheet in await asyncio.to_thread(lambda: list(data.stale())):
        with suppress(InputError):
            derived = await guarded(work.derived, source_of(data, name), sheet)
            await asyncio.to_thread(data.choose, name, sheet, derived)


@router.get("")
async def data_set(request: Request) -> dict[str, Any]:
    """The data set: its card, its types, and the progress of each page."""
    data = data_of(request)
    return {"card": data.card, "types": data.types, "pages": await asyncio.to_thread(progress, data)}


def progress(data: DataFolder) -> list[dict[str, Any]]:
    """The marks of each page, and the annotators who have finished it."""
    return [_progress(data, name) for name in data.pages()]


def _progress(data: DataFolder, name: str) -> dict[str, Any]:
    error = ""
    facts: dict[str, Any] = {}
    sheets: list[Sheet] = []
    try:
        sheets, facts = data.sheets(name), data.facts(name)
    except InputError as damage:
        error = str(damage)
    return {
        "name": name,
        "url": facts.get("url"),
        "truth": facts.get("annotator"),
        "marks": {sheet.annotator: len(sheet.marks) for sheet in sheets},
        "done_by": [sheet.annotator for sheet in sheets if sheet.done],
        "notes": sum(bool(sheet.notes) for sheet in sheets),
        "error": error,
    }


@router.put("/types")
async def change_types(request: Request, changed: SegmentTypes) -> dict[int, tuple[str, ...]]:
    """Change the types of segments."""
    data = data_of(request)
    types = {level: list(dict.fromkeys(names)) for level, names in changed.types.items() if 1 <= level <= 9}
    await asyncio.to_thread(data.update_card, types={str(level): names for level, names in types.items()})
    return data.types


@router.post("/pages", status_code=201)
async def add_page(
    request: Request,
    body: Bytes,
    name: Annotated[str, Query(max_length=200)],
    url: Annotated[str | None, Query(max_length=8192)] = None,
) -> dict[str, str]:
    """Add a page to the data set; its HTML becomes the snapshot."""
    data = data_of(request)
    source = StoredPage(body, name=name, url=url)
    await state_of(request).guarded(analysis.facts, source)
    facts = {"url": url} if url else None
    return {"name": await asyncio.to_thread(lambda: data.add(name_of(name), body, facts=facts))}


@router.post("/pages/opened/{page}", status_code=201)
async def add_opened(request: Request, page: str) -> dict[str, str]:
    """Add a page that is open in the viewer; of a rendered page, also the rows of its elements in the original."""
    data = data_of(request)
    source = page_of(request, page)
    facts: dict[str, Any] = {"url": source.url} if source.url else {}
    if source.recording is None:
        if source.encoding:
            facts["encoding"] = source.encoding
        return {"name": await asyncio.to_thread(lambda: data.add(name_of(source.name), source.html, facts=facts))}
    dom, rows = await state_of(request).guarded(work.snapshot, source)
    facts["source_rows"] = rows
    original = source.original or dom
    return {"name": await asyncio.to_thread(lambda: data.add(name_of(source.name), original, dom=dom, facts=facts))}


@router.get("/pages/{name}/sheets/{annotator}")
async def read_sheet(request: Request, name: str, annotator: str) -> dict[str, Any]:
    """The marks of a person on a page."""
    data = data_of(request)
    source = source_of(data, name)
    sheet = await asyncio.to_thread(data.sheet, name, check_annotator(annotator))
    found: dict[str, Any] = await state_of(request).guarded(work.described, source, sheet)
    return found


@router.put("/pages/{name}/sheets/{annotator}")
async def save_sheet(request: Request, name: str, annotator: str, changed: SheetChange) -> dict[str, Any]:
    """Save the marks of a person on a page. When this returns, they are on the disk; `warning` is most often empty."""
    data = data_of(request)
    source = source_of(data, name)
    rows = data.facts(name).get("source_rows")
    marks, derived = await state_of(request).guarded(
        work.prepared, source, changed.marks, check_annotator(annotator), rows
    )
    sheet = Sheet(annotator, changed.version + 1, marks, changed.notes, changed.done)
    try:
        warning = await asyncio.to_thread(data.save, name, sheet, derived)
    except SheetConflict as error:
        raise HTTPException(409, str(error)) from None
    return {"version": sheet.version, "marks": [asdict(mark) for mark in sheet.marks], "warning": warning}


@router.get("/pages/{name}/start")
async def start_from(request: Request, name: str, algorithm: Annotated[str, Query(max_length=1000)]) -> list[Any]:
    """The segments of an algorithm as marks to start from; nothing is saved yet."""
    source = source_of(data_of(request), name)
    found: list[Any] = await state_of(request).guarded(work.started, source, checked(SEGMENTERS, algorithm))
    return found


@router.put("/pages/{name}/truth/{annotator}")
async def choose_truth(request: Request, name: str, annotator: str) -> dict[str, str]:
    """Use the marks of a person as ground truth of a page."""
    data = data_of(request)
    source = source_of(data, name)
    check_annotator(annotator)
    for _ in range(_CHOICES):
        sheet = await asyncio.to_thread(data.sheet, name, annotator)
        if not sheet.version:
            raise InputError(f"{annotator} has not marked {name}: choose another person")
        derived = await state_of(request).guarded(work.derived, source, sheet)
        try:
            await asyncio.to_thread(data.choose, name, sheet, derived)
        except SheetConflict as error:
            conflict = error
        else:
            return {"name": name, "truth": annotator}
    raise HTTPException(409, str(conflict))


@router.get("/agreement")
async def agreement(request: Request) -> dict[str, Any]:
    """Agreement of each two people: F of segments with equal and with similar texts, AdjRand, kappa of the types."""
    data = data_of(request)
    guarded = state_of(request).guarded
    pairs: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for name in data.pages():
        source = source_of(data, name)
        sheets = [sheet for sheet in await asyncio.to_thread(data.sheets, name) if sheet.marks]
        for left, right in combinations(sheets, 2):
            scores = await guarded(work.agreement, source, left, right)
            row = {"page": name, "truth": data.facts(name).get("annotator"), **scores}
            pairs.setdefault((left.annotator, right.annotator), []).append(row)
    return {
        "pairs": [
            {
                "annotators": list(pair),
                **{key: fmean(row[key] for row in rows) for key in ("exact", "fuzzy", "adjusted_rand", "kappa")},
                "pages": rows,
            }
            for pair, rows in sorted(pairs.items())
        ]
    }


@router.get("/export")
async def export(request: Request) -> FileResponse:
    """The data set as a zip file."""
    data = data_of(request)
    folder = Path(tempfile.mkdtemp())
    path = folder / "data.zip"
    try:
        await state_of(request).threads("archive", export_zip, data, path)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return FileResponse(
        path,
        media_type="application/zip",
        filename=f"{data.path.name}.zip",
        headers={"Content-Security-Policy": DOWNLOAD_POLICY},
        background=BackgroundTask(shutil.rmtree, folder, ignore_errors=True),
    )


@router.post("/import")
async def import_archive(request: Request, body: Bytes) -> dict[str, int]:
    """Add the pages of a zip file: NAME.html with NAME.blocks.html, or an export."""
    data = data_of(request)
    state = state_of(request)
    return {"pages": await state.threads("archive", import_zip, data, body, _caller(state.guarded))}


def _caller(guarded: Any) -> Callable[..., Any]:
    """Calls of guarded functions that wait for the result, for threads."""
    return lambda function, *arguments: guarded.submit(function, *arguments).result()
