"""The server process, and clients that send or read too slowly, or go away."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from web_server import Running, running

from webstrata.apps.fetching import Fetched, Fetcher
from webstrata.apps.web import analysis
from webstrata.apps.web.stored import StoredPage


def test_a_server_ends_when_it_is_told_to(tmp_path: Path) -> None:
    from web_kills import start

    process, server = start(tmp_path / "pages")
    assert server.ask("/annotate").status == 200
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) in (0, -signal.SIGTERM)


@contextmanager
def connected(server: Running, data: bytes) -> Iterator[socket.socket]:
    with socket.socket() as connection:
        # A small window, so that the server cannot hand its whole response to the system.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
        connection.settimeout(30)
        connection.connect(("127.0.0.1", server.port))
        connection.sendall(data)
        yield connection


def head(server: Running, path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()


def test_half_sent_requests_make_nobody_wait() -> None:
    with running() as server, ExitStack() as stack:
        half = head(server, "/")[:-2]
        first = stack.enter_context(connected(server, half))
        for _ in range(560):
            stack.enter_context(connected(server, half))
        started = time.monotonic()
        assert server.ask("/").status == 200
        assert time.monotonic() - started < 5
        with suppress(ConnectionResetError):
            assert first.recv(1000) == b""  # closed for a newer one


def test_a_reader_that_does_not_read_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webstrata.apps.web.server._READ_SECONDS", 0.4)
    monkeypatch.setattr("webstrata.apps.web.server._LEAST_READ", 1024)
    (tmp_path / "large.html").write_bytes(os.urandom(9 << 20))
    with running(data=tmp_path) as server:
        request = head(server, "/api/annotation/export")
        size = len(server.ask("/api/annotation/export").body)
        with connected(server, request) as stuck, connected(server, request) as slow:
            limit = time.monotonic() + 2.5
            while time.monotonic() < limit:
                assert slow.recv(16384)
                time.sleep(0.01)
            assert sum(map(len, iter(lambda: received(stuck), b""))) < size
            assert slow.recv(16384)


def received(connection: socket.socket) -> bytes:
    try:
        return connection.recv(1 << 18)
    except ConnectionResetError:
        return b""


# Work that delays nothing else


class _Slow(Fetcher):
    """A fetcher whose fetches take until they are released."""

    released = threading.Event()

    def __call__(self, url: str) -> Fetched:
        self.released.wait(20)
        return Fetched(url, b"<p>x", None)


def test_slow_fetches_delay_no_search_and_no_marks(tmp_path: Path) -> None:
    with running(fetcher=_Slow(), allow_fetch=True, demo_site=True, data=tmp_path) as server:
        _Slow.released.clear()
        statuses: list[int] = []

        def fetch() -> None:
            statuses.append(server.post("/api/pages/fetch", b'{"url": "http://a.example/"}', **_JSON).status)

        threads = [threading.Thread(target=fetch) for _ in range(40)]
        try:
            for thread in threads:
                thread.start()
            limit = time.monotonic() + 60
            while len(statuses) < 8:  # those beyond the most that may wait are refused at once
                assert time.monotonic() < limit
                time.sleep(0.01)
            started = time.monotonic()
            assert server.ask("/api/search?q=clay").status == 200
            assert server.ask("/api/annotation").status == 200
            assert time.monotonic() - started < 5
        finally:
            _Slow.released.set()
            for thread in threads:
                thread.join()
        assert statuses.count(422) == 8
        assert statuses.count(201) == 32


_JSON = {"Content-Type": "application/json"}


def test_abandoned_requests_are_not_computed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    marks = tmp_path / "computed"
    monkeypatch.setattr(analysis, "columns", _Marked(str(marks)))
    with running(jobs=1) as server:
        page = server.open("<p>x")
        path = f"/api/pages/{page}/columns"
        assert server.ask(path).status == 200
        for _ in range(20):
            with connected(server, head(server, path)):
                time.sleep(0.02)
        started = time.monotonic()
        assert server.ask(path).status == 200
        assert time.monotonic() - started < 3
        assert len(marks.read_bytes()) < 8


def test_a_call_that_runs_ends_when_its_client_goes_away(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    marks = tmp_path / "computed"
    monkeypatch.setattr(analysis, "columns", _Marked(str(marks), seconds=8))
    with running(jobs=1) as server:
        page = server.open("<p>x")
        for number in range(1, 4):
            with connected(server, head(server, f"/api/pages/{page}/columns")):
                limit = time.monotonic() + 60
                while not marks.exists() or len(marks.read_bytes()) < number:
                    assert time.monotonic() < limit
                    time.sleep(0.02)
        started = time.monotonic()
        assert server.ask(f"/api/pages/{page}").status == 200
        assert time.monotonic() - started < 5


class _Marked:
    """A function that takes half a second or more, and writes down that it ran."""

    def __init__(self, path: str, seconds: float = 0.5) -> None:
        self._path = path
        self._seconds = seconds

    def __call__(self, source: StoredPage) -> str:
        with open(self._path, "ab") as file:
            file.write(b"x")
        time.sleep(self._seconds)
        return "{}"


def test_a_change_of_a_client_that_goes_away_is_made(tmp_path: Path) -> None:
    with running(data=tmp_path) as server:
        server.post("/api/annotation/pages?name=page", b"<p>x")
        body = b'{"version": 0, "marks": []}'
        path = "/api/annotation/pages/page/sheets/Ada"
        lines = f"PUT {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\n"
        with connected(server, f"{lines}Content-Length: {len(body)}\r\n\r\n".encode() + body):
            pass
        limit = time.monotonic() + 60
        while server.ask(path).json["version"] != 1:
            assert time.monotonic() < limit
            time.sleep(0.02)
