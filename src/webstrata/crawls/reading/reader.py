"""Reading under limits: a separate process reads an input, so that no input can stall the run or exhaust the memory.

Archives, JSON and Parquet are as untrusted as pages. The process has the limits of a worker
(`webstrata.workers.limits.Limits`): time for each record, and memory. If it dies, it is started again and sends one
record at a time, which shows which record kills it. That one becomes a row with a reason, and in a WARC file reading
continues after it.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Generator, Iterator
from contextlib import suppress
from typing import Any

from webstrata.crawls.arrow import fastwarc, pyarrow, without_pandas
from webstrata.crawls.reading.inputs import Input, Place
from webstrata.crawls.reading.records import BATCH_ROWS, batch_of, batches_of, grouped_rows, packed, unpacked
from webstrata.crawls.reading.shared_pages import PageWriter, SharedPages
from webstrata.crawls.reading.warc import DAMAGE
from webstrata.errors import WebstrataError, WorkerError
from webstrata.workers.channels import Channel
from webstrata.workers.limits import Limits
from webstrata.workers.processes import Child, start_child
from webstrata.workers.worker import (
    Failure,
    describe_error,
    how_it_ended,
    limit_memory,
    set_clocks,
    use_default_signals,
)

__all__ = ["Reader"]

# No batch is as short as these messages.
_READY, _END = b"ready", b"end"


class Reader:
    """The batches of an input, read by another process.

    Parameters
    ----------
    source : the input
    limits : of time for each record, of memory, and of the bytes of a page
    after : begin after this record
    pages : the shared memory to put pages into; None to send them
    """

    def __init__(
        self, source: Input, *, limits: Limits, after: Place | None = None, pages: SharedPages | None = None
    ) -> None:
        self._source = source
        self._limits = limits
        self._place = after
        self._pages = pages
        self._child: Child | None = None
        self._ended = False
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[Any]:
        # Records that a dead process has read but not sent are lost, and the standard input cannot be read again.
        piped = self._source.kind == "stdin"
        single, skip = piped, 0
        while True:
            before = self._place
            failure = yield from self._batches(single, skip)
            if failure is None:
                return
            if self._place is not before:
                skip = 0
            if not single:
                single = True
                continue
            goes_on = self._source.kind == "warc"
            rest = "" if goes_on else "; what follows was not read"
            number = skip if self._place is None else self._place.record + 1 + skip
            row = {"file": self._source.files[0], "record": number, "reason": failure.reason}
            yield from batches_of([{**row, "detail": failure.detail + rest}])
            if not goes_on:
                return
            skip, single = skip + 1, False

    def _batches(self, single: bool, skip: int) -> Generator[Any, None, Failure | None]:
        """Yield batches up to the end, and return None, or up to a failure, and return that.

        ``skip`` records after the last one that was yielded are skipped.
        """
        child = self._start(single, skip)
        if child is None:
            return None
        try:
            while True:
                message = child.connection.recv_bytes()
                if message == _END:
                    return _outcome(pickle.loads(child.connection.recv_bytes()))
                batch = unpacked(message)
                if self._pages:
                    self._pages.hold(batch)
                self._place = _last(batch, self._place)
                yield batch
        except (EOFError, OSError):
            return None if self._ended else how_it_ended(child.process.wait(), self._limits)
        finally:
            child.end()

    def _start(self, single: bool, skip: int) -> Child | None:
        with self._lock:
            if self._ended:
                return None
            child = self._launched(single, skip)
            try:
                ready = child.connection.recv_bytes() == _READY
            except (EOFError, OSError):
                ready = False
            if not ready:
                raise WorkerError(f"a reader ended with code {child.kill()} before its first record")
            self._child = child
            return child

    def _launched(self, single: bool, skip: int) -> Child:
        pages = self._pages
        arguments = self._source, self._limits, self._place, single, skip, pages
        child = start_child(_serve, *arguments, pass_fds=[pages.descriptor] if pages else [])
        if pages:

            def freed(slot: int) -> None:
                with suppress(OSError):  # the child has ended
                    child.connection.send(slot)

            child.connection.send(pages.free(freed))
        return child

    def end(self) -> None:
        """Kill the process, even while another thread waits for it."""
        with self._lock:
            self._ended = True
            if self._child is not None:
                self._child.process.kill()


def _outcome(last: Exception | Failure | None) -> Failure | None:
    """The last message of a reader: raises errors, returns failures."""
    if isinstance(last, Exception):
        raise last
    return last


def _last(batch: Any, before: Place | None) -> Place:
    """The place of a batch's last record."""
    row = batch.slice(batch.num_rows - 1).select(["record", "offset", "url", "crawled"]).to_pylist()[0]
    damaged = before is not None and before.damaged
    return Place(**row, damaged=damaged or not DAMAGE.isdisjoint(batch.column("reason").to_pylist()))


# In the reader's process


def _serve(
    connection: Channel,
    source: Input,
    limits: Limits,
    after: Place | None,
    single: bool,
    skip: int,
    pages: SharedPages | None,
) -> None:
    """Run in the process: send `_READY`, batches, `_END`, and last None, an error of the user, or a failure."""
    _warm_up()
    writer = PageWriter(pages, connection.recv(), connection.recv) if pages else None
    connection.send_bytes(_READY)
    use_default_signals()
    limit_memory(limits.memory)
    last: Any = None
    try:
        rows = _timed(source.rows(limit=limits.bytes, after=after, skip=skip), limits)
        for group in grouped_rows(rows, count=1 if single else BATCH_ROWS):
            connection.send_bytes(packed(writer.batch(group) if writer else batch_of(group)))
    except WebstrataError as error:
        last = error
    except MemoryError:
        last = Failure("out of memory")
    except (EOFError, BrokenPipeError, ConnectionResetError):  # the parent is gone
        raise
    except Exception as error:
        last = Failure("failed", describe_error(error))
    set_clocks(None)
    connection.send_bytes(_END)
    connection.send_bytes(pickle.dumps(last))


def _warm_up() -> None:
    """Load the modules that reading needs, so that their memory is not charged to a record."""
    without_pandas()
    pyarrow("pyarrow.parquet")
    fastwarc("fastwarc.stream_io")
    page = {"html": b"<p>one", "file": "", "record": 0, "headers": [("a", "b")]}
    packed(batch_of([page]))


def _timed(rows: Iterator[dict[str, Any]], limits: Limits) -> Iterator[dict[str, Any]]:
    """The rows, with the timers running while each is read."""
    while True:
        set_clocks(limits)
        row = next(rows, None)
        set_clocks(None)
        if row is None:
            return
        yield row
