"""Every kind of input, from the beginning and from the middle."""

from __future__ import annotations

import gzip
import io
import json
import os
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from warcs import PACKINGS, page_record

from webstrata.crawls.reading.captures import captures_in, read_captures
from webstrata.crawls.reading.finding import find_inputs
from webstrata.crawls.reading.inputs import Input, Place
from webstrata.crawls.reading.stores import archive_at
from webstrata.crawls.reading.tables import read_json_lines
from webstrata.errors import InputError


def rows_of(source: Input, *, limit: int = 1000, after: Place | None = None) -> list[dict[str, Any]]:
    return [row for batch in source.batches(limit=limit, after=after) for row in batch.to_pylist()]


def pages(count: int) -> list[bytes]:
    return [f"<p>Page {i}.".encode() for i in range(count)]


def parquet(html: list[bytes]) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.table({"html": html}), sink)
    return sink.getvalue()


@pytest.fixture(params=["warc", "warc.gz", "warc.zst", "whole.warc.gz", "jsonl", "jsonl.gz", "parquet", "html"])
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Input:
    """The same 40 pages in every kind of file."""
    path = tmp_path / f"pages.{request.param}"
    urls = [f"http://example.org/{i}" for i in range(40)]
    if request.param == "html":
        path.mkdir()
        for i, html in enumerate(pages(40)):
            (path / f"{i:02}.html").write_bytes(html)
    elif request.param == "parquet":
        pq.write_table(pa.table({"url": urls, "html": pages(40)}), path)
    elif request.param.startswith("jsonl"):
        data = b"".join(
            json.dumps({"url": url, "html": html.decode()}).encode() + b"\n"
            for url, html in zip(urls, pages(40), strict=True)
        )
        path.write_bytes(gzip.compress(data) if request.param.endswith("gz") else data)
    else:
        parts = [page_record(url, html) for url, html in zip(urls, pages(40), strict=True)]
        pack = PACKINGS["." + request.param] if request.param != "whole.warc.gz" else bytes
        data = b"".join(map(pack, parts))
        path.write_bytes(gzip.compress(data) if request.param == "whole.warc.gz" else data)
    [found] = find_inputs([str(path)])
    return found


def test_all_pages_come_with_number_and_digest(source: Input) -> None:
    rows = rows_of(source)
    assert [row["html"] for row in rows] == pages(40)
    assert [row["record"] for row in rows] == list(range(40))
    assert len({row["digest"] for row in rows}) == 40
    assert all(Path(row["file"]).exists() for row in rows)


@pytest.mark.parametrize("record", [0, 17, 39])
def test_reading_goes_on_behind_any_record(source: Input, record: int) -> None:
    rows = rows_of(source)
    last = rows[record]
    place = Place(last["record"], last["offset"], last["url"], last["crawled"])
    assert rows_of(source, after=place) == rows[record + 1 :]


def test_how_far(source: Input) -> None:
    rows = rows_of(source)
    places = [Place(row["record"], row["offset"]) for row in rows]
    reached = [source.reached(place) for place in places]
    assert reached == sorted(reached)
    assert source.size is None or reached[-1] <= source.size


def test_a_uri_is_read_like_a_path(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(PACKINGS[".warc.gz"](page_record(f"http://{i}/", b"<p>x")) for i in range(3)) + b"cut")
    [by_path], [by_uri] = find_inputs([str(path)]), find_inputs([path.as_uri()])
    assert [{**row, "file": ""} for row in rows_of(by_uri)] == [{**row, "file": ""} for row in rows_of(by_path)]
    assert len(rows_of(by_uri)) == 4


