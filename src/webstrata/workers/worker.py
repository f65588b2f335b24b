"""The inside of a worker process of a `webstrata.workers.pool.Pool`."""

from __future__ import annotations

import pickle
import signal
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webstrata.errors import WebstrataError, WorkerError
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

# An exception may quote the whole page, so its message is cut.
_MESSAGE_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class Failure:
    """The reason why a request has no answer.

    Attributes
    ----------
    reason : "timed out", "out of memory", "crashed" (the process died), "failed" (the function raised an exception) or
        "cancelled" (the answer is no longer wanted)
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

    The first message is empty if the function is ready, else the pickled error that prevents it.
    """
    try:
        function = start()
    except Exception as error:
        connection.send_bytes(_pickled_error(error))
        return
    connection.send_bytes(b"")
    close = getattr(function, "close", None)
    if close is not None:
        # By default this signal ends the process at once; SystemExit lets it close the function first.
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
    """The error if it is one of webstrata, else a `WorkerError` with its message: others may not be picklable."""
    ours = isinstance(error, WebstrataError)
    return pickle.dumps(error if ours else WorkerError(f"a worker cannot start: {describe_error(error)}"))


def _answer(function: Callable[[Any], Any], request: Any) -> bytes:
    """The pickled answer to a request; an exception becomes a `Failure`."""
    try:
        return pickle.dumps(function(request))
    except MemoryError:
        return pickle.dumps(Failure("out of memory"))
    except Exception as error:
        return pickle.dumps(Failure("failed", describe_error(error)))


def describe_error(error: Exception) -> str:
    """The type and message of an exception, cut, without lone surrogates, which no file can hold."""
    text = f"{type(error).__name__}: {error}"[:_MESSAGE_CHARACTERS]
    return text.encode("utf-8", "replace").decode()


def how_it_ended(code: int, limits: Limits) -> Failure:
    """The failure that an exit code means, which is negative for a signal."""
    if -code in (signal.SIGALRM, signal.SIGPROF):
        return Failure("timed out", f"{limits.seconds:g} s")
    return Failure("crashed", signal.Signals(-code).name if code < 0 else f"exit code {code}")


def use_default_signals() -> None:
    """Let the timers kill this process at once, even inside native code, and without a core dump."""
    import resource

    for number in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))


def set_clocks(limits: Limits | None, share: float = 1.0) -> None:
    """Start the timers that kill this process by SIGPROF or SIGALRM after the limits of processor time or real time,
    or a share of them; None stops both timers."""
    signal.setitimer(signal.ITIMER_PROF, share * limits.seconds if limits else 0)
    signal.setitimer(signal.ITIMER_REAL, share * limits.clock if limits else 0)


def limit_memory(limit: int) -> None:
    """Limit the memory of this process to its present size and ``limit`` bytes more. Without ``/proc``, do nothing.

    Only the soft limit is set, so that programs which a worker starts can have their own.
    """
    import resource

    status = Path("/proc/self/statm")
    if status.exists():
        now = int(status.read_text().split()[0]) * resource.getpagesize()
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = now + limit if hard == resource.RLIM_INFINITY else min(now + limit, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
