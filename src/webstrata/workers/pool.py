"""Pools of worker processes: a function applied to requests, each under limits of time and memory.

A request that kills its process costs no other request. A worker that dies or exceeds its limits is replaced. The first
unanswered request of its chunk is the cause: its answer is a `Failure`, and the rest of the chunk goes to the new
worker. `concurrent.futures` gives up the whole pool when one process dies, which is why this is written by hand.
"""

from __future__ import annotations

import pickle
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Queue
from typing import Any, Generic, TypeVar

from webstrata.errors import WorkerError
from webstrata.workers.limits import Limits
from webstrata.workers.processes import Child, launch_child
from webstrata.workers.worker import Failure, answer_requests, how_it_ended

__all__ = ["Failure", "Pool"]

Request = TypeVar("Request")
Answer = TypeVar("Answer")

# Chunks that a worker may be ahead of the slowest one when answers keep the order of the requests. This bounds the
# answers that wait in memory behind a slow request.
_AHEAD = 4
# Native code that reads a page never raises these signals: they come from a user, or from a system short of memory.
_FROM_OUTSIDE = {"SIGKILL", "SIGTERM", "SIGHUP", "SIGINT"}
# How often a request that runs is checked for being cancelled. Starting another worker, with what it imports, takes
# about as long, so shorter requests run to their end.
_CANCEL_SECONDS = 1.0
# A worker ends itself when its time is up. If it blocks signals or is stopped, it is killed this many seconds later.
_GRACE_SECONDS = 2.0


def _whole(_: object) -> float:
    return 1.0


@dataclass(frozen=True, kw_only=True)
class Pool(Generic[Request, Answer]):
    """A function of one request, applied to many requests by processes that can be killed.

    Parameters
    ----------
    start : called once in each worker, before limits apply; returns the function. An exception ends the whole pool. If
        the function has a method ``close``, it is called when its worker ends normally. Must be picklable, like
        requests and answers
    limits : of time for each request, and of memory for each worker
    jobs : how many workers; the first is started at once, the others when there is a chunk for them
    ordered : whether answers come in the order of the requests, or as soon as they are ready
    pack, unpack : from a chunk, or a slice of one, to the message for a worker, and there to its requests
    split : the parts of a request that contains several. If such a request fails, each part is asked alone, and its
        answer is the list of their answers
    share : the share of the time limit that a request may take
    cancelled : whether the answer to a request is no longer wanted. If a worker is busy with it for a second or more,
        that is killed and replaced. The answer is a `Failure`
    pass_fds : descriptors that workers inherit
    """

    start: Callable[[], Callable[[Request], Answer]]
    limits: Limits = field(default_factory=Limits)
    jobs: int = 1
    ordered: bool = True
    pack: Callable[[Sequence[Request]], Any] = pickle.dumps
    unpack: Callable[[bytes], Iterable[Request]] = pickle.loads
    split: Callable[[Request], Sequence[Request]] | None = None
    share: Callable[[Request], float] = _whole
    cancelled: Callable[[Request], bool] | None = None
    pass_fds: Sequence[int] = ()

    def __call__(
        self, chunks: Iterable[Sequence[Request]]
    ) -> Generator[tuple[Sequence[Request], list[Answer | Failure]]]:
        """Each chunk with an answer for each of its requests.

        A worker takes one chunk at a time: large ones cost fewer messages, small ones share the work more evenly.
        Chunks are taken from their source as workers become free. If answers need no order, a worker takes no new chunk
        before the caller has consumed the last answer.
        """
        workers = [_PoolWorker(self) for _ in range(self.jobs)]
        return _Run(iter(chunks), workers, self.ordered).results()


