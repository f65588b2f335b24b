"""The server: uvicorn with a time limit for the head of a request."""

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


class _Protocol(H11Protocol):
    """Closes a connection that sends no whole head in time. The time limit for bodies is in `security`."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._timer: TimerHandle | None = self.loop.call_later(_HEAD_SECONDS, self._late)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_timer()
        elif self._timer is None:
            self._timer = self.loop.call_later(_HEAD_SECONDS, self._late)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _late(self) -> None:
        self._timer = None
        if (self.cycle is None or self.cycle.response_complete) and not self.transport.is_closing():
            self.transport.close()


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
