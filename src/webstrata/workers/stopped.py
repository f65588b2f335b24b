"""Ends children that somebody has stopped with SIGSTOP.

The clocks of a stopped process stand still, so its parent would wait without end. One thread of the parent looks at all
of its children every second. A child that is stopped twice in a row is killed, which its parent notices as any other
end of a child. When a whole terminal job is stopped and goes on later, no child is killed, because the parent was
stopped as well.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time

__all__ = ["end_if_stopped"]

_SECONDS = 1.0

_lock = threading.Lock()
_children: list[subprocess.Popen[bytes]] = []


def end_if_stopped(child: subprocess.Popen[bytes]) -> None:
    """Watch a child until it ends. On systems without waitid (macOS with Python before 3.13), do nothing."""
    if not hasattr(os, "waitid"):
        return
    with _lock:
        _children.append(child)
        if len(_children) == 1:
            threading.Thread(target=_watch, daemon=True, name="webstrata-stopped").start()


def _watch() -> None:
    """Run by the thread while there are children."""
    before: set[int] = set()
    while True:
        time.sleep(_SECONDS)
        with _lock:
            _children[:] = [child for child in _children if child.returncode is None]
            if not _children:
                return
            stopped = [child for child in _children if _is_stopped(child.pid)]
        for child in stopped:
            if child.pid in before:
                child.kill()
        before = {child.pid for child in stopped}


def _is_stopped(pid: int) -> bool:
    try:
        return os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:  # it has ended
        return False
