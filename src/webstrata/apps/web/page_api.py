"""The JSON interface of the viewer."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Body, HTTPException, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from webstrata.apps.web import analysis
from webstrata.apps.web.choices import choices
from webstrata.apps.web.frames import frame_policy
from webstrata.apps.web.rendered import render
from webstrata.apps.web.security import DOWNLOAD_POLICY
from webstrata.apps.web.state import demo_pages, page_of, spelling, state_of
from webstrata.apps.web.stored import StoredPage
from webstrata.apps.web.viewer import EXTRACTOR, SEGMENTER, file_name, no_such_form
from webstrata.errors import InputError
from webstrata.extraction import EXTRACTORS
from webstrata.extraction.formats import FORMATS
from webstrata.segmentation import SEGMENTERS

__all__ = ["Agreement", "Facts", "FetchRequest", "MatchScore", "frame_router", "router"]

router = APIRouter(prefix="/api", tags=["pages"])
frame_router = APIRouter(include_in_schema=False)

Algorithm = Annotated[str, Query(max_length=1000, description="As in bf-plain(theta=0.5); /api/algorithms lists them.")]
Bytes = Annotated[bytes, Body(media_type="application/octet-stream", description="The bytes of the page.")]


class Facts(BaseModel):
    """Facts about a page."""

    id: str
    name: str
    title: str
    url: str | None
    lang: str | None
    encoding: str
    bytes: int
    blocks: int
    elements: int
    words: int
    links: int
    rendered: bool


class MatchScore(BaseModel):
    """Precision, recall and F of matching segments."""

    precision: float
    recall: float
    f: float


class Agreement(BaseModel):
    """The agreement of two segmentations; the first is the reference."""

    algorithm: str
    other: str
    segments: tuple[int, int]
    adjusted_rand: float
    exact: MatchScore
    fuzzy: MatchScore


class FetchRequest(BaseModel):
    """A page to fetch."""

    url: str = Field(max_length=8192)


@router.get("/algorithms")
async def algorithms() -> dict[str, list[dict[str, Any]]]:
    """All segmenters and extractors, with their parameters."""
    return {
        kind: [
            {
                "name": item.name,
                "paper": item.paper,
                "needs": item.needs,
                "parameters": [
                    {"name": each.name, "default": each.default, "types": each.kinds, "choices": each.choices}
                    for each in registry.parameters(item.name)
                ],
            }
            for item in choices(registry)
        ]
        for kind, registry in (("segmenters", SEGMENTERS), ("extractors", EXTRACTORS))
    }


@router.post("/pages", status_code=201)
async def open_page(
    request: Request,
    body: Bytes,
    name: Annotated[str, Query(max_length=200)] = "page",
    url: Annotated[str | None, Query(max_length=8192)] = None,
    encoding: Annotated[str | None, Query(max_length=40)] = None,
) -> Facts:
    """Open a page: HTML, or a recording of `webstrata render`. The id in the answer names it in all other requests."""
    recording = body if body[:4] == b"PK\x03\x04" else None
    source = StoredPage(b"" if recording else body, name=name, url=url, encoding=encoding, recording=recording)
    return await _open(request, source)


@router.post("/pages/demo/{name}", status_code=201)
async def open_demo(request: Request, name: str) -> Facts:
    """Open one of the pages that ship with webstrata."""
    if name not in demo_pages():
        raise HTTPException(404, f"no such demo page: choose one of {', '.join(demo_pages())}")
    return await _open(request, demo_pages()[name])


@router.post("/pages/fetch", status_code=201)
async def fetch_page(request: Request, fetch: FetchRequest) -> Facts:
    """Open a page from the web, if the server was started with --allow-fetch."""
    state = state_of(request)
    if not state.settings.allow_fetch:
        raise HTTPException(403, "this server does not fetch pages: start it with --allow-fetch")
    # Name resolution can take long and cannot be cancelled.
    try:
        async with asyncio.timeout(state.fetcher.seconds + 5):
            found = await state.threads("fetch", state.fetcher, fetch.url)
    except TimeoutError:
        raise InputError("fetching the page takes too long: try again later") from None
    return await _open(request, StoredPage(found.html, name=found.url, url=found.url, encoding=found.encoding))


@router.post("/pages/{page}/render", status_code=201)
async def render_page(request: Request, page: str) -> Facts:
    """Render a page in Chromium; the rendered page has an id of its own."""
    state = state_of(request)
    source, picture = await render(state, page_of(request, page))
    facts = await _open(request, source)
    state.pages.add(source, screenshot=picture)
    return facts


async def _open(request: Request, source: StoredPage) -> Facts:
    state = state_of(request)
    facts = await state.guarded(analysis.facts, source)
    state.pages.add(source)
    return Facts(**facts)


@router.get("/pages/{page}")
async def page_facts(request: Request, page: str) -> Facts:
    """Facts about a page."""
    return Facts(**await state_of(request).guarded(analysis.facts, page_of(request, page)))


@router.get("/pages/{page}/columns")
async def page_columns(request: Request, page: str) -> Response:
    """Text density and lines of each block, and which blocks are hidden."""
    return await _json(request, page, analysis.columns)


@router.get("/pages/{page}/segmentation")
async def page_segmentation(request: Request, page: str, algorithm: Algorithm = SEGMENTER) -> Response:
    """The segments of a page, with their blocks, levels, kinds and elements."""
    return await _json(request, page, analysis.segmentation, spelling(request, "algorithm", algorithm))


@router.get("/pages/{page}/extraction")
async def page_extraction(request: Request, page: str, algorithm: Algorithm = EXTRACTOR) -> Response:
    """The decision on each block: whether it is kept, its kind, its score and its reason."""
    chosen = spelling(request, "algorithm", algorithm, EXTRACTORS)
    return await _json(request, page, analysis.extraction, chosen)


@router.get("/pages/{page}/agreement")
async def page_agreement(request: Request, page: str, algorithm: Algorithm, other: Algorithm) -> Agreement:
    """The agreement of two segmenters: AdjRand over words, precision, recall and F of segments."""
    chosen = spelling(request, "algorithm", algorithm), spelling(request, "other", other)
    return Agreement(**await state_of(request).guarded(analysis.agreement, page_of(request, page), *chosen))


@router.get("/pages/{page}/blocks")
async def page_blocks(
    request: Request,
    page: str,
    algorithm: Algorithm = SEGMENTER,
    extractor: Algorithm = EXTRACTOR,
    start: Annotated[int, Query(ge=0)] = 0,
) -> dict[str, Any]:
    """200 blocks from `start` on, with text, counts, segment, decision, and byte range in the source."""
    source = page_of(request, page)
    chosen = spelling(request, "algorithm", algorithm), spelling(request, "extractor", extractor, EXTRACTORS)
    found: dict[str, Any] = await state_of(request).guarded(analysis.table, source, *chosen, start)
    return found


@router.get("/pages/{page}/results/{form}")
async def page_result(request: Request, page: str, form: str, algorithm: Algorithm = "") -> Response:
    """A result to download: text, markdown, html, tei, json; segments, blocks, overlay, densitogram."""
    if form not in analysis.FORMS:
        return no_such_form(form)
    source = page_of(request, page)
    written = analysis.FORMS[form]
    default, registry = (EXTRACTOR, EXTRACTORS) if form in FORMATS else (SEGMENTER, SEGMENTERS)
    chosen = spelling(request, "algorithm", algorithm or default, registry)
    text = await state_of(request).guarded(analysis.result, source, form, chosen)
    return Response(
        text.encode("utf-8", "replace"),
        media_type=f"{written.media_type}; charset=utf-8",
        headers={
            "Content-Disposition": file_name(source.name, written.ending),
            "Content-Security-Policy": DOWNLOAD_POLICY,
        },
    )


@router.get("/pages/{page}/screenshot")
async def page_screenshot(request: Request, page: str) -> Response:
    """The screenshot of a rendered page."""
    page_of(request, page)
    picture = state_of(request).pages.screenshot(page)
    if picture is None:
        raise HTTPException(404, "this page has no screenshot: render it first")
    return Response(picture, media_type="image/png")


@frame_router.get("/frame/{page}")
async def frame(request: Request, page: str) -> Response:
    """The page for its frame; requests for other uses are refused."""
    if request.headers.get("sec-fetch-dest", "iframe") != "iframe":
        raise HTTPException(403, "this page can be shown in a frame only")
    html = await state_of(request).guarded(analysis.frame, page_of(request, page))
    headers = {"Content-Security-Policy": frame_policy(), "Cache-Control": "no-store"}
    return Response(html, media_type="text/html; charset=utf-8", headers=headers)


async def _json(request: Request, page: str, function: Any, *arguments: Any) -> Response:
    body = await state_of(request).guarded(function, page_of(request, page), *arguments)
    return Response(body, media_type="application/json")
