"""Reading under limits: a process of its own reads an input, so that no input can hang or starve the run.

Archives, JSON and Parquet come from outside as pages do. The reader's process has the limits of a worker
(`webstrata.workers.limits.Limits`): so much time for each record, and so much memory. When it dies, it is started again
and gives one record at a time, which tells the record that it dies of. That one becomes a row with a reason, and in a
WARC file reading goes on behind it.
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
from webstrata.errors import WebstrataError
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

# No batch is as short as one of these.
_READY, _END = b"ready", b"end"


class Reader:
    """The batches of an input, read by another process.

    Parameters
    ----------
    source : what to read
    limits : of time for each record, of memory, and of the bytes of a page
    after : begin behind this record
    slots : where to put the pages; without that, they are sent
    """

    def __init__(
        self, source: Input, *, limits: Limits, after: Place | None = None, slots: SharedPages | None = None
    ) -> None:
        self._source = source
        self._limits = limits
        self._place = after
        self._slots = slots
        self._child: Child | None = None
        self._ended = False
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[Any]:
        # What was read but not given is lost with its process, and the standard input cannot be read again.
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
        """The batches up to the end, where it returns None, or up to a failure, which it returns.

        ``skip`` records behind the last one that was given are passed over.
        """
        child = self._start(single, skip)
        if child is None:
            return None
        try:
            while True:
                message = child.connection.recv_bytes()
                if message == _END:
                    return _how_it_went(pickle.loads(child.connection.recv_bytes()))
                batch = unpacked(message)
                if self._slots:
                    self._slots.hold(batch)
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
                raise RuntimeError(f"a reader ended with code {child.kill()} before its first record")
            self._child = child
            return child

    def _launched(self, single: bool, skip: int) -> Child:
        slots = self._slots
        arguments = self._source, self._limits, self._place, single, skip, slots
        child = start_child(_serve, *arguments, pass_fds=[slots.descriptor] if slots else [])
        if slots:

            def freed(slot: int) -> None:
                with suppress(OSError):  # it has ended
                    child.connection.send(slot)

            child.connection.send(slots.free(freed))
        return child

    def end(self) -> None:
        """End the process, also while another thread waits for it."""
        with self._lock:
            self._ended = True
            if self._child is not None:
                self._child.process.kill()


def _how_it_went(last: Exception | Failure | None) -> Failure | None:
    """What a reader says at its end."""
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
    slots: SharedPages | None,
) -> None:
    """Say that it is ready, send batches, and say that it ends: with None, an error for the user, or a failure."""
    _warm_up()
    writer = PageWriter(slots, connection.recv(), connection.recv) if slots else None
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
    except (EOFError, BrokenPipeError, ConnectionResetError):  # nobody is there to send to
        raise
    except Exception as error:
        last = Failure("failed", describe_error(error))
    set_clocks(None)
    connection.send_bytes(_END)
    connection.send_bytes(pickle.dumps(last))


def _warm_up() -> None:
    """Load now what reading would load when it is first used, so that it is not counted as memory of a record."""
    without_pandas()
    pyarrow("pyarrow.parquet")
    fastwarc("fastwarc.stream_io")
    page = {"html": b"<p>one", "file": "", "record": 0, "headers": [("a", "b")]}
    packed(batch_of([page]))


def _timed(rows: Iterator[dict[str, Any]], limits: Limits) -> Iterator[dict[str, Any]]:
    """The rows, with the clocks running while each is read."""
    while True:
        set_clocks(limits)
        row = next(rows, None)
        set_clocks(None)
        if row is None:
            return
        yield row
