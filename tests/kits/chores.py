"""Functions for worker processes, which import them by name: each does to its process what the request says."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from gates import pass_gate

from webstrata.errors import InputError

__all__ = ["CannotStart", "Closing", "start", "start_gated"]


def chore(request: str) -> str:
    """Answer in capitals, unless the request is one of the words below."""
    if request == "spin":
        while True:
            pass
    if request == "deaf":
        # What blocks signals, or is stopped, is out of reach of its own clocks.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM, signal.SIGPROF, signal.SIGTERM})
        time.sleep(3600)
    if request == "eat":
        bytearray(2**40)
    if request == "raise":
        raise ArithmeticError("\ud800" * 1000)
    if request == "secret":
        return lambda: None  # type: ignore[return-value]
    if request == "exit":
        os._exit(7)
    if request.isdecimal():
        os.kill(os.getpid(), int(request))
    return request.upper()


def start() -> Callable[[str], str]:
    return chore


def _gated(folder: str, request: str) -> str:
    (Path(folder) / "pid").write_text(str(os.getpid()))
    pass_gate(folder)
    return request.upper()


def start_gated(folder: str) -> Callable[[str], str]:
    return partial(_gated, folder)


class CannotStart:
    """Fails to start."""

    def __init__(self, how: str) -> None:
        self.how = how

    def __call__(self) -> Callable[[str], str]:
        if self.how == "input":
            raise InputError("name another one")
        if self.how == "other":
            raise ArithmeticError("no")
        os._exit(5)


class Closing:
    """A function that leaves a mark when it is closed."""

    def __init__(self, mark: str) -> None:
        self._mark = Path(mark)

    def __call__(self, request: str) -> str:
        return request

    def close(self) -> None:
        self._mark.touch()
