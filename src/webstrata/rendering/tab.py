"""One page in one tab of the browser: loaded, laid out, captured, closed."""

from __future__ import annotations

import asyncio
import base64
import os
import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from webstrata.errors import InputError, RenderError, from_extra
from webstrata.rendering.capture import STYLES, Capture, capture
from webstrata.rendering.markers import mark
from webstrata.rendering.recording import About, source_digest
from webstrata.rendering.resources import Resource
from webstrata.rendering.scripts import COUNT, CSSOM, DENSITIES, MISSING, SETTLED
from webstrata.rendering.sources import LoadedPage, PageSource

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession, Page, Playwright, Request, Route

__all__ = ["RenderJob", "RenderResult", "find_browser", "launch", "new_context", "render"]

T = TypeVar("T")

#: The names under which Chromium is installed.
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

# The browser has no network: host names do not resolve, addresses go to a proxy that does not exist, and nothing
# bypasses the proxy. A page gets only the answers to its intercepted requests.
_FLAGS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-breakpad",
    "--hide-scrollbars",
    # No pop-up ever opens.
    "--block-new-web-contents",
    # Images below the window are loaded too.
    "--blink-settings=lazyLoadEnabled=false",
    "--font-render-hinting=none",
)
# Chromium cannot take a higher screenshot.
_HIGHEST_SCREENSHOT = 16_384
# Share of the time for a page after which missing files are given up.
_LOADING = 0.6
# Files of a page that load at a time; browsers use a similar number per host.
_AT_A_TIME = 8
_NO_SCRIPTS = "script-src 'none'; object-src 'none'"


@dataclass(frozen=True, kw_only=True)
class RenderJob:
    """A page to render, and how."""

    source: PageSource
    viewport: tuple[int, int] = (1024, 768)
    scripts: bool = False
    timeout: float = 30.0
    nodes: int = 100_000
    screenshot: bool = False
    freeze: bool = False


@dataclass(frozen=True, eq=False)
class RenderResult:
    """The result of a job."""

    capture: Capture
    about: About
    screenshot: bytes | None = None
    frozen: bytes | None = None


def find_browser() -> str:
    """The path of the system's Chromium; it is never downloaded."""
    for name in BROWSERS:
        if found := shutil.which(name):
            return found
    raise InputError("rendering needs Chromium on the PATH: on Debian, run apt-get install chromium")


async def launch(playwright: Playwright) -> Browser:
    """Start the browser."""
    # Chromium's own sandbox refuses to run as root.
    sandbox = os.geteuid() != 0
    return await playwright.chromium.launch(
        executable_path=find_browser(), args=list(_FLAGS), chromium_sandbox=sandbox, handle_sigint=False
    )


async def new_context(browser: Browser, job: RenderJob) -> BrowserContext:
    """A context for one page, which shares nothing with the others."""
    width, height = job.viewport
    return await browser.new_context(
        viewport={"width": width, "height": height},
        service_workers="block",
        accept_downloads=False,
        reduced_motion="reduce",
        locale="en-US",
        timezone_id="UTC",
    )


async def render(context: BrowserContext, job: RenderJob) -> RenderResult:
    """Render a page within the time of the job; raises `RenderError`."""
    with from_extra("render", "playwright"):
        from playwright.async_api import Error
        from playwright.async_api import TimeoutError as TooLate
    deadline = time.monotonic() + job.timeout
    try:
        async with asyncio.timeout(job.timeout):
            opened = await _in_thread(lambda: job.source.open(job.timeout * _LOADING))
            return await _Tab(job, opened, context, deadline).run()
    except (TimeoutError, TooLate) as error:
        raise RenderError(f"{job.source} was not rendered within {job.timeout:g} s: raise its timeout") from error
    except Error as error:
        first = error.message.strip().splitlines()[0] if error.message else "no reason given"
        raise RenderError(f"the browser could not render {job.source}: {first}") from error


