"""Renders pages in Chromium, if the extra ``[render]`` and a browser are installed."""

from __future__ import annotations

import tempfile
import threading
from functools import cache
from pathlib import Path

from webstrata.apps.web.state import State
from webstrata.apps.web.stored import StoredPage
from webstrata.errors import InputError, WebstrataError

__all__ = ["can_render", "render"]

# Pages are rendered in threads, and the first of them starts the browser.
_STARTING = threading.Lock()


@cache
def can_render() -> bool:
    """Whether playwright and a browser are installed."""
    try:
        import playwright.async_api  # noqa: F401

        from webstrata.rendering.tab import find_browser

        find_browser()
    except (ImportError, WebstrataError):
        return False
    return True


async def render(state: State, source: StoredPage) -> tuple[StoredPage, bytes | None]:
    """The rendered page, and its screenshot. The browser is started for the first page."""
    if not can_render():
        raise InputError("this server cannot render: run pip install 'webstrata[render]' and put Chromium on the PATH")
    if source.recording is not None:
        raise InputError("this page is rendered already")
    return await state.threads("render", _rendered, state, source)


def _rendered(state: State, source: StoredPage) -> tuple[StoredPage, bytes | None]:
    from webstrata.rendering import Renderer

    with _STARTING:
        if state.renderer is None:
            state.renderer = Renderer()
    # A page without a URL can load nothing, so opening a page here sends no request to other servers.
    found = state.renderer.render(source.html, screenshot=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.rendered"
        found.save(path)
        recording = path.read_bytes()
    made = StoredPage(
        found.page.source,
        name=source.name,
        url=source.url,
        encoding="utf-8",
        recording=recording,
        original=source.html,
    )
    return made, found.screenshot
