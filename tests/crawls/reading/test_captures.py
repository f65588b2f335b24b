"""Rows of an index of archives as input."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from commands import webstrata
from warcs import PACKINGS, info, page_record

from webstrata.crawls.reading import captures
from webstrata.crawls.reading.finding import find_inputs
from webstrata.crawls.reading.inputs import Place
from webstrata.crawls.reading.stores import read_range

PAGES = 12


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The captures of two archives; every other page is of another host, and one place is wrong."""
    folder = tmp_path_factory.mktemp("crawl")
    rows: list[dict[str, Any]] = []
    for file in ("a.warc.gz", "b.warc.gz"):
        data = PACKINGS[".warc.gz"](info())
        for number in range(PAGES):
            url = f"http://{'ab'[number % 2]}.org/{file[0]}{number}"
            record = PACKINGS[".warc.gz"](page_record(url, f"<title>{url}</title><p>Page {number}.".encode()))
            place: dict[str, Any] = {"file": f"crawl-data/{file}", "offset": len(data), "length": len(record)}
            rows.append({"url": url, **place})
            data += record
        (folder / "crawl-data").mkdir(exist_ok=True)
        (folder / "crawl-data" / file).write_bytes(data)
    rows[3] = {**rows[3], "offset": rows[3]["offset"] + 1}
    return [{**row, "folder": str(folder)} for row in rows]


def written(index: list[dict[str, Any]], kind: str) -> str:
    folder = Path(index[0]["folder"])
    path = folder / f"index.{kind}"
    if kind == "parquet":
        columns = {
            "url": "url",
            "warc_filename": "file",
            "warc_record_offset": "offset",
            "warc_record_length": "length",
        }
        table = {name: [row[of] for row in index] for name, of in columns.items()}
        pq.write_table(pa.table({**table, "status": [200] * len(index)}), path)
        return str(path)
    lines = []
    for row in index:
        # The server of the index writes numbers as strings.
        found = {"url": row["url"], "filename": row["file"], **{key: str(row[key]) for key in ("offset", "length")}}
        lines.append(("" if kind == "cdx" else "org,a)/ 20260102030405 ") + json.dumps(found) + "\n")
    data = "".join(lines).encode()
    path.write_bytes(gzip.compress(data) if kind.endswith("gz") else data)
    return str(path)


def rows_of(name: str, **options: Any) -> list[dict[str, Any]]:
    [source] = find_inputs([name])
    return [row for batch in source.batches(limit=1000, **options) for row in batch.to_pylist()]


@pytest.mark.parametrize("kind", ["parquet", "cdx", "cdxj", "cdxj.gz"])
def test_the_records_of_an_index(kind: str, index: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    name = written(index, kind)
    rows = rows_of(name)
    assert [row["record"] for row in rows] == list(range(len(index)))
    assert [row["reason"] for row in rows] == [None] * 3 + ["broken record"] + [None] * (len(index) - 4)
    whole = [row for row in rows if row["reason"] is None]
    assert all(row["url"].encode() in row["html"] for row in whole)
    assert [(row["file"], row["offset"]) for row in rows] == [(row["file"], row["offset"]) for row in index]
    assert whole[0]["crawled"] == "2026-01-02T03:04:05Z"
    # What was read before is not read again.
    read: list[int] = []

    def counted(name: str, offset: int, length: int) -> bytes:
        read.append(offset)
        return read_range(name, offset, length)

    monkeypatch.setattr(captures, "read_range", counted)
    last = rows[PAGES]
    place = Place(last["record"], last["offset"], last["url"], last["crawled"])
    assert rows_of(name, after=place) == rows[PAGES + 1 :]
    assert len(read) == len(rows) - PAGES - 1


def test_rows_that_are_no_captures(tmp_path: Path) -> None:
    lines = ['{"url": "http://a/"}', "no JSON", '{"url": "u", "filename": "f", "offset": "-1", "length": "5"}',
             '{"url": "u", "filename": "f", "offset": "1", "length": "999999999"}',
             '{"url": "u", "filename": "/no/such.warc.gz", "offset": "1", "length": "9"}']  # fmt: skip
    (tmp_path / "a.cdx").write_text("\n".join(lines))
    reasons = [row["reason"] for row in rows_of(str(tmp_path / "a.cdx"))]
    assert reasons == ["broken record"] * 3 + ["too large", "unreadable"]


@pytest.mark.slow
def test_the_pages_of_some_hosts_are_one_command(
    index: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is left out by its URL is counted and not read: its archive may be missing."""
    some = [{**row, "file": "missing.warc.gz"} if "//b." in row["url"] else row for row in index]
    command = ("run", "extract", written(some, "parquet"), "--include", "^http://a[.]org/", "--algorithm", "keep-all")
    done = webstrata(*command, "-o", str(tmp_path / "out"), "-j", "1")
    assert done.exit_code == 0, done.output
    assert f"{2 * PAGES} records read, {PAGES} written" in done.stdout
    assert f"{PAGES} URL" in done.stdout
    assert len(pq.read_table(tmp_path / "out")) == PAGES
