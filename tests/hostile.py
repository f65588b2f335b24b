"""Steps that are as bad as the worst page: they kill, hang, starve or break the process that runs them.

They are in a module of their own because worker processes import them by name.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from webstrata.crawls import Extract, Job, Limits, find_inputs

__all__ = ["Hostile", "Slow", "run_slowly"]


def _spin() -> None:
    while True:
        pass


def _break() -> None:
    raise ArithmeticError("broken on purpose")


#: What a page does that holds one of these words, which no page holds by chance.
DEEDS: dict[bytes, Callable[[], object]] = {
    b"@KILL@": lambda: os.kill(os.getpid(), signal.SIGKILL),
    b"@SEGV@": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    b"@EXIT@": lambda: os._exit(3),
    b"@SPIN@": _spin,
    b"@SLEEP@": lambda: time.sleep(3600),
    b"@EAT@": lambda: bytearray(2**33),
    b"@BREAK@": _break,
}


@dataclass(frozen=True, kw_only=True)
class Hostile:
    """Extraction, except that the page decides what happens to its reader."""

    limits: Limits = field(default_factory=Limits)

    @property
    def _extract(self) -> Extract:
        return Extract(algorithm="keep-all", limits=self.limits)

    @property
    def schema(self) -> Any:
        return self._extract.schema

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            for html in batch.column("html").to_pylist():
                for word, deed in DEEDS.items():
                    if word in (html or b""):
                        deed()
            yield from self._extract(iter([batch]))


@dataclass(frozen=True, kw_only=True)
class Slow:
    """Extraction that takes a little while for each page."""

    seconds: float

    @property
    def schema(self) -> Any:
        return Extract(algorithm="keep-all").schema

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            time.sleep(self.seconds * batch.num_rows)
            yield from Extract(algorithm="keep-all")(iter([batch]))


def slow_job(inputs: list[str], output: str) -> Job:
    return Job(
        inputs=tuple(find_inputs(inputs)),
        step=Slow(seconds=0.002),
        output=Path(output),
        shard_records=10,
        rejected=True,
    )


def run_slowly(inputs: list[str], output: str, jobs: int) -> None:
    """What the test that kills whole jobs starts."""
    slow_job(inputs, output).run(jobs=jobs, resume=True)
