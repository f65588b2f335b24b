"""What all rooms share: the state of the server, templates, and the parameters that every address may have."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from fastapi import HTTPException, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader

from webstrata.apps.web.choices import checked, spelled
from webstrata.apps.web.fetching import Fetcher
from webstrata.apps.web.guarded import Guarded
from webstrata.apps.web.pages import Source, Store
from webstrata.apps.web.settings import Settings
from webstrata.page import parse
from webstrata.registry import Registry
from webstrata.segmentation import SEGMENTERS

if TYPE_CHECKING:
    from webstrata.rendering import Renderer

__all__ = ["State", "demo_pages", "page_of", "spelling", "state_of", "templated"]

_ID = re.compile(r"[0-9a-f]{24}")


@dataclass(eq=False)
class State:
    """What a running server holds."""

    settings: Settings
    guarded: Guarded
    pages: Store = field(default_factory=Store)
    fetcher: Fetcher = field(default_factory=Fetcher)
    rooms: dict[str, Any] = field(default_factory=dict)
    renderer: Renderer | None = None

    def close(self) -> None:
        """End all processes of the server."""
        self.guarded.close()
        if self.renderer is not None:
            self.renderer.close()


def state_of(request: Request) -> State:
    """The state of the server that a request came to."""
    state: State = request.app.state.webstrata
    return state


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("webstrata.apps.web"),
        autoescape=True,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def templated(template: str, /, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A page of ours; whatever is put into it is escaped."""
    html = _environment().get_template(template).render(**values)
    return HTMLResponse(html.encode("utf-8", "replace"), status_code=status, headers={"Cache-Control": "no-store"})


@cache
def demo_pages() -> dict[str, Source]:
    """The pages that ship with the package, by name."""
    found = {}
    for item in sorted(files("webstrata.demo").iterdir(), key=lambda each: each.name):
        if item.name.endswith(".html"):
            name = item.name.removesuffix(".html")
            found[name] = Source(item.read_bytes(), name=name)
    return found


def demo_titles() -> list[tuple[str, str]]:
    """The demo pages with their titles."""
    return [(name, parse(source.html).title) for name, source in demo_pages().items()]


def page_of(request: Request, page: str) -> Source:
    """The page of an id, or 404."""
    try:
        return state_of(request).pages[page if _ID.fullmatch(page) else ""]
    except KeyError:
        raise HTTPException(404, "no such page is open here any more: open it again") from None


def spelling(request: Request, name: str, default: str, registry: Registry[Any] = SEGMENTERS) -> str:
    """The algorithm that the query names under ``name``, with its parameters.

    These stand in brackets, or each in a parameter of the query by itself: ``algorithm=bf-plain&algorithm.theta=0.5``.
    """
    query = request.query_params
    chosen = query.get(name, "") or default
    prefix = f"{name}."
    filled = {key.removeprefix(prefix): value for key, value in query.items() if key.startswith(prefix)}
    if not filled or "(" in chosen or "+" in chosen:
        return checked(registry, chosen)
    if chosen not in registry:
        registry.make(chosen)
    # Fields of the algorithm that was chosen before may still be in the form.
    own = {item.name for item in registry.parameters(chosen)}
    return spelled(registry, chosen, {key: value for key, value in filled.items() if key in own})
