"""What commands of crawls take as their input, and what they say where it cannot be used, before any work."""

from __future__ import annotations

import csv
import gzip
import importlib.util
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from commands import webstrata
from small_crawl import HOSTS, pages, write_crawl
from warcs import page_record

pq = pytest.importorskip("pyarrow.parquet")

from webstrata.apps.cli.inputs import _MOST_BYTES  # noqa: E402
from webstrata.links import LinkGraph  # noqa: E402

LINKED = "<p>Silt lies on clay, and <a href={}>clay on stone</a>.</p><a href=http://a.org/b.html>b</a>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two pages that link to each other, without addresses."""
    path = tmp_path / "pages"
    path.mkdir()
    (path / "a.html").write_text(LINKED.format("b.html"))
    (path / "b.html").write_text(LINKED.format("a.html"))
    return path


def build(folder: Path, *options: str) -> Any:
    return webstrata("links", "build", str(folder), "-o", f"{folder}-graph", "-j", "1", *options)


def urls_of(folder: Path) -> list[str]:
    return sorted(LinkGraph.open(f"{folder}-graph").urls)


@pytest.mark.parametrize(
    ("options", "urls"),
    [
        (("--base-url", "http://a.org"), ["http://a.org/a.html", "http://a.org/b.html"]),
        (("--base-url", "http://a.org/x/"), ["http://a.org/x/a.html", "http://a.org/x/b.html"]),
        (("--url-from", "http://a.org/{name}"), ["http://a.org/a.html", "http://a.org/b.html"]),
    ],
)
def test_files_get_addresses(folder: Path, options: tuple[str, ...], urls: list[str]) -> None:
    result = build(folder, *options)
    assert result.exit_code == 0, result.output
    assert urls_of(folder) == urls
    assert "2 pages of 1 sites" in result.output


def test_a_list_in_the_folder_has_the_addresses(folder: Path) -> None:
    with (folder / "urls.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows([("file", "url"), ("a.html", "http://c.org/"), ("b.html", "http://c.org/b")])
    assert build(folder).exit_code == 0
    assert urls_of(folder) == ["http://c.org/", "http://c.org/b"]


def test_canonical_links_are_the_last_resort(folder: Path) -> None:
    for name in "ab":
        path = folder / f"{name}.html"
        path.write_text(f"<link rel=canonical href=http://d.org/{name}.html>" + path.read_text())
    assert build(folder).exit_code == 0
    assert urls_of(folder) == ["http://d.org/a.html", "http://d.org/b.html"]


def test_a_mirror_of_hosts_has_the_graph_of_its_archive(tmp_path: Path) -> None:
    archive, mirror = write_crawl(tmp_path, "warc"), write_crawl(tmp_path, "folder")
    assert build(archive).exit_code == build(mirror, "--url-from", "http://{page}").exit_code == 0
    one, other = (LinkGraph.open(f"{path}-graph") for path in (archive, mirror))
    assert list(one.urls) == list(other.urls) == sorted(pages(), key=lambda url: url.split("/")[2].split(".")[::-1])
    assert len(one.sites) == len(HOSTS)
    assert one.out_target.tolist() == other.out_target.tolist()


def test_an_index_of_a_folder_has_the_texts_of_links(folder: Path) -> None:
    for option, found in (("", 0), ("--base-url=http://a.org", 1)):
        index = f"{folder}-index{found}"
        given = ("--no-site", "-j", "1", *filter(None, [option]))
        assert webstrata("search", "index", str(folder), "-o", index, *given).exit_code == 0
        answers = webstrata("search", "query", index, "anchor:stone", "--ranking", "bm25f", "--json").stdout
        assert answers.count("http://a.org/") >= found
        assert bool(answers.strip()) == bool(found)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no page of the input has an address"),
        (("--base-url", "a.org"), "must begin with http"),
        (("--url-from", "http://a.org/{file}"), "is no pattern of URLs"),
        (("--url-from", "http://a.org/{path.x}"), "is no pattern of URLs"),
        (("--url-from", "http://a.org/{path}", "--base-url", "http://a.org"), "give one of"),
    ],
)
def test_what_gives_no_addresses(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    result = build(folder, *arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())


def test_addresses_are_for_files(tmp_path: Path) -> None:
    result = build(write_crawl(tmp_path, "jsonl"), "--base-url", "http://a.org")
    assert "there are none in the input" in " ".join(result.output.split())


class _Once(SimpleHTTPRequestHandler):
    """Serves files, and fails the first request for each range."""

    seen: ClassVar[set[str]] = set()

    def do_GET(self) -> None:
        asked = self.headers.get("Range", "")
        if asked not in self.seen:
            self.seen.add(asked)
            self.send_error(503)
        elif asked:
            data = Path(self.translate_path(self.path)).read_bytes()
            first, _, last = asked.removeprefix("bytes=").partition("-")
            part = data[int(first) : int(last or len(data)) + 1]
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {first}-{int(first) + len(part) - 1}/{len(data)}")
            self.send_header("Content-Length", str(len(part)))
            self.end_headers()
            self.wfile.write(part)
        else:
            super().do_GET()

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002
        pass


def test_an_archive_of_a_web_server_has_the_rows_of_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("aiohttp", reason="fsspec reads http through aiohttp: pip install 'webstrata[remote]'")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    crawl = write_crawl(tmp_path, "warc")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Once, directory=str(tmp_path))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/{crawl.name}"
        outputs = [tmp_path / "file", tmp_path / "address"]
        for source, output in zip((str(crawl), address), outputs, strict=True):
            result = webstrata("run", "extract", source, "-o", str(output), "-j", "1")
            assert "19 records read, 18 written" in result.output, result.output
        server.shutdown()
    rows = [pq.read_table(output).drop_columns(["file"]).to_pylist() for output in outputs]
    assert rows[0] == rows[1]


