"""What a page may load: the hosts, ports and addresses of the web, and the files of a folder."""

from __future__ import annotations

import http.server
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from webstrata._connections import Target
from webstrata.errors import RenderError
from webstrata.rendering.resources import FILE_HOST, Folder, Web
from webstrata.rendering.sources import find_source

PUBLIC = "93.184.216.34"


class Names:
    """A name server whose answers change, and the addresses to which connections went."""

    def __init__(self, answers: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
        self.answers = answers
        self.connected: list[str] = []
        monkeypatch.setattr(socket, "getaddrinfo", self.resolve)
        monkeypatch.setattr(socket, "create_connection", self.connect)

    def resolve(self, host: str, port: int, **_: Any) -> list[Any]:
        answers = self.answers[host]
        address = answers.pop(0) if len(answers) > 1 else answers[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in address.split()]

    def connect(self, address: tuple[str, int], timeout: float) -> socket.socket:
        self.connected.append(address[0])
        raise OSError("the tests have no network")


def test_a_name_is_resolved_once_for_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    names = Names({"rebound.example": [PUBLIC, "127.0.0.1"]}, monkeypatch)
    web = Web("http://rebound.example/")
    for _ in range(3):
        assert web.get("http://rebound.example/x", 1) is None
    assert names.connected == [PUBLIC] * 3


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.1", "169.254.169.254", f"{PUBLIC} 127.0.0.1", "::1"])
def test_a_public_page_reaches_no_private_address(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    names = Names({"page.example": [PUBLIC], "other.example": [address]}, monkeypatch)
    web = Web("http://page.example/", frozenset(["other.example"]), any_host=True)
    assert web.get("http://other.example/", 1) is None
    assert names.connected == []
    assert web.get("http://page.example/", 1) is None
    assert names.connected == [PUBLIC]


def test_a_page_on_the_own_network_is_named_by_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    names = Names(
        {"wiki.example": ["10.0.0.1"], "evil.example": ["127.0.0.1"], "both.example": [f"{PUBLIC} 10.0.0.1"],
         "127.0.0.1": ["127.0.0.1"], "localhost": ["127.0.0.1"]}, monkeypatch,
    )  # fmt: skip
    for host, connected in (
        ("wiki.example", ["10.0.0.1"]),
        ("evil.example", []),
        ("both.example", []),
        ("127.0.0.1", ["127.0.0.1"]),
        ("localhost", ["127.0.0.1"]),
    ):
        names.connected.clear()
        with pytest.raises(RenderError):
            Web(f"http://{host}/").page(f"http://{host}/", 1)
        assert names.connected == connected, host


def test_html_with_a_private_url_reaches_that_address_only_if_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    names = Names({"127.0.0.1": ["127.0.0.1"], "wiki.example": ["10.0.0.1"], "page.example": [PUBLIC]}, monkeypatch)
    for host in ("127.0.0.1", "wiki.example"):
        url = f"http://{host}:8000/"
        for options in ({}, {"any_host": True}, {"hosts": frozenset([f"{host}:22"])}):
            source = find_source("<img src=a.png>", url=url, **options)
            assert source.open(1).resources.get(f"{url}a.png", 1) is None
            assert names.connected == []
        named = find_source("<img src=a.png>", url=url, hosts=frozenset([f"{host}:8000"]))
        named.open(1).resources.get(f"{url}a.png", 1)
        assert names.connected == names.answers[host]
        names.connected.clear()
    find_source("<p>x", url="http://page.example/").open(1).resources.get("http://page.example/a.png", 1)
    assert names.connected == [PUBLIC]


@pytest.mark.parametrize(
    ("home", "url", "allowed"),
    [
        ("http://a.example/", "https://www.a.example/", True),
        ("http://a.example/", "http://a.example:8080/", False),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000/x", True),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:22/", False),
        ("http://127.0.0.1:8000/", "http://127.0.0.1/", False),
        ("http://a.example/", "http://named.example:99/", True),
        ("http://a.example/", "http://port.example:99/", True),
        ("http://a.example/", "http://port.example/", False),
        ("http://a.example/", "http://other.example/", False),
    ],
)
def test_host_and_port_are_compared(home: str, url: str, allowed: bool) -> None:
    hosts = frozenset(["named.example", "port.example:99"])
    assert Web(home, hosts).allows(Target.of(url)) == allowed
    # The page's own host is no other host.
    own = Target.of(home).host.removeprefix("www.") == Target.of(url).host.removeprefix("www.")
    assert Web(home, hosts, any_host=True).allows(Target.of(url)) == (allowed or not own)


class _Redirecting(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(302)
        self.send_header("Location", "http://[::1")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""


@pytest.fixture
def redirecting() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Redirecting) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_a_redirect_to_a_broken_url_is_an_error_of_the_page(redirecting: str) -> None:
    with pytest.raises(RenderError, match="broken URL"):
        Web(redirecting).page(redirecting, 5)
    assert Web(redirecting).get(redirecting, 5) is None


def test_hidden_files_and_files_that_cannot_be_read_are_not_loaded(tmp_path: Path) -> None:
    folder = tmp_path / ".cache" / "site"
    (folder / ".ssh").mkdir(parents=True)
    for name in ("a.css", ".htpasswd", ".ssh/id_rsa"):
        (folder / name).write_text("x")
    (folder / "key.css").symlink_to(folder / ".ssh" / "id_rsa")
    (folder / "loop").symlink_to(folder / "loop")

    def load(path: str) -> object:
        return Folder(folder).get(f"http://{FILE_HOST}/{path}", 1)

    assert load("a.css") is not None
    for path in (".htpasswd", ".ssh/id_rsa", "%2essh/id_rsa", "key.css", "loop", "loop/x", "a%00b.png", "x" * 5000):
        assert load(path) is None, path
    assert Folder(folder).get("http://[::1", 1) is None


def test_a_file_behind_a_loop_of_links_is_reported(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>x")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(ValueError, match="cannot read"):
        find_source(str(tmp_path / "page.html"), folder=tmp_path / "loop").open(1)
