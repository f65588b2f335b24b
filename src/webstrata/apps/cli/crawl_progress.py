"""Progress of a crawl job: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections import Counter
from types import TracebackType
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn

from webstrata.apps.cli.terminal import echo
from webstrata.crawls.reading.inputs import Input
from webstrata.crawls.running.job import Summary
from webstrata.crawls.running.shards import OUT

__all__ = ["CrawlProgress", "report_earlier"]

# Seconds between two lines in a log file.
_LINE_SECONDS = 10.0


def report_earlier(summary: Summary, output: object) -> None:
    """Say so if there was nothing left to do."""
    if summary.earlier:
        echo(f"{output}: finished already", err=True)


class CrawlProgress:
    """Shows progress on a stream while its ``with`` block runs: records, rate, rejected records, time left.

    Parameters
    ----------
    inputs : of the job
    title : before the counts, such as the number of the pass
    stream : the output; standard error by default
    """

    def __init__(self, inputs: tuple[Input, ...], title: str = "", *, stream: TextIO | None = None) -> None:
        self._title = f"{title}: " if title else ""
        self._console = Console(file=stream or sys.stderr)
        sizes = [item.size for item in inputs]
        self._sizes = {number: size for number, size in enumerate(sizes) if size}
        self._whole = len(self._sizes) == len(sizes)
        self._counts: Counter[str] = Counter()
        self._before = 0
        self._share = 0.0
        self._start = self._line = time.monotonic()
        columns: list[ProgressColumn] = [TextColumn("{task.description}"), BarColumn()]
        columns += [TaskProgressColumn(), TimeRemainingColumn()] if self._whole else []
        self._bar = Progress(*columns, console=self._console)
        self._task = self._bar.add_task(f"{self._title}starting", total=1.0 if self._whole else None)

    def __enter__(self) -> CrawlProgress:
        if self._console.is_terminal:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop() if self._console.is_terminal else self._print()

    def __call__(self, counts: Counter[str], reached: dict[int, int]) -> None:
        self._counts.update(counts)
        if not self._before:
            # The records of an earlier run are counted, but not for the speed of this run.
            self._start, self._before = time.monotonic(), self._counts.total()
        if self._whole:
            parts = (min(reached.get(number, 0) / size, 1.0) for number, size in self._sizes.items())
            self._share = sum(parts) / len(self._sizes)
        if self._console.is_terminal:
            self._bar.update(self._task, description=self._text(), completed=self._share)
        elif time.monotonic() - self._line >= _LINE_SECONDS:
            self._print()

    def _text(self) -> str:
        total = self._counts.total()
        seconds = time.monotonic() - self._start
        rate = (total - self._before) / seconds if seconds > 0 else 0.0
        written = self._counts[OUT]
        return f"{self._title}{total} records, {rate:.0f}/s, {written} written, {total - written} rejected"

    def _print(self) -> None:
        share = f", {self._share:.0%}" if self._whole else ""
        self._console.print(self._text() + share, highlight=False, soft_wrap=True)
        self._line = time.monotonic()
