"""WARC files in every state of repair."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from warcs import PACKINGS, info, page_record, record

from webstrata.crawls.reading.archive import end_of_record, next_record
from webstrata.crawls.reading.warc import payload_digest, read_warc

Pack = Callable[[bytes], bytes]

A, B, C = (page_record(f"http://{name}/", f"<p>Page {name}.".encode()) for name in "abc")


def read(data: bytes, *, limit: int = 10_000, start: int = 0) -> list[dict[str, Any]]:
    return list(read_warc(io.BytesIO(data), limit=limit, start=start))


def told(rows: list[dict[str, Any]]) -> list[str]:
    """The rows in short: the host of a page that came out, the reason of any other."""
    return [row.get("reason") or row["url"].split("/")[2] for row in rows]


@pytest.fixture(params=PACKINGS)
def pack(request: pytest.FixtureRequest) -> Pack:
    return PACKINGS[request.param]


def test_records_come_with_their_place(pack: Pack) -> None:
    rows = read(pack(A) + pack(B))
    assert [row["html"] for row in rows] == [b"<p>Page a.", b"<p>Page b."]
    assert [row["offset"] for row in rows] == [0, len(pack(A))]
    assert rows[0]["crawled"] == "2026-01-02T03:04:05Z"
    assert read(pack(A) + pack(B), start=rows[1]["offset"]) == rows[1:]


def test_what_is_no_page_is_told(pack: Pack) -> None:
    parts = [
        info(),
        record("request", b"GET / HTTP/1.1\r\n\r\n", "Content-Type: application/http; msgtype=request"),
        page_record("http://a/", b"gone", status="404 Not Found"),
        page_record("http://a/", b"", status="301 Moved"),
        page_record("http://a/", b"\x89PNG", content_type="image/png"),
        page_record("http://a/", b"\x89PNG", content_type=None),
        page_record("http://a/", b""),
        page_record("http://a/", b"x" * 10_001),
        page_record("http://x/", b"<!doctype html><p>No type.", content_type=None),
        record("resource", b"<p>A file.", "WARC-Target-URI: file://y/", "Content-Type: text/html"),
    ]
    assert told(read(b"".join(map(pack, parts)))) == [
        "not a response", "not a response", "HTTP error", "HTTP error", "not HTML", "not HTML", "empty", "too large",
        "x", "y",
    ]  # fmt: skip


def test_the_header_gives_the_encoding() -> None:
    [row] = read(page_record("http://a/", "<p>Мир".encode("koi8-r"), content_type="text/html; charset=KOI8-R"))
    assert row["encoding"] == "KOI8-R"


@pytest.mark.parametrize(
    ("header", "body"),
    [
        ("Content-Encoding: gzip", gzip.compress(b"<p>one", mtime=0)),
        ("Content-Encoding: deflate", zlib.compress(b"<p>one")),
        ("Content-Encoding: deflate", zlib.compress(b"<p>one", wbits=-15)),
        ("Transfer-Encoding: chunked", b"6\r\n<p>one\r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked", b"<p>one"),
        ("Content-Encoding: gzip", b"<p>one"),
        ("Content-Encoding: br", b"<p>one"),
        ("Content-Encoding: unheard-of", b"<p>one"),
    ],
)
def test_encodings_of_the_body(header: str, body: bytes) -> None:
    [row] = read(page_record("http://a/", body, header))
    assert row["html"] == b"<p>one"


def test_a_small_bomb_is_too_large() -> None:
    bomb = gzip.compress(bytes(10_000_000))
    assert told(read(page_record("http://a/", bomb, "Content-Encoding: gzip") + B, limit=20_000)) == ["too large", "b"]


@pytest.mark.parametrize("longer", [-8, -1, 5, 300, 10**9])
def test_a_wrong_length_loses_one_record(pack: Pack, longer: int) -> None:
    wrong = page_record("http://b/", b"<p>Page b, wrong.", longer=longer)
    assert told(read(pack(A) + pack(wrong) + pack(C))) == ["a", "broken record", "c"]


def test_a_length_that_counts_the_blank_line_is_forgiven(pack: Pack) -> None:
    long = page_record("http://b/", b"<p>Page b.", longer=2)
    assert told(read(pack(A) + pack(long) + pack(C))) == ["a", "b", "c"]


@pytest.mark.parametrize("header", [b"X-Length: ", b"Content-Length: -", b"Content-Length: x"])
def test_no_length_loses_one_record(pack: Pack, header: bytes) -> None:
    assert told(read(pack(A) + pack(B.replace(b"Content-Length: ", header)) + pack(C))) == ["a", "broken record", "c"]


def test_garbage_between_records(pack: Pack) -> None:
    assert told(read(pack(A) + b"garbage\r\n\r\n" + pack(C))) == ["a", "broken record", "c"]
    assert told(read(b"garbage\r\n\r\n" + pack(A) + pack(C))) == ["broken record", "a", "c"]
    assert told(read(pack(A) + b"garbage")) == ["a", "broken record"]


@pytest.mark.parametrize("name", [".warc.gz", ".warc.zst"])
def test_a_damaged_member_loses_one_record(name: str) -> None:
    pack = PACKINGS[name]
    middle = bytearray(pack(B))
    middle[len(middle) // 2] ^= 0xFF
    middle[len(middle) // 2 + 9] ^= 0xFF
    assert told(read(pack(A) + bytes(middle) + pack(C))) == ["a", "broken record", "c"]


def test_every_cut_keeps_what_is_whole(pack: Pack) -> None:
    whole = pack(A) + pack(B)
    for stop in range(len(pack(A)) + 1, len(whole) - 12):
        rows = told(read(whole[:stop]))
        assert rows[0] == "a", stop
        assert len(rows) == 2, stop
        assert rows[1] in ("truncated", "broken record"), stop


def test_a_file_compressed_as_one() -> None:
    data = gzip.compress(A + B + C)
    assert told(read(data)) == ["a", "b", "c"]
    assert told(read(data[:-20])[:1]) == ["a"]


def test_a_stream_that_cannot_seek(pack: Pack) -> None:
    def through_a_pipe(data: bytes) -> list[str]:
        end, start = os.pipe()
        os.write(start, data)
        os.close(start)
        with os.fdopen(end, "rb") as stream:
            return told(list(read_warc(stream, limit=100)))

    assert through_a_pipe(pack(A) + pack(B)) == ["a", "b"]
    assert through_a_pipe(pack(A) + b"garbage" + pack(B)) == ["a", "broken record"]


def test_an_archive_inside_a_page_stays_inside() -> None:
    assert told(read(page_record("http://a/", b"<pre>\n" + B) + C)) == ["a", "c"]


def test_no_archive_at_all() -> None:
    assert read(b"") == []
    assert told(read(b"anything else" * 1000)) == ["broken record"]


def test_ends_and_starts(pack: Pack) -> None:
    data = pack(A) + pack(B)
    assert next_record(io.BytesIO(data), 0) == 0
    assert next_record(io.BytesIO(data), 1) == len(pack(A))
    assert next_record(io.BytesIO(data), len(pack(A)) + 1) is None
    assert end_of_record(io.BytesIO(data), 0) == len(pack(A))
    assert end_of_record(io.BytesIO(pack(page_record("http://a/", b"x", longer=1)) + pack(B)), 0) is None


def test_a_start_across_two_chunks_is_found(monkeypatch: pytest.MonkeyPatch, pack: Pack) -> None:
    monkeypatch.setattr("webstrata.crawls.reading.archive._CHUNK", 1000)
    for filler in range(980, 1020):
        data = pack(A) + b"\n" * filler + pack(C)
        assert next_record(io.BytesIO(data), 1) == len(pack(A)) + filler


def test_digest() -> None:
    assert payload_digest(b"") == "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"


parts = st.lists(
    st.one_of(
        st.tuples(st.just("page"), st.binary(min_size=1, max_size=200)),
        st.tuples(st.just("info"), st.just(b"")),
        st.tuples(st.just("long"), st.binary(min_size=1, max_size=50)),
        st.tuples(st.just("short"), st.binary(min_size=10, max_size=50)),
        st.tuples(st.just("garbage"), st.binary(min_size=1, max_size=50)),
    ),
    max_size=8,
)


@given(parts, st.sampled_from([".warc", ".warc.gz"]))
@settings(max_examples=150)
def test_sound_records_come_out_once_and_in_order(items: list[tuple[str, bytes]], name: str) -> None:
    """Whatever stands between them. Garbage after a sound record never makes it unsound."""
    pack, data, expected = PACKINGS[name], b"", []
    for number, (kind, content) in enumerate(items):
        url = f"http://{number}/"
        if kind == "page":
            expected.append(url)
            data += pack(page_record(url, content))
        elif kind == "info":
            data += pack(info())
        elif kind == "garbage":
            data += b"\x00" + content.replace(b"\x1f", b" ").replace(b"\n", b" ") + b"\r\n\r\n"
        else:
            data += pack(page_record(url, content, longer=10_000 if kind == "long" else -3))
    rows = read(data)
    assert [row["url"] for row in rows if not row.get("reason")] == expected
    assert [row["offset"] for row in rows] == sorted(row["offset"] for row in rows)
