"""Numbered tasks on processes: each process takes the next number when it has finished one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from multiprocessing.connection import wait
from typing import Any

from webstrata.errors import InputError, WebstrataError, WorkerError
from webstrata.files import full_disk
from webstrata.workers.channels import Channel
from webstrata.workers.processes import Child, launch_child

__all__ = ["Stage", "run_stages"]


#: A function, picklable by name, that writes its results to files, and the numbers that it is called with.
Stage = tuple[Callable[[int], Any], Sequence[int]]


def run_stages(
    stages: Sequence[Stage],
    *,
    jobs: int,
    pass_fds: Sequence[int] = (),
    on_done: Callable[[int], None] = lambda number: None,
) -> None:
    """Call the function of each stage for all its numbers, one stage after the other, on up to ``jobs`` processes.

    Parameters
    ----------
    pass_fds : descriptors that the processes inherit, such as that of a lock
    on_done : called with each number that is done
    """
    functions = [function for function, _ in stages]
    most = max(len(numbers) for _, numbers in stages)
    started = [launch_child(_serve, functions, pass_fds=pass_fds) for _ in range(min(jobs, most))]
    children = {child.connection: child for child in started}
    try:
        for child in started:
            child.begun()
        for stage, (_, numbers) in enumerate(stages):
            _run_stage(stage, numbers, children, on_done)
        for connection in list(children):
            children.pop(connection).finish()
    finally:
        for child in children.values():
            child.kill()


def _run_stage(
    stage: int, numbers: Sequence[int], children: dict[Channel, Child], on_done: Callable[[int], None]
) -> None:
    left = list(numbers)[::-1]
    busy: list[Any] = list(children)[: len(left)]
    for connection in busy:
        connection.send((stage, left.pop()))
    while busy:
        ready: list[Any] = wait(busy)
        for connection in ready:
            on_done(_answer(children, connection))
            if left:
                connection.send((stage, left.pop()))
            else:
                busy.remove(connection)


def _answer(children: dict[Channel, Child], connection: Any) -> int:
    """The number that a process has finished; raises its error."""
    try:
        done, error = connection.recv()
    except (EOFError, OSError) as gone:
        code = children.pop(connection).finish()
        raise WorkerError(f"a process ended with code {code}; finished work is kept: resume the run") from gone
    if error is not None:
        raise error
    return int(done)


def _serve(connection: Channel, functions: Sequence[Callable[[int], Any]]) -> None:
    """Run in the process: pairs of stage and number in, pairs of number and error out."""
    while True:
        stage, number = connection.recv()
        error: Exception | None = None
        try:
            functions[stage](number)
        except WebstrataError as raised:
            error = raised
        except OSError as raised:
            error = full_disk(raised) or InputError(f"the work cannot go on: {raised}")
        connection.send((number, error))
