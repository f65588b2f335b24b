"""A function of many items in some processes, where no item can bring its process down.

Algorithms under test can; they run in `webstrata.workers.pool`.
"""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any, TypeVar

__all__ = ["in_processes"]

T = TypeVar("T")
R = TypeVar("R")

# Items that wait for a process, for each process: enough to keep it busy, and few in memory.
_AHEAD = 3


def in_processes(
    function: Callable[[T], R],
    items: Iterable[T],
    jobs: int,
    *,
    setup: Callable[..., Any] | None = None,
    given: tuple[Any, ...] = (),
) -> Iterator[R]:
    """The results in the order of the items, which are taken as processes become free.

    Parameters
    ----------
    function, items : what to do with what; both travel to other processes
    jobs : how many processes; with one, all is done in this one
    setup, given : a function that each process calls once, and its arguments: for what is too large to go with
        every item
    """
    if jobs == 1:
        if setup is not None:
            setup(*given)
        yield from map(function, items)
        return
    # Not forked: a copy of a process with threads in it (the progress bar's) may lock up.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=setup, initargs=given) as pool:
        running: deque[Future[R]] = deque()
        try:
            for item in items:
                running.append(pool.submit(function, item))
                if len(running) > _AHEAD * jobs:
                    yield running.popleft().result()
            while running:
                yield running.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)
