"""The server's one browser."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from boxed_pages import boxed

import webstrata.rendering
from webstrata.apps.web.rendered import _rendered
from webstrata.apps.web.state import State
from webstrata.apps.web.stored import StoredPage
from webstrata.page import parse
from webstrata.rendering import RenderedPage
from webstrata.rendering.recording import About


def test_first_renders_at_once_start_one_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    class Slow:
        def __init__(self) -> None:
            started.append(self)
            time.sleep(0.1)

        def render(self, html: bytes, *, screenshot: bool) -> RenderedPage:
            page = parse(html)
            return RenderedPage(page, boxed(page).boxes, np.arange(len(page.elements)), About())

    monkeypatch.setattr(webstrata.rendering, "Renderer", Slow)
    state = State.__new__(State)
    state.renderer = None
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: _rendered(state, StoredPage(b"<p>x", name="page")), range(4)))
    assert len(started) == 1
