"""Attacks on the web page: nothing runs, nothing leaks, and the server goes on."""

from __future__ import annotations

import gzip
import io
import json
import socket
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from injection import PAGES
from web_server import Running, running

from webstrata._connections import is_public
from webstrata.apps.fetching import Fetcher
from webstrata.errors import InputError
from webstrata.workers.limits import Limits

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with small limits."""
    folder = tmp_path_factory.mktemp("strict") / "pages"
    limits = Limits(bytes=1 << 20, seconds=3, memory=1 << 30)
    with running(data=folder, limits=limits, uploads=3, upload_seconds=1.0, archive_bytes=2 << 20) as found:
        yield found


@pytest.fixture(autouse=True)
def goes_on(strict: Running) -> Iterator[None]:
    """Whatever was done to it, the server answers the next one."""
    yield
    assert strict.ask("/").status == 200


# Requests from elsewhere


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1:1", "", "127.0.0.1.evil.example"])
def test_a_name_that_was_rebound_is_not_answered(strict: Running, host: str) -> None:
    answer = strict.ask("/api/annotation", headers={"Host": host.format(port=strict.port)})
    assert answer.status in (400, 421)
    assert b"types" not in answer.body


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:{port}"])
def test_a_post_of_another_site_is_refused(strict: Running, origin: str) -> None:
    answer = strict.post("/api/pages", b"<p>x", Origin=origin.format(port=strict.port))
    assert answer.status == 403
    assert strict.post("/api/pages", b"<p>x", Origin=strict.url).status == 201


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_site_cannot_load_what_the_server_knows(strict: Running, site: str) -> None:
    loading = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script"}
    for path in ("/api/annotation", "/api/annotation/export", "/static/viewer.js", "/annotate"):
        assert strict.ask(path, headers=loading).status == 403
    visit = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert strict.ask("/annotate", headers=visit).status == 200
    assert strict.ask("/api/annotation", headers=visit).status == 403


def test_no_answer_lets_another_site_read_it(strict: Running) -> None:
    answer = strict.ask("/api/annotation", headers={"Origin": strict.url})
    assert not [name for name in answer.headers if name.startswith("access-control")]
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert strict.ask("/api/pages", method="OPTIONS", headers={"Origin": "http://evil.example"}).status == 403


# Paths


@pytest.mark.parametrize(
    "path",
    [
        "/static/../security.py",
        "/static/%2e%2e/security.py",
        "/static/..%2f..%2fcli/serve.py",
        "/static//etc/passwd",
        "/annotate/frame/..%2f..%2fetc%2fpasswd",
        "/annotate/frame/card.json",
        "/api/annotation/pages/..%2fx/sheets/Ada",
        "/api/annotation/pages/page/sheets/..%2f..%2fetc",
        "/frame/../../etc/passwd",
        "/view/%00/source?start=0&stop=9",
    ],
)
def test_no_path_leads_out(strict: Running, path: str) -> None:
    answer = strict.ask(path)
    assert answer.status in (400, 404, 422), answer.text
    assert b"root:" not in answer.body
    assert b"def " not in answer.body


def test_names_cannot_leave_the_data_folder(strict: Running) -> None:
    assert strict.data is not None
    for name in ("../../evil", "/etc/evil", "..", ".hidden", "a/b", "x\x00y", "card", "evil.blocks"):
        answer = strict.post(f"/api/annotation/pages?name={name.replace(chr(0), '%00').replace('/', '%2F')}", b"<p>x")
        assert answer.status == 201
        made = answer.json["name"]
        assert (strict.data / f"{made}.html").read_bytes() == b"<p>x"
        assert (strict.data / f"{made}.html").parent == strict.data
    for who in ("..", "a/b", ".", "x" * 41, "a\nb", "%2e%2e"):
        sheet = {"version": 0, "marks": []}
        answer = strict.put(f"/api/annotation/pages/x/sheets/{who.replace(chr(10), '%0A')}", sheet)
        assert answer.status in (404, 405, 422)
    assert not list(strict.data.parent.glob("evil*"))


def test_a_link_in_the_data_folder_is_not_followed(strict: Running, tmp_path: Path) -> None:
    assert strict.data is not None
    secret = tmp_path / "secret"
    secret.write_text("<p>secret")
    link = strict.data / "linked.html"
    link.symlink_to(secret)
    try:
        answer = strict.ask("/annotate/frame/linked")
        assert answer.status == 422
        assert b"secret" not in answer.body.replace(b"linked", b"")
        archive = zipfile.ZipFile(io.BytesIO(strict.ask("/api/annotation/export").body))
        assert not [name for name in archive.namelist() if "linked" in name]
    finally:
        link.unlink()


def test_an_algorithm_cannot_be_told_a_file(strict: Running) -> None:
    page = strict.open("<p>x")
    for path in (
        f"/api/pages/{page}/extraction?algorithm=learned(model='/etc/passwd')",
        f"/api/pages/{page}/extraction?algorithm=learned&algorithm.model=/etc/passwd",
        f"/api/pages/{page}/segmentation?algorithm=os:system",
        f"/api/pages/{page}/segmentation?algorithm=bf-plain(theta=__import__('os'))",
    ):
        answer = strict.ask(path)
        assert answer.status == 422 or "model=None" in answer.text, answer.text


# Too much


def test_a_large_upload_is_refused_before_it_comes(strict: Running) -> None:
    head = f"POST /api/pages HTTP/1.1\r\nHost: 127.0.0.1:{strict.port}\r\nContent-Length: 99999999999\r\n\r\n"
    assert b" 413 " in strict.raw(head.encode())


def test_a_large_upload_that_hides_its_size_is_refused(strict: Running) -> None:
    head = f"POST /api/pages HTTP/1.1\r\nHost: 127.0.0.1:{strict.port}\r\nTransfer-Encoding: chunked\r\n\r\n"
    with socket.create_connection(("127.0.0.1", strict.port), timeout=10) as connection:
        connection.sendall(head.encode())
        piece = b"10000\r\n" + b"x" * 65536 + b"\r\n"
        answer = b""
        taken = 0
        with suppress(OSError):  # the server hangs up, as it should
            while taken < 640:
                connection.sendall(piece)
                taken += 1
        assert taken < 640
        with suppress(OSError):
            answer = connection.recv(65536)
    assert b" 413 " in answer or not answer
    assert strict.ask("/").status == 200


def test_a_slow_upload_is_ended_and_others_get_in(strict: Running) -> None:
    head = f"POST /api/pages HTTP/1.1\r\nHost: 127.0.0.1:{strict.port}\r\nContent-Length: 1000\r\n\r\n".encode()
    slow = [socket.create_connection(("127.0.0.1", strict.port), timeout=60) for _ in range(3)]
    try:
        for connection in slow:
            connection.sendall(head + b"<p>")
        # Once all places are taken, whoever uploads is told to come again, and whoever reads is answered.
        limit = time.monotonic() + 10
        while strict.post("/api/pages", b"<p>x").status != 503:
            assert time.monotonic() < limit
        assert strict.ask("/").status == 200
        assert all(b" 408 " in connection.recv(1000) for connection in slow)
        assert strict.post("/api/pages", b"<p>x").status == 201
    finally:
        for connection in slow:
            connection.close()


def test_a_slow_head_is_ended(strict: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webstrata.apps.web.server._HEAD_SECONDS", 0.5)
    with socket.create_connection(("127.0.0.1", strict.port), timeout=60) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
        with suppress(ConnectionResetError):  # another way to hang up
            assert connection.recv(1000) == b""


@pytest.mark.parametrize("head", ["X: " + "a" * 200_000, "\r\n".join(f"X-{i}: 1" for i in range(30_000)), "\x00\xff"])
def test_a_head_that_is_none_is_refused(strict: Running, head: str) -> None:
    answer = strict.raw(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{strict.port}\r\n{head}\r\n\r\n".encode("latin-1"))
    assert not answer or answer.startswith(b"HTTP/1.1 4")


def test_a_page_that_is_too_deep_or_never_ends_is_told(strict: Running) -> None:
    too_many = b"<p " + b" ".join(b"a%d=1" % i for i in range(90_000)) + b">x"
    answer = strict.post("/api/pages", too_many)
    assert answer.status == 422
    assert "attributes" in answer.json["detail"]
    assert strict.post("/api/pages", b"").status == 422


def test_json_that_is_hostile_is_refused(strict: Running) -> None:
    strict.post("/api/annotation/pages?name=json", b"<p>x")
    path = "/api/annotation/pages/json/sheets/Ada"
    hostile: list[list[dict[str, Any]]] = [
        [{"level": 10**30}],
        [{"level": 1, "rows": [10**12]}],
        [{"level": 1, "rows": [-1]}],
        [{"level": 1, "start": 0, "stop": 10**9}],
        [{"level": 1, "rows": [3], "kind": "x" * 1000}],
        [{"level": 1, "rows": [3], "kind": "a\nb"}],
        [{"level": 1, "rows": "abc"}],
        [{"rows": {}}],
    ]
    for marks in hostile:
        assert strict.put(path, {"version": 0, "marks": marks}).status == 422
    deep = b'{"version":0,"marks":' + b"[" * 50_000 + b"]" * 50_000 + b"}"
    assert strict.ask(path, method="PUT", body=deep, headers={"Content-Type": "application/json"}).status in (400, 422)
    assert strict.ask(path).json["version"] == 0


# Archives


def packed(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return sink.getvalue()


def test_a_zip_bomb_is_refused(strict: Running) -> None:
    bomb = packed({f"{i}.html": b"\0" * (33 << 20) for i in range(1)})
    assert len(bomb) < 200_000
    answer = strict.post("/api/annotation/import", bomb)
    assert answer.status == 422
    assert strict.data is not None
    assert not (strict.data / "0.html").exists()


def test_an_archive_that_lies_about_its_sizes_is_refused(strict: Running) -> None:
    data = bytearray(packed({"page.html": b"x" * 1000}))
    central = data.index(b"PK\x01\x02")
    data[central + 24 : central + 28] = (10).to_bytes(4, "little")
    data[22:26] = (10).to_bytes(4, "little")
    assert strict.post("/api/annotation/import", bytes(data)).status == 422


def test_names_in_an_archive_cannot_lead_out(strict: Running) -> None:
    assert strict.data is not None
    names = [
        "../outside.html",
        "/outside.html",
        "a/../../outside.html",
        "annotators/../../outside.json",
        "x\\..\\outside.html",
    ]
    names += ["annotators/%2e%2e%2foutside/page.json", "a/b/c/outside.html", ".outside.html"]
    answer = strict.post("/api/annotation/import", packed(dict.fromkeys(names, b"<p>outside")))
    assert answer.status == 422
    assert not list(strict.data.glob("outside.html"))
    assert not list(strict.data.parent.glob("*outside*"))


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"PK\x05\x06" + bytes(18), b"no archive at all" * 100])
def test_what_is_no_archive_is_refused(strict: Running, data: bytes) -> None:
    assert strict.post("/api/annotation/import", data).status == 422


def test_an_archive_of_too_many_files_is_refused(strict: Running) -> None:
    names = {f"{i}.txt": b"" for i in range(20_100)}
    assert strict.post("/api/annotation/import", packed(names, zipfile.ZIP_STORED)[: 2 << 20]).status in (413, 422)


# Fetching


_BOMB = gzip.compress(bytes(4 << 20))


class _Web(BaseHTTPRequestHandler):
    """A web server that means harm."""

    def do_GET(self) -> None:
        kind, _, rest = self.path[1:].partition("/")
        getattr(self, f"answer_{kind}", self.answer_page)(rest)

    def answer_page(self, rest: str) -> None:
        self.reply(200, b"<title>Found</title><p>A page", {"Content-Type": "text/html; charset=utf-8"})

    def answer_to(self, rest: str) -> None:
        self.reply(302, b"", {"Location": rest})

    def answer_again(self, rest: str) -> None:
        self.reply(302, b"", {"Location": "/again"})

    def answer_bomb(self, rest: str) -> None:
        self.reply(200, _BOMB, {"Content-Type": "text/html", "Content-Encoding": "gzip"})

    def answer_endless(self, rest: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        try:
            while True:
                self.wfile.write(b"x" * 100)
                time.sleep(0.02)
        except OSError:
            return

    def answer_picture(self, rest: str) -> None:
        self.reply(200, b"\x89PNG", {"Content-Type": "image/png"})

    def reply(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: Any) -> None:
        pass


@contextmanager
def web() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Web)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


def test_addresses_that_are_not_public_are_not_fetched() -> None:
    fetch = Fetcher(seconds=2)
    for url in (
        "http://127.0.0.1/",
        "http://localhost/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://0.0.0.0/",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://2130706433/",
        "http://0x7f.1/",
    ):
        with pytest.raises(InputError, match=r"public|called"):
            fetch(url)
    for url in (
        "file:///etc/passwd",
        "ftp://example.org/",
        "gopher://x/",
        "http://",
        "http://a:99999/",
        "http://a:25/",
    ):
        with pytest.raises(InputError):
            fetch(url)
    assert not is_public("100.64.0.1")


def test_a_redirect_to_a_private_address_is_not_followed() -> None:
    with web() as port:
        asked: list[str] = []

        def first_only(address: str) -> bool:
            asked.append(address)
            return len(asked) == 1  # as a name server that answers otherwise the second time

        fetch = Fetcher(allowed=first_only, ports=(port, 80), seconds=5)
        with pytest.raises(InputError, match="public"):
            fetch(f"http://127.0.0.1:{port}/to/http://169.254.169.254/")
        asked.clear()
        with pytest.raises(InputError, match="public"):
            fetch(f"http://127.0.0.1:{port}/to/page")
        fetch = Fetcher(allowed=lambda address: True, ports=(port,), seconds=5)
        for target in ("file:///etc/passwd", "http://127.0.0.1:1/"):
            with pytest.raises(InputError):
                fetch(f"http://127.0.0.1:{port}/to/{target}")


def test_a_server_that_never_ends_or_sends_a_bomb_is_left() -> None:
    with web() as port:
        fetch = Fetcher(allowed=lambda address: True, ports=(port,), seconds=1.0, size=1 << 20)
        assert fetch(f"http://127.0.0.1:{port}/page").html.startswith(b"<title>")
        for path, told in (
            ("bomb", "larger"),
            ("endless", "longer|cannot fetch"),
            ("picture", "not HTML"),
            ("again", "redirects"),
        ):
            started = time.monotonic()
            with pytest.raises(InputError, match=told):
                fetch(f"http://127.0.0.1:{port}/{path}")
            assert time.monotonic() - started < 5


def test_the_fetch_box_takes_any_address(monkeypatch: pytest.MonkeyPatch) -> None:
    with web() as port:
        fetch = Fetcher(allowed=lambda address: address == "127.0.0.1", ports=(port, 80), seconds=5)
        with running(fetcher=fetch, allow_fetch=True) as server:

            def asked(url: str) -> int:
                return server.ask("/api/pages/fetch", method="POST", body={"url": url}).status

            names = {"xn--mller-kva.de": "127.0.0.1", "[": "::1", "site.example": "fec0::1"}
            monkeypatch.setattr("webstrata.apps.fetching.resolve", lambda target: (names.get(target.host, "10.0.0.1"),))
            assert asked(f"http://müller.de:{port}/page") == 201
            for url in (
                "http://例え.jp/", "http://[::1", "http://site.example/", "http://a b/", "http://\x00/", "http://\udc80.de/",
                f"http://{'ü' * 99}.de/", f"http://müller.de:{port}/to/http://[::1", f"http://müller.de:{port}/to/http://ü\x00",
            ):  # fmt: skip
                assert asked(url) == 422, url


def test_fetching_needs_to_be_allowed(strict: Running) -> None:
    assert strict.post("/api/pages/fetch", {"url": "http://example.org/"}).status == 403


# Pages that mean harm


def test_what_is_made_of_a_page_is_no_page_of_ours(strict: Running) -> None:
    page = strict.open("<p>x<script>alert(1)</script>")
    for form in ("html", "tei", "overlay", "blocks", "densitogram", "text"):
        answer = strict.ask(f"/api/pages/{page}/results/{form}")
        assert answer.status == 200
        assert answer.headers["content-disposition"].startswith("attachment")
        assert "sandbox" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert strict.ask(f"/frame/{page}", headers={"Sec-Fetch-Dest": "document"}).status == 403
    preview = strict.ask(f"/view/{page}/preview")
    assert "default-src 'none'" in preview.headers["content-security-policy"]
    assert "; sandbox;" in preview.headers["content-security-policy"]
    assert "<script" not in preview.text


def test_a_name_or_a_title_is_no_markup(strict: Running) -> None:
    sign = "<img src=x onerror=alert(1)>"
    page = strict.open(f"<title>{sign.replace('<', '&lt;')}</title><p class='&quot;><b>'>{sign.replace('<', '&lt;')}")
    strict.post("/api/pages?name=%3Cimg%20src%3Dx%3E", b"<p>named")
    for path in (f"/view/{page}", f"/view/{page}/panel/blocks", f"/view/{page}/panel/results", "/", "/annotate"):
        assert "<img src=x" not in strict.ask(path).text


@pytest.mark.slow
def test_nothing_runs_and_nothing_is_asked_for(browser: Browser, tmp_path: Path) -> None:
    """Every place where a page can carry a script: shown in the viewer and in the annotator, and clicked through."""
    with running(data=tmp_path / "pages") as server:
        context = browser.new_context()
        tab = context.new_page()
        sent: list[str] = []
        # The browser tells of requests that its policy forbids, too; those fail before they are sent.
        context.on("response", lambda response: sent.append(response.url) if "canary" in response.url else None)
        context.on(
            "requestfailed", lambda request: failures.append(request.failure) if "canary" in request.url else None
        )
        failures: list[str | None] = []
        marker = "<script>top.postMessage({webstrata: {ready: {}, selection: {rows: [1]}}}, '*')</script>"
        clobbering = "".join(
            f"<img name={name}><form name={name}><input name={name}></form>"
            for name in "querySelector createTreeWalker documentElement getAttribute parentElement body".split()
        )
        pages = {**PAGES, "messages": f"<p>x{marker}", "clobbering": f"<p>one{clobbering}<p>two"}
        joined = "\n".join(f"<section>{html}</section>" for name, html in pages.items() if "plaintext" not in html)
        for name, html in {"all": joined, "raw text": pages["raw text"], "refresh": pages["refresh"]}.items():
            page = server.open(html, name="hostile")
            tab.goto(f"{server.url}/view/{page}")
            frame = tab.frame(url=f"**/frame/{page}")
            assert frame is not None
            tab.wait_for_selector("#frame-a:not([aria-busy])", timeout=10_000)
            for link in frame.locator("a:visible").all()[:5]:
                link.click(timeout=2000, force=True)
            assert frame.url.endswith(f"/frame/{page}"), name
            assert frame.evaluate("origin") == "null"
            added = server.post(f"/api/annotation/pages/opened/{page}").json["name"]
            tab.goto(f"{server.url}/annotate/page/{added}?by=Ada")
            tab.frame_locator("#frame").locator("section, p, textarea").first.wait_for(state="attached")
            tab.wait_for_timeout(100)
        assert sent == []
        assert set(failures) <= {"csp"}
        assert json.loads(server.ask("/api/annotation").body)["pages"]
        context.close()