class _Run:
    """Workers that share one source of chunks, each with a thread of this process."""

    def __init__(self, source: Iterator[Any], workers: Sequence[_PoolWorker], ordered: bool) -> None:
        self._source = source
        self._workers = workers
        self._ordered = ordered
        self._lock = threading.Lock()
        self._stop = threading.Event()
        # Results to come, and None for each thread that has ended.
        self._results: Queue[Future[Any] | None] = Queue()
        self._room = threading.Semaphore((_AHEAD if ordered else 1) * len(workers))

    def results(self) -> Generator[Any]:
        threads = [threading.Thread(target=self._work, args=[worker], daemon=True) for worker in self._workers]
        # It starts while the first chunk is read.
        self._workers[0].launch()
        try:
            for thread in threads:
                thread.start()
            ended = 0
            while ended < len(threads):
                result = self._results.get()
                if result is None:
                    ended += 1
                else:
                    yield result.result()
                self._room.release()
        finally:
            self._stop.set()
            for worker in self._workers:
                worker.end()
                self._room.release()
            for thread in threads:
                thread.join()

    def _work(self, worker: _PoolWorker) -> None:
        """Run by each thread until the source ends."""
        while True:
            self._room.acquire()
            result: Future[Any] = Future()
            chunk = self._take(result)
            if chunk is None:
                self._results.put(None)
                return
            try:
                result.set_result((chunk, worker.run(chunk)))
            except BaseException as error:
                self._stop.set()
                result.set_exception(error)
            if not self._ordered:
                self._results.put(result)

    def _take(self, result: Future[Any]) -> Any:
        """The next chunk, its result queued; None at the end, or if the source fails, which is a result as well."""
        with self._lock:
            try:
                chunk = None if self._stop.is_set() else next(self._source, None)
            except BaseException as error:
                self._stop.set()
                result.set_exception(error)
                self._results.put(result)
                return None
            if chunk is not None and self._ordered:
                self._results.put(result)
            return chunk


class _PoolWorker:
    """One worker process, started again whenever it dies."""

    def __init__(self, pool: Pool[Any, Any]) -> None:
        self._pool = pool
        self._limits = pool.limits
        self._child: Child | None = None
        self._is_ready = False
        self._ended = False
        self._lock = threading.Lock()

    def launch(self) -> None:
        """Start the process without waiting for it."""
        with self._lock:
            self._child = self._launched()

    def _launched(self) -> Child:
        pool = self._pool
        arguments = pool.start, pool.unpack, self._limits, pool.share
        return launch_child(answer_requests, *arguments, pass_fds=pool.pass_fds)

    def run(self, chunk: Sequence[Any]) -> list[Any]:
        """One answer for each request of the chunk."""
        answers = self._ask(chunk)
        if self._pool.split is not None:
            for number, answer in enumerate(answers):
                parts = self._pool.split(chunk[number]) if isinstance(answer, Failure) else ()
                if len(parts) > 1:
                    answers[number] = [self._ask([part])[0] for part in parts]
        return answers

    def _ask(self, chunk: Sequence[Any]) -> list[Any]:
        answers: list[Any] = []
        again = False
        while len(answers) < len(chunk):
            # A request that is tried on a second worker is alone there: if that one dies, it is the cause.
            rest = chunk[len(answers) :][: 1 if again else None]
            child = self._running()
            if self._is_cancelled(rest[0]):  # while the worker started
                answers.append(Failure("cancelled"))
                continue
            failure = None
            try:
                child.connection.send_bytes(self._pool.pack(rest))
                for request in rest:
                    failure = self._wait(child, request)
                    if failure is not None:
                        child.process.kill()
                        break
                    answers.append(pickle.loads(child.connection.recv_bytes()))
                else:
                    again = False
                    continue
            except (EOFError, OSError) as error:
                if self._ended:
                    raise WorkerError("the pool was closed") from error
            code = self._bury(child)
            if not again and not failure and code < 0 and signal.Signals(-code).name in _FROM_OUTSIDE:
                again = True
                continue
            answers.append(failure or how_it_ended(code, self._limits))
            again = False
        return answers

    def _wait(self, child: Child, request: Any) -> Failure | None:
        """Wait for an answer; the failure if the worker must be killed instead."""
        deadline = time.monotonic() + self._limits.clock + _GRACE_SECONDS
        most = _CANCEL_SECONDS if self._pool.cancelled else deadline
        while (left := deadline - time.monotonic()) > 0:
            if child.connection.poll(min(left, most)):
                return None
            if self._is_cancelled(request):
                return Failure("cancelled")
        return how_it_ended(-signal.SIGALRM, self._limits)

    def _is_cancelled(self, request: Any) -> bool:
        return self._pool.cancelled is not None and self._pool.cancelled(request)

    def _running(self) -> Child:
        with self._lock:
            if self._ended:
                raise WorkerError("the pool was closed")
            child = self._child = self._child or self._launched()
            if not self._is_ready:
                child.begun()
                try:
                    error = child.connection.recv_bytes()
                except (EOFError, OSError) as cause:
                    raise WorkerError(f"a worker ended with code {child.kill()} before its first request") from cause
                if error:
                    child.kill()
                    raise pickle.loads(error)
                self._is_ready = True
            return child

    def _bury(self, child: Child) -> int:
        """Forget a dead child; returns its exit code."""
        child.connection.close()
        self._child, self._is_ready = None, False
        return child.process.wait()

    def end(self) -> None:
        with self._lock:
            self._ended = True
            if self._child is not None:
                self._child.end()
