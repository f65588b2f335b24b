"""Questions, and the processes that answer them.

They are asked through `webstrata.workers.pool.Pool`: an algorithm that hangs, eats memory or brings its process down
costs one answer, which says so.
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

__all__ = ["Question", "answer_all"]

# Some Python packages recurse with the depth of a page; a page of 3,000 elements deep is no reason to fail.
_RECURSION = 20_000


@dataclass(frozen=True)
class Question:
    """One algorithm and one input of one page; ``algorithm`` is the ``repr`` to put into the answer."""

    spec: Spec
    algorithm: str
    page: str
    input: str
    document: PageInput

    def blank(self) -> PageAnswer:
        """The answer before anything was said."""
        return PageAnswer(page=self.page, input=self.input, algorithm=self.algorithm, source=self.document.digest)


def answer_all(questions: Iterable[Question], *, jobs: int, limits: Limits) -> Iterator[tuple[Question, PageAnswer]]:
    """The answers, in the order in which they come.

    Parameters
    ----------
    questions : are taken one by one as processes become free, so that they need not be in memory together
    jobs : processes
    limits : of time for each question, and of memory for each process
    """
    pool = Pool[Question, PageAnswer](
        start=partial(_Answering, limits.seconds), limits=limits, jobs=jobs, ordered=False
    )
    with closing(pool([question] for question in questions)) as results:
        for [question], [answer] in results:
            if isinstance(answer, Failure):
                answer = _failed(question.blank(), answer, limits.seconds)
            yield question, answer


def _failed(blank: PageAnswer, failure: Failure, limit: float) -> PageAnswer:
    """What became of a question that has no answer, told as one."""
    if failure.reason == "timed out":
        return replace(blank, status="time-out", error=_late(limit), seconds=limit)
    if failure.reason == "failed":
        return replace(blank, status="error", error=failure.detail)
    return replace(blank, status="crash", error=f"{failure.reason}: {failure.detail}".removesuffix(": "))


def _late(limit: float) -> str:
    return f"no answer after {limit:g} s"


# In the worker


class _Answering:
    """The function that a worker applies to questions. Algorithms are made when they are first asked."""

    def __init__(self, limit: float) -> None:
        sys.setrecursionlimit(_RECURSION)
        # What other packages log about pages would run into the progress bar; what they raise is kept.
        logging.disable(logging.CRITICAL)
        self._limit = limit
        self._algorithms: dict[Spec, Algorithm] = {}

    def __call__(self, question: Question) -> PageAnswer:
        algorithm = self._algorithms.get(question.spec)
        if algorithm is None:
            algorithm = self._algorithms[question.spec] = make_algorithm(question.spec)
        return _answer(algorithm, question, self._limit)

    def close(self) -> None:
        """End the programs that drivers keep running from page to page."""
        for algorithm in self._algorithms.values():
            if (close := getattr(algorithm, "close", None)) is not None:
                close()


def _answer(algorithm: Algorithm, question: Question, limit: float) -> PageAnswer:
    base = question.blank()
    started = time.perf_counter()
    try:
        fields = algorithm(question.document, limit)
    except DriverTimeOut as problem:
        return replace(base, status="time-out", error=str(problem), seconds=limit)
    except DriverCrash as problem:
        return replace(base, status="crash", error=str(problem), seconds=time.perf_counter() - started)
    except MemoryError:
        raise
    # Whatever else an algorithm raises is its answer for this page, and is told as such, with the time it took.
    except Exception as problem:
        told = f"{type(problem).__name__}: {problem}"[:300]
        return replace(base, status="error", error=told, seconds=time.perf_counter() - started)
    seconds = time.perf_counter() - started
    found = (fields.get("text") or "").strip(), fields.get("segments"), any((fields.get("fields") or {}).values())
    return replace(base, status="ok" if any(found) else "empty", seconds=seconds, **fields)
