"""The application: its rooms, behind the door."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException as StarletteHTTPException

from webstrata import __version__
from webstrata.apps.web import page_api, viewer
from webstrata.apps.web.annotation import api as annotation_api
from webstrata.apps.web.annotation import screens as annotation
from webstrata.apps.web.annotation.folder import DataFolder
from webstrata.apps.web.fetching import Fetcher
from webstrata.apps.web.guarded import Guarded
from webstrata.apps.web.rooms import State, templated
from webstrata.apps.web.search import rooms as search
from webstrata.apps.web.security import Shield
from webstrata.apps.web.settings import Settings
from webstrata.errors import WebstrataError

__all__ = ["ARCHIVES", "application"]

#: The paths that take zip files.
ARCHIVES = frozenset({"/api/annotation/import"})
_TITLES = {403: "Not allowed", 404: "Nothing is here", 405: "Not this way", 422: "This cannot be used"}


def application(settings: Settings, *, fetcher: Fetcher | None = None) -> Shield:
    """The application of a server, with the door around it.

    Parameters
    ----------
    settings : what it serves and allows
    fetcher : what fetches pages; by default one that asks public addresses only
    """

    # Opened before the server begins, so that whoever starts it is told in one line what is wrong with a folder.
    rooms: dict[str, Any] = {}
    if settings.data is not None:
        rooms["annotation"] = DataFolder(settings.data, types=settings.types)
    if (room := search.open_room(settings)) is not None:
        rooms["search"] = room

    @asynccontextmanager
    async def living(app: FastAPI) -> AsyncIterator[None]:
        state = State(
            settings,
            Guarded(limits=settings.limits, jobs=settings.jobs),
            fetcher=fetcher or Fetcher(size=settings.limits.bytes),
            rooms=rooms,
        )
        app.state.webstrata = state
        try:
            if "annotation" in rooms:
                await annotation_api.mend(rooms["annotation"], state.guarded)
            yield
        finally:
            state.close()

    app = FastAPI(
        title="webstrata",
        version=__version__,
        description="Everything that the pages of `webstrata serve` do, for programs.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=living,
    )
    routers = (
        page_api.router, page_api.frame_router, viewer.router, annotation_api.router, annotation.router, search.api,
        search.screens,
    )  # fmt: skip
    for router in routers:
        app.include_router(router)
    app.mount("/static", StaticFiles(directory=str(files("webstrata.apps.web").joinpath("static"))))
    app.add_exception_handler(WebstrataError, _unusable)
    app.add_exception_handler(StarletteHTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    return Shield(app, settings=settings, archives=ARCHIVES)


async def _unusable(request: Request, error: Exception) -> Response:
    return _told(request, 422, str(error))


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException | StarletteHTTPException)
    return _told(request, error.status_code, str(error.detail))


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"][1:]) or str(first["loc"][0])
    return _told(request, 422, f"{place}: {first['msg']}")


def _told(request: Request, status: int, message: str) -> Response:
    """An error as JSON for programs and for parts of pages, as a page for people."""
    for_people = (
        request.method == "GET"
        and not request.url.path.startswith(("/api", "/static", "/frame"))
        and "hx-request" not in request.headers
    )
    if for_people:
        return templated(
            "error.html", status=status, title=_TITLES.get(status, f"Error {status}"), message=message, room=""
        )
    return JSONResponse({"detail": message.encode("utf-8", "replace").decode()}, status_code=status)
