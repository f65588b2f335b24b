"""Worker processes: a function applied to requests, each under limits of time and memory.

Whatever one request does to the process that answers it, the others are answered. A worker that dies or overruns its
limits is replaced. The first request of its chunk that has no answer is the one that it died of: it gets a `Failure`
for an answer, and the rest of the chunk goes to the new worker. `concurrent.futures` breaks the whole pool when one
process dies, which is why this is written by hand.
"""

from __future__ import annotations

import pickle
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Queue
from typing import Any, Generic, TypeVar

from webstrata.workers.limits import Limits
from webstrata.workers.processes import Child, launch_child
from webstrata.workers.worker import Failure, answer_requests, how_it_ended

__all__ = ["Failure", "Pool"]

Request = TypeVar("Request")
Answer = TypeVar("Answer")

# Chunks a worker may be ahead of the slowest one, where answers keep the order of the requests. This bounds what waits
# in memory behind a request that takes long.
_AHEAD = 4
# Nothing that a page makes native code do raises these. Somebody sent them: a user, or a system short of memory.
_FROM_OUTSIDE = {signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT}
# A worker ends itself when its time is up. One that cannot, because it blocked the signals or was stopped, is killed
# from here so many seconds later.
_GRACE_SECONDS = 2.0


def _whole(_: object) -> float:
    return 1.0


@dataclass(frozen=True, kw_only=True)
class Pool(Generic[Request, Answer]):
    """A function of one request, applied to many of them by processes that can be killed.

    Parameters
    ----------
    start : called once in each worker, before limits apply; it gives the function. Whatever it raises ends the whole
        pool. If the function has a method ``close``, that is called when its worker ends in peace. Must be picklable,
        as requests and answers are
    limits : of time for each request, and of memory for each worker
    jobs : how many workers; the first is started at once, the others when there is a chunk for them
    ordered : whether answers come in the order of the requests, or as soon as they are there
    pack, unpack : from a chunk, or a slice of one, to the message for a worker, and there to its requests
    split : the parts of a request, for requests that stand for several. If one of these fails, each part is asked
        alone, and the list of their answers is its answer
    share : how much of the time limit a request may take
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
    pass_fds: Sequence[int] = ()

    def __call__(
        self, chunks: Iterable[Sequence[Request]]
    ) -> Generator[tuple[Sequence[Request], list[Answer | Failure]]]:
        """Each chunk with an answer for each of its requests.

        A chunk is what a worker takes at once: large ones cost fewer messages, small ones share the work more evenly.
        Chunks are taken from their source as workers become free. If answers need no order, a worker takes no new chunk
        before the caller has dealt with the last answer.
        """
        workers = [_Worker(self) for _ in range(self.jobs)]
        return _Run(iter(chunks), workers, self.ordered).results()


class _Run:
    """Workers that share one source, each with a thread that asks it."""

    def __init__(self, source: Iterator[Any], workers: Sequence[_Worker], ordered: bool) -> None:
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
        # A worker takes as long to start as the first chunk takes to read.
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

    def _work(self, worker: _Worker) -> None:
        """What each thread does until the source ends."""
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
        """The next chunk, its result put in line; None at the end, or if the source fails: that is a result too."""
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


class _Worker:
    """One worker process, started again whenever it dies."""

    def __init__(self, pool: Pool[Any, Any]) -> None:
        self._pool = pool
        self._limits = pool.limits
        self._child: Child | None = None
        self._is_ready = False
        self._ended = False
        self._lock = threading.Lock()

    def launch(self) -> None:
        """Start the process, and do not wait for it."""
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
            # A request that goes to a second worker goes there alone, so that its end says something about it.
            rest = chunk[len(answers) :][: 1 if again else None]
            child = self._running()
            late = False
            try:
                child.connection.send_bytes(self._pool.pack(rest))
                for _ in range(len(rest)):
                    late = not child.connection.poll(self._limits.clock + _GRACE_SECONDS)
                    if late:
                        child.process.kill()
                        break
                    answers.append(pickle.loads(child.connection.recv_bytes()))
                else:
                    again = False
                    continue
            except (EOFError, OSError) as error:
                if self._ended:
                    raise RuntimeError("the pool was closed") from error
            code = self._bury(child)
            if not again and not late and -code in _FROM_OUTSIDE:
                again = True
                continue
            answers.append(how_it_ended(-signal.SIGALRM if late else code, self._limits))
            again = False
        return answers

    def _running(self) -> Child:
        with self._lock:
            if self._ended:
                raise RuntimeError("the pool was closed")
            child = self._child = self._child or self._launched()
            if not self._is_ready:
                child.begun()
                try:
                    error = child.connection.recv_bytes()
                except (EOFError, OSError) as cause:
                    raise RuntimeError(f"a worker ended with code {child.kill()} before its first request") from cause
                if error:
                    child.kill()
                    raise pickle.loads(error)
                self._is_ready = True
            return child

    def _bury(self, child: Child) -> int:
        """Take leave of a child that is dead; returns its exit code."""
        child.connection.close()
        self._child, self._is_ready = None, False
        return child.process.wait()

    def end(self) -> None:
        with self._lock:
            self._ended = True
            if self._child is not None:
                self._child.end()