def test_a_folder_counts_what_is_no_page(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b/one.htm").write_bytes(b"<p>1")
    (tmp_path / "a.png").write_bytes(b"x")
    (tmp_path / "c.html").write_bytes(b"")
    (tmp_path / "d.html").write_bytes(b"x" * 1001)
    [source] = find_inputs([str(tmp_path)])
    assert [row["reason"] for row in rows_of(source)] == ["not HTML", None, "empty", "too large"]


def test_lines_that_are_no_records() -> None:
    lines = [
        b'{"html": "<p>one", "url": "http://a/"}',
        b"",
        b"not json",
        b"[1]",
        b'{"text": "x"}',
        b'{"html": ""}',
        b'{"html": "\\ud800"}',
        json.dumps({"html": "x" * 101}).encode(),
        b"[" * 100_000,
    ]
    rows = list(read_json_lines(io.BytesIO(b"\n".join(lines)), limit=100))
    assert [row.get("reason") for row in rows] == [
        None, "broken record", "broken record", "not HTML", "empty", None, "too large", "too large",
    ]  # fmt: skip
    assert rows[0]["html"] == b"<p>one"


def test_a_line_without_end_takes_no_memory() -> None:
    rows = list(read_json_lines(io.BytesIO(b"x" * 500_000 + b'\n{"html": "y"}'), limit=10))
    assert [row.get("reason") for row in rows] == ["too large", None]


def test_truncated_compressed_lines() -> None:
    data = gzip.compress(b"".join(b'{"html": "%d"}\n' % i for i in range(10_000)))
    rows = list(read_json_lines(io.BytesIO(data[:-200]), limit=100))
    assert rows[-1]["reason"] == "broken record"
    assert all(row.get("reason") is None for row in rows[:-1])


def test_parquet_that_cannot_be_used(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(b"PAR1 nonsense")
    assert [row["reason"] for row in rows_of(Input("parquet", (str(path),)))] == ["broken record"]
    pq.write_table(pa.table({"text": ["x"]}), path)
    with pytest.raises(InputError, match="no column html, only text"):
        rows_of(Input("parquet", (str(path),)))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"<p>a page", [b"<p>a page"]),
        (b'{"html": "one"}\n{"html": "two"}', [b"one", b"two"]),
        (page_record("http://a/", b"one") + page_record("http://b/", b"two"), [b"one", b"two"]),
        (gzip.compress(b'{"html": "one"}\n{"html": "two"}', mtime=0), [b"one", b"two"]),
        (PACKINGS[".warc.zst"](b'{"html": "one"}\n{"html": "two"}'), [b"one", b"two"]),
        (gzip.compress(page_record("http://a/", b"one"), mtime=0), [b"one"]),
        (PACKINGS[".warc.zst"](page_record("http://a/", b"one")), [b"one"]),
        (parquet([b"one", b"two"]), [b"one", b"two"]),
    ],
)
def test_standard_input(data: bytes, expected: list[bytes], tmp_path: Path) -> None:
    path = tmp_path / "stdin"
    path.write_bytes(data)
    saved = os.dup(0)
    with path.open("rb") as stream:
        os.dup2(stream.fileno(), 0)
    try:
        [source] = find_inputs(["-"])
        assert [row["html"] for row in rows_of(source)] == expected
    finally:
        os.dup2(saved, 0)
        os.close(saved)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["page.pdf"], "not clear from its name: known endings are .warc"),
        (["-", "-"], "name - once"),
        (["no-such.warc.gz"], "cannot read no-such.warc.gz: No such file or directory"),
    ],
)
def test_errors(names: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        [rows_of(source) for source in find_inputs(names)]


def test_html_files_that_follow_each_other_are_one_input() -> None:
    assert [item.files for item in find_inputs(["a.html", "b.html", "c.warc", "d.warc"])] == [
        ("a.html", "b.html"),
        ("c.warc",),
        ("d.warc",),
    ]


def test_pipes_and_links_out_of_a_folder_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.html").write_text("<p>secret")
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.html").write_text("<p>one")
    (tmp_path / "pages" / "b.html").symlink_to("../secret.html")
    os.mkfifo(tmp_path / "pages" / "c.html")
    [pages] = find_inputs([str(tmp_path / "pages")])
    assert pages.files == (str(tmp_path / "pages/a.html"),)
    os.mkfifo(tmp_path / "crawl.warc.gz")
    [pipe] = find_inputs([str(tmp_path / "crawl.warc.gz")])
    with pytest.raises(InputError, match="it is a pipe or a device"):
        next(pipe.rows(limit=100))
    assert pipe.identity is None


def test_a_list_from_an_address_names_no_file_of_this_machine(tmp_path: Path) -> None:
    remote = "https://example.org/warc.paths.gz"
    for name in ("/etc/passwd", "file:///etc/passwd", "FILE:///etc/passwd"):
        with pytest.raises(InputError, match="a file of this machine"):
            archive_at(name, remote)
    assert archive_at("/data/a.warc.gz", str(tmp_path / "my.paths")) == "/data/a.warc.gz"
    assert archive_at("https://example.org/a.warc.gz", remote) == "https://example.org/a.warc.gz"
    capture = b'{"url": "http://a.org/", "filename": "/etc/passwd", "offset": "0", "length": "100"}\n'
    [row] = read_captures(captures_in(io.BytesIO(capture), table=False), partial(archive_at, listed_in=remote), limit=9)
    assert row["reason"] == "unreadable"
    assert "html" not in row


def test_a_list_that_is_a_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webstrata.crawls.reading.finding._LONGEST_LIST", 1000)
    (tmp_path / "warc.paths.gz").write_bytes(gzip.compress(b"a.warc.gz\n" * 10**6))
    with pytest.raises(InputError, match="more than 1,000 bytes"):
        find_inputs([str(tmp_path / "warc.paths.gz")])
    (tmp_path / "warc.paths.gz").write_bytes(gzip.compress(b"http://a.org/a.warc.gz\n" * 2)[:-9])
    with pytest.raises(InputError, match="no list of paths"):
        find_inputs([str(tmp_path / "warc.paths.gz")])


def test_a_list_of_urls_with_a_huge_field_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>x")
    (tmp_path / "urls.csv").write_text("file,url\na.html," + "x" * 200_000 + "\n")
    with pytest.raises(InputError, match=r"urls\.csv has a line that cannot be read"):
        find_inputs([str(tmp_path)])
