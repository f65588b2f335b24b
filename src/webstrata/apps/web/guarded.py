"""Work on pages in processes of their own: none of it can stall the server or take it down.

The pool of crawls (`webstrata.workers.pool`) answers requests under limits of time and memory. Here its source is a
queue that requests of the web page are put into, each with a future for its answer.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from queue import Queue
from typing import Any

from webstrata.errors import InputError, WebstrataError
from webstrata.workers.limits import Limits
from webstrata.workers.pool import Failure, Pool

__all__ = ["Guarded", "Request"]

# Requests that may wait; whoever comes then is told to come again.
_MOST_WAITING = 64
_TOLD = {
    "timed out": "this page takes longer than {detail} of processor time: try another algorithm or a smaller page",
    "out of memory": "this page takes more memory than the server allows",
    "crashed": "the process that read this page ended ({detail})",
    "failed": "this page could not be read: {detail}",
}


@dataclass(frozen=True, slots=True)
class Request:
    """A function of a module, by name, and its arguments. What it raises on purpose comes back as it is."""

    number: int
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """An error of ours, as an answer."""

    message: str


class Guarded:
    """Calls functions in guarded processes, from asynchronous code and from threads.

    Parameters
    ----------
    limits : what one call may cost
    jobs : how many calls run at a time
    """

    def __init__(self, *, limits: Limits, jobs: int) -> None:
        self._pool = Pool[Request, Any](start=_start, limits=limits, jobs=jobs, ordered=False)
        self._queue: Queue[Request | None] = Queue()
        self._waiting: dict[int, Future[Any]] = {}
        self._lock = threading.Lock()
        self._number = 0
        self._closed = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    async def __call__(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What the function gives, or `InputError` with the reason why it gives nothing."""
        return await asyncio.wrap_future(self.submit(function, *arguments))

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Begin a call."""
        found: Future[Any] = Future()
        with self._lock:
            if self._closed:
                raise InputError("the server is being stopped")
            if len(self._waiting) >= _MOST_WAITING:
                raise InputError("the server is busy with other pages: try again in a moment")
            self._number += 1
            self._waiting[self._number] = found
            self._queue.put(Request(self._number, function, arguments))
        return found

    def close(self) -> None:
        """End the processes; what has no answer by then gets none."""
        with self._lock:
            self._closed = True
        self._queue.put(None)
        self._thread.join()

    def _requests(self) -> Iterator[list[Request]]:
        while (request := self._queue.get()) is not None:
            yield [request]

    def _run(self) -> None:
        try:
            for (request,), (answer,) in self._pool(self._requests()):
                with self._lock:
                    found = self._waiting.pop(request.number)
                if isinstance(answer, Failure):
                    error = InputError(_TOLD[answer.reason].format(detail=answer.detail))
                    _settle(found, partial(found.set_exception, error))
                elif isinstance(answer, Told):
                    _settle(found, partial(found.set_exception, InputError(answer.message)))
                else:
                    _settle(found, partial(found.set_result, answer))
        finally:
            with self._lock:
                left, self._waiting = self._waiting, {}
            for found in left.values():
                _settle(found, partial(found.set_exception, InputError("the server is being stopped")))


def _settle(found: Future[Any], settle: Callable[[], None]) -> None:
    """Give the answer, unless whoever asked has gone."""
    if found.set_running_or_notify_cancel():
        settle()


# In the worker


def _start() -> Callable[[Request], Any]:
    return _answer


def _answer(request: Request) -> Any:
    try:
        return request.function(*request.arguments)
    except WebstrataError as error:
        return Told(str(error))
