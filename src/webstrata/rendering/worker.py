"""The process that drives the browser. It is started by the watchdog, and ends when the watchdog does."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from webstrata.errors import RenderError, WebstrataError, from_extra
from webstrata.rendering.tab import Job, launch, new_context, render
from webstrata.workers.channels import Channel

if TYPE_CHECKING:
    from playwright.async_api import Browser

__all__ = ["READY", "drive_browser"]

#: What the worker says when its browser runs.
READY = "ready"
# A context that is not closed by then belongs to a page that hangs; only a new browser is sure to be rid of it.
_CLOSING = 2.0


@dataclass(eq=False)
class _Worker:
    """Renders what comes over the connection, several pages at a time if several come."""

    connection: Channel
    browser: Browser
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def read(self) -> None:
        """Take a job."""
        try:
            number, job = self.connection.recv()
        except (EOFError, OSError):
            self.ended.set()
            return
        task = asyncio.create_task(self._do(number, job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _do(self, number: int, job: Job) -> None:
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
            answer = RenderError(f"{job.source} was not rendered: the browser gave no tab ({type(error).__name__})")
            self.ended.set()
        # Whatever else goes wrong is told as it is, and takes this browser with it.
        except Exception as error:
            answer = RuntimeError(f"{type(error).__name__}: {error}")
            self.ended.set()
        if context is not None:
            await self._close(context)
        # Whether this browser can take another page goes with the answer, so that none is sent to one that cannot.
        well = self.browser.is_connected() and not self.ended.is_set()
        try:
            self.connection.send((number, answer, well))
        except OSError:
            well = False
        if not well:
            self.ended.set()

    async def _close(self, context: Any) -> None:
        try:
            async with asyncio.timeout(_CLOSING):
                await context.close()
        # Playwright's own errors tell here that the page or the browser is gone, which is the same to us.
        except Exception:
            self.ended.set()


async def _serve(connection: Channel) -> None:
    with from_extra("render", "playwright"):
        from playwright.async_api import async_playwright
    async with async_playwright() as playwright:
        browser = await launch(playwright)
        worker = _Worker(connection, browser)
        browser.on("disconnected", lambda _: worker.ended.set())
        asyncio.get_running_loop().add_reader(connection.fileno(), worker.read)
        connection.send(READY)
        await worker.ended.wait()
    # The watchdog ends what is left; nothing here may wait for a browser that hangs.


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
