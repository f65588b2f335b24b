"""One server and one browser for each module of tests; they are skipped where one is missing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from webstrata.errors import WebstrataError

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

from web_server import Running, running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

_FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
).split()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with a data set of two pages."""
    folder = tmp_path_factory.mktemp("data") / "pages"
    folder.mkdir()
    demo = Path(__file__).parents[3] / "src" / "webstrata" / "demo"
    for name in ("article", "forum"):
        (folder / f"{name}.html").write_bytes((demo / f"{name}.html").read_bytes())
    with running(data=folder, demo_site=True) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium that reaches this machine and nothing else."""
    sync_api = pytest.importorskip("playwright.sync_api")
    from webstrata.rendering.tab import find_browser

    try:
        path = find_browser()
    except WebstrataError as error:
        pytest.skip(str(error))
    rules = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=[*_FLAGS, rules])
        yield found
        found.close()


def is_complaint(message: ConsoleMessage) -> bool:
    """Whether something is wrong. That an answer is no longer waited for, which htmx tells, is not."""
    return message.type == "error" and not message.text.startswith(("htmx:afterRequest", "htmx:sendAbort"))


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    """A tab of its own; whatever it complains of fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    complaints: list[Any] = []
    page.on("console", lambda message: complaints.append(message.text) if is_complaint(message) else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.set_default_timeout(30_000)
    yield page
    context.close()
    assert complaints == []
