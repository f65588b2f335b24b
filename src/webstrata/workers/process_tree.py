"""Killing a process with all of its descendants.

On Linux the process that calls `adopt_orphans` becomes the parent of all processes that its children leave behind, so
that none escapes, and ``/proc`` lists them. On other systems only the children themselves are known; Chromium and its
driver end by themselves when these do.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from pathlib import Path
from socket import SHUT_RDWR, socket

from webstrata.workers.channels import Channel

__all__ = ["adopt_orphans", "descendants", "end_all", "hang_up", "memory", "reap"]

_PROC = Path("/proc")
_SET_CHILD_SUBREAPER = 36


def hang_up(connection: Channel) -> None:
    """End a connection for both sides, even while another thread reads from it."""
    with contextlib.suppress(OSError), socket(fileno=os.dup(connection.fileno())) as ours:
        ours.shutdown(SHUT_RDWR)


def adopt_orphans() -> None:
    """Become the parent of all orphans among the descendants of this process."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _parents() -> dict[int, int]:
    """The number of the parent of each process."""
    found = {}
    for folder in _PROC.glob("[0-9]*") if _PROC.is_dir() else ():
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The name of the program is in brackets and may contain anything, even brackets.
            found[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    return found


def descendants(pid: int) -> list[int]:
    """The numbers of all current descendants of a process."""
    children: dict[int, list[int]] = {}
    for child, parent in _parents().items():
        children.setdefault(parent, []).append(child)
    found: list[int] = []
    queue = [pid]
    while queue:
        below = children.get(queue.pop(), [])
        found += below
        queue += below
    return found


def memory(pid: int) -> int:
    """Bytes of memory that a process has; 0 if that is unknown."""
    try:
        return int((_PROC / str(pid) / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def reap() -> set[int]:
    """The children that have ended since the last call, which the system then forgets."""
    ended = set()
    with contextlib.suppress(ChildProcessError):
        while (pid := os.waitpid(-1, os.WNOHANG)[0]) != 0:
            ended.add(pid)
    return ended


def end_all(known: int | None = None, *, seconds: float = 3.0) -> None:
    """Kill all descendants of this process, or, on systems that do not list them, the known child."""
    limit = time.monotonic() + seconds
    while True:
        left = descendants(os.getpid()) or ([known] if known is not None and not _PROC.is_dir() else [])
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if known in reap():
            known = None
        if not left or time.monotonic() > limit:
            return
        time.sleep(0.01)
