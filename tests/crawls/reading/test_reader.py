"""Inputs that would hang or starve whoever reads them cost their own records, and no more."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hostile import Deadly, Stopping
from recordings import rows_of
from warcs import PACKINGS, page_record

from webstrata.crawls import Limits, find_inputs
from webstrata.crawls.reading.reader import Reader
from webstrata.errors import InputError

pytestmark = pytest.mark.slow

LIMITS = Limits(seconds=5, memory=2**29, bytes=10_000)


def read(path: Path, limits: Limits = LIMITS) -> list[dict[str, Any]]:
    [source] = find_inputs([str(path)])
    return rows_of(iter(Reader(source, limits=limits)))


def test_the_rows_are_those_of_the_input(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(PACKINGS[".warc.gz"](page_record(f"http://{i}/", b"<p>x")) for i in range(70)))
    [source] = find_inputs([str(path)])
    assert read(path) == rows_of(source.batches(limit=10_000))


def test_an_input_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read .*: No such file"):
        read(tmp_path / "a.warc")


def test_a_line_that_unfolds_into_too_much_is_a_row(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    bomb = b'{"html": [' + b"[]," * 15_000_000 + b"0]}\n"
    path.write_bytes(gzip.compress(b'{"html": "one"}\n' + bomb + b'{"html": "two"}\n', 1))
    rows = read(path, Limits(seconds=60, memory=2**29))
    assert [row["reason"] for row in rows] == [None, "out of memory", None]


def test_values_that_do_not_fit_together_are_read_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    value = pa.array([b"x" * 30_000_000]).dictionary_encode()
    table = pa.table({"html": pa.DictionaryArray.from_arrays(pa.array([0] * 64, pa.int32()), value.dictionary)})
    pq.write_table(table, path, compression="zstd")
    assert path.stat().st_size < 100_000
    assert [row["reason"] for row in read(path, Limits(seconds=60, memory=2**29))] == ["too large"] * 64


def test_reading_goes_on_behind_a_record_that_kills_the_reader(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(PACKINGS[".warc.gz"](page_record(f"http://{i}/", b"<p>x")) for i in range(6)))
    source = Deadly("warc", (str(path),))
    rows = rows_of(iter(Reader(source, limits=LIMITS)))
    assert [row["record"] for row in rows] == list(range(6))
    assert [row["reason"] for row in rows] == [None, None, "crashed", "crashed", None, None]
    assert [row["url"] for row in rows] == ["http://0/", "http://1/", None, None, "http://4/", "http://5/"]


def test_a_reader_that_is_stopped_loses_no_record(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(PACKINGS[".warc.gz"](page_record(f"http://{i}/", b"<p>x")) for i in range(6)))
    rows = rows_of(iter(Reader(Stopping("warc", (str(path),)), limits=LIMITS)))
    assert [(row["url"], row["reason"]) for row in rows] == [(f"http://{i}/", None) for i in range(6)]


def test_what_json_can_say_and_no_file_can_hold(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lines = ['{"url": "\\ud800", "html": "a"}', '{"url": ["x"], "html": "b"}', '{"url": {"a": 1}, "html": 5}']
    path.write_text("\n".join([*lines, json.dumps({"html": "c", "crawled": 7})]))
    rows = read(path)
    assert [(row["url"], row["html"], row["reason"]) for row in rows] == [
        ("?", b"a", None), (None, b"b", None), (None, None, "not HTML"), (None, b"c", None),
    ]  # fmt: skip


def test_a_name_that_is_not_utf_8(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / os.fsdecode(b"\xff.html")).write_bytes(b"<p>one")
    [row] = read(folder)
    assert (row["html"], row["file"]) == (b"<p>one", str(folder / "?.html"))


def test_a_file_that_is_gone_is_a_row(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.html").write_bytes(b"<p>one")
    [source] = find_inputs([str(tmp_path)])
    (tmp_path / "b.html").unlink()
    assert [row["reason"] for row in rows_of(iter(Reader(source, limits=LIMITS)))] == [None, "unreadable", None]
