"""Memory shared by an input process, its reader and its workers: pages are put there, and only their places are sent.

Over sockets, pages would be copied four times between the reader and the worker. Here the reader copies the pages of a
batch into a free slot of the memory and sends the other columns with the places of the pages; the input process passes
these on, and the worker reads the pages in their slot. When its rows are back, the slot is free again. Only the reader
maps the memory for writing. Pages that are too large for a slot are sent like other columns.
"""

from __future__ import annotations

import mmap
import os
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.reading.records import BATCH_BYTES, batch_of, record_schema

__all__ = ["PageWriter", "SharedPages", "shared_pages"]

# A batch ends with the page that exceeds its size, which may be a large one.
_SIZE = 2 * BATCH_BYTES
# The place of the page of a row: the number of its slot, and its bytes there. A row without a page has start == stop.
_PLACE = ("slot", "start", "stop")


class SharedPages:
    """The slots for readers of pages; picklable for children that inherit the descriptor.

    Parameters
    ----------
    descriptor : of the memory
    count : how many slots it has
    """

    def __init__(self, descriptor: int, count: int) -> None:
        self.descriptor = descriptor
        self.count = count
        self._memory = pyarrow().py_buffer(mmap.mmap(descriptor, count * _SIZE, access=mmap.ACCESS_READ))
        self._lock = threading.Lock()
        self._held: set[int] = set()
        self._freed: Callable[[int], None] = lambda slot: None

    def __reduce__(self) -> tuple[Any, ...]:
        return SharedPages, (self.descriptor, self.count)

    def with_pages(self, batch: Any) -> Any:
        """A batch, or a slice of one, with its pages, which stay in their slot."""
        pa = pyarrow()
        slot = _slot(batch)
        if slot is None:
            return batch
        starts, stops = (batch.column(name).to_numpy() for name in _PLACE[1:])
        buffers = np.packbits(stops > starts, bitorder="little"), np.append(starts, stops[-1:])
        memory = self._memory.slice(slot * _SIZE, _SIZE)
        html = pa.Array.from_buffers(pa.binary(), batch.num_rows, [*map(pa.py_buffer, buffers), memory])
        schema = record_schema()
        columns = [html if name == "html" else batch.column(name) for name in schema.names]
        return pa.RecordBatch.from_arrays(columns, schema=schema)

    # For the process that receives batches from the reader

    def hold(self, batch: Any) -> None:
        """Keep the slot of a batch until `release`."""
        slot = _slot(batch)
        if slot is not None:
            with self._lock:
                self._held.add(slot)

    def release(self, batch: Any) -> None:
        """Free the slot of a batch, if it has one. Its pages must not be used afterwards."""
        slot = _slot(batch)
        with self._lock:
            if slot is not None and slot in self._held:
                self._held.remove(slot)
                self._freed(slot)

    def free(self, freed: Callable[[int], None]) -> list[int]:
        """The free slots, for a new reader; ``freed`` is called with each slot that becomes free from now on."""
        with self._lock:
            self._freed = freed
            return [slot for slot in range(self.count) if slot not in self._held]


def _slot(batch: Any) -> int | None:
    """The slot of a batch; None if the batch contains its pages."""
    return int(batch.column("slot")[0].as_py()) if "slot" in batch.schema.names else None


class PageWriter:
    """The slots for the process that writes pages.

    Parameters
    ----------
    shared : the memory
    free : the numbers of free slots
    wait : waits for the number of another free slot
    """

    def __init__(self, shared: SharedPages, free: list[int], wait: Callable[[], int]) -> None:
        self._memory = memoryview(mmap.mmap(shared.descriptor, shared.count * _SIZE))
        self._free = free
        self._wait = wait

    def batch(self, rows: Sequence[dict[str, Any]]) -> Any:
        """Rows as a batch with the places of its pages in a slot, or with the pages if they do not fit into a slot."""
        pages = [row.get("html") or b"" for row in rows]
        stops = np.cumsum([len(page) for page in pages])
        if stops[-1] > _SIZE:
            return batch_of(rows)
        slot = self._free.pop() if self._free else self._wait()
        starts = stops - [len(page) for page in pages]
        first = slot * _SIZE
        for page, start, stop in zip(pages, starts.tolist(), stops.tolist(), strict=True):
            self._memory[first + start : first + stop] = page
        columns = [np.full(len(rows), slot, np.int32), starts.astype(np.int32), stops.astype(np.int32)]
        batch = batch_of(rows, without="html")
        for name, column in zip(_PLACE, columns, strict=True):
            batch = batch.append_column(name, pyarrow().array(column))
        return batch


@contextmanager
def shared_pages(count: int) -> Iterator[SharedPages]:
    """Memory with this number of slots for a reader and its workers."""
    descriptor = _nameless_file()
    try:
        os.ftruncate(descriptor, count * _SIZE)
        yield SharedPages(descriptor, count)
    finally:
        os.close(descriptor)


def _nameless_file() -> int:
    """The descriptor of a file without a name, in memory if the system supports it."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("webstrata")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