@pytest.mark.parametrize("name", ["ftp://a.org/crawl.warc.gz", "s4://bucket/crawl.warc.gz"])
def test_an_unknown_scheme_is_an_error(name: str, tmp_path: Path) -> None:
    result = webstrata("run", "extract", name, "-o", str(tmp_path / "out"))
    assert result.exit_code == 2
    assert "is not known: use a path or one of file, s3" in " ".join(result.output.split())
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "command", [("search", "index"), ("duplicates",), ("stats",), ("site", "learn"), ("run", "blocks")]
)
@pytest.mark.parametrize("package", ["pyarrow", "fastwarc"])
def test_a_missing_extra_is_one_message(
    command: tuple[str, ...], package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if name == package else found(name, *more)
    )
    out = tmp_path / "out"
    result = webstrata(*command, str(write_crawl(tmp_path, "warc")), "-o", str(out))
    assert result.exit_code == 2
    assert f"{package} is not installed: run pip install 'webstrata[scale]'" in " ".join(result.output.split())
    assert not list(out.glob("**/plan.json"))


@pytest.mark.parametrize("packed", [bytes, partial(gzip.compress, compresslevel=1)])
@pytest.mark.parametrize("size", [1, _MOST_BYTES])
def test_an_archive_is_not_one_page(packed: Any, size: int, tmp_path: Path) -> None:
    path = tmp_path / "two.warc"
    path.write_bytes(packed(page_record("http://a/", b"<p>one") + page_record("http://b/", b"<p>" + bytes(size))))
    result = webstrata("extract", str(path))
    assert result.exit_code == 2
    assert f"{path} is a WARC file with many pages: use `webstrata run extract" in result.stderr
    assert result.stdout == ""


def test_what_is_not_html_is_no_text(tmp_path: Path) -> None:
    pdf, packed = b"%PDF-1.7\nnot a page at all", gzip.compress(b"<p>one")[:10] + b"\xff" * 40
    (tmp_path / "a.html").write_bytes(pdf)
    assert "it is not HTML, but PDF" in webstrata("extract", str(tmp_path / "a.html")).stderr
    archive = tmp_path / "crawl.warc"
    archive.write_bytes(page_record("http://a/", pdf) + page_record("http://b/", packed, "Content-Encoding: gzip"))
    for number, source in enumerate([archive, tmp_path / "a.html"]):
        out = tmp_path / f"out{number}"
        result = webstrata("run", "extract", str(source), "-o", str(out), "-j", "1", "--rejected")
        assert f"{2 - number} not HTML" in " ".join(result.stdout.split())
        assert not list(out.glob("*.parquet"))


