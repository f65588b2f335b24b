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

from gates import HANG_SECONDS, pass_gate

from webstrata.crawls import Extract, Input, Job, Limits, find_inputs
from webstrata.crawls.reading.inputs import Place
from webstrata.extraction import Extraction
from webstrata.extraction.shallow import KeepAll
from webstrata.page import Page

__all__ = ["Deadly", "Gated", "Hostile", "HostileExtractor", "Stopping", "gated_job", "run_gated"]


def _spin() -> None:
    while True:
        pass


def _break() -> None:
    raise ArithmeticError("broken on purpose")


#: What a page does that holds one of these words, which no page holds by chance.
DEEDS: dict[bytes, Callable[[], object]] = {
    b"@KILL@": lambda: os.kill(os.getpid(), signal.SIGKILL),
    b"@STOP@": lambda: os.kill(os.getpid(), signal.SIGSTOP),
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


@dataclass(frozen=True, slots=True)
class Deadly(Input):
    """An input of which two records kill whoever reads them."""

    def rows(self, *, limit: int, after: Place | None = None, skip: int = 0) -> Iterator[dict[str, Any]]:
        for row in Input.rows(self, limit=limit, after=after, skip=skip):
            if row["url"] in ("http://2/", "http://3/"):
                os.kill(os.getpid(), signal.SIGSEGV)
            yield row


@dataclass(frozen=True, slots=True)
class Stopping(Input):
    """An input whose reader is stopped at one record, the first time that it is read."""

    def rows(self, *, limit: int, after: Place | None = None, skip: int = 0) -> Iterator[dict[str, Any]]:
        for row in Input.rows(self, limit=limit, after=after, skip=skip):
            stopped = Path(f"{self.files[0]}.stopped")
            if row["url"] == "http://2/" and not stopped.exists():
                stopped.touch()
                os.kill(os.getpid(), signal.SIGSTOP)
            yield row


@dataclass(frozen=True, kw_only=True)
class Gated:
    """Extraction in which every page passes a gate."""

    gate: str

    @property
    def schema(self) -> Any:
        return Extract(algorithm="keep-all").schema

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            for html in batch.column("html").to_pylist():
                # The page that a worker tries itself out with is nobody's business.
                if html != b"<title>a</title><p>a":
                    pass_gate(self.gate)
            yield from Extract(algorithm="keep-all")(iter([batch]))


def gated_job(inputs: list[str], output: str, gate: str) -> Job:
    return Job(
        inputs=tuple(find_inputs(inputs)),
        step=Gated(gate=gate),
        output=Path(output),
        limits=Limits(seconds=HANG_SECONDS / 10),
        shard_records=10,
        rejected=True,
    )


def run_gated(inputs: list[str], output: str, gate: str, jobs: int) -> None:
    """What the tests that kill whole jobs start."""
    gated_job(inputs, output, gate).run(jobs=jobs, resume=True)


@dataclass(frozen=True, kw_only=True)
class HostileExtractor:
    """An extractor that does to its process what the page says."""

    def __call__(self, page: Page) -> Extraction:
        for word, deed in DEEDS.items():
            if word in page.source:
                deed()
        return KeepAll()(page)
