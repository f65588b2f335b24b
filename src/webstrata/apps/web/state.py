"""What the views share: the state of the server, templates, demo pages, and the parameters of requests."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from fastapi import HTTPException, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader

from webstrata.apps.fetching import Fetcher
from webstrata.apps.web.choices import checked, kind_in_words, spelled
from webstrata.apps.web.guarded import Guarded
from webstrata.apps.web.settings import ServerSettings
from webstrata.apps.web.stored import Store, StoredPage
from webstrata.apps.web.threads import Threads
from webstrata.page import parse
from webstrata.registry import Registry
from webstrata.segmentation import SEGMENTERS

if TYPE_CHECKING:
    from webstrata.apps.web.annotation.folder import DataFolder
    from webstrata.apps.web.search.service import SearchService
    from webstrata.rendering import Renderer

__all__ = ["State", "demo_pages", "demo_titles", "page_of", "spelling", "state_of", "templated"]

_ID = re.compile(r"[0-9a-f]{24}")


@dataclass(eq=False)
class State:
    """The state of a running server; ``data`` and ``search`` are None if the annotator or the search is off."""

    settings: ServerSettings
    guarded: Guarded
    fetcher: Fetcher
    data: DataFolder | None = None
    search: SearchService | None = None
    pages: Store = field(default_factory=Store)
    renderer: Renderer | None = None
    threads: Threads = field(default_factory=Threads)

    def close(self) -> None:
        """End all processes of the server."""
        self.threads.close()
        self.guarded.close()
        if self.data is not None:
            self.data.close()
        if self.renderer is not None:
            self.renderer.close()


def state_of(request: Request) -> State:
    """The state of the server that answers a request."""
    state: State = request.app.state.webstrata
    return state


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("webstrata.apps.web"),
        autoescape=True,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["kind_in_words"] = kind_in_words
    return environment


def templated(template: str, /, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A template as a response; all values are escaped."""
    html = _environment().get_template(template).render(**values)
    return HTMLResponse(html.encode("utf-8", "replace"), status_code=status, headers={"Cache-Control": "no-store"})


@cache
def demo_pages() -> dict[str, StoredPage]:
    """The pages that ship with the package, by name."""
    found = {}
    for item in sorted(files("webstrata.demo").iterdir(), key=lambda each: each.name):
        if item.name.endswith(".html"):
            name = item.name.removesuffix(".html")
            found[name] = StoredPage(item.read_bytes(), name=name)
    return found


def demo_titles() -> list[tuple[str, str]]:
    """The demo pages with their titles."""
    return [(name, parse(source.html).title) for name, source in demo_pages().items()]


def page_of(request: Request, page: str) -> StoredPage:
    """The page of an id, or 404."""
    try:
        return state_of(request).pages[page if _ID.fullmatch(page) else ""]
    except KeyError:
        raise HTTPException(404, "this page is not open any more: open it again") from None


def spelling(request: Request, name: str, default: str, registry: Registry[Any] = SEGMENTERS) -> str:
    """The algorithm in the query under ``name``, with its parameters.

    Parameters are given in brackets or as parameters of the query: ``algorithm=bf-plain&algorithm.theta=0.5``.
    """
    query = request.query_params
    chosen = query.get(name, "") or default
    prefix = f"{name}."
    filled = {key.removeprefix(prefix): value for key, value in query.items() if key.startswith(prefix)}
    if not filled or "(" in chosen or "+" in chosen:
        return checked(registry, chosen)
    if chosen not in registry:
        registry.make(chosen)
    # The form may still have the fields of the algorithm that was chosen before.
    own = {item.name for item in registry.parameters(chosen)}
    return spelled(registry, chosen, {key: value for key, value in filled.items() if key in own})