async def _in_thread(function: Callable[[], T]) -> T:
    """The result of a function that runs in a daemon thread."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(value: Any, error: BaseException | None) -> None:
        if not future.done():
            if error is None:
                future.set_result(value)
            else:
                future.set_exception(error)

    def work() -> None:
        value, problem = None, None
        try:
            value = function()
        except Exception as error:
            problem = error
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, value, problem)

    threading.Thread(target=work, daemon=True).start()
    return await future


@dataclass(eq=False)
class _Tab:
    """The page while it is in the browser."""

    job: RenderJob
    opened: LoadedPage
    context: BrowserContext
    deadline: float
    loaded: dict[str, Resource] = field(default_factory=dict)
    _served: bool = False
    _slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_A_TIME))

    @property
    def _waiting(self) -> float:
        """Seconds left for loading."""
        return max(self.deadline - time.monotonic() - (1 - _LOADING) * self.job.timeout, 0.01)

    async def run(self) -> RenderResult:
        """The result of the page, or an error once its process has died."""
        page = await self.context.new_page()
        died = asyncio.Event()
        page.on("crash", lambda _: died.set())
        capturing, watching = asyncio.create_task(self._capture(page)), asyncio.create_task(died.wait())
        tasks: list[asyncio.Task[Any]] = [capturing, watching]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if not capturing.done():
                raise RenderError(f"{self.job.source} crashed the browser, or used more memory than allowed")
            return capturing.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _capture(self, page: Page) -> RenderResult:
        await page.route("**/*", self._answer)
        complete = await self._load(page)
        session = await self.context.new_cdp_session(page)
        world = await _isolated_world(session)
        nodes = await _evaluate(session, world, COUNT)
        if nodes > self.job.nodes:
            raise RenderError(f"{self.job.source} has {nodes:,.0f} nodes: nodes= allows {self.job.nodes:,}")
        if not await _evaluate(session, world, SETTLED):
            raise RenderError(f"{self.job.source} left its address while it was loading")
        snapshot = await session.send(
            "DOMSnapshot.captureSnapshot", {"computedStyles": STYLES, "includePaintOrder": False}
        )
        about = About(
            url=self.opened.page.url,
            viewport=self.job.viewport,
            scripts=self.job.scripts,
            browser=f"Chromium {_version(self.context)}",
            fonts=await _fonts(session, snapshot),
            complete=complete,
            source=source_digest(self.opened.page.source),
        )
        # A screenshot may change which images are shown, so it comes last.
        frozen = await self._freeze(session, world, snapshot) if self.job.freeze else None
        picture = await _screenshot(session, world, snapshot, self.job.viewport) if self.job.screenshot else None
        return RenderResult(capture(snapshot, self.opened.page), about, picture, frozen)

    async def _load(self, page: Page) -> bool:
        """Open the page and wait until it is complete or the time for loading is over; whether it is complete."""
        from playwright.async_api import TimeoutError as TooLate

        left = max(self.deadline - time.monotonic(), 0.01)
        await page.goto(self.opened.address, wait_until="commit", timeout=1000 * left)
        try:
            await page.wait_for_load_state("load", timeout=1000 * self._waiting)
            if self.job.scripts:
                await page.wait_for_load_state("networkidle", timeout=1000 * min(self._waiting, 5))
        except TooLate:
            return False
        return True

    async def _answer(self, route: Route) -> None:
        """Answer a request of the page."""
        request = route.request
        if request.is_navigation_request() and request.frame.parent_frame is None:
            if self._served:
                # The page navigates away: status 204 keeps the current page.
                await route.fulfill(status=204)
            else:
                self._served = True
                await route.fulfill(
                    status=200, headers=self._headers(request, "text/html"), body=mark(self.opened.page)
                )
            return
        found = await self._fetch(request)
        if found is None:
            await route.abort("blockedbyclient")
        else:
            self.loaded[request.url] = found
            await route.fulfill(status=found.status, headers=self._headers(request, found.type), body=found.body)

    def _headers(self, request: Request, kind: str) -> dict[str, str]:
        # Fonts of other hosts need this header, but scripts must not read other files of other hosts. Without the
        # header, playwright would allow every host.
        own = "/".join(request.url.split("/")[:3])
        headers = {"content-type": kind, "access-control-allow-origin": "*" if request.resource_type == "font" else own}
        if request.is_navigation_request():
            headers["content-type"] = kind if "charset" in kind or kind != "text/html" else "text/html; charset=utf-8"
            if not self.job.scripts:
                headers["content-security-policy"] = _NO_SCRIPTS
        return headers

    async def _fetch(self, request: Request) -> Resource | None:
        if request.method != "GET":
            return None
        async with self._slots:
            seconds = min(self._waiting, 10)
            url = request.url
            try:
                async with asyncio.timeout(seconds):
                    return await _in_thread(lambda: self.opened.resources.get(url, seconds))
            except TimeoutError:
                return None

    async def _freeze(self, session: CDPSession, world: int, snapshot: Any) -> bytes:
        from webstrata.rendering.frozen import freeze

        sheets, densities = [await _evaluate(session, world, question) for question in (CSSOM, DENSITIES)]
        return freeze(snapshot, self.loaded, sheets, densities)


def _version(context: BrowserContext) -> str:
    browser = context.browser
    return browser.version if browser is not None else ""


async def _isolated_world(session: CDPSession) -> int:
    """An isolated JavaScript world, in which the page cannot have changed any function."""
    tree = await session.send("Page.getFrameTree")
    world = await session.send("Page.createIsolatedWorld", {"frameId": tree["frameTree"]["frame"]["id"]})
    number: int = world["executionContextId"]
    return number


async def _evaluate(session: CDPSession, world: int, expression: str) -> Any:
    answer = await session.send(
        "Runtime.evaluate",
        {"expression": expression, "contextId": world, "returnByValue": True, "awaitPromise": True},
    )
    if "exceptionDetails" in answer:
        raise RenderError(f"a script of webstrata failed in the page: {answer['exceptionDetails'].get('text', '')}")
    return answer["result"].get("value")


async def _fonts(session: CDPSession, snapshot: Any) -> tuple[str, ...]:
    """The fonts of the texts of the page; one element is queried for each list of font families."""
    document = snapshot["documents"][0]
    nodes, layout = document["nodes"], document["layout"]
    elements: dict[int, int] = {}
    for node, styles in zip(layout["nodeIndex"], layout["styles"], strict=True):
        if nodes["nodeType"][node] == 3 and nodes["parentIndex"][node] >= 0:
            elements.setdefault(styles[-1] if styles else -1, nodes["backendNodeId"][nodes["parentIndex"][node]])
    await session.send("DOM.enable")
    await session.send("CSS.enable")
    await session.send("DOM.getDocument", {"depth": 0})
    # More families than this cannot be told apart by eye.
    queried = list(elements.values())[:32]
    found = await session.send("DOM.pushNodesByBackendIdsToFrontend", {"backendNodeIds": queried})
    names: set[str] = set()
    for number in found["nodeIds"]:
        answer = await session.send("CSS.getPlatformFontsForNode", {"nodeId": number})
        names |= {font["familyName"] for font in answer["fonts"]}
    await session.send("CSS.disable")
    return tuple(sorted(names))


async def _screenshot(session: CDPSession, world: int, snapshot: Any, viewport: tuple[int, int]) -> bytes:
    document = snapshot["documents"][0]
    width, height = max(document["contentWidth"], 1), max(document["contentHeight"], viewport[1])
    clip = {"x": 0, "y": 0, "width": min(width, 8192), "height": min(height, _HIGHEST_SCREENSHOT), "scale": 1}
    beyond = width > viewport[0] or height > viewport[1]
    if beyond:
        await _evaluate(session, world, MISSING)
    answer = await session.send("Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": beyond})
    return base64.b64decode(answer["data"])
