"""The search view: its pages and its JSON interface."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from webstrata.apps.web import analysis
from webstrata.apps.web.search.demo import build_demo_index, demo_site
from webstrata.apps.web.search.service import MOST_K, MOST_PAGES, PAGE, RANKING_NAMES, SearchRequest, SearchService
from webstrata.apps.web.settings import ServerSettings
from webstrata.apps.web.state import state_of, templated
from webstrata.apps.web.stored import StoredPage
from webstrata.links.facets import Facets
from webstrata.search.index import DEFAULT
from webstrata.urls import safe

__all__ = ["api", "open_service", "router"]

api = APIRouter(prefix="/api/search", tags=["search"])
router = APIRouter(prefix="/search", include_in_schema=False)

_LANGUAGE = (
    'Words, "phrases", -without, begin*, title:word, site:host, kind:class, lang:en, after:2024, before:2024-05-17'
)
Text = Annotated[str, Query(max_length=2000, description=_LANGUAGE)]
Facet = Annotated[list[str], Query(max_length=8, description="Facets that results belong to; may be repeated")]


def open_service(settings: ServerSettings) -> SearchService | None:
    """The search service of a server; None without an index and the demo site."""
    if settings.index is not None:
        return SearchService.open(settings.index, site=settings.site, graph=settings.graph)
    if not settings.demo_site:
        return None
    # The files are memory-mapped, so the folder can be deleted.
    with tempfile.TemporaryDirectory() as folder:
        index, paths = build_demo_index(Path(folder) / "index")
    return SearchService(index=index, paths=paths, pages=demo_site(), title="The Almanac of Layers")


def _service_of(request: Request) -> SearchService:
    """The search service, or 404."""
    service = state_of(request).search
    if service is None:
        raise HTTPException(404, "there is no index: start the server with --index INDEX or --demo-site")
    return service


def _search_request(
    q: Text = "",
    ranking: str = DEFAULT,
    pagerank: bool = False,
    facet: Facet = [],  # noqa: B006  FastAPI reads it and never changes it
    reorder: Annotated[bool, Query(description="Keep results outside of the facets, ranked lower")] = False,
    k: Annotated[int, Query(ge=1, le=MOST_K, description="Results that facets are counted in")] = Facets.k,
    theta: Annotated[float, Query(ge=0, le=10, description="Lowest membership in a facet")] = Facets.theta,
    start: Annotated[int, Query(ge=0)] = 0,
) -> SearchRequest:
    """The search request in the query of an HTTP request."""
    return SearchRequest(
        text=q, ranking=ranking, pagerank=pagerank, facets=tuple(facet), reorder=reorder, k=k, theta=theta, start=start
    )


Search = Annotated[SearchRequest, Depends(_search_request)]


@api.get("")
async def search(request: Request, query: Search) -> dict[str, Any]:
    """The results of a query, ten from `start` on, with their facets."""
    return await state_of(request).threads("search", _service_of(request).answer, query)


@api.get("/why/{page}")
async def why(request: Request, page: int, query: Search) -> dict[str, Any]:
    """Why a page is a result: what each term adds to its score, in which segments, and how its rank changes it."""
    return await state_of(request).threads("search", _service_of(request).why, query, page)


@router.get("")
async def search_page(request: Request, query: Search) -> HTMLResponse:
    """The search page, with the results of the query in the address."""
    if state_of(request).search is None:
        return templated("search_closed.html", view="Search")
    values = await _results(request, query)
    return templated("search.html", view="Search", rankings=RANKING_NAMES, **values)


@router.get("/results")
async def results(request: Request, query: Search) -> HTMLResponse:
    """The results alone, to replace those of an open page."""
    response = templated("results.html", **await _results(request, query))
    response.headers["HX-Replace-Url"] = f"/search?{_encoded(query)}"
    return response


async def _results(request: Request, query: SearchRequest) -> dict[str, Any]:
    """The values for the template of results."""
    service = _service_of(request)
    found = await state_of(request).threads("search", service.answer, query) if query.text.strip() else None
    values: dict[str, Any] = {"found": found, "query": query, "pages": service.index.pages, "title": service.title,
                              "topics": service.facets is not None}  # fmt: skip
    if found is None:
        values["examples"] = await state_of(request).threads("search", lambda: service.examples)
    return values | _addresses(query, found)


@router.get("/why/{page}")
async def why_page(request: Request, page: int, query: Search) -> HTMLResponse:
    """The explanation of a result."""
    return templated("why.html", found=await state_of(request).threads("search", _service_of(request).why, query, page))


@router.get("/open/{page}")
async def open_result(request: Request, page: int, query: Search) -> RedirectResponse:
    """Open a result in the viewer at the passage of its snippet, if the server has its HTML."""
    service, state = _service_of(request), state_of(request)
    found = service.html(page)
    if found is None:
        raise HTTPException(404, "the server does not have the HTML of this page: open its address")
    url, html = found
    source = StoredPage(html, name=url, url=url)
    values: dict[str, Any] = {"tab": "content", "back": _encoded(query)} if query.text.strip() else {}
    if values and (snippet := await state.threads("search", service.snippet, query, page)):
        block = await state.guarded(analysis.hit, source, snippet)
        values |= {} if block is None else {"block": block}
    return RedirectResponse(f"/view/{state.pages.add(source)}?{urlencode(values)}", status_code=303)


def _encoded(query: SearchRequest, **changes: Any) -> str:
    """A search request as the query of an address."""
    usual = {"ranking": DEFAULT, "k": Facets.k, "theta": Facets.theta}
    chosen = {name: getattr(query, name) for name in usual if getattr(query, name) != usual[name]}
    marks = {name: "true" for name in ("pagerank", "reorder") if getattr(query, name)}
    return urlencode({"q": query.text, **chosen, "facet": list(query.facets), **changes, **marks}, doseq=True)


def _addresses(query: SearchRequest, found: dict[str, Any] | None) -> dict[str, Any]:
    """The targets of links: facets, explanations, results and further pages."""

    def toggled(name: str) -> str:
        without = [each for each in query.facets if each != name]
        return _encoded(query, facet=without if name in query.facets else [*without, name])

    more = found is not None and found["start"] + PAGE < min(found["matched"], MOST_PAGES * PAGE)
    return {
        "toggled": toggled,
        "here": _encoded(query),
        "without_facets": _encoded(query, facet=[]),
        "before": _encoded(query, start=query.start - PAGE) if query.start else "",
        "after": _encoded(query, start=query.start + PAGE) if more else "",
        "linked": lambda url: safe("", url) if url.startswith(("http://", "https://")) else None,
    }
