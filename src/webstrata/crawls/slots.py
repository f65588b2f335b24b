"""Memory that the processes of a lane share: a batch lies in a slot, and only where it lies is sent.

Over sockets, pages would be copied four times between the process that reads them and the one that works on them. Here
the reader writes a batch into a free slot, and the lane and the worker read it there; once its rows are back, the slot
is free again. Only the reader maps the memory for writing. A batch that is too large for a slot is sent as a message.
"""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.records import BATCH_BYTES, unpacked

__all__ = ["Reference", "Slots", "Writer", "shared_slots"]

# A batch ends with the page that fills it, which may be a large one; its other columns take a part as well.
_SIZE = 2 * BATCH_BYTES
_REFERENCE = struct.Struct("!QQ")


@dataclass(frozen=True, slots=True)
class Reference:
    """Where a batch lies: the number of its slot, and its bytes."""

    slot: int
    length: int

    def packed(self) -> bytes:
        """The reference as a message, which is shorter than any batch."""
        return _REFERENCE.pack(self.slot, self.length)

    @classmethod
    def of(cls, message: Any) -> Reference | None:
        """The reference that a message is; None for one that is a batch itself."""
        return cls(*_REFERENCE.unpack(message)) if len(message) == _REFERENCE.size else None


class Slots:
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
        self._held: dict[int, tuple[Reference, int]] = {}
        self._freed: Callable[[int], None] = lambda slot: None

    def __reduce__(self) -> tuple[Any, ...]:
        return Slots, (self.descriptor, self.count)

    def batch(self, message: Any) -> Any:
        """The batch of a message, in its slot if it lies there."""
        reference = Reference.of(message)
        if reference is None:
            return unpacked(message)
        return unpacked(self._memory.slice(reference.slot * _SIZE, reference.length))

    # Whoever takes batches from the reader

    def take(self, message: Any) -> Any:
        """The batch of a message, its slot held until `release`."""
        batch, reference = self.batch(message), Reference.of(message)
        if reference is not None:
            with self._lock:
                self._held[reference.slot] = reference, batch.num_rows
        return batch

    def reference(self, batch: Any) -> Reference | None:
        """Where a batch lies; None for one that lies elsewhere, or that is only a part of one."""
        held = self._held.get(self._slot(batch))
        return held[0] if held and held[1] == batch.num_rows else None

    def release(self, batch: Any) -> None:
        """Give the slot of a batch back, if it lies in one. Nobody may look at the batch any more."""
        slot = self._slot(batch)
        with self._lock:
            if self._held.pop(slot, None) is not None:
                self._freed(slot)

    def free(self, freed: Callable[[int], None]) -> list[int]:
        """The slots that nobody holds, for a new reader; `freed` is called with each that is given back from now on."""
        with self._lock:
            self._freed = freed
            return [slot for slot in range(self.count) if slot not in self._held]

    def _slot(self, batch: Any) -> int:
        """The slot that the memory of a batch is in; a number that no slot has for memory elsewhere."""
        return int((batch.column("record").buffers()[1].address - self._memory.address) // _SIZE)


class Writer:
    """The slots as the reader writes them.

    Parameters
    ----------
    slots : where they are
    free : the numbers of those that are free
    wait : waits for another number
    """

    def __init__(self, slots: Slots, free: list[int], wait: Callable[[], int]) -> None:
        self._memory = memoryview(mmap.mmap(slots.descriptor, slots.count * _SIZE))
        self._free = free
        self._wait = wait

    def write(self, pack: Callable[[Any], Any], size: int) -> Reference | None:
        """Let a function write so many bytes or fewer, and say where they are; None where no slot has room for them."""
        if size > _SIZE:
            return None
        slot = self._free.pop() if self._free else self._wait()
        room = pyarrow().py_buffer(self._memory[slot * _SIZE : (slot + 1) * _SIZE])
        return Reference(slot, pack(room).size)


@contextmanager
def shared_slots(count: int) -> Iterator[Slots]:
    """So many slots for a reader and its workers."""
    descriptor = _nameless_file()
    try:
        os.ftruncate(descriptor, count * _SIZE)
        yield Slots(descriptor, count)
    finally:
        os.close(descriptor)


def _nameless_file() -> int:
    """The descriptor of a file that ends with those who have it open: in memory where the system can."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("webstrata")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
