"""Processes that are ended for sure, with all that they started.

On Linux the process that calls `adopt_orphans` becomes the parent of whatever its children leave behind, so that
nothing gets away from it, and `/proc` tells what is there. On other systems only the children themselves are known;
Chromium and its driver end by themselves when these do.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path
from socket import SHUT_RDWR, socket, socketpair

__all__ = ["adopt_orphans", "descendants", "end_all", "hang_up", "memory", "reap", "start"]

_PROC = Path("/proc")
_SET_CHILD_SUBREAPER = 36


def start(module: str) -> tuple[int, Connection]:
    """Run a module with a connection to this process, in a session of its own that no Ctrl-C reaches."""
    ours, theirs = socketpair()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    process = subprocess.Popen(
        [sys.executable, "-c", f"from {module} import main; main({theirs.fileno()})"],
        pass_fds=[theirs.fileno()],
        env=environment,
        start_new_session=True,
        stdin=subprocess.DEVNULL,
    )
    theirs.close()
    # Whoever starts it also waits for it, by its number.
    process.returncode = 0
    return process.pid, Connection(ours.detach())


def hang_up(connection: Connection) -> None:
    """End a connection for both sides, even while another thread reads from it."""
    with contextlib.suppress(OSError), socket(fileno=os.dup(connection.fileno())) as ours:
        ours.shutdown(SHUT_RDWR)


def adopt_orphans() -> None:
    """Become the parent of all orphans among the descendants of this process."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _parents() -> dict[int, int]:
    """The parent of each process."""
    found = {}
    for folder in _PROC.glob("[0-9]*") if _PROC.is_dir() else ():
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The name of a program stands in brackets and may hold anything.
            found[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    return found


def descendants(pid: int) -> list[int]:
    """All processes below one, at this moment."""
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
    """Bytes of memory that a process holds; 0 where that is not known."""
    try:
        return int((_PROC / str(pid) / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def reap() -> set[int]:
    """Take note of the children that have ended."""
    ended = set()
    with contextlib.suppress(ChildProcessError):
        while (pid := os.waitpid(-1, os.WNOHANG)[0]) != 0:
            ended.add(pid)
    return ended


def end_all(known: int | None = None, *, seconds: float = 3.0) -> None:
    """End all descendants of this process, and the known child where descendants cannot be told."""
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
