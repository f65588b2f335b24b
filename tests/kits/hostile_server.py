"""A server on loopback with pages that mean harm, and one on another address that counts who comes."""

from __future__ import annotations

import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

__all__ = ["PAGES", "Foreign", "Hostile"]

_CSS = "<style>p { color: #123456 }</style>"

#: Pages by name; {other} is the address of a server that nobody may reach.
PAGES: dict[str, str] = {
    "endless script": "<p>one<script>for (;;) {}</script>",
    "endless script after load": "<p>one<script>onload = () => setTimeout(() => { for (;;) {} }, 50)</script>",
    "memory": "<p>one<script>const all = []; for (;;) all.push(new Uint8Array(1 << 24).fill(1))</script>",
    "dialogs": "<p>one<script>alert(1); confirm(2); prompt(3); onbeforeunload = () => 'stay'</script>",
    "endless dialogs": "<p>one<script>for (;;) alert(1)</script>",
    "downloads": "<p>one<iframe src=/download></iframe><script>location = '/download'</script>",
    "pop-ups": "<p>one<script>for (let i = 0; i < 50; i++) window.open('/plain?' + i)</script>",
    "meta refresh": "<p>one<meta http-equiv=refresh content='0;url=http://{other}/'>",
    "navigation": "<p>one<script>onload = () => setInterval(() => location = '/plain?' + Math.random(), 20)</script>",
    "image that never answers": "<p>one<img src=/never width=30 height=30>",
    "many nodes": "<p>one<script>for (let i = 0; i < 150000; i++)"
    "document.body.append('x', document.createElement('b'))</script>",
    "deep": "<p>one" + "<div>" * 20_000,
    "other hosts": "<p>one<link rel=stylesheet href=http://{other}/x.css><link rel=preconnect href=http://{other}>"
    "<link rel=prefetch href=http://{other}/p><link rel=dns-prefetch href=//{other}><img src=http://{other}/i>"
    "<iframe src=http://{other}/f></iframe><style>@import 'http://{other}/y.css';"
    "p {{ background: url(http://{other}/b) }}</style><video src=http://{other}/v></video>"
    "<object data=http://{other}/o></object><script src=http://{other}/s></script>"
    "<script>fetch('http://{other}/fetch').catch(() => 0); navigator.sendBeacon('http://{other}/beacon', 'x');"
    "new WebSocket('ws://{other}/'); new Image().src = 'http://{other}/image'; new EventSource('http://{other}/e');"
    "try {{ const peer = new RTCPeerConnection({{iceServers: [{{urls: 'stun:{other}'}}]}});"
    "peer.createDataChannel('x');"
    "peer.createOffer().then(offer => peer.setLocalDescription(offer)) }} catch (error) {{}}"
    "navigator.serviceWorker && navigator.serviceWorker.register('/worker.js').catch(() => 0)</script>",
    "left for nowhere": "<p>one<script>location = 'about:blank'</script>",
}


class _Handler(BaseHTTPRequestHandler):
    server: Any

    def do_GET(self) -> None:
        path = self.path.lstrip("/").partition("?")[0].replace("%20", " ")
        if path == "never":
            # Until the server is closed.
            self.server.ended.wait(120)
        elif path == "endless":
            self._endless()
        elif path == "loop":
            self._answer(302, [("Location", "/loop")], b"")
        elif path == "away":
            self._answer(302, [("Location", f"http://{self.server.other}/")], b"")
        elif path == "download":
            self._answer(200, [("Content-Type", "application/zip"), ("Content-Disposition", "attachment")], b"x" * 1000)
        elif path in self.server.pages:
            self._answer(200, [("Content-Type", "text/html; charset=utf-8")], self.server.pages[path].encode())
        else:
            self._answer(404, [("Content-Type", "text/html")], b"<p>none")

    def _endless(self) -> None:
        """A page that never comes to its end, byte by byte."""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        while not self.server.ended.is_set():
            try:
                self.wfile.write(b"<p>more")
                self.wfile.flush()
            except OSError:
                return
            time.sleep(0.05)

    def _answer(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""


class Hostile:
    """The server of the pages; ``url(name)`` is where one of them is."""

    def __init__(self, other: str = "127.0.0.1:9") -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        server: Any = self._server
        server.ended = threading.Event()
        server.other = other
        server.pages = {"plain": f"{_CSS}<p>plain"}
        for name, page in PAGES.items():
            server.pages[name] = page.format(other=other) if "{other}" in page else page
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def url(self, name: str) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/{name.replace(' ', '%20')}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        server: Any = self._server
        server.ended.set()
        self._server.shutdown()
        self._server.server_close()


class Foreign:
    """Counts connections and packets at an address that is not the page's."""

    def __init__(self) -> None:
        self._tcp = socket.create_server(("127.0.0.2", 0))
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.2", self._tcp.getsockname()[1]))
        self.address = f"127.0.0.2:{self._tcp.getsockname()[1]}"
        self.visits = 0
        for listen in (self._accept, self._receive):
            threading.Thread(target=listen, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._tcp.accept()
            except OSError:
                return
            self.visits += 1
            connection.close()

    def _receive(self) -> None:
        while True:
            try:
                self._udp.recv(2048)
            except OSError:
                return
            self.visits += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._tcp.close()
        self._udp.close()
