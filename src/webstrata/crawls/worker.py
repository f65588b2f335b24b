"""What runs inside a worker process of the guard."""

from __future__ import annotations

import pickle
import resource
import signal
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.limits import Limits
from webstrata.crawls.records import record_schema, rejected
from webstrata.crawls.steps import Step
from webstrata.errors import WebstrataError

__all__ = ["pack", "run_worker"]


def run_worker(connection: Connection, step: Step, limits: Limits) -> None:
    """Answer requests until the connection ends: for each row of a request one message, a batch of one row.

    Before that comes one message: empty if the step works, else the pickled error that says why it never will.
    """
    connection.send_bytes(_warm_up(step))
    _limit_memory(limits.memory)
    # By default these two kill the process at once, even inside native code. That is the purpose.
    for number in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    while True:
        request = _unpack(connection.recv_bytes())
        for row in range(request.num_rows):
            _set_clocks(limits.seconds)
            answer = _one(step, request.slice(row, 1))
            _set_clocks(0)
            connection.send_bytes(answer.serialize())


def _warm_up(step: Step) -> bytes:
    """Run the step on a page, so that what it loads for itself is not counted against the first real one."""
    page = {"html": b"<title>a</title><p>a", "file": "", "record": 0}
    try:
        list(step(iter([pyarrow().RecordBatch.from_pylist([page], record_schema())])))
    except WebstrataError as error:
        return pickle.dumps(error)
    return b""


def _one(step: Step, record: Any) -> Any:
    """What a step makes of one record. An exception is a row as well."""
    try:
        rows = [batch for batch in step(iter([record])) if batch.num_rows]
    except MemoryError:
        return rejected(record, "out of memory", "", step.schema)
    except Exception as error:
        return rejected(record, "failed", f"{type(error).__name__}: {error}", step.schema)
    if len(rows) != 1 or rows[0].num_rows != 1:
        return rejected(record, "failed", "the step gave no single row for a record", step.schema)
    return rows[0]


def _set_clocks(seconds: float) -> None:
    """Die by SIGPROF after so much processor time, by SIGALRM after ten times that; 0 stops both clocks."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, 10 * seconds)


def _limit_memory(limit: int) -> None:
    """Let this process take ``limit`` bytes more than it has now. Where the system does not say, there is no limit."""
    status = Path("/proc/self/statm")
    if status.exists():
        now = int(status.read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + limit, now + limit))


def pack(batch: Any) -> Any:
    """A batch as a message that brings its schema."""
    pa = pyarrow()
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return sink.getvalue()


def _unpack(message: bytes) -> Any:
    pa = pyarrow()
    return pa.ipc.open_stream(pa.py_buffer(message)).read_next_batch()
