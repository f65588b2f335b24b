"""Child processes that can be killed at any moment. All child processes of the package are started here.

A child is a fresh interpreter that runs one function with a connection to its parent. It does not import the parent's
main script, so it starts the same way under the command line, pytest and Spark. When its parent dies, the connection
ends, and so does the child. Children ignore Ctrl-C: the parent decides when they end. All of this needs a POSIX system.
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

from webstrata.errors import WorkerError
from webstrata.workers.channels import Channel
from webstrata.workers.stopped import end_if_stopped

__all__ = ["Child", "end_with_parent", "launch_child", "need_posix", "serve", "start_child"]

# The option of Linux's prctl that sends a signal to a process when its parent ends (linux/prctl.h).
_PR_SET_PDEATHSIG = 1

# Environment variables of a child, unless they are set already. A child has at most one core, where more threads of
# NumPy only compete. And each page allocates and frees some megabytes: glibc would return them to the system each time,
# which would clear them again for the next page. Keeping them makes a crawl 5 % faster.
_ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_MMAP_THRESHOLD_": str(32 << 20),
    "MALLOC_TRIM_THRESHOLD_": str(64 << 20),
}
_READY = b"ready"
# A child that cleans up for longer is killed. One that is terminated has less time, because it may be busy with a page
# that never ends.
_FINISH_SECONDS, _END_SECONDS = 10, 2


@dataclass(frozen=True, slots=True)
class Child:
    """A running child and the connection to it."""

    process: subprocess.Popen[bytes]
    connection: Channel

    def begun(self) -> Child:
        """Wait until the function has begun; returns the child. Raises `WorkerError` if it ends before that."""
        try:
            ready = self.connection.recv_bytes() == _READY
        except (EOFError, OSError):
            ready = False
        if not ready:
            code = self.finish(seconds=_END_SECONDS)
            raise WorkerError(f"a child process ended with code {code} before it began; its error is shown above")
        return self

    def kill(self) -> int:
        """Kill the child; returns its exit code, negative for a signal."""
        self.process.kill()
        return self.finish()

    def end(self) -> int:
        """Terminate the child, which may close what it opened; returns its exit code."""
        self.process.terminate()
        return self.finish(seconds=_END_SECONDS)

    def finish(self, *, seconds: float = _FINISH_SECONDS) -> int:
        """Close the connection and wait until the child has cleaned up; returns its exit code."""
        self.connection.close()
        try:
            return self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


def need_posix() -> None:
    """Raise `WorkerError` on a system without the processes, limits and signals of POSIX."""
    if not hasattr(os, "fork"):
        raise WorkerError("worker processes need a POSIX system such as Linux or macOS: on Windows, use WSL")


def start_child(
    function: Callable[..., None], *arguments: Any, pass_fds: Sequence[int] = (), own_session: bool = False
) -> Child:
    """Run ``function(connection, *arguments)`` in a child. Function and arguments must be picklable by name.

    Raises `WorkerError` if the child ends before the function begins, for example when a module is missing.

    Parameters
    ----------
    pass_fds : descriptors that the child inherits
    own_session : whether the child leads a session and reads nothing from the terminal, so that Ctrl-C does not reach
        the programs that it starts
    """
    return launch_child(function, *arguments, pass_fds=pass_fds, own_session=own_session).begun()


def launch_child(
    function: Callable[..., None], *arguments: Any, pass_fds: Sequence[int] = (), own_session: bool = False
) -> Child:
    """As `start_child`, without waiting until the function has begun."""
    need_posix()
    ours, theirs = socket.socketpair()
    # A Ctrl-C between its start and its first statement would end the child with a traceback: it starts with SIGINT
    # blocked.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process = subprocess.Popen(
            [sys.executable, "-c", f"from {__name__} import serve; serve({theirs.fileno()})"],
            pass_fds=[theirs.fileno(), *pass_fds],
            env=_environment(),
            start_new_session=own_session,
            stdin=subprocess.DEVNULL if own_session else None,
        )
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    theirs.close()
    end_if_stopped(process)
    child = Child(process, Channel(ours))
    with suppress(OSError):  # the child has ended, which `begun` reports
        child.connection.send_bytes(pickle.dumps((function, arguments)))
    return child


def _environment() -> dict[str, str]:
    """The environment of this process, with its module path, so that the child imports the same modules."""
    paths = os.pathsep.join(path for path in sys.path if path)
    return {**_ENVIRONMENT, **os.environ, "PYTHONPATH": paths}


def serve(descriptor: int) -> None:
    """Run in the child: receive the function, and call it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    connection = Channel(socket.socket(fileno=descriptor))
    try:
        function, arguments = pickle.loads(connection.recv_bytes())
        connection.send_bytes(_READY)
        function(connection, *arguments)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        # The parent is gone, so no answer is needed.
        sys.exit(1)


def end_with_parent(parent: int) -> None:
    """Let the system kill this process when the thread that started it ends.

    On other systems than Linux, a child notices the end of its parent when it next uses the connection.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
