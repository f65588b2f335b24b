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
from webstrata.rendering.questions import COUNT, CSSOM, DENSITIES, MISSING, SETTLED
from webstrata.rendering.recording import About
from webstrata.rendering.resources import Resource
from webstrata.rendering.sources import Opened, Source

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession, Page, Playwright, Request, Route

__all__ = ["Job", "Result", "find_browser", "launch", "new_context", "render"]

T = TypeVar("T")

#: The names under which Chromium is installed.
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

# The browser has no way out: no name can be resolved, whatever has no name goes to a proxy that does not exist, and
# nothing is sent around the proxy. All that a page gets comes through the interception of its requests.
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
    # The page is laid out as if somebody had scrolled through it.
    "--blink-settings=lazyLoadEnabled=false",
    "--font-render-hinting=none",
)
# Chromium cannot draw a picture that is higher.
_HIGHEST_SCREENSHOT = 16_384
# Of the time for a page, the share after which what has not come is no longer waited for.
_LOADING = 0.6
# Files of a page that are fetched at a time, as browsers do it for one host.
_AT_A_TIME = 8
_NO_SCRIPTS = "script-src 'none'; object-src 'none'"


@dataclass(frozen=True, kw_only=True)
class Job:
    """A page to render, and how."""

    source: Source
    viewport: tuple[int, int] = (1024, 768)
    scripts: bool = False
    timeout: float = 30.0
    nodes: int = 100_000
    screenshot: bool = False
    freeze: bool = False


@dataclass(frozen=True, eq=False)
class Result:
    """What became of a job."""

    capture: Capture
    about: About
    screenshot: bytes | None = None
    frozen: bytes | None = None


def find_browser() -> str:
    """The Chromium of the system; none is ever downloaded."""
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


async def new_context(browser: Browser, job: Job) -> BrowserContext:
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


async def render(context: BrowserContext, job: Job) -> Result:
    """Render a page within the time of the job; `RenderError` if that fails."""
    with from_extra("render", "playwright"):
        from playwright.async_api import Error
        from playwright.async_api import TimeoutError as TooLate
    deadline = time.monotonic() + job.timeout
    try:
        async with asyncio.timeout(job.timeout):
            opened = await in_thread(lambda: job.source.open(job.timeout * _LOADING))
            return await _Tab(job, opened, context, deadline).run()
    except (TimeoutError, TooLate) as error:
        raise RenderError(f"{job.source} was not rendered within {job.timeout:g} s") from error
    except Error as error:
        first = error.message.strip().splitlines()[0] if error.message else "no reason given"
        raise RenderError(f"the browser could not render {job.source}: {first}") from error


async def in_thread(function: Callable[[], T]) -> T:
    """What a function gives, run in a thread that does not keep the process from ending."""
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

    job: Job
    opened: Opened
    context: BrowserContext
    deadline: float
    loaded: dict[str, Resource] = field(default_factory=dict)
    _served: bool = False
    _room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_A_TIME))

    @property
    def _waiting(self) -> float:
        """Seconds left for loading."""
        return max(self.deadline - time.monotonic() - (1 - _LOADING) * self.job.timeout, 0.01)

    async def run(self) -> Result:
        """What the page gives, or that its process died, whichever comes first."""
        page = await self.context.new_page()
        died = asyncio.Event()
        page.on("crash", lambda _: died.set())
        capturing, watching = asyncio.create_task(self._capture(page)), asyncio.create_task(died.wait())
        tasks: list[asyncio.Task[Any]] = [capturing, watching]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if not capturing.done():
                raise RenderError(f"{self.job.source} took its process down, or was ended for its use of memory")
            return capturing.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _capture(self, page: Page) -> Result:
        await page.route("**/*", self._answer)
        complete = await self._load(page)
        session = await self.context.new_cdp_session(page)
        world = await _isolated_world(session)
        nodes = await _evaluate(session, world, COUNT)
        if nodes > self.job.nodes:
            raise RenderError(f"{self.job.source} has {nodes:,.0f} nodes: more than {self.job.nodes:,} are refused")
        if not await _evaluate(session, world, SETTLED):
            raise RenderError(f"{self.job.source} left its own address while it was loaded")
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
        )
        # A picture may change which images are shown, so it comes last.
        frozen = await self._freeze(session, world, snapshot) if self.job.freeze else None
        picture = await _screenshot(session, world, snapshot, self.job.viewport) if self.job.screenshot else None
        return Result(capture(snapshot, self.opened.page), about, picture, frozen)

    async def _load(self, page: Page) -> bool:
        """Open the page and wait until it is complete, or for as long as there is time for that."""
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
                # The page wants to be another page: no content is an answer that leaves it where it is.
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
        # Fonts and modules are asked for across origins; what the page may reach was decided before.
        headers = {"content-type": kind, "access-control-allow-origin": "*"}
        if request.is_navigation_request():
            headers["content-type"] = kind if "charset" in kind or kind != "text/html" else "text/html; charset=utf-8"
            if not self.job.scripts:
                headers["content-security-policy"] = _NO_SCRIPTS
        return headers

    async def _fetch(self, request: Request) -> Resource | None:
        if request.method != "GET":
            return None
        async with self._room:
            seconds = min(self._waiting, 10)
            url = request.url
            try:
                async with asyncio.timeout(seconds):
                    return await in_thread(lambda: self.opened.resources.get(url, seconds))
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
    """A JavaScript world of our own, in which a page cannot have changed what functions do."""
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
        raise RenderError(f"the page could not be asked: {answer['exceptionDetails'].get('text', '')}")
    return answer["result"].get("value")


async def _fonts(session: CDPSession, snapshot: Any) -> tuple[str, ...]:
    """The fonts that the texts of the page are drawn with; one element is asked for each list of families."""
    document = snapshot["documents"][0]
    nodes, layout = document["nodes"], document["layout"]
    asked: dict[int, int] = {}
    for node, styles in zip(layout["nodeIndex"], layout["styles"], strict=True):
        if nodes["nodeType"][node] == 3 and nodes["parentIndex"][node] >= 0:
            asked.setdefault(styles[-1] if styles else -1, nodes["backendNodeId"][nodes["parentIndex"][node]])
    await session.send("DOM.enable")
    await session.send("CSS.enable")
    await session.send("DOM.getDocument", {"depth": 0})
    # A page with more families than this is none that a reader could tell apart.
    wanted = list(asked.values())[:32]
    found = await session.send("DOM.pushNodesByBackendIdsToFrontend", {"backendNodeIds": wanted})
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
