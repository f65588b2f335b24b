"""`Renderer`, one browser for many pages, and `render` for one page."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from webstrata.errors import InputError, RenderError, WebstrataError, from_extra
from webstrata.rendering.page import RenderedPage
from webstrata.rendering.sources import find_source
from webstrata.rendering.tab import RenderJob, RenderResult, find_browser
from webstrata.rendering.watchdog import RendererSettings, watch
from webstrata.workers.channels import Channel
from webstrata.workers.process_tree import hang_up
from webstrata.workers.processes import start_child

__all__ = ["Renderer", "render"]


class Renderer:
    """A browser that stays open for many pages.

    Each page has its own browser context, which shares nothing with the others, and a time limit that a separate
    process enforces. A page that crashes the browser loses its own result only.

    Parameters
    ----------
    tabs : number of pages at a time
    memory : bytes of memory after which a process of the browser is killed

    Use it as a context manager; closing it ends all its processes.
    """

    def __init__(self, *, tabs: int = 1, memory: int = 2 << 30) -> None:
        with from_extra("render", "playwright"):
            import playwright.async_api  # noqa: F401
        find_browser()
        self._numbers = count()
        self._waiting: dict[int, Future[Any]] = {}
        self._lock = threading.Lock()
        #: The process of the watchdog, the parent of all others.
        self._watchdog = start_child(watch, RendererSettings(tabs=tabs, memory=memory), own_session=True)
        self.pid, self._connection = self._watchdog.process.pid, self._watchdog.connection
        self._thread = threading.Thread(target=self._read, args=[self._connection], daemon=True)
        self._thread.start()

    def __repr__(self) -> str:
        state = "closed" if self._connection.closed else f"{len(self._waiting)} pages waiting"
        return f"<Renderer in process {self.pid}: {state}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def submit(
        self,
        page: str | bytes | Path,
        *,
        url: str | None = None,
        folder: str | Path | None = None,
        hosts: Iterable[str] = (),
        any_host: bool = False,
        viewport: tuple[int, int] = (1024, 768),
        scripts: bool = False,
        timeout: float = 30.0,
        nodes: int = 100_000,
        screenshot: bool = False,
    ) -> Future[RenderedPage]:
        """Begin to render a page.

        Parameters
        ----------
        page : HTML, the path of a file, or a URL that begins with http
        url : the URL of a page given as HTML; a private address is reached only if ``hosts`` names it
        folder : the files that a page from a file may load; its own folder by default
        hosts : hosts that the page may load from besides its own, as ``host`` or ``host:port``; ``any_host`` allows all
        viewport : width and height of the window in pixels
        scripts : whether scripts may run
        timeout : seconds for the page
        nodes : pages with more nodes are refused
        screenshot : whether to take a picture of the whole page
        """
        source = find_source(page, url=url, folder=folder, hosts=frozenset(hosts), any_host=any_host)
        job = RenderJob(
            source=source, viewport=viewport, scripts=scripts, timeout=timeout, nodes=nodes, screenshot=screenshot
        )
        found: Future[RenderedPage] = Future()

        def settle(done: Future[RenderResult]) -> None:
            try:
                result = done.result()
                found.set_result(RenderedPage.of(result.capture, result.about, screenshot=result.screenshot))
            except BaseException as error:
                found.set_exception(error)

        self._submit(job).add_done_callback(settle)
        return found

    def render(self, page: str | bytes | Path, **options: Any) -> RenderedPage:
        """Render a page; the options are those of `submit`."""
        return self.submit(page, **options).result()

    def freeze(self, page: str | bytes | Path, **options: Any) -> tuple[bytes, RenderedPage]:
        """A page as one file of HTML that looks the same without a network, and the rendered page."""
        how = {name: options.pop(name) for name in ("url", "folder", "hosts", "any_host") if name in options}
        source = find_source(page, **{**how, "hosts": frozenset(how.get("hosts", ()))})
        result: RenderResult = self._submit(RenderJob(source=source, freeze=True, **options)).result()
        assert result.frozen is not None
        return result.frozen, RenderedPage.of(result.capture, result.about, screenshot=result.screenshot)

    def render_all(
        self, pages: Iterable[str | bytes | Path], *, ahead: int = 8, **options: Any
    ) -> Iterator[RenderedPage | WebstrataError]:
        """The pages in their order, or the error of each; a few are submitted ahead so that all tabs are busy."""
        waiting: list[Future[RenderedPage]] = []
        for page in pages:
            try:
                waiting.append(self.submit(page, **options))
            except InputError as error:
                waiting.append(Future())
                waiting[-1].set_exception(error)
            if len(waiting) >= ahead:
                yield _outcome(waiting.pop(0))
        for left in waiting:
            yield _outcome(left)

    def close(self) -> None:
        """End all processes; pages that are not rendered yet fail."""
        with self._lock:
            if self._connection.closed:
                return
            # Closing alone does not end the connection while the thread reads from it.
            hang_up(self._connection)
            self._thread.join()
            self._connection.close()
        self._watchdog.process.wait()

    def _submit(self, job: RenderJob) -> Future[RenderResult]:
        number = next(self._numbers)
        found: Future[RenderResult] = Future()
        with self._lock:
            if self._connection.closed:
                raise RenderError("the renderer is closed: make a new one")
            self._waiting[number] = found
            try:
                self._connection.send((number, job))
            except OSError as error:
                raise RenderError("the process of the renderer ended: make a new renderer") from error
        return found

    def _read(self, connection: Channel) -> None:
        """Receive results in a thread, so that the watchdog never waits for the caller."""
        with suppress(EOFError, OSError):
            while True:
                number, answer = connection.recv()
                future = self._waiting.pop(number)
                if isinstance(answer, BaseException):
                    future.set_exception(answer)
                else:
                    future.set_result(answer)
        for future in self._waiting.values():
            future.set_exception(RenderError("the process of the renderer ended: make a new renderer"))


def _outcome(future: Future[RenderedPage]) -> RenderedPage | WebstrataError:
    try:
        return future.result()
    except WebstrataError as error:
        return error


def render(page: str | bytes | Path, **options: Any) -> RenderedPage:
    """Render one page; for many, keep a `Renderer`.

    Parameters
    ----------
    page : HTML, the path of a file, or a URL that begins with http
    options : those of `Renderer.submit`

    ::

        page = render("<h1>Strata</h1><p>A page comes in layers.")
        page.boxes.width[page.page.blocks.element]
    """
    with Renderer() as renderer:
        return renderer.render(page, **options)
