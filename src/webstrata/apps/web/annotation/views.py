"""The annotator: the list of pages, the view in which a page is marked, and the agreement of people."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, Response

from webstrata.apps.web import analysis
from webstrata.apps.web.annotation.api import agreement, data_of, progress, source_of
from webstrata.apps.web.annotation.folder import check_annotator
from webstrata.apps.web.choices import choices
from webstrata.apps.web.frames import frame_policy
from webstrata.apps.web.state import state_of, templated
from webstrata.segmentation import SEGMENTERS

__all__ = ["router"]

router = APIRouter(prefix="/annotate", include_in_schema=False)
# Keys with another function while a page is marked.
_TAKEN_KEYS = "zyjkx"

Annotator = Annotated[str, Query(max_length=40)]


@router.get("")
async def overview(request: Request, by: Annotator = "") -> HTMLResponse:
    """The pages of the data set and their progress."""
    if state_of(request).data is None:
        return templated("annotate_closed.html", view="Annotate")
    data = data_of(request)
    rows = await asyncio.to_thread(progress, data)
    mine = [row for row in rows if by and by in row["done_by"]]
    return templated(
        "annotate.html",
        view="Annotate",
        rows=rows,
        by=by,
        done=len(mine),
        annotators=data.annotators(),
        types=data.types,
        title=data.path.name,
        opened=state_of(request).pages.recent()[:5],
    )


@router.get("/page/{name}")
async def marking(request: Request, name: str, by: Annotator) -> HTMLResponse:
    """A page to mark."""
    check_annotator(by)
    data = data_of(request)
    source = source_of(data, name)
    facts = await state_of(request).guarded(analysis.facts, source)
    names = data.pages()
    here = names.index(name)
    return templated(
        "annotate_page.html",
        view="Annotate",
        page=facts,
        name=name,
        by=by,
        types=_with_keys(data.types),
        segmenters=[item for item in choices(SEGMENTERS) if not item.needs],
        previous=names[here - 1] if here else "",
        next=names[here + 1] if here + 1 < len(names) else "",
        number=here + 1,
        count=len(names),
    )


def _with_keys(types: dict[int, tuple[str, ...]]) -> dict[int, list[tuple[str, str]]]:
    """Each type with its key: a letter of its name that no other type has.

    >>> _with_keys({1: ("Header", "Footer"), 2: ("Heading",)})
    {1: [('Header', 'h'), ('Footer', 'f')], 2: [('Heading', 'e')]}
    """
    taken = set(_TAKEN_KEYS)
    found: dict[int, list[tuple[str, str]]] = {}
    for level, names in types.items():
        for name in names:
            letters = [letter for letter in name.lower() if letter.isascii() and letter.isalpha()]
            key = next((letter for letter in (*letters, *"abcdefghilmnopqrstuvw") if letter not in taken), "")
            taken.add(key)
            found.setdefault(level, []).append((name, key))
    return found


@router.get("/frame/{name}")
async def frame(request: Request, name: str) -> Response:
    """The snapshot for its frame."""
    if request.headers.get("sec-fetch-dest", "iframe") != "iframe":
        raise HTTPException(403, "this is shown in a frame only")
    html = await state_of(request).guarded(analysis.frame, source_of(data_of(request), name))
    headers = {"Content-Security-Policy": frame_policy(), "Cache-Control": "no-store"}
    return Response(html, media_type="text/html; charset=utf-8", headers=headers)


@router.get("/agreement")
async def agreement_page(request: Request) -> HTMLResponse:
    """The agreement of people."""
    found = await agreement(request)
    data = data_of(request)
    return templated("agreement.html", view="Annotate", found=found, title=data.path.name)
