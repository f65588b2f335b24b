"""The watchdog: a process between the caller and the browser, which never blocks on either.

It sends jobs to the worker, up to the number of tabs at a time, and passes results on. If a job is late, a worker or
browser dies, or a process uses too much memory, it kills the processes, sends the caller an error, and starts a new
browser for the next job. When the caller has ended, it kills everything.
"""

from __future__ import annotations

import os
import signal
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from typing import Any

from webstrata.errors import RenderError, WebstrataError, WorkerError
from webstrata.rendering.tab import RenderJob
from webstrata.rendering.worker import READY, drive_browser
from webstrata.workers.channels import Channel
from webstrata.workers.process_tree import adopt_orphans, descendants, end_all, memory, reap
from webstrata.workers.processes import Child, start_child

__all__ = ["RendererSettings", "watch"]

# The worker enforces the time limit of a job itself; after these further seconds it is killed.
_GRACE = 3.5
# Seconds between two checks of time and memory.
_INTERVAL = 0.2
# Seconds after which a browser that has not started is killed.
_START = 60.0


@dataclass(frozen=True, kw_only=True)
class RendererSettings:
    """RendererSettings of a renderer: pages at a time, and bytes of memory of one browser process."""

    tabs: int = 1
    memory: int = 2 << 30


@dataclass
class _Running:
    number: int
    job: RenderJob
    deadline: float
    alone: bool


@dataclass(eq=False)
class _Watchdog:
    caller: Channel
    settings: RendererSettings
    queue: deque[tuple[int, RenderJob]] = field(default_factory=deque)
    running: dict[int, _Running] = field(default_factory=dict)
    again: set[int] = field(default_factory=set)
    child: Child | None = None
    worker: Channel | None = None
    ready: bool = False
    started: float = 0.0

    def serve(self) -> None:
        while True:
            self._hand_out()
            connections: list[Any] = [self.caller, *([self.worker] if self.worker is not None else [])]
            readable: list[Any] = wait(connections, timeout=_INTERVAL if self.running or self.worker else None)
            if self.caller in readable:
                try:
                    self.queue.append(self.caller.recv())
                except (EOFError, OSError):
                    return
            if self.worker is not None and self.worker in readable:
                self._receive()
            self._check()

    def _hand_out(self) -> None:
        """Send the worker the jobs that it can take; start a worker if there is none."""
        if self.queue and self.worker is None:
            try:
                self.child = start_child(drive_browser, own_session=True)
            except WorkerError as error:
                self._fail_all(error)
                return
            self.worker = self.child.connection
            self.ready, self.started = False, time.monotonic()
        while self.worker is not None and self.ready and self.queue and self._can_begin(self.queue[0][0]):
            number, job = self.queue.popleft()
            alone = not self.running
            self.running[number] = _Running(number, job, time.monotonic() + job.timeout + _GRACE, alone)
            for other in self.running.values():
                other.alone = other.alone and len(self.running) == 1
            with suppress(OSError):
                self.worker.send((number, job))

    def _can_begin(self, number: int) -> bool:
        """Whether a job can begin. A retried job is alone in the browser, so that a page that crashes it is found."""
        if self.running and (number in self.again or self.again & self.running.keys()):
            return False
        return len(self.running) < self.settings.tabs

    def _receive(self) -> None:
        """Handle a message of the worker."""
        assert self.worker is not None
        try:
            message = self.worker.recv()
        except (EOFError, OSError):
            if self.ready:
                self._replace("the browser ended while it rendered the page")
            else:
                self._fail_all(RenderError("the browser ended while it was starting: check that Chromium runs"))
            return
        if message == READY:
            self.ready = True
        elif isinstance(message, WebstrataError):
            # The browser could not start, so no waiting job can run.
            self._fail_all(message)
        else:
            number, answer, well = message
            if self.running.pop(number, None) is not None:
                self._send(number, answer)
            if not well:
                self._replace("the browser was ended because of another page")

    def _check(self) -> None:
        """Check time and memory."""
        now = time.monotonic()
        if self.worker is not None and not self.ready and now > self.started + _START:
            self._fail_all(RenderError(f"the browser did not start within {_START:g} s"))
        for late in [item for item in self.running.values() if now > item.deadline]:
            del self.running[late.number]
            reason = f"{late.job.source} was not rendered within {late.job.timeout:g} s: raise its timeout"
            self._send(late.number, RenderError(reason))
            self._replace("the browser was ended because of another page")
        if self.running:
            for pid in descendants(os.getpid()):
                if memory(pid) > self.settings.memory:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
        reap()

    def _fail_all(self, error: WebstrataError) -> None:
        for number in [*self.running, *(number for number, _ in self.queue)]:
            self._send(number, error)
        self.running.clear()
        self.queue.clear()
        self._end()

    def _replace(self, reason: str) -> None:
        """Kill the worker and its browser. A page that was alone in it fails, others are retried."""
        for item in reversed(list(self.running.values())):
            if item.alone:
                self._send(item.number, RenderError(f"{item.job.source} was not rendered: {reason}"))
            else:
                self.queue.appendleft((item.number, item.job))
                self.again.add(item.number)
        self.running.clear()
        self._end()

    def _end(self) -> None:
        if self.worker is not None:
            self.worker.close()
        end_all(self.child.process.pid if self.child is not None else None)
        self.child, self.worker, self.ready = None, None, False

    def _send(self, number: int, answer: Any) -> None:
        with suppress(OSError):
            self.caller.send((number, answer))


def watch(caller: Channel, settings: RendererSettings) -> None:
    """Serve the caller until it ends the connection."""
    adopt_orphans()
    try:
        with suppress(EOFError, OSError):
            _Watchdog(caller, settings).serve()
    finally:
        end_all()
