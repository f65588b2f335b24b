"""The input process: for one input after the other, it starts a reader, runs the guarded step, and writes shards."""

from __future__ import annotations

import signal
import sys
import time
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from webstrata.crawls.arrow import without_pandas
from webstrata.crawls.reading.inputs import Place
from webstrata.crawls.reading.reader import Reader
from webstrata.crawls.reading.shared_pages import shared_pages
from webstrata.crawls.reading.warc import DAMAGE
from webstrata.crawls.running.guard import Guard
from webstrata.errors import InputError, WebstrataError
from webstrata.files import full_disk
from webstrata.workers.channels import Channel
from webstrata.workers.processes import end_with_parent

if TYPE_CHECKING:
    from webstrata.crawls.running.job import Job

__all__ = ["serve_inputs"]

# Seconds between two progress reports.
_REPORT_SECONDS = 0.25
# SharedPages for each worker and for the reader: what waits behind a page that takes long may fill some.
_SLOTS = 4


def serve_inputs(connection: Channel, job: Job, jobs: int, parent: int) -> None:
    """Receive numbers of inputs until the connection or the process ``parent`` ends.

    Each number is answered by any number of ``("progress", number, counts, reached)`` and one ``("done", number)``;
    after an error of the user, ``("error", error)``, the process ends.
    """
    end_with_parent(parent)
    without_pandas()
    signal.signal(signal.SIGTERM, _unwind)
    while True:
        number = connection.recv()
        try:
            _run_input(job, number, jobs, _Reporter(connection, job, number))
        except WebstrataError as error:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)  # this process is ending
            connection.send(("error", error))
            return
        except OSError as error:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            failed = InputError(f"{job.inputs[number].name}, written to {job.output}: {error}")
            connection.send(("error", full_disk(error) or failed))
            return
        connection.send(("done", number))


def _unwind(*_: object) -> None:
    """On SIGTERM: raise SystemExit, once, so that workers are ended and unfinished files removed."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(1)


class _Reporter:
    """Collects counts, and sends them a few times a second."""

    def __init__(self, connection: Channel, job: Job, number: int) -> None:
        self._connection = connection
        self._input = job.inputs[number]
        self._number = number
        self._counts: Counter[str] = Counter()
        self._next = 0.0

    def __call__(self, counts: Counter[str], place: Place | None) -> None:
        self._counts.update(counts)
        if time.monotonic() >= self._next and place is not None:
            self.send(self._input.reached(place))

    def send(self, reached: int) -> None:
        self._connection.send(("progress", self._number, self._counts, reached))
        self._counts = Counter()
        self._next = time.monotonic() + _REPORT_SECONDS


def _run_input(job: Job, number: int, jobs: int, report: Any) -> None:
    """Do the unfinished work of one input."""
    shards = job.shards(number)
    finished = shards.finished()
    report(sum((Counter(shard.counts) for shard in finished), Counter()), None)
    if not shards.complete():
        place = next((shard.place for shard in reversed(finished) if shard.place), None)
        if place is not None:
            reasons = {reason for shard in finished for reason in shard.counts}
            place = replace(place, damaged=not DAMAGE.isdisjoint(reasons))
        with shared_pages(_SLOTS * (jobs + 1)) as pages:
            reader = Reader(job.inputs[number], limits=job.limits, after=place, pages=pages)
            results = Guard(step=job.step, limits=job.limits, jobs=jobs, pages=pages)(iter(reader))
            try:
                for _ in shards.write(results, len(finished), report):
                    pass
            finally:
                # The reader first, because a thread of the guard may be waiting for it.
                reader.end()
                results.close()  # type: ignore[attr-defined]
    report.send(job.inputs[number].size or 0)
