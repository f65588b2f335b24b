"""The web page as tests use it: a server in a thread of this process, asked over HTTP, and a browser."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from webstrata.apps.web.server import Server
from webstrata.apps.web.settings import ServerSettings

__all__ = ["Answer", "Running", "free_port", "running"]


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@dataclass(frozen=True)
class Answer:
    """What the server answered; header names in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass(frozen=True)
class Running:
    """A server that listens, and the data set that it marks."""

    port: int
    data: Path | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self, path: str, *, method: str = "GET", body: Any = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Send one request. A body that is no bytes is sent as JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = dict(headers or {})
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            sent.setdefault("Content-Type", "application/json")
        try:
            connection.request(method, path, body=body, headers=sent)
            response = connection.getresponse()
            return Answer(
                response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
            )
        finally:
            connection.close()

    def post(self, path: str, body: Any = b"", **headers: str) -> Answer:
        return self.ask(path, method="POST", body=body, headers=headers)

    def put(self, path: str, body: Any, **headers: str) -> Answer:
        return self.ask(path, method="PUT", body=body, headers=headers)

    def open(self, html: bytes | str, *, name: str = "page") -> str:
        """Open a page; gives its id."""
        answer = self.post(f"/api/pages?name={name}", html.encode() if isinstance(html, str) else html)
        assert answer.status == 201, answer.text
        found: str = answer.json["id"]
        return found

    def raw(self, data: bytes, *, seconds: float = 60) -> bytes:
        """Send bytes as they are, and give what comes back until the server is silent."""
        with socket.create_connection((urlsplit(self.url).hostname, self.port), timeout=seconds) as connection:
            parts: list[bytes] = []
            # The server may hang up before it has read all.
            with suppress(OSError):
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                while part := connection.recv(65536):
                    parts.append(part)
            return b"".join(parts)


@contextmanager
def running(**settings: Any) -> Iterator[Running]:
    """A server with these settings; ``fetcher`` is handed on."""
    data = settings.get("data")
    options = {"fetcher": settings.pop("fetcher")} if "fetcher" in settings else {}
    port = free_port()
    server = Server(ServerSettings(port=port, jobs=settings.pop("jobs", 1), **settings), **options)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    limit = time.monotonic() + 30
    while not server.started:
        assert thread.is_alive(), "the server ended before it began"
        assert time.monotonic() < limit, "the server does not begin"
        time.sleep(0.02)
    try:
        yield Running(port, data)
    finally:
        server.should_exit = True
        thread.join(30)
        assert not thread.is_alive(), "the server does not end"
