"""Tasks, each one algorithm and one page, and the worker processes that run them.

They run in a `webstrata.workers.pool.Pool`: an algorithm that hangs, runs out of memory or crashes its process costs
one answer, whose status says so.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial

from webstrata.evaluation.answers.algorithms import Algorithm, Spec, make_algorithm
from webstrata.evaluation.answers.drivers import DriverCrash, DriverTimeOut
from webstrata.evaluation.answers.files import PageAnswer
from webstrata.evaluation.datasets.base import PageInput
from webstrata.workers.limits import Limits
from webstrata.workers.pool import Failure, Pool

__all__ = ["Task", "run_tasks"]

# Some Python packages recurse with the depth of a page, which may be 3,000 elements.
_RECURSION = 20_000


@dataclass(frozen=True)
class Task:
    """One algorithm and one input of one page; ``algorithm`` is the ``repr`` for the answer."""

    spec: Spec
    algorithm: str
    page: str
    input: str
    document: PageInput

    def blank(self) -> PageAnswer:
        """An answer without content."""
        return PageAnswer(page=self.page, input=self.input, algorithm=self.algorithm, source=self.document.digest)


def run_tasks(tasks: Iterable[Task], *, jobs: int, limits: Limits) -> Iterator[tuple[Task, PageAnswer]]:
    """Tasks with their answers, in the order in which these are ready.

    Parameters
    ----------
    tasks : an iterator, read as processes become free, so that the tasks need not be in memory together
    jobs : processes
    limits : of time for each task, and of memory for each process
    """
    pool = Pool[Task, PageAnswer](start=partial(_RunTask, limits.seconds), limits=limits, jobs=jobs, ordered=False)
    with closing(pool([task] for task in tasks)) as results:
        for [task], [answer] in results:
            if isinstance(answer, Failure):
                answer = _failed(task.blank(), answer, limits.seconds)
            yield task, answer


def _failed(blank: PageAnswer, failure: Failure, limit: float) -> PageAnswer:
    """The answer to a task that failed."""
    if failure.reason == "timed out":
        return replace(blank, status="time-out", error=_late(limit), seconds=limit)
    if failure.reason == "failed":
        return replace(blank, status="error", error=failure.detail)
    return replace(blank, status="crash", error=f"{failure.reason}: {failure.detail}".removesuffix(": "))


def _late(limit: float) -> str:
    return f"no answer after {limit:g} s"


# In the worker


class _RunTask:
    """The function that a worker applies to tasks. It makes each algorithm when it is first needed."""

    def __init__(self, limit: float) -> None:
        sys.setrecursionlimit(_RECURSION)
        # Log messages of other packages would break the progress bar; their exceptions are kept.
        logging.disable(logging.CRITICAL)
        self._limit = limit
        self._algorithms: dict[Spec, Algorithm] = {}

    def __call__(self, task: Task) -> PageAnswer:
        algorithm = self._algorithms.get(task.spec)
        if algorithm is None:
            algorithm = self._algorithms[task.spec] = make_algorithm(task.spec)
        return _answer(algorithm, task, self._limit)

    def close(self) -> None:
        """End the programs of drivers that serve many pages."""
        for algorithm in self._algorithms.values():
            if (close := getattr(algorithm, "close", None)) is not None:
                close()


def _answer(algorithm: Algorithm, task: Task, limit: float) -> PageAnswer:
    base = task.blank()
    started = time.perf_counter()
    try:
        fields = algorithm(task.document, limit)
    except DriverTimeOut as problem:
        return replace(base, status="time-out", error=str(problem), seconds=limit)
    except DriverCrash as problem:
        return replace(base, status="crash", error=str(problem), seconds=time.perf_counter() - started)
    except MemoryError:
        raise
    # Any other exception of an algorithm becomes its answer for this page.
    except Exception as problem:
        message = f"{type(problem).__name__}: {problem}"[:300]
        return replace(base, status="error", error=message, seconds=time.perf_counter() - started)
    seconds = time.perf_counter() - started
    found = (fields.get("text") or "").strip(), fields.get("segments"), any((fields.get("fields") or {}).values())
    return replace(base, status="ok" if any(found) else "empty", seconds=seconds, **fields)
