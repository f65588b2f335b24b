"""Memory that the processes of a lane share: the HTML of a batch lies in a slot, and only where it lies is sent.

Over sockets, pages would be copied four times between the process that reads them and the one that works on them. Here
the reader copies the pages of a batch into a free slot and sends the other columns with the places of the pages; the
lane hands these on, and the worker looks at the pages in their slot. Once its rows are back, the slot is free again.
Only the reader maps the memory for writing. Pages that are too large for a slot are sent as any other column.
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

# A batch ends with the page that fills it, which may be a large one.
_SIZE = 2 * BATCH_BYTES
# Where the page of a row lies: the number of its slot, and its bytes there. No page has none, and a row without a page
# has no bytes.
_PLACE = ("slot", "start", "stop")


class SharedPages:
    """The slots as they are read; picklable for children that inherit the descriptor.

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
        """A batch, or a part of one, with its pages, which stay in their slot."""
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

    # Whoever takes batches from the reader

    def hold(self, batch: Any) -> None:
        """Keep the slot of a batch until `release`."""
        slot = _slot(batch)
        if slot is not None:
            with self._lock:
                self._held.add(slot)

    def release(self, batch: Any) -> None:
        """Give the slot of a batch back, if it has one. Nobody may look at its pages any more."""
        slot = _slot(batch)
        with self._lock:
            if slot is not None and slot in self._held:
                self._held.remove(slot)
                self._freed(slot)

    def free(self, freed: Callable[[int], None]) -> list[int]:
        """The slots that nobody holds, for a new reader; `freed` is called with each that is given back from now on."""
        with self._lock:
            self._freed = freed
            return [slot for slot in range(self.count) if slot not in self._held]


def _slot(batch: Any) -> int | None:
    """The slot of a batch; None for one that has its pages with it."""
    return int(batch.column("slot")[0].as_py()) if "slot" in batch.schema.names else None


class PageWriter:
    """The slots as the reader writes them.

    Parameters
    ----------
    slots : where they are
    free : the numbers of those that are free
    wait : waits for another number
    """

    def __init__(self, slots: SharedPages, free: list[int], wait: Callable[[], int]) -> None:
        self._memory = memoryview(mmap.mmap(slots.descriptor, slots.count * _SIZE))
        self._free = free
        self._wait = wait

    def batch(self, rows: Sequence[dict[str, Any]]) -> Any:
        """Rows as a batch whose pages lie in a slot, if one has room for them."""
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
    """So many slots for a reader and its workers."""
    descriptor = _nameless_file()
    try:
        os.ftruncate(descriptor, count * _SIZE)
        yield SharedPages(descriptor, count)
    finally:
        os.close(descriptor)


def _nameless_file() -> int:
    """The descriptor of a file that ends with those who have it open: in memory where the system can."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("webstrata")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
