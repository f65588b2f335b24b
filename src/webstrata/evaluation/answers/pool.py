"""Processes that answer, with a limit on the time of each question.

A process that runs over the limit is killed, whatever it is busy with, and so is one that native code brought down:
both cost one answer, and a new process takes the next question. `concurrent.futures` can do neither, which is why this
is written by hand.
"""

from __future__ import annotations

import logging
import multiprocessing
import resource
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from webstrata.evaluation.answers.algorithms import Algorithm, Spec, make_algorithm
from webstrata.evaluation.answers.drivers import DriverCrash, DriverTimeOut
from webstrata.evaluation.answers.files import Answer
from webstrata.evaluation.datasets.base import Document

__all__ = ["Question", "answer_all"]

# A driver ends its own program at the limit; only if it cannot, its process is killed this much later.
_GRACE = 2.0
# Some Python packages recurse with every level of a page, by several calls; pages of 3,000 levels exist.
_RECURSION = 20_000


@dataclass(frozen=True)
class Question:
    """One algorithm and one input of one page; ``algorithm`` is the ``repr`` to put into the answer."""

    spec: Spec
    algorithm: str
    page: str
    input: str
    document: Document

    def blank(self) -> Answer:
        """The answer before anything was said."""
        return Answer(page=self.page, input=self.input, algorithm=self.algorithm, source=self.document.digest)


def answer_all(questions: Iterable[Question], *, jobs: int, limit: float) -> Iterator[tuple[Question, Answer]]:
    """The answers, in the order in which they come.

    Parameters
    ----------
    questions : are taken one by one as processes become free, so that they need not be in memory together
    jobs : processes
    limit : seconds for each question
    """
    waiting = iter(questions)
    # No more processes than questions: if all were answered before, none is started.
    first = list(islice(waiting, jobs))
    workers = [_Worker() for _ in first]
    try:
        for worker, question in zip(workers, first, strict=True):
            worker.ask(question, limit)
        while busy := [worker for worker in workers if worker.question is not None]:
            wait([worker.pipe for worker in busy], timeout=max(min(worker.time_left() for worker in busy), 0))
            for worker in busy:
                asked = worker.question
                answer = worker.result(limit)
                if answer is not None and asked is not None:
                    yield asked, answer
                    worker.ask(next(waiting, None), limit)
    finally:
        for worker in workers:
            worker.stop()


class _Worker:
    """A process and the question it is busy with."""

    # Not forked: a copy of a process with threads in it (the progress bar's) may lock up.
    _context = multiprocessing.get_context("spawn")

    def __init__(self) -> None:
        self.question: Question | None = None
        self._deadline = float("inf")
        self._start()

    def _start(self) -> None:
        self.pipe, theirs = self._context.Pipe()
        self.process: BaseProcess = self._context.Process(target=_serve, args=(theirs,), daemon=False)
        self.process.start()
        theirs.close()
        self._ready = False

    def ask(self, question: Question | None, limit: float) -> None:
        self.question = question
        if question is None:
            return
        # A new process says when it is there, so that its start is not taken from the first question's time.
        if not self._ready and not self.pipe.poll(60):
            raise RuntimeError("a process could not be started within a minute")
        if not self._ready:
            self.pipe.recv()
            self._ready = True
        self._deadline = time.monotonic() + limit + (_GRACE if question.spec.driver else 0)
        self.pipe.send((question, limit))

    def time_left(self) -> float:
        return self._deadline - time.monotonic()

    def result(self, limit: float) -> Answer | None:
        """The answer if there is one by now; a process that is late or gone is replaced, and that is the answer."""
        assert self.question is not None
        base = self.question.blank()
        if self.pipe.poll():
            try:
                found: Answer = self.pipe.recv()
                return found
            except EOFError:
                self.process.join()
                return self._replaced(replace(base, status="crash", error=_how_it_ended(self.process.exitcode)))
        if self.time_left() <= 0:
            return self._replaced(replace(base, status="time-out", error=f"no answer after {limit:g} s", seconds=limit))
        return None

    def _replaced(self, answer: Answer) -> Answer:
        self.stop(kill=True)
        self._start()
        return answer

    def stop(self, *, kill: bool = False) -> None:
        """End the process: at once, or with the chance to end the programs that it started."""
        if kill or self.question is not None:
            self.process.terminate()
            self.process.join(0.2 if kill else 1)
        else:
            self.pipe.close()
            self.process.join(5)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.pipe.close()


def _how_it_ended(code: int | None) -> str:
    if code is not None and code < 0:
        return f"the process was ended by {signal.Signals(-code).name}"
    return f"the process ended with exit code {code}"


# In the worker


def _serve(pipe: Connection[Any, Any]) -> None:
    """Answer questions until there are none."""
    # Ctrl-C goes to every process of the terminal; the one that asks decides what happens then.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # SystemExit runs `finally`, where drivers end their programs.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.setrecursionlimit(_RECURSION)
    # What other packages log about pages would run into the progress bar; what they raise is kept.
    logging.disable(logging.CRITICAL)
    _limit_core_dumps()
    algorithms: dict[Spec, Algorithm] = {}
    pipe.send("ready")
    try:
        while True:
            question, limit = pipe.recv()
            if question.spec not in algorithms:
                algorithms[question.spec] = make_algorithm(question.spec)
            pipe.send(_answer(algorithms[question.spec], question, limit))
    except EOFError:
        return
    finally:
        for algorithm in algorithms.values():
            if (close := getattr(algorithm, "close", None)) is not None:
                close()


def _limit_core_dumps() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))


def _answer(algorithm: Algorithm, question: Question, limit: float) -> Answer:
    base = question.blank()
    started = time.perf_counter()
    try:
        fields = algorithm(question.document, limit)
    except DriverTimeOut as problem:
        return replace(base, status="time-out", error=str(problem), seconds=limit)
    except DriverCrash as problem:
        return replace(base, status="crash", error=str(problem), seconds=time.perf_counter() - started)
    # Whatever an algorithm raises is its answer for this page, and is told as such.
    except Exception as problem:
        told = f"{type(problem).__name__}: {problem}"[:300]
        return replace(base, status="error", error=told, seconds=time.perf_counter() - started)
    seconds = time.perf_counter() - started
    found = (fields.get("text") or "").strip(), fields.get("segments"), any((fields.get("fields") or {}).values())
    return replace(base, status="ok" if any(found) else "empty", seconds=seconds, **fields)
