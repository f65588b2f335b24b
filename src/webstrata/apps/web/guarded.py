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
from itertools import count
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
    "cancelled": "the request was abandoned",
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
        self._pool = Pool[_Call, Any](
            start=_start, limits=limits, jobs=jobs, ordered=False, cancelled=lambda call: call.number in self._abandoned
        )
        self._queue: Queue[_Call | None] = Queue()
        self._waiting: dict[int, Future[Any]] = {}
        self._abandoned: set[int] = set()
        self._lock = threading.Lock()
        self._numbers = count()
        self._closed = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    async def __call__(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """The result of the function, or `InputError` with the reason of its failure.

        When the caller is cancelled, because its client has gone, a call that runs is ended with its worker.
        """
        number = next(self._numbers)
        try:
            return await asyncio.wrap_future(self._submit(number, function, *arguments))
        except asyncio.CancelledError:
            with self._lock:
                if number in self._waiting:
                    self._abandoned.add(number)
            raise

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Start a call. A call that is cancelled before a worker is free is not made."""
        return self._submit(next(self._numbers), function, *arguments)

    def _submit(self, number: int, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        future: Future[Any] = Future()
        with self._lock:
            if self._closed:
                raise InputError("the server is being stopped")
            if len(self._waiting) >= _MOST_WAITING:
                raise InputError("the server is busy with other pages: try again in a moment")
            self._waiting[number] = future
            self._queue.put(_Call(number, function, arguments))
        future.add_done_callback(lambda _: self._forget(number))
        return future

    def _forget(self, number: int) -> Future[Any] | None:
        with self._lock:
            self._abandoned.discard(number)
            return self._waiting.pop(number, None)

    def close(self) -> None:
        """End the processes; pending calls fail with `InputError`."""
        with self._lock:
            self._closed = True
        self._queue.put(None)
        self._thread.join()

    def _calls(self) -> Iterator[list[_Call]]:
        while (call := self._queue.get()) is not None:
            with self._lock:
                future = self._waiting.get(call.number)
            if future is not None and future.set_running_or_notify_cancel():
                yield [call]

    def _run(self) -> None:
        try:
            for (call,), (answer,) in self._pool(self._calls()):
                future = self._forget(call.number)
                assert future is not None
                if isinstance(answer, Failure):
                    future.set_exception(InputError(_MESSAGES[answer.reason].format(detail=answer.detail)))
                elif isinstance(answer, _Error):
                    future.set_exception(InputError(answer.message))
                else:
                    future.set_result(answer)
        finally:
            with self._lock:
                left, self._waiting = self._waiting, {}
            for future in left.values():
                if future.running() or future.set_running_or_notify_cancel():
                    future.set_exception(InputError("the server is being stopped"))


# In the worker


def _start() -> Callable[[_Call], Any]:
    return _answer


def _answer(call: _Call) -> Any:
    try:
        return call.function(*call.arguments)
    except WebstrataError as error:
        return _Error(str(error))
