"""The guard: a step run on workers that one page cannot take down or stall.

The guard of a step is itself a step. It hands records to worker processes, a few at a time, and each row of the result
comes back as soon as it is finished. A worker that dies or overruns its limits is replaced; the first record without a
result is the one that killed it: it becomes a row with a reason, and the rest goes to the new worker. Rows keep their
order, whatever the number of workers.
"""

from __future__ import annotations

import pickle
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Queue
from typing import Any

from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.limits import Limits
from webstrata.crawls.processes import Child, start_child
from webstrata.crawls.records import rejected, slices
from webstrata.crawls.steps import Step
from webstrata.crawls.worker import pack, run_worker

__all__ = ["Guard"]

# Records of one request: enough that requests cost nothing beside pages, few enough that workers share fairly.
_REQUEST_ROWS = 16
# Requests a worker may be ahead of the slowest one. This bounds what waits in memory behind a page that takes long.
_AHEAD = 4
_TIME_SIGNALS = {signal.SIGALRM, signal.SIGPROF}


@dataclass(frozen=True, kw_only=True)
class Guard:
    """A step under limits of time and memory, on killable processes.

    Parameters
    ----------
    step : what to run
    limits : what a page may cost
    jobs : how many worker processes
    """

    step: Step
    limits: Limits = field(default_factory=Limits)
    jobs: int = 1

    @property
    def schema(self) -> Any:
        return self.step.schema

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        workers = [_Worker(self.step, self.limits) for _ in range(self.jobs)]
        return _Pool(slices(batches, _REQUEST_ROWS), workers).results()


class _Pool:
    """Workers that share one source, each with a thread that asks it; results in the order of the source."""

    def __init__(self, source: Iterator[Any], workers: Sequence[_Worker]) -> None:
        self._source = source
        self._workers = workers
        self._lock = threading.Lock()
        self._stop = threading.Event()
        # Results in the order of their requests; None for each thread that has ended.
        self._order: Queue[Future[Any] | None] = Queue()
        self._room = threading.Semaphore(_AHEAD * len(workers))

    def results(self) -> Iterator[Any]:
        threads = [threading.Thread(target=self._work, args=[member], daemon=True) for member in self._workers]
        try:
            for thread in threads:
                thread.start()
            ended = 0
            while ended < len(threads):
                result = self._order.get()
                if result is None:
                    ended += 1
                else:
                    yield result.result()
                self._room.release()
        finally:
            self._stop.set()
            for member in self._workers:
                member.end()
                self._room.release()
            for thread in threads:
                thread.join()

    def _work(self, member: _Worker) -> None:
        """What each thread does until the source ends."""
        while True:
            self._room.acquire()
            result: Future[Any] = Future()
            request = self._take(result)
            if request is None:
                self._order.put(None)
                return
            try:
                result.set_result(member.run(request))
            except BaseException as error:
                self._stop.set()
                result.set_exception(error)

    def _take(self, result: Future[Any]) -> Any:
        """The next request, its result put in line; None at the end, or if the source fails: that is a result too."""
        with self._lock:
            try:
                request = None if self._stop.is_set() else next(self._source, None)
            except BaseException as error:
                self._stop.set()
                result.set_exception(error)
                self._order.put(result)
                return None
            if request is not None:
                self._order.put(result)
            return request


class _Worker:
    """One worker process, started again whenever it dies."""

    def __init__(self, step: Step, limits: Limits) -> None:
        self._step = step
        self._limits = limits
        self._child: Child | None = None
        self._ended = False
        self._lock = threading.Lock()

    def run(self, batch: Any) -> Any:
        """One row for each row of the batch."""
        pa = pyarrow()
        rows: list[Any] = []
        while len(rows) < batch.num_rows:
            rest = batch.slice(len(rows))
            child = self._running()
            try:
                child.connection.send_bytes(pack(rest))
                for _ in range(rest.num_rows):
                    message = pa.py_buffer(child.connection.recv_bytes())
                    rows.append(pa.ipc.read_record_batch(message, self._step.schema))
            except (EOFError, OSError) as error:
                if self._ended:
                    raise RuntimeError("the guard was closed") from error
                reason, detail = self._post_mortem(child)
                rows.append(rejected(batch.slice(len(rows), 1), reason, detail, self._step.schema))
        return pa.concat_batches(rows)

    def _running(self) -> Child:
        with self._lock:
            if self._ended:
                raise RuntimeError("the guard was closed")
            if self._child is None:
                child = start_child(run_worker, self._step, self._limits)
                error = child.connection.recv_bytes()
                if error:
                    child.kill()
                    raise pickle.loads(error)
                self._child = child
            return self._child

    def _post_mortem(self, child: Child) -> tuple[str, str]:
        """Why the child is dead."""
        child.connection.close()
        code = child.process.wait()
        self._child = None
        if -code in _TIME_SIGNALS:
            return "timed out", f"{self._limits.seconds:g} s"
        return "crashed", signal.Signals(-code).name if code < 0 else f"exit code {code}"

    def end(self) -> None:
        with self._lock:
            self._ended = True
            if self._child is not None:
                self._child.kill()
