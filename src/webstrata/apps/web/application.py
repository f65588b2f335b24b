"""The application: the routers of all views, behind the checks of `security`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException as StarletteHTTPException

from webstrata import __version__
from webstrata.apps.fetching import Fetcher
from webstrata.apps.web import page_api, viewer
from webstrata.apps.web.annotation import api as annotation_api
from webstrata.apps.web.annotation import views as annotation
from webstrata.apps.web.annotation.folder import DataFolder
from webstrata.apps.web.guarded import Guarded
from webstrata.apps.web.search import views as search
from webstrata.apps.web.security import Shield
from webstrata.apps.web.settings import ServerSettings
from webstrata.apps.web.state import State, templated
from webstrata.errors import WebstrataError

__all__ = ["ARCHIVES", "application"]

#: The paths that accept zip files.
ARCHIVES = frozenset({"/api/annotation/import"})
_TITLES = {403: "Not allowed", 404: "Not found", 405: "Method not allowed", 422: "Invalid input"}


def application(settings: ServerSettings, *, fetcher: Fetcher | None = None) -> Shield:
    """The application of a server, behind its `Shield`.

    Parameters
    ----------
    settings : what the server serves, and its limits
    fetcher : fetches pages; by default from public addresses only
    """

    # Opened before the server starts, so that a wrong folder is one line on the command line.
    data = DataFolder(settings.data, types=settings.types) if settings.data is not None else None
    service = search.open_service(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        state = State(
            settings,
            Guarded(limits=settings.limits, jobs=settings.jobs),
            fetcher or Fetcher(size=settings.limits.bytes),
            data=data,
            search=service,
        )
        app.state.webstrata = state
        try:
            if data is not None:
                await annotation_api.repair(data, state.guarded)
            yield
        finally:
            state.close()

    app = FastAPI(
        title="webstrata",
        version=__version__,
        description="Everything that the views of `webstrata serve` offer, for programs.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )
    routers = (
        page_api.router, page_api.frame_router, viewer.router, annotation_api.router, annotation.router, search.api,
        search.router,
    )  # fmt: skip
    for router in routers:
        app.include_router(router)
    app.mount("/static", StaticFiles(directory=str(files("webstrata.apps.web").joinpath("static"))))
    app.add_exception_handler(WebstrataError, _input_error)
    app.add_exception_handler(StarletteHTTPException, _http_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    return Shield(app, settings=settings, archives=ARCHIVES)


async def _input_error(request: Request, error: Exception) -> Response:
    return _error(request, 422, str(error))


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException | StarletteHTTPException)
    return _error(request, error.status_code, str(error.detail))


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"][1:]) or str(first["loc"][0])
    return _error(request, 422, f"{place}: {first['msg']}")


def _error(request: Request, status: int, message: str) -> Response:
    """An error as JSON for programs and scripts, as an HTML page for people."""
    for_people = (
        request.method == "GET"
        and not request.url.path.startswith(("/api", "/static", "/frame"))
        and "hx-request" not in request.headers
    )
    if for_people:
        return templated(
            "error.html", status=status, title=_TITLES.get(status, f"Error {status}"), message=message, view=""
        )
    return JSONResponse({"detail": message.encode("utf-8", "replace").decode()}, status_code=status)
