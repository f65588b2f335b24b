"""The process that drives the browser. The watchdog starts it, and it ends with the watchdog."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from webstrata.errors import RenderError, WebstrataError, from_extra
from webstrata.rendering.tab import RenderJob, launch, new_context, render
from webstrata.workers.channels import Channel

if TYPE_CHECKING:
    from playwright.async_api import Browser

__all__ = ["READY", "drive_browser"]

#: The message that the browser has started.
READY = "ready"
# Seconds to close a context. If it takes longer, its page hangs, and a new browser is needed.
_CLOSING = 2.0


@dataclass(eq=False)
class _BrowserWorker:
    """Renders the jobs of a connection, several pages at a time."""

    connection: Channel
    browser: Browser
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _sending: asyncio.Lock = field(default_factory=asyncio.Lock)

    def read(self) -> None:
        """Receive a job and start it."""
        try:
            number, job = self.connection.recv()
        except (EOFError, OSError):
            self.ended.set()
            return
        task = asyncio.create_task(self._do(number, job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _do(self, number: int, job: RenderJob) -> None:
        from playwright.async_api import Error

        context = None
        answer: Any
        try:
            async with asyncio.timeout(job.timeout):
                context = await new_context(self.browser, job)
            answer = await render(context, job)
        except WebstrataError as error:
            answer = error
        except (Error, TimeoutError) as error:
            answer = RenderError(f"{job.source} was not rendered: the browser opened no tab ({type(error).__name__})")
            self.ended.set()
        # An unexpected error is passed on, and ends this browser.
        except Exception as error:
            answer = RenderError(f"{job.source} was not rendered: {type(error).__name__}: {error}")
            self.ended.set()
        if context is not None:
            await self._close(context)
        # Sent with the answer, so that the watchdog sends no further page to a broken browser.
        well = self.browser.is_connected() and not self.ended.is_set()
        # In a thread: the watchdog may be sending a page at the same time, and neither of both may wait for the other.
        try:
            async with self._sending:
                await asyncio.to_thread(self.connection.send, (number, answer, well))
        except OSError:
            well = False
        if not well:
            self.ended.set()

    async def _close(self, context: Any) -> None:
        try:
            async with asyncio.timeout(_CLOSING):
                await context.close()
        # Playwright's errors mean that the page or the browser has ended; both need a new browser.
        except Exception:
            self.ended.set()


async def _serve(connection: Channel) -> None:
    with from_extra("render", "playwright"):
        from playwright.async_api import async_playwright
    async with async_playwright() as playwright:
        browser = await launch(playwright)
        worker = _BrowserWorker(connection, browser)
        browser.on("disconnected", lambda _: worker.ended.set())
        asyncio.get_running_loop().add_reader(connection.fileno(), worker.read)
        connection.send(READY)
        await worker.ended.wait()
    # The watchdog kills the rest; nothing here may wait for a browser that hangs.


def drive_browser(connection: Channel) -> None:
    """Serve until the connection ends."""
    try:
        asyncio.run(_serve(connection))
    except WebstrataError as error:
        connection.send(error)
    except (BrokenPipeError, EOFError):
        sys.exit(1)
    finally:
        os._exit(0)
