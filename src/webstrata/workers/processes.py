"""Child processes that can be killed at any moment.

A child is a fresh interpreter that runs one function with a connection to its parent. It does not import the parent's
main script, so it starts the same way under the command line, pytest and Spark. When its parent dies, the connection
ends, and so does the child. Children ignore Ctrl-C: the parent decides when they end.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from webstrata.workers.channels import Channel

__all__ = ["Child", "end_with_parent", "launch_child", "serve", "start_child"]

# The option of Linux's prctl that sends a signal to a process when its parent ends (linux/prctl.h).
_PR_SET_PDEATHSIG = 1

# What a child has unless its environment says otherwise. It has a core to itself at best: threads that NumPy would
# start in it only spin. And page after page takes and frees some megabytes, which glibc would give back to the system
# each time, to have them cleared again for the next page: a twentieth of the time of a crawl.
_SETTINGS = {
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_MMAP_THRESHOLD_": str(32 << 20),
    "MALLOC_TRIM_THRESHOLD_": str(64 << 20),
}
_READY = b"ready"
# A child that cleans up for longer is killed. One that was told to end has less time, because it may be busy with a
# page that never ends.
_FINISH_SECONDS, _END_SECONDS = 10, 2


@dataclass(frozen=True, slots=True)
class Child:
    """A running child and the connection to it."""

    process: subprocess.Popen[bytes]
    connection: Channel

    def begun(self) -> Child:
        """Itself, when its function has begun. Raises `RuntimeError` if it ends before that."""
        try:
            ready = self.connection.recv_bytes() == _READY
        except (EOFError, OSError):
            ready = False
        if not ready:
            code = self.kill()
            raise RuntimeError(f"a child process ended with code {code} before it began; its error is shown above")
        return self

    def kill(self) -> int:
        """End it at once; returns its exit code, negative for a signal."""
        self.process.kill()
        return self.finish()

    def end(self) -> int:
        """End it, with the chance to close what it opened if it wants that; returns its exit code."""
        self.process.terminate()
        return self.finish(seconds=_END_SECONDS)

    def finish(self, *, seconds: float = _FINISH_SECONDS) -> int:
        """Close the connection, which ends it once it has cleaned up; returns its exit code."""
        self.connection.close()
        try:
            return self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


def start_child(function: Callable[..., None], *arguments: Any, pass_fds: Sequence[int] = ()) -> Child:
    """Run ``function(connection, *arguments)`` in a child. Function and arguments must be picklable by name.

    Raises `RuntimeError` if the child ends before it could begin, such as when a module is missing.
    """
    return launch_child(function, *arguments, pass_fds=pass_fds).begun()


def launch_child(function: Callable[..., None], *arguments: Any, pass_fds: Sequence[int] = ()) -> Child:
    """As `start_child`, without waiting until the child has begun."""
    ours, theirs = socket.socketpair()
    # Between its start and its first statement the child would die of a Ctrl-C with a trace: it starts with it blocked.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process = subprocess.Popen(
            [sys.executable, "-c", f"from {__name__} import serve; serve({theirs.fileno()})"],
            pass_fds=[theirs.fileno(), *pass_fds],
            env=_environment(),
        )
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    theirs.close()
    child = Child(process, Channel(ours))
    with suppress(OSError):  # of a child that has ended: `begun` says so
        child.connection.send_bytes(pickle.dumps((function, arguments)))
    return child


def _environment() -> dict[str, str]:
    """This process's environment, with its module path, so that the child finds what the parent found."""
    paths = os.pathsep.join(path for path in sys.path if path)
    return {**_SETTINGS, **os.environ, "PYTHONPATH": paths}


def serve(descriptor: int) -> None:
    """The child's side of `start_child`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    connection = Channel(socket.socket(fileno=descriptor))
    try:
        function, arguments = pickle.loads(connection.recv_bytes())
        connection.send_bytes(_READY)
        function(connection, *arguments)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        # The parent is gone, so nobody waits for an answer.
        sys.exit(1)


def end_with_parent(parent: int) -> None:
    """Let the system kill this process when the thread that started it ends, whatever this process is busy with.

    Elsewhere than on Linux, a child learns of its parent's end when it next uses the connection.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
