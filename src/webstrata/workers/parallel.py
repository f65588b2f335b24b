"""A function applied to items by several processes, for functions that cannot crash.

Algorithms under test can crash; they run in `webstrata.workers.pool`.
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

# Waiting items for each process: they keep it busy and take little memory.
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
    function, items : the function and its arguments, which must be picklable
    jobs : how many processes; with one, the function is called in this process
    setup, given : a function that each process calls once, and its arguments: for data too large to be sent with every
        item
    """
    if jobs == 1:
        if setup is not None:
            setup(*given)
        yield from map(function, items)
        return
    # A forked copy of a process with threads (of the progress bar) may deadlock.
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
