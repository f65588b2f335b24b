"""Checks every request before the application sees it, limits request bodies, and adds security headers.

A page on the web can make a browser on this machine send requests to this server. Three checks refuse such requests:

- *Host.* A foreign name that resolves to this machine (DNS rebinding) is not the host that the server was started for.
- *Origin.* A request that changes something must come from a page of this server, or from a program, which sends no
  origin.
- *Fetch metadata.* Browsers say whether another site made the request: it may link to a page here and do nothing else.

Request bodies are read here, under limits of size, time and number. If a client goes away, the work on a request that
only reads is cancelled; a change is finished.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
from collections.abc import Awaitable, Callable, Coroutine, MutableMapping
from contextlib import suppress
from typing import Any

from webstrata.apps.web.settings import ServerSettings

__all__ = ["DOWNLOAD_POLICY", "PAGE_POLICY", "PREVIEW_POLICY", "Shield"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Coroutine[Any, Any, None]]

#: For our own pages: scripts, styles and frames of this server only.
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
#: For everything made from a user's page: a browser that opens it runs and loads nothing.
DOWNLOAD_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'"

#: For a preview in a frame of ours: it may have styles, and neither runs nor loads anything.
PREVIEW_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'"

_HEADERS = {
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"x-dns-prefetch-control": b"off",
    b"permissions-policy": b"camera=(), microphone=(), geolocation=()",
    b"content-security-policy": PAGE_POLICY.encode(),
}
_READING = frozenset({"GET", "HEAD"})
# Messages of refusals, by status.
_REFUSALS = {
    403: "this request comes from another site",
    408: "the request took too long to arrive",
    413: "this is larger than the server accepts",
    421: "this server does not answer to that host name",
    503: "too many uploads at a time: try again in a moment",
}


class _Refused(Exception):
    """A request that is refused, with the status of the response."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Shield:
    """An ASGI application around another one.

    Parameters
    ----------
    app : the application to protect
    settings : host and port of the server, and the limits of uploads
    archives : the paths that accept zip files, which may be larger than pages
    """

    def __init__(self, app: App, *, settings: ServerSettings, archives: frozenset[str] = frozenset()) -> None:
        self._app = app
        self._settings = settings
        self._archives = archives
        self._uploading = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}

        started = False

        async def answer(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                present = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *((name, value) for name, value in _HEADERS.items() if name not in present),
                ]
            await send(message)

        try:
            self._check(scope, headers)
            if scope["method"] in _READING:
                work = self._app(scope, _replayed(b"", _never), answer)
                await _until_gone(work, receive, lambda: started)
                return
            body = await self._body(scope, headers, receive)
        except _Refused as refused:
            await _refuse(refused.status, answer)
            return
        await self._app(scope, _replayed(body, receive), answer)

    def _check(self, scope: Scope, headers: dict[str, str]) -> None:
        """Raise `_Refused` for a request that comes neither from a page of this server nor from a program."""
        host = headers.get("host", "").lower()
        if not self._is_ours(host):
            raise _Refused(421)
        origin = headers.get("origin")
        if origin is not None and origin.lower() != f"{scope.get('scheme', 'http')}://{host}":
            raise _Refused(403)
        site = headers.get("sec-fetch-site", "none")
        if site not in ("same-origin", "none"):
            visit = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
            if not visit or scope["method"] not in _READING or scope["path"].startswith(("/api", "/frame")):
                raise _Refused(403)

    def _is_ours(self, host: str) -> bool:
        name, port = _split(host)
        if port != self._settings.port and not (port is None and self._settings.port == 80):
            return False
        if name in ("127.0.0.1", "localhost", "::1", self._settings.host.lower()):
            return True
        # A server on all addresses accepts each of them: unlike a name, an address cannot be rebound.
        return self._settings.host in ("0.0.0.0", "::") and _is_address(name)

    async def _body(self, scope: Scope, headers: dict[str, str], receive: Receive) -> bytes:
        most = self._settings.archive_bytes if scope["path"] in self._archives else self._settings.limits.bytes
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length[:18]) > most:
            raise _Refused(413)
        if self._uploading >= self._settings.uploads:
            raise _Refused(503)
        self._uploading += 1
        try:
            async with asyncio.timeout(self._settings.upload_seconds):
                return await _read(receive, most)
        except TimeoutError:
            raise _Refused(408) from None
        finally:
            self._uploading -= 1


async def _read(receive: Receive, most: int) -> bytes:
    parts = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _Refused(408)
        part = message.get("body", b"")
        size += len(part)
        if size > most:
            raise _Refused(413)
        parts.append(part)
        if not message.get("more_body"):
            return b"".join(parts)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A `receive` that returns the body again."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return messages.pop() if messages else await receive()

    return replay


async def _never() -> Message:
    await asyncio.Event().wait()
    raise AssertionError("nobody sets the event")


async def _until_gone(work: Coroutine[Any, Any, None], receive: Receive, started: Callable[[], bool]) -> None:
    """Wait for the work, but cancel it if the client goes away before the response has started."""
    task, gone = asyncio.create_task(work), asyncio.create_task(_disconnect(receive))
    try:
        await asyncio.wait((task, gone), return_when=asyncio.FIRST_COMPLETED)
        if not task.done() and not started():
            task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    finally:
        task.cancel()
        gone.cancel()


async def _disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _refuse(status: int, send: Send) -> None:
    body = json.dumps({"detail": _REFUSALS[status]}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    # The rest of a refused body must not be read as the next request.
    headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _split(host: str) -> tuple[str, int | None]:
    """A host header as name and port.

    >>> _split("localhost:8420"), _split("[::1]:80"), _split("example.org")
    (('localhost', 8420), ('::1', 80), ('example.org', None))
    """
    name, separator, port = host.rpartition(":")
    if not separator or host.endswith("]"):
        return host.strip("[]"), None
    return name.strip("[]"), int(port) if port.isascii() and port.isdigit() and len(port) < 6 else -1


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
