"""Pages laid out by Chromium, where the extra ``[render]`` and a browser are installed."""

from __future__ import annotations

import asyncio
import tempfile
from functools import cache
from pathlib import Path

from webstrata.apps.web.pages import Source
from webstrata.apps.web.rooms import State
from webstrata.errors import InputError, WebstrataError

__all__ = ["can_render", "render"]


@cache
def can_render() -> bool:
    """Whether pages can be rendered here."""
    try:
        import playwright.async_api  # noqa: F401

        from webstrata.rendering.tab import find_browser

        find_browser()
    except (ImportError, WebstrataError):
        return False
    return True


async def render(state: State, source: Source) -> tuple[Source, bytes | None]:
    """The page as a browser shows it, and a picture of it. The browser is started with the first page."""
    if not can_render():
        raise InputError("to render a page needs pip install 'webstrata[render]' and Chromium on the PATH")
    if source.recording is not None:
        raise InputError("this page was rendered already")
    return await asyncio.to_thread(_rendered, state, source)


def _rendered(state: State, source: Source) -> tuple[Source, bytes | None]:
    from webstrata.rendering import Renderer

    if state.renderer is None:
        state.renderer = Renderer()
    # Without a URL a page reaches nothing: what is shown here never asks anybody for anything.
    found = state.renderer.render(source.html, screenshot=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.rendered"
        found.save(path)
        recording = path.read_bytes()
    made = Source(
        found.page.source,
        name=source.name,
        url=source.url,
        encoding="utf-8",
        recording=recording,
        original=source.html,
    )
    return made, found.screenshot
