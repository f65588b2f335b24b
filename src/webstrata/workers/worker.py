"""What runs inside a worker process of a `webstrata.workers.pool.Pool`."""

from __future__ import annotations

import pickle
import resource
import signal
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webstrata.errors import WebstrataError
from webstrata.workers.channels import Channel
from webstrata.workers.limits import Limits

__all__ = [
    "Failure",
    "answer_requests",
    "describe_error",
    "how_it_ended",
    "limit_memory",
    "set_clocks",
    "use_default_signals",
]

# An exception may quote the whole page; so much of its message says enough.
_MESSAGE_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class Failure:
    """What became of a request that has no answer.

    Attributes
    ----------
    reason : "timed out", "out of memory", "crashed" (the process died) or "failed" (the function raised an exception)
    detail : the limit, the signal or exit code, or the exception
    """

    reason: str
    detail: str = ""


def answer_requests(
    connection: Channel,
    start: Callable[[], Callable[[Any], Any]],
    unpack: Callable[[Any], Iterable[Any]],
    limits: Limits,
    share: Callable[[Any], float],
) -> None:
    """Answer chunks of requests until the connection ends: for each request one message, a pickled answer.

    Before that comes one message: empty if the function is ready, else the pickled error that says why it never will.
    """
    try:
        function = start()
    except Exception as error:
        connection.send_bytes(_pickled_error(error))
        return
    connection.send_bytes(b"")
    close = getattr(function, "close", None)
    if close is not None:
        # By default this signal would end the process at once; SystemExit gives it the time to close.
        signal.signal(signal.SIGTERM, _leave)
    use_default_signals()
    limit_memory(limits.memory)
    try:
        while True:
            for request in unpack(connection.recv_bytes()):
                set_clocks(limits, share(request))
                answer = _answer(function, request)
                set_clocks(None)
                connection.send_bytes(answer)
    finally:
        if close is not None:
            close()


def _leave(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(143)


def _pickled_error(error: Exception) -> bytes:
    """An error of ours as it is; of any other only what it says, because it may not come apart and together again."""
    ours = isinstance(error, WebstrataError)
    return pickle.dumps(error if ours else RuntimeError(f"a worker cannot start: {describe_error(error)}"))


def _answer(function: Callable[[Any], Any], request: Any) -> bytes:
    """The pickled answer to a request. An exception is an answer as well."""
    try:
        return pickle.dumps(function(request))
    except MemoryError:
        return pickle.dumps(Failure("out of memory"))
    except Exception as error:
        return pickle.dumps(Failure("failed", describe_error(error)))


def describe_error(error: Exception) -> str:
    """An exception in words that can be written to any file."""
    describe_error = f"{type(error).__name__}: {error}"[:_MESSAGE_CHARACTERS]
    return describe_error.encode("utf-8", "replace").decode()


def how_it_ended(code: int, limits: Limits) -> Failure:
    """What the exit code of a process with clocks means; it is negative for a signal."""
    if -code in (signal.SIGALRM, signal.SIGPROF):
        return Failure("timed out", f"{limits.seconds:g} s")
    return Failure("crashed", signal.Signals(-code).name if code < 0 else f"exit code {code}")


def use_default_signals() -> None:
    """Let the clocks kill this process at once, even inside native code, and without leaving a core file."""
    for number in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))


def set_clocks(limits: Limits | None, share: float = 1.0) -> None:
    """Die by SIGPROF or SIGALRM once the limits of processor time or of time, or some share of them, are reached; None
    stops both clocks."""
    signal.setitimer(signal.ITIMER_PROF, share * limits.seconds if limits else 0)
    signal.setitimer(signal.ITIMER_REAL, share * limits.clock if limits else 0)


def limit_memory(limit: int) -> None:
    """Let this process take ``limit`` bytes more than it has now. Where the system does not say, there is no limit.

    Only the soft limit is set, so that programs which a worker starts can be given their own.
    """
    status = Path("/proc/self/statm")
    if status.exists():
        now = int(status.read_text().split()[0]) * resource.getpagesize()
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = now + limit if hard == resource.RLIM_INFINITY else min(now + limit, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
