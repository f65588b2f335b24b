"""The watchdog: a process of its own between the caller and the browser, which never waits for either.

It hands jobs to the worker, as many at a time as there are tabs, and passes results on. A job that is late, a worker or
browser that died, a process that takes too much memory: what has to be ended is ended, the caller is told, and the
next job gets a new browser. When the caller is gone, everything is ended.
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
from webstrata.rendering.tab import Job
from webstrata.rendering.worker import READY, drive_browser
from webstrata.workers.channels import Channel
from webstrata.workers.process_tree import adopt_orphans, descendants, end_all, memory, reap
from webstrata.workers.processes import Child, start_child

__all__ = ["Settings", "watch"]

# The worker keeps the time of a job itself, and closes its page; this much later it is not trusted any more.
_GRACE = 3.5
# Seconds between two looks at the
_INTERVAL = 0.2
# A browser that has not started by then will not.
_START = 60.0


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a renderer works: pages at a time, and bytes of memory that one process of the browser may take."""

    tabs: int = 1
    memory: int = 2 << 30


@dataclass
class _Running:
    number: int
    job: Job
    deadline: float
    alone: bool


@dataclass(eq=False)
class _Watchdog:
    caller: Channel
    settings: Settings
    queue: deque[tuple[int, Job]] = field(default_factory=deque)
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
                self._hear()
            self._look()

    def _hand_out(self) -> None:
        """Give the worker what it has room for; start one if there is none."""
        if self.queue and self.worker is None:
            try:
                self.child = start_child(drive_browser, own_session=True)
            except WorkerError as error:
                self._fail_all(error)
                return
            self.worker = self.child.connection
            self.ready, self.started = False, time.monotonic()
        while self.worker is not None and self.ready and self.queue and self._has_room(self.queue[0][0]):
            number, job = self.queue.popleft()
            alone = not self.running
            self.running[number] = _Running(number, job, time.monotonic() + job.timeout + _GRACE, alone)
            for other in self.running.values():
                other.alone = other.alone and len(self.running) == 1
            with suppress(OSError):
                self.worker.send((number, job))

    def _has_room(self, number: int) -> bool:
        """Whether a job can begin. One that is tried again has the browser to itself: so the guilty one is found."""
        if self.running and (number in self.again or self.again & self.running.keys()):
            return False
        return len(self.running) < self.settings.tabs

    def _hear(self) -> None:
        """Pass on what the worker says."""
        assert self.worker is not None
        try:
            message = self.worker.recv()
        except (EOFError, OSError):
            if self.ready:
                self._replace("the browser ended while it rendered the page")
            else:
                self._fail_all(RenderError("the browser ended while it was started"))
            return
        if message == READY:
            self.ready = True
        elif isinstance(message, WebstrataError):
            # It could not begin: nothing that waits can be done.
            self._fail_all(message)
        else:
            number, answer, well = message
            if self.running.pop(number, None) is not None:
                self._tell(number, answer)
            if not well:
                self._replace("the browser was ended because of another page")

    def _look(self) -> None:
        """Whether something is late or too large."""
        now = time.monotonic()
        if self.worker is not None and not self.ready and now > self.started + _START:
            self._fail_all(RenderError(f"the browser did not start within {_START:g} s"))
        for late in [item for item in self.running.values() if now > item.deadline]:
            del self.running[late.number]
            self._tell(late.number, RenderError(f"{late.job.source} was not rendered within {late.job.timeout:g} s"))
            self._replace("the browser was ended because of another page")
        if self.running:
            for pid in descendants(os.getpid()):
                if memory(pid) > self.settings.memory:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
        reap()

    def _fail_all(self, error: WebstrataError) -> None:
        for number in [*self.running, *(number for number, _ in self.queue)]:
            self._tell(number, error)
        self.running.clear()
        self.queue.clear()
        self._end()

    def _replace(self, reason: str) -> None:
        """End the worker and its browser. A page that was alone with it has its answer, others get another try."""
        for item in reversed(list(self.running.values())):
            if item.alone:
                self._tell(item.number, RenderError(f"{item.job.source} was not rendered: {reason}"))
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

    def _tell(self, number: int, answer: Any) -> None:
        with suppress(OSError):
            self.caller.send((number, answer))


def watch(caller: Channel, settings: Settings) -> None:
    """Serve the caller until it ends the connection."""
    adopt_orphans()
    try:
        with suppress(EOFError, OSError):
            _Watchdog(caller, settings).serve()
    finally:
        end_all()
