"""Numbered tasks on killable processes: each worker takes the next number when it has finished one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from multiprocessing.connection import wait
from typing import Any

from webstrata.crawls.channels import Channel
from webstrata.crawls.processes import Child, start_child
from webstrata.errors import InputError, WebstrataError

__all__ = ["run_tasks"]


def run_tasks(
    function: Callable[[int], Any],
    numbers: Iterable[int],
    *,
    jobs: int,
    pass_fds: Sequence[int] = (),
    tell: Callable[[int], None] = lambda number: None,
) -> None:
    """Call ``function(number)`` for every number, on up to ``jobs`` processes.

    Parameters
    ----------
    function : picklable by name; what it finds out it writes to files
    pass_fds : descriptors that the processes inherit, such as that of a lock
    tell : called with each number that is done
    """
    left = list(numbers)[::-1]
    children: dict[Any, Child] = {}
    try:
        for _ in range(min(jobs, len(left))):
            child = start_child(_serve, function, pass_fds=pass_fds)
            children[child.connection] = child
            child.connection.send(left.pop())
        while children:
            ready: list[Any] = wait(list(children))
            for connection in ready:
                tell(_answer(children, connection))
                if left:
                    connection.send(left.pop())
                else:
                    children.pop(connection).finish()
    finally:
        for child in children.values():
            child.kill()


def _answer(children: dict[Any, Child], connection: Any) -> int:
    """The number that a process has finished, or the error it met."""
    try:
        done, error = connection.recv()
    except (EOFError, OSError) as gone:
        code = children.pop(connection).finish()
        raise RuntimeError(f"a process ended with code {code}; what is finished is kept: resume the run") from gone
    if error is not None:
        raise error
    return int(done)


def _serve(connection: Channel, function: Callable[[int], Any]) -> None:
    """The side of the process: numbers in, pairs of number and error out."""
    while True:
        number = connection.recv()
        error: Exception | None = None
        try:
            function(number)
        except WebstrataError as raised:
            error = raised
        except OSError as raised:
            error = InputError(f"the work cannot go on: {raised}")
        connection.send((number, error))
