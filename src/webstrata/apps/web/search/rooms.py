"""The search room of a server: its pages and its JSON interface."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from webstrata.apps.web.pages import Source
from webstrata.apps.web.rooms import state_of, templated
from webstrata.apps.web.search.demo import build_demo_index, demo_site
from webstrata.apps.web.search.service import MOST_PAGES, PAGE, RANKING_NAMES, Asked, SearchRoom
from webstrata.apps.web.settings import Settings
from webstrata.search.index import DEFAULT
from webstrata.urls import safe

__all__ = ["api", "open_room", "screens"]

api = APIRouter(prefix="/api/search", tags=["search"])
screens = APIRouter(prefix="/search", include_in_schema=False)

Text = Annotated[str, Query(max_length=2000, description="Words, phrases in quotes, title:word")]
Facet = Annotated[list[str], Query(max_length=8, description="Facets that results belong to; may be repeated")]


def open_room(settings: Settings) -> SearchRoom | None:
    """What a server searches; None where it was given nothing."""
    if settings.index is not None:
        return SearchRoom.open(settings.index, site=settings.site, graph=settings.graph)
    if not settings.demo_site:
        return None
    # The files are mapped into memory, and the index needs their names no more.
    with tempfile.TemporaryDirectory() as folder:
        index, paths = build_demo_index(Path(folder) / "index")
    return SearchRoom(index=index, paths=paths, pages=demo_site(), title="The Almanac of Layers")


def room_of(request: Request) -> SearchRoom:
    """What is searched, or 404."""
    room: SearchRoom | None = state_of(request).rooms.get("search")
    if room is None:
        raise HTTPException(404, "nothing to search: start the server with --index INDEX or with --demo-site")
    return room


def asked_of(
    q: Text = "",
    ranking: str = DEFAULT,
    pagerank: bool = False,
    facet: Facet = [],  # noqa: B006  FastAPI reads it and never changes it
    start: Annotated[int, Query(ge=0)] = 0,
) -> Asked:
    """The question in the address of a request."""
    return Asked(text=q, ranking=ranking, pagerank=pagerank, facets=tuple(facet), start=start)


Question = Annotated[Asked, Depends(asked_of)]


@api.get("")
async def search(request: Request, asked: Question) -> dict[str, Any]:
    """The results of a query, ten from `start` on, with their facets."""
    return await asyncio.to_thread(room_of(request).answer, asked)


@api.get("/why/{page}")
async def why(request: Request, page: int, asked: Question) -> dict[str, Any]:
    """Why a page is a result: what each term adds, in which segments, and what its rank makes of it."""
    return await asyncio.to_thread(room_of(request).why, asked, page)


@screens.get("")
async def search_page(request: Request, asked: Question) -> HTMLResponse:
    """The page to search on, with the results of a query that the address holds."""
    if "search" not in state_of(request).rooms:
        return templated("search_closed.html", room="Search")
    room = room_of(request)
    found = await asyncio.to_thread(room.answer, asked) if asked.text.strip() else None
    return templated(
        "search.html",
        room="Search",
        title=room.title,
        pages=room.index.pages,
        asked=asked,
        rankings=RANKING_NAMES,
        found=found,
        **_addresses(asked, found),
    )


@screens.get("/results")
async def results(request: Request, asked: Question) -> HTMLResponse:
    """The results alone, for a page that is open."""
    room = room_of(request)
    found = await asyncio.to_thread(room.answer, asked) if asked.text.strip() else None
    response = templated(
        "results.html", found=found, asked=asked, pages=room.index.pages, title=room.title, **_addresses(asked, found)
    )
    response.headers["HX-Replace-Url"] = f"/search?{_query(asked)}"
    return response


@screens.get("/why/{page}")
async def why_page(request: Request, page: int, asked: Question) -> HTMLResponse:
    """The reasons of a result."""
    return templated("why.html", found=await asyncio.to_thread(room_of(request).why, asked, page))


@screens.get("/open/{page}")
async def open_result(request: Request, page: int) -> RedirectResponse:
    """A result in the viewer, where its HTML is at hand."""
    found = room_of(request).html(page)
    if found is None:
        raise HTTPException(404, "the HTML of this page is not at hand")
    url, html = found
    return RedirectResponse(f"/view/{state_of(request).pages.add(Source(html, name=url, url=url))}", status_code=303)


def _query(asked: Asked, **changes: Any) -> str:
    """The question as the query of an address."""
    values = {"q": asked.text, "ranking": asked.ranking, "facet": list(asked.facets), **changes}
    if asked.pagerank:
        values["pagerank"] = "true"
    if asked.ranking == DEFAULT:
        values.pop("ranking")
    return urlencode(values, doseq=True)


def _addresses(asked: Asked, found: dict[str, Any] | None) -> dict[str, Any]:
    """Where facets, reasons, results and further pages lead to."""

    def toggled(name: str) -> str:
        without = [each for each in asked.facets if each != name]
        return _query(asked, facet=without if name in asked.facets else [*without, name])

    more = found is not None and found["start"] + PAGE < min(found["matched"], MOST_PAGES * PAGE)
    return {
        "toggled": toggled,
        "here": _query(asked),
        "nobody": _query(asked, facet=[]),
        "before": _query(asked, start=asked.start - PAGE) if asked.start else "",
        "after": _query(asked, start=asked.start + PAGE) if more else "",
        "linked": lambda url: safe("", url) if url.startswith(("http://", "https://")) else None,
    }
