"""Runs functions on pages in worker processes, so that no page can stall or crash the server.

The worker pool (`webstrata.workers.pool`) enforces limits of time and memory. It reads calls from a queue; each call
has a future for its result.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from queue import Queue
from typing import Any

from webstrata.errors import InputError, WebstrataError
from webstrata.workers.limits import Limits
from webstrata.workers.pool import Failure, Pool

__all__ = ["Guarded"]

# With more calls waiting, new ones are refused.
_MOST_WAITING = 64
_MESSAGES = {
    "timed out": "this page takes longer than {detail} of processor time: try another algorithm or a smaller page",
    "out of memory": "this page takes more memory than the server allows: try another algorithm or a smaller page",
    "crashed": "the process that read this page ended ({detail}): try another algorithm",
    "failed": "this page could not be read: {detail}",
}


@dataclass(frozen=True, slots=True)
class _Call:
    """A function of a module and its arguments; both are pickled."""

    number: int
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Error:
    """The message of a `WebstrataError` that the function raised."""

    message: str


class Guarded:
    """Calls functions in worker processes, from asynchronous code and from threads.

    Parameters
    ----------
    limits : time and memory for one call
    jobs : how many calls run at the same time
    """

    def __init__(self, *, limits: Limits, jobs: int) -> None:
        self._pool = Pool[_Call, Any](start=_start, limits=limits, jobs=jobs, ordered=False)
        self._queue: Queue[_Call | None] = Queue()
        self._waiting: dict[int, Future[Any]] = {}
        self._lock = threading.Lock()
        self._number = 0
        self._closed = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    async def __call__(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """The result of the function, or `InputError` with the reason of its failure."""
        return await asyncio.wrap_future(self.submit(function, *arguments))

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Start a call."""
        future: Future[Any] = Future()
        with self._lock:
            if self._closed:
                raise InputError("the server is being stopped")
            if len(self._waiting) >= _MOST_WAITING:
                raise InputError("the server is busy with other pages: try again in a moment")
            self._number += 1
            self._waiting[self._number] = future
            self._queue.put(_Call(self._number, function, arguments))
        return future

    def close(self) -> None:
        """End the processes; pending calls fail with `InputError`."""
        with self._lock:
            self._closed = True
        self._queue.put(None)
        self._thread.join()

    def _calls(self) -> Iterator[list[_Call]]:
        while (call := self._queue.get()) is not None:
            yield [call]

    def _run(self) -> None:
        try:
            for (call,), (answer,) in self._pool(self._calls()):
                with self._lock:
                    future = self._waiting.pop(call.number)
                if isinstance(answer, Failure):
                    _fail(future, _MESSAGES[answer.reason].format(detail=answer.detail))
                elif isinstance(answer, _Error):
                    _fail(future, answer.message)
                elif future.set_running_or_notify_cancel():
                    future.set_result(answer)
        finally:
            with self._lock:
                left, self._waiting = self._waiting, {}
            for future in left.values():
                _fail(future, "the server is being stopped")


def _fail(future: Future[Any], message: str) -> None:
    if future.set_running_or_notify_cancel():  # False if the caller has cancelled it
        future.set_exception(InputError(message))


# In the worker


def _start() -> Callable[[_Call], Any]:
    return _answer


def _answer(call: _Call) -> Any:
    try:
        return call.function(*call.arguments)
    except WebstrataError as error:
        return _Error(str(error))