def test_files_without_an_ending_of_html_are_read_if_they_begin_like_it(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "view.php?id=1").write_text("<!doctype html><p>one")
    (tmp_path / "pages" / "style.css").write_text("p { color: red }")
    result = webstrata("run", "blocks", str(tmp_path / "pages"), "-o", str(tmp_path / "out"), "-j", "1")
    assert "2 records read, 1 written" in result.stdout


def test_a_page_in_another_language_is_rejected_as_that(tmp_path: Path) -> None:
    pytest.importorskip("py3langid")
    out = tmp_path / "out"
    result = webstrata("run", "extract", str(write_crawl(tmp_path, "jsonl")), "-o", str(out), "-j", "1",
                       "--language", "de,fr", "--rejected")  # fmt: skip
    assert "18 language" in " ".join(result.stdout.split())
    assert '"reason": "language", "detail": "en"' in (out / "_rejected" / "part-00000-00000.jsonl").read_text()


def test_resuming_another_run_names_what_differs(tmp_path: Path) -> None:
    crawl, out = str(write_crawl(tmp_path, "jsonl")), str(tmp_path / "out")
    assert webstrata("run", "extract", crawl, "-o", out, "-j", "1").exit_code == 0
    again = webstrata("run", "extract", crawl, "-o", out, "-j", "1", "--resume", "--format", "markdown")
    assert "formats was ('text',) and is ('text', 'markdown')" in " ".join(again.output.split())


def test_passes_are_counted(tmp_path: Path) -> None:
    crawl = str(write_crawl(tmp_path, "jsonl"))
    result = webstrata("search", "index", crawl, "-o", str(tmp_path / "index"), "-j", "1")
    assert "pass 1 of 2" in result.stderr
    assert "--no-site leaves them out" in " ".join(result.stderr.split())
    assert "pass 2 of 2: 18 records" in result.stderr


def test_a_site_of_one_segment_a_page_is_told(tmp_path: Path) -> None:
    (tmp_path / "manual").mkdir()
    for number in range(12):
        (tmp_path / "manual" / f"{number}.html").write_text(f"<title>{number}</title><p>See chapter {number}.")
    site = str(tmp_path / "site")
    learnt = webstrata("site", "learn", str(tmp_path / "manual"), "-o", site, "--by", "all", "-j", "1")
    for result in (learnt, webstrata("site", "classes", site)):
        assert "all: most pages are one segment" in " ".join(result.stderr.split())
    crawl, site = str(write_crawl(tmp_path, "jsonl")), str(tmp_path / "other")
    assert "one segment" not in webstrata("site", "learn", crawl, "-o", site, "-j", "1", "--no-extraction").stderr


def test_classes_of_all_sites_are_listed(tmp_path: Path) -> None:
    crawl, site = str(write_crawl(tmp_path, "jsonl")), str(tmp_path / "site")
    learnt = webstrata("site", "learn", crawl, "-o", site, "-j", "1", "--no-extraction", "--alpha", "3", "--beta", "2")
    assert learnt.exit_code == 0, learnt.output
    assert '"alpha": 3' in (tmp_path / "site" / "site.json").read_text()
    shown = webstrata("site", "classes", site).stdout
    assert all(f"{host}: 6 pages" in shown for host in HOSTS)
    assert HOSTS[1] not in webstrata("site", "classes", site, "--name", HOSTS[0]).stdout


def test_an_input_is_a_pattern_or_a_pipe(tmp_path: Path) -> None:
    crawl = write_crawl(tmp_path, "warc")
    rows = []
    for number, arguments in enumerate([[str(crawl)], [str(tmp_path / "*.warc*")], []]):
        out = str(tmp_path / f"out{number}")
        command = [sys.executable, "-m", "webstrata", "run", "blocks", *arguments, "-o", out, "-j", "1"]
        # The worker process reads the pipe itself.
        with crawl.open("rb") as stream:
            printed = subprocess.run(command, stdin=stream, capture_output=True, text=True, check=True).stdout
        assert "19 records read, 18 written" in printed
        rows.append(pq.read_table(out).drop_columns(["file"]).to_pylist())
    assert rows[0] == rows[1] == rows[2]
    missing = webstrata("run", "blocks", str(tmp_path / "*.zst"), "-o", str(tmp_path / "none"))
    assert "no file matches the pattern" in " ".join(missing.stderr.split())
