"""What ``webstrata extract`` can be given: folders, patterns, compressed files, addresses; and where results go."""

from __future__ import annotations

import gzip
import os
import socket
import threading
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from commands import webstrata

from webstrata.apps.cli.inputs import _MOST_BYTES, NamedPage, find_pages
from webstrata.errors import InputError

KEEP_ALL = ("--algorithm", "keep-all")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Pages at several depths, one of them compressed, two with names that differ in their endings only."""
    pages = tmp_path / "pages"
    (pages / "below").mkdir(parents=True)
    for name in ("a.html", "a.htm", "below/b.html", "note.txt"):
        (pages / name).write_text(f"<p>This is {name}.", encoding="utf-8")
    (pages / "c.html.gz").write_bytes(gzip.compress(b"<p>This is c."))
    return pages


def extract(*arguments: str) -> str:
    result = webstrata("extract", *KEEP_ALL, *arguments)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_a_folder(folder: Path) -> None:
    told = extract(str(folder))
    assert [line for line in told.splitlines() if line.startswith("This")] == [
        "This is a.htm.", "This is a.html.", "This is below/b.html.", "This is c.",
    ]  # fmt: skip


def test_a_pattern(folder: Path) -> None:
    assert extract(f"{folder}/**/b*.html") == "This is below/b.html.\n"
    assert extract(f"{folder}/*.gz") == "This is c.\n"
    named = folder / "odd[1].html"
    named.write_text("<p>A file first.", encoding="utf-8")
    assert extract(str(named)) == "A file first.\n"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_folder_of_results(folder: Path, tmp_path: Path, jobs: str) -> None:
    output = tmp_path / "out"
    assert extract(str(folder), "--output-dir", str(output), "--format", "markdown", "--jobs", jobs) == ""
    found = {str(path.relative_to(output)): path.read_text("utf-8") for path in output.rglob("*") if path.is_file()}
    assert found == {
        "a.md": "This is a.htm.\n",
        "a-2.md": "This is a.html.\n",
        "below/b.md": "This is below/b.html.\n",
        "c.md": "This is c.\n",
    }


def test_jobs_change_nothing_but_the_time(folder: Path) -> None:
    (folder / "broken.html.gz").write_bytes(b"\x1f\x8bnothing")
    one, two = (webstrata("extract", *KEEP_ALL, str(folder), "--jobs", jobs) for jobs in "12")
    assert (one.stdout, one.stderr, one.exit_code) == (two.stdout, two.stderr, two.exit_code)
    assert one.exit_code == 2
    assert "broken.html.gz: it does not decompress" in one.stderr
    both = webstrata("extract", *KEEP_ALL, "-", str(folder), "--jobs", "2")
    assert "leave out --jobs" in both.stderr


def test_a_page_is_never_written_over(folder: Path) -> None:
    result = webstrata("extract", *KEEP_ALL, str(folder), "--output-dir", str(folder), "--format", "html")
    assert result.exit_code == 2
    assert "would overwrite the page itself" in result.stderr
    assert (folder / "below/b.html").read_text("utf-8") == "<p>This is below/b.html."


def test_what_unfolds_to_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.html.gz"
    path.write_bytes(gzip.compress(bytes(_MOST_BYTES + 1)))
    with pytest.raises(InputError, match="decompresses to more than"):
        NamedPage(str(path)).read()


@pytest.fixture
def server(folder: Path) -> Iterator[str]:
    (folder / "latin.html").write_bytes("<p><a href=x>Tür</a>".encode("latin-1"))
    handler = partial(_Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as httpd:
        threading.Thread(target=httpd.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{httpd.server_port}"
        httpd.shutdown()


class _Quiet(SimpleHTTPRequestHandler):
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".html": "text/html; charset=iso-8859-1"}  # noqa: RUF012

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


def test_an_address(server: str, tmp_path: Path) -> None:
    assert extract(f"{server}/latin.html", "--format", "markdown") == f"[Tür]({server}/x)\n"
    extract(f"{server}/latin.html", "--output-dir", str(tmp_path / "out"))
    [path] = (tmp_path / "out").iterdir()
    assert path.name.endswith("_latin.html.txt")
    for wrong, message in (("no-such.html", "the server answered 404"), ("c.html.gz", "its type is application/gzip")):
        result = webstrata("extract", f"{server}/{wrong}")
        assert result.exit_code == 2
        assert f"cannot read {server}/{wrong}: " in result.stderr
        assert message in result.stderr
    refused = webstrata("extract", "http://127.0.0.1:1/")
    assert "cannot read http://127.0.0.1:1/: " in refused.stderr


def test_a_redirect_from_a_public_page_to_a_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    pages = {"/private": "<p>The router.", "/page": "<p>A page."}

    class Redirecting(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(f"{self.headers['Host'].partition(':')[0]}{self.path}")
            self.send_response(200 if self.path in pages else 302)
            self.send_header("Content-Type", "text/html")
            self.send_header("Location", self.path.partition("/to/")[2])
            self.end_headers()
            self.wfile.write(pages.get(self.path, "").encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Redirecting) as httpd:
        threading.Thread(target=httpd.serve_forever, daemon=True).start()
        port = httpd.server_port
        public = {"public.example", "93.184.216.34"}
        resolved, connected = socket.getaddrinfo, socket.create_connection

        def resolve(host: str, *options: Any, **named: Any) -> Any:
            found = resolved("127.0.0.1" if host in public else host, *options, **named)
            return [(*each[:4], ("93.184.216.34", port)) for each in found] if host in public else found

        def connect(address: tuple[str, int], *options: Any, **named: Any) -> socket.socket:
            return connected(("127.0.0.1" if address[0] in public else address[0], address[1]), *options, **named)

        monkeypatch.setattr(socket, "getaddrinfo", resolve)
        monkeypatch.setattr(socket, "create_connection", connect)
        here, there = f"http://127.0.0.1:{port}", f"http://public.example:{port}"
        refused = webstrata("extract", *KEEP_ALL, f"{there}/to/{there}/to/{here}/private")
        assert refused.exit_code == 2
        assert "a public page redirects to 127.0.0.1, which is not public: give that URL" in refused.stderr
        assert {name.partition("/")[0] for name in asked} == {"public.example"}
        # The user named these addresses, or they are public.
        assert extract(f"{here}/private") == "The router.\n"
        assert extract(f"{here}/to/{here}/private") == "The router.\n"
        assert extract(f"{here}/to/{there}/page") == "A page.\n"
        asked.clear()
        assert webstrata("extract", f"{here}/to/{there}/to/{here}/private").exit_code == 2
        assert asked == [f"127.0.0.1/to/{there}/to/{here}/private", f"public.example/to/{here}/private"]
        httpd.shutdown()


def test_a_wrong_charset_of_a_server_is_ignored(server: str, folder: Path) -> None:
    (folder / "utf8.html").write_text("<p>Grüße aus Göttingen", encoding="utf-8")
    assert NamedPage(f"{server}/utf8.html").parse().text == "Grüße aus Göttingen"


def test_other_commands_read_them_too(server: str, folder: Path) -> None:
    packed = webstrata("segment", str(folder / "c.html.gz"))
    assert packed.stdout.count("This is c.") == 1
    assert "Tür" in webstrata("blocks", f"{server}/latin.html").stdout
    assert webstrata("explain", f"{server}/latin.html", "-o", str(folder / "report.html")).exit_code == 0
    assert "Tür" in (folder / "report.html").read_text("utf-8")


def test_names_for_results_stay_in_the_folder() -> None:
    names = ["http://example.org/../../etc/passwd", "https://example.org/", "http://.../", "-"]
    targets = [source.target for source in find_pages(names) if isinstance(source, NamedPage)]
    assert len(set(targets)) == len(names)
    assert not any("/" in target or target.startswith(".") for target in targets)


def test_pipes_devices_and_links_out_of_a_folder_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.html")
    (tmp_path / "secret.html").write_text("<p>secret")
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.html").write_text("<p>one")
    (tmp_path / "pages" / "b.html").symlink_to("../secret.html")
    (tmp_path / "pages" / "c.html").symlink_to("/dev/zero")
    assert [page.name for page in find_pages([str(tmp_path / "pages")]) if isinstance(page, NamedPage)] == [
        str(tmp_path / "pages/a.html")
    ]
    for name in (str(tmp_path / "pipe.html"), "/dev/zero"):
        for command in ("extract", "segment", "explain"):
            result = webstrata(command, name)
            assert result.exit_code == 2
            assert "it is a pipe or a device" in result.output


def test_an_input_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with open("/dev/zero") as endless:
        monkeypatch.setattr("sys.stdin", endless)
        with pytest.raises(InputError, match="it has more than"):
            NamedPage("-").read()
