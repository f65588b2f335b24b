"""One lock for a folder that one process at a time may write to: of a run, of a fold, of an index, of annotations."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from webstrata.errors import InputError

__all__ = ["locked"]

# After a kill, it may take a moment until the system has ended the processes of the earlier run.
_SECONDS = 10


@contextmanager
def locked(path: Path, folder: Path | None = None, *, seconds: float | None = None) -> Iterator[int]:
    """Lock a file, which is made if it is missing, while the ``with`` block runs. Raises `InputError` if it is locked.

    Yields the descriptor. The lock lasts as long as any process that inherits it, and ends with that process. Windows
    has no such locks: nothing is locked there.

    Parameters
    ----------
    path : the file, in a folder that exists or can be made
    folder : the folder that the lock is for, for messages; by default the one of the file
    seconds : how long to wait for another process

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as name, locked(Path(name, "lock")):
    ...     with locked(Path(name, "lock"), Path("out"), seconds=0):
    ...         pass
    Traceback (most recent call last):
    webstrata.errors.InputError: another process is writing to out: wait for it, or name another folder
    """
    folder = folder or path.parent
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
    except OSError as error:
        raise InputError(f"cannot write to {folder}: {error.strerror}") from error
    try:
        _acquire(descriptor, folder, time.monotonic() + (_SECONDS if seconds is None else seconds))
        yield descriptor
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, folder: Path, deadline: float) -> None:
    try:
        import fcntl
    except ImportError:
        return
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError as error:
            if time.monotonic() > deadline:
                raise InputError(
                    f"another process is writing to {folder}: wait for it, or name another folder"
                ) from error
        time.sleep(0.05)
