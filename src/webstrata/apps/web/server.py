"""The server: uvicorn with limits for clients that send or read too slowly."""

from __future__ import annotations

from asyncio import TimerHandle, Transport
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from webstrata.apps.web.application import application
from webstrata.apps.web.settings import ServerSettings

__all__ = ["Server", "serve"]

# Time limit for the head of a request, and the most connections.
_HEAD_SECONDS = 15.0
_MOST_CONNECTIONS = 512
# With more connections that have no request in progress, the oldest of these are closed.
_MOST_IDLE = 256
# A client that reads less than `_LEAST_READ` bytes of a response in this time is dropped.
_READ_SECONDS, _LEAST_READ = 15.0, 32 << 10


class _Protocol(H11Protocol):
    """Closes a connection that sends no whole head in time, or does not read its response.

    The time limit for bodies is in `security`.
    """

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._since = self.loop.time()
        self._timer: TimerHandle | None = self.loop.call_later(_HEAD_SECONDS, self._late)
        self._unread, self._drained = 0, False
        self._watch = self.loop.call_later(_READ_SECONDS, self._check_reader)
        idle = [each for each in self.connections if isinstance(each, _Protocol) and each.is_idle]
        if len(idle) > _MOST_IDLE:
            min(idle, key=lambda each: each._since).transport.close()

    @property
    def is_idle(self) -> bool:
        """Whether no request is in progress."""
        return (self.cycle is None or self.cycle.response_complete) and not self.transport.is_closing()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_timer()
        elif self._timer is None:
            self._since = self.loop.time()
            self._timer = self.loop.call_later(_HEAD_SECONDS, self._late)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._drained = True

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self._watch.cancel()
        super().connection_lost(exc)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _late(self) -> None:
        self._timer = None
        if self.is_idle:
            self.transport.close()

    def _check_reader(self) -> None:
        unread = self.transport.get_write_buffer_size()
        if unread and self._unread and not self._drained and unread > self._unread - _LEAST_READ:
            self.transport.abort()
            return
        self._unread, self._drained = unread, False
        self._watch = self.loop.call_later(_READ_SECONDS, self._check_reader)


class Server(uvicorn.Server):
    """A server that can be started in a thread.

    Parameters
    ----------
    settings : what it serves, and its limits
    ready : callback, called when it listens
    options : of `application`
    """

    def __init__(self, settings: ServerSettings, *, ready: Callable[[], None] = lambda: None, **options: Any) -> None:
        self._ready = ready
        super().__init__(
            uvicorn.Config(
                application(settings, **options),
                host=settings.host,
                port=settings.port,
                http=_Protocol,
                ws="none",
                lifespan="on",
                log_level="warning",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                limit_concurrency=_MOST_CONNECTIONS,
                timeout_keep_alive=10,
                timeout_graceful_shutdown=3,
                h11_max_incomplete_event_size=64 << 10,
            )
        )

    async def startup(self, *arguments: Any, **options: Any) -> None:
        await super().startup(*arguments, **options)
        if self.started:
            self._ready()


def serve(settings: ServerSettings, *, ready: Callable[[], None] = lambda: None) -> None:
    """Serve until the process is interrupted; ``ready`` is called when the server listens."""
    Server(settings, ready=ready).run()
