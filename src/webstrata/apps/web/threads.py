"""Threads for slow work: a pool for each kind, so that work of one kind delays no other.

`asyncio.to_thread` has one pool of a few threads, which is left for files of the data set.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from webstrata.errors import InputError

__all__ = ["Threads"]

T = TypeVar("T")

# The threads of each kind of work. The renderer takes one page at a time. Name resolution can take long and cannot be
# cancelled, so there are more threads for fetches.
_SIZES = {"search": 4, "fetch": 8, "render": 1, "archive": 1}
# With more calls of a kind, waiting ones included, new ones are refused.
_MOST = 32


class Threads:
    """Thread pools by kind of work: search, fetch, render, or archive, which is import and export."""

    def __init__(self) -> None:
        self._pools = {kind: ThreadPoolExecutor(size, thread_name_prefix=kind) for kind, size in _SIZES.items()}
        self._calls: Counter[str] = Counter()

    async def __call__(self, kind: str, function: Callable[..., T], *arguments: object) -> T:
        """The result of the function. A call that is cancelled before it starts is not made."""
        if self._calls[kind] >= _MOST:
            raise InputError("the server is busy with other requests: try again in a moment")
        future = self._pools[kind].submit(function, *arguments)
        self._calls[kind] += 1
        loop = asyncio.get_running_loop()
        future.add_done_callback(lambda _: _call_soon(loop, self._calls.subtract, [kind]))
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Take no more calls, and drop those that have not started."""
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)


def _call_soon(loop: asyncio.AbstractEventLoop, function: Callable[..., object], *arguments: object) -> None:
    """Call a function in the thread of a loop, unless that is closed."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(function, *arguments)
