"""Experiments for tests, and algorithms (``answering:name``) that answer or go wrong in every way."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Mapping
from pathlib import Path

from gates import pass_gate

from webstrata.evaluation.answers.algorithms import parse_spec
from webstrata.evaluation.answers.drivers import Driver
from webstrata.evaluation.answers.runner import Experiment
from webstrata.evaluation.datasets.folder import tiny_dataset


def experiment(
    folder: Path, *names: str, pages: int | None = None, drivers: Mapping[str, Driver] | None = None
) -> Experiment:
    """Algorithms on the tiny data set."""
    return Experiment(tiny_dataset(), tuple(parse_spec(name, drivers) for name in names), folder, ("html",), pages)


def texts(html: bytes, *, shortest: int = 1) -> list[str]:
    """What stands between tags, and has at least so many characters."""
    pieces = re.split(r"<[^>]*>", html.decode("utf-8", "replace"))
    return [piece.strip() for piece in pieces if len(piece.strip()) >= shortest]


def gated(html: bytes) -> list[str]:
    """Wait at the gate that the environment names."""
    pass_gate(os.environ["WEBSTRATA_TEST_GATE"])
    return texts(html)


def hang(html: bytes) -> str:
    """Only if the page is the forum's, so that the others show that the run goes on."""
    # A signal that is blocked is one that native code without the interpreter's lock does not see either.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGALRM})
    while b"Bread Board" in html:
        time.sleep(0.05)
    return "done"


def die(html: bytes) -> str:
    if b"Bread Board" in html:
        os.kill(os.getpid(), signal.SIGSEGV)
    return "done"


def starve(html: bytes) -> str:
    return "x" * 2**40 if b"Bread Board" in html else "done"


def leave(html: bytes) -> str:
    os._exit(3)


def fail(html: bytes) -> str:
    raise RuntimeError("no such page")


def nothing(html: bytes) -> str:
    return " \n"


def nonsense(html: bytes) -> int:
    return 3


_given: list[int] = []


def be_given(number: int) -> None:
    """What each process of `webstrata.workers.parallel` is given once."""
    _given[:] = [number]


def add_given(number: int) -> int:
    return number + _given[0]
