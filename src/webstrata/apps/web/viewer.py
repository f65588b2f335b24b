"""The viewer: a page, its segments by any algorithm, its densitogram, its content, and its blocks."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, Response

from webstrata.apps.web import analysis
from webstrata.apps.web.choices import choices, fields
from webstrata.apps.web.rendered import can_render
from webstrata.apps.web.security import PREVIEW_POLICY
from webstrata.apps.web.state import demo_titles, page_of, spelling, state_of, templated
from webstrata.apps.web.stored import StoredPage
from webstrata.errors import InputError
from webstrata.extraction import EXTRACTORS
from webstrata.extraction.formats import FORMATS
from webstrata.segmentation import SEGMENTERS

__all__ = ["EXTRACTOR", "SEGMENTER", "file_name", "no_such_form", "router"]

#: The default algorithms.
SEGMENTER, EXTRACTOR = "learned", "learned"
#: The form of a result that is the Markdown as a browser shows it.
PREVIEW = "preview"
# The panels beside the page.
_TABS = ("segments", "content", "blocks", "results")
# The state of the viewer at first: what is as here is left out of the address. The share of the width that the page
# has is in percent.
_DEFAULTS = {
    "algorithm": SEGMENTER,
    "other": "",
    "extractor": EXTRACTOR,
    "tab": _TABS[0],
    "form": "markdown",
    "share": 60,
}
# The most segments and the most characters of a result in a panel.
_MOST_SEGMENTS, _MOST_TEXT = 500, 200_000

router = APIRouter(include_in_schema=False)


@router.get("/")
async def open_page(request: Request) -> HTMLResponse:
    """The start page, to open pages."""
    state = state_of(request)
    return templated(
        "open.html",
        view="Viewer",
        demos=demo_titles(),
        allow_fetch=state.settings.allow_fetch,
        most=state.settings.limits.bytes,
        recent=state.pages.recent()[:8],
    )


@router.get("/view/{page}")
async def view(
    request: Request,
    page: str,
    tab: str = _TABS[0],
    form: str = "markdown",
    share: Annotated[int, Query(ge=25, le=80)] = 60,
    plain: bool = False,
    block: Annotated[int | None, Query(ge=0)] = None,
    back: Annotated[str, Query(max_length=4000)] = "",
) -> HTMLResponse:
    """The viewer of a page. All of its state is in the address, so that a view can be shared.

    ``block`` is shown first; ``back`` is the query of the search that led here.
    """
    source = page_of(request, page)
    state = state_of(request)
    facts = await state.guarded(analysis.facts, source)
    chosen = {
        "algorithm": spelling(request, "algorithm", SEGMENTER),
        "other": spelling(request, "other", SEGMENTER) if request.query_params.get("other") else "",
        "extractor": spelling(request, "extractor", EXTRACTOR, EXTRACTORS),
    }
    return templated(
        "viewer.html",
        view="Viewer",
        page=facts,
        segmenters=choices(SEGMENTERS),
        extractors=choices(EXTRACTORS),
        chosen_of={name: re.split(r"[(+]", value)[0] for name, value in chosen.items()},
        fields_of={name: _fields(name, value) for name, value in chosen.items()},
        defaults=_DEFAULTS,
        tabs=_TABS,
        tab=tab if tab in _TABS else _TABS[0],
        form=form if form in (*analysis.FORMS, PREVIEW) else "markdown",
        share=share,
        block=block,
        back=back,
        plain=plain,
        can_render=can_render(),
        screenshot=state.pages.screenshot(page) is not None,
    )


def _fields(name: str, chosen: str) -> list[Any]:
    return fields(EXTRACTORS if name == "extractor" else SEGMENTERS, chosen) if chosen else []


@router.get("/view/{page}/fields/{prefix}")
async def parameter_fields(request: Request, page: str, prefix: str) -> HTMLResponse:
    """The fields for the parameters of an algorithm."""
    if prefix not in ("algorithm", "other", "extractor"):
        raise HTTPException(404)
    chosen = request.query_params.get(prefix, "")
    return templated("fields.html", prefix=prefix, fields=_fields(prefix, chosen))


@router.get("/view/{page}/panel/{name}")
async def panel(
    request: Request, page: str, name: str, start: Annotated[int, Query(ge=0)] = 0, form: str = "text"
) -> HTMLResponse:
    """A panel below the page."""
    source = page_of(request, page)
    algorithm = spelling(request, "algorithm", SEGMENTER)
    extractor = spelling(request, "extractor", EXTRACTOR, EXTRACTORS)
    if name == "segments":
        return await _segments_panel(request, source, algorithm)
    guarded = state_of(request).guarded
    if name == "content":
        return templated("panel_content.html", found=json.loads(await guarded(analysis.extraction, source, extractor)))
    if name == "blocks":
        found = await guarded(analysis.table, source, algorithm, extractor, start)
        return templated("panel_blocks.html", page=page, found=found, most=analysis.MOST_ROWS)
    if name == "results" and form in (*analysis.FORMS, PREVIEW):
        chosen = extractor if form in (*FORMATS, PREVIEW) else algorithm
        written = "markdown" if form == PREVIEW else form
        pieces, cut = [], False
        if form != PREVIEW:
            pieces, cut = await guarded(analysis.pieces, source, form, chosen, _MOST_TEXT)
        return templated(
            "panel_results.html",
            page=page,
            forms=[(PREVIEW, "Preview"), *((each.name, each.title) for each in analysis.FORMS.values())],
            form=form,
            pieces=pieces,
            traced=any(piece["block"] is not None for piece in pieces),
            cut=cut,
            preview=f"/view/{page}/preview?{urlencode({'extractor': chosen})}",
            download=f"/api/pages/{page}/results/{written}?{urlencode({'algorithm': chosen})}",
        )
    raise HTTPException(404, "there is no such panel")


@router.get("/view/{page}/preview")
async def preview(request: Request, page: str) -> Response:
    """The Markdown of a page as a browser shows it, for a frame without scripts; nothing is loaded."""
    extractor = spelling(request, "extractor", EXTRACTOR, EXTRACTORS)
    html = await state_of(request).guarded(analysis.preview, page_of(request, page), extractor)
    headers = {"Content-Security-Policy": PREVIEW_POLICY, "Cache-Control": "no-store"}
    return Response(html, media_type="text/html; charset=utf-8", headers=headers)


async def _segments_panel(request: Request, source: StoredPage, algorithm: str) -> HTMLResponse:
    guarded = state_of(request).guarded
    found = json.loads(await guarded(analysis.segmentation, source, algorithm))
    agreement = None
    if request.query_params.get("other"):
        other = spelling(request, "other", SEGMENTER)
        agreement = await guarded(analysis.agreement, source, algorithm, other)
    return templated("panel_segments.html", found=found, agreement=agreement, most=_MOST_SEGMENTS)


@router.get("/view/{page}/source")
async def source_excerpt(request: Request, page: str, start: int, stop: int) -> HTMLResponse:
    """A byte range of the source, with its context."""
    found = await state_of(request).guarded(analysis.excerpt, page_of(request, page), start, stop)
    return templated("source.html", found=found)


def file_name(name: str, ending: str) -> str:
    """The Content-Disposition header of a download.

    >>> file_name('a "page".html', ".txt")
    "attachment; filename*=UTF-8''a%20%22page%22.txt"
    """
    stem = re.sub(r"\.x?html?$", "", name.replace("/", "-"))[:80] or "page"
    return f"attachment; filename*=UTF-8''{quote(f'{stem}{ending}', safe='')}"


def no_such_form(form: str) -> Response:
    """What to say of a form that does not exist."""
    raise InputError(f"no result has the form {form[:40]!r}: choose one of {', '.join(analysis.FORMS)}")
