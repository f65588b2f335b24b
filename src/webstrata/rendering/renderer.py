"""The front of rendering: one browser for many pages, and `render` for one."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from webstrata.errors import RenderError, from_extra
from webstrata.rendering.page import RenderedPage
from webstrata.rendering.sources import find_source
from webstrata.rendering.tab import Job, Result, find_browser
from webstrata.rendering.watchdog import Settings, watch
from webstrata.workers.channels import Channel
from webstrata.workers.process_tree import hang_up
from webstrata.workers.processes import start_child

__all__ = ["Renderer", "render"]


class Renderer:
    """A browser that stays open for many pages.

    Each page has a context of its own, which shares nothing with the others, and a time limit that a process of its
    own keeps, whatever the page does. A page that takes the browser down costs its own result and no other's.

    Parameters
    ----------
    tabs : pages at a time
    memory : bytes that one process of the browser may take before it is ended

    Use it as a context manager; nothing is left behind when it is closed.
    """

    def __init__(self, *, tabs: int = 1, memory: int = 2 << 30) -> None:
        with from_extra("render", "playwright"):
            import playwright.async_api  # noqa: F401
        find_browser()
        self._numbers = count()
        self._waiting: dict[int, Future[Any]] = {}
        self._lock = threading.Lock()
        #: The process of the watchdog, below which are all others.
        self._watchdog = start_child(watch, Settings(tabs=tabs, memory=memory), own_session=True)
        self.pid, self._connection = self._watchdog.process.pid, self._watchdog.connection
        self._thread = threading.Thread(target=self._read, args=[self._connection], daemon=True)
        self._thread.start()

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
        """Begin to render a page; the parameters are those of `render`."""
        source = find_source(page, url=url, folder=folder, hosts=frozenset(hosts), any_host=any_host)
        job = Job(
            source=source, viewport=viewport, scripts=scripts, timeout=timeout, nodes=nodes, screenshot=screenshot
        )
        found: Future[RenderedPage] = Future()

        def settle(done: Future[Result]) -> None:
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
        """A page as one file of HTML that looks the same without a network, and what it looked like before."""
        how = {name: options.pop(name) for name in ("url", "folder", "hosts", "any_host") if name in options}
        source = find_source(page, **{**how, "hosts": frozenset(how.get("hosts", ()))})
        result: Result = self._submit(Job(source=source, freeze=True, **options)).result()
        assert result.frozen is not None
        return result.frozen, RenderedPage.of(result.capture, result.about, screenshot=result.screenshot)

    def render_all(
        self, pages: Iterable[str | bytes | Path], *, ahead: int = 8, **options: Any
    ) -> Iterator[RenderedPage | RenderError]:
        """The pages in their order, or why there is none; a few are submitted ahead so that all tabs are busy."""
        waiting: list[Future[RenderedPage]] = []
        for page in pages:
            waiting.append(self.submit(page, **options))
            if len(waiting) >= ahead:
                yield _outcome(waiting.pop(0))
        for left in waiting:
            yield _outcome(left)

    def close(self) -> None:
        """End the browser and all that belongs to it; what was not rendered by then fails."""
        with self._lock:
            if self._connection.closed:
                return
            # Closing alone would not end it as long as the thread reads from it.
            hang_up(self._connection)
            self._thread.join()
            self._connection.close()
        self._watchdog.process.wait()

    def _submit(self, job: Job) -> Future[Result]:
        number = next(self._numbers)
        found: Future[Result] = Future()
        with self._lock:
            if self._connection.closed:
                raise RenderError("the renderer is closed")
            self._waiting[number] = found
            try:
                self._connection.send((number, job))
            except OSError as error:
                raise RenderError("the renderer has ended") from error
        return found

    def _read(self, connection: Channel) -> None:
        """Take results, in a thread, so that the watchdog never waits for a caller."""
        with suppress(EOFError, OSError):
            while True:
                number, answer = connection.recv()
                future = self._waiting.pop(number)
                if isinstance(answer, BaseException):
                    future.set_exception(answer)
                else:
                    future.set_result(answer)
        for future in self._waiting.values():
            future.set_exception(RenderError("the renderer has ended"))


def _outcome(future: Future[RenderedPage]) -> RenderedPage | RenderError:
    try:
        return future.result()
    except RenderError as error:
        return error


def render(page: str | bytes | Path, **options: Any) -> RenderedPage:
    """Render one page; for many, keep a `Renderer`.

    Parameters
    ----------
    page : HTML, the path of a file, or a URL that begins with http
    options : those of `Renderer.submit`
    """
    with Renderer() as renderer:
        return renderer.render(page, **options)
