"""Messages between a process and its child.

They go over a socket, as those of `multiprocessing.connection` do, with the same methods. That module copies a long
message several times on either side: a megabyte takes thirteen times as long there.
"""

from __future__ import annotations

import pickle
import socket
import struct
from multiprocessing.connection import wait
from typing import Any

import numpy as np

__all__ = ["Channel"]

_LENGTH = struct.Struct("!Q")
# Shorter messages are sent together with their length.
_SHORT = 16_384


class Channel:
    """One end of a pair of sockets.

    >>> here, there = map(Channel, socket.socketpair())
    >>> here.send_bytes(b"silt")
    >>> there.poll(1), bytes(there.recv_bytes())
    (True, b'silt')
    >>> here.close()
    >>> there.recv_bytes()
    Traceback (most recent call last):
    ...
    EOFError
    >>> there.close()
    """

    def __init__(self, end: socket.socket) -> None:
        self._socket = end

    def send_bytes(self, message: Any) -> None:
        """Send the bytes of any buffer."""
        view = memoryview(message).cast("B")
        length = _LENGTH.pack(len(view))
        if len(view) < _SHORT:
            self._socket.sendall(length + view)
        else:
            self._socket.sendall(length)
            self._socket.sendall(view)

    def recv_bytes(self) -> memoryview:
        """Wait for the next message; `EOFError` when the other end is closed."""
        (length,) = _LENGTH.unpack(self._read(_LENGTH.size))
        return self._read(length)

    def _read(self, length: int) -> memoryview:
        # NumPy does not clear the memory first, as bytearray does.
        message = rest = np.empty(length, np.uint8).data
        while rest:
            count = self._socket.recv_into(rest, 0, socket.MSG_WAITALL)
            if not count:
                raise EOFError
            rest = rest[count:]
        return message

    def send(self, value: Any) -> None:
        """Send a value that can be pickled."""
        self.send_bytes(pickle.dumps(value))

    def recv(self) -> Any:
        """The next value that was sent."""
        return pickle.loads(self.recv_bytes())

    def poll(self, seconds: float) -> bool:
        """Wait up to some seconds until there is a message or the end; returns whether there is one of both."""
        return bool(wait([self._socket], seconds))

    @property
    def closed(self) -> bool:
        return self._socket.fileno() < 0

    def fileno(self) -> int:
        return self._socket.fileno()

    def close(self) -> None:
        self._socket.close()
