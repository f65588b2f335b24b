"""Crawls that are read from and written to an object store: a real S3 server on loopback."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from commands import webstrata
from gates import HANG_SECONDS
from s3_server import BUCKET, environment, s3_server, store
from warcs import PACKINGS, page_record

from webstrata.crawls.running.outputs import LocalFolder, output_folder
from webstrata.errors import InputError
from webstrata.workers.process_tree import descendants

pytestmark = pytest.mark.slow

FILES, PAGES = 2, 60
ROOT = f"s3://{BUCKET}"
STEP = ("--algorithm", "keep-all", "--shard-records", "10", "-j", "1", "--rejected")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with s3_server() as address, pytest.MonkeyPatch.context() as patch:
        for name, value in environment(address).items():
            patch.setenv(name, value)
        yield address


@pytest.fixture(scope="module")
def crawl(server: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Archives in a folder of this machine, and the same below ``in`` in the bucket; links lead from page to page."""
    folder = tmp_path_factory.mktemp("crawl")
    system = store(server)
    for file in range(FILES):
        pages = [
            page_record(f"http://h{file}.org/{i}", f"<p>Page {i}. <a href=/{(i * 7) % PAGES}>next</a>".encode())
            for i in range(PAGES)
        ]
        data = b"".join(map(PACKINGS[".warc.gz"], [*pages, page_record("http://x/", b"")]))
        (folder / f"{file}.warc.gz").write_bytes(data)
        with system.open_output_stream(f"{BUCKET}/in/{file}.warc.gz", compression=None) as stream:
            stream.write(data)
    return folder


def names(system: Any, folder: str) -> list[str]:
    """The objects below a folder of the bucket."""
    from pyarrow import fs

    found = system.get_file_info(fs.FileSelector(f"{BUCKET}/{folder}", recursive=True, allow_not_found=True))
    return [item.path for item in found if item.type == fs.FileType.File]


def objects(system: Any, folder: str) -> dict[str, bytes]:
    return {name.partition(f"/{folder}/")[2]: system.open_input_stream(name).read() for name in names(system, folder)}


def rows(data: dict[str, bytes]) -> dict[str, list[dict[str, Any]]]:
    """The rows of each file, with the names of archives alone."""
    tables = {name: pq.read_table(pa.BufferReader(value)) for name, value in data.items() if name.endswith(".parquet")}
    return {
        name: [{**row, "file": row["file"].rpartition("/")[2]} for row in table.to_pylist()]
        for name, table in tables.items()
    }


def test_a_run_from_store_to_store_is_that_of_folders_whatever_kills_it(
    server: str, crawl: Path, tmp_path: Path, kills: int
) -> None:
    expected = webstrata("run", "extract", str(crawl), "-o", str(tmp_path / "out"), *STEP)
    assert expected.exit_code == 0, expected.output
    system, chance = store(server), random.Random(7)
    command = [sys.executable, "-m", "webstrata", "run", "extract", f"{ROOT}/in", "-o", f"{ROOT}/out", *STEP]
    for number in range(kills):
        process = subprocess.Popen([*command, *(["--resume"] if number else [])], stderr=subprocess.DEVNULL)
        # Each shard is two objects; all kills come before the end.
        wanted = len(names(system, "out")) + chance.randint(1, max(1, 2 * FILES * PAGES // 10 // (kills + 1)))
        deadline = time.monotonic() + HANG_SECONDS
        while len(names(system, "out")) < wanted and process.poll() is None:
            assert time.monotonic() < deadline, "nothing is written"
            time.sleep(0.1)
        for pid in [process.pid, *descendants(process.pid)]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        process.wait()
    done = webstrata(*command[3:], *(["--resume"] if kills else []))
    assert done.exit_code == 0, done.output
    assert done.stdout.replace(f"{ROOT}/out", "") == expected.stdout.replace(str(tmp_path / "out"), "")
    found = objects(system, "out")
    here = {str(path.relative_to(tmp_path / "out")): path.read_bytes() for path in (tmp_path / "out").rglob("*.*")}
    assert {name for name in found if not name.startswith("_job")} == {
        name for name in here if not name.startswith("_job")
    }
    assert rows(found) == rows(here)
    assert found["_summary.json"] == here["_summary.json"]


def test_what_is_in_the_folder_is_not_mixed(server: str, crawl: Path) -> None:
    system = store(server)
    with system.open_output_stream(f"{BUCKET}/other/note.txt") as stream:
        stream.write(b"note")
    command = ("run", "extract", str(crawl), "-j", "1")
    other = webstrata(*command, "-o", f"{ROOT}/other")
    assert (other.exit_code, "holds other files" in other.stderr) == (2, True)
    assert webstrata(*command, "-o", f"{ROOT}/once", "--algorithm", "keep-all").exit_code == 0
    again = webstrata(*command, "-o", f"{ROOT}/once", "--algorithm", "keep-all")
    assert (again.exit_code, "add --resume" in again.stderr) == (2, True)
    changed = webstrata(*command, "-o", f"{ROOT}/once", "--algorithm", "numwords", "--resume")
    assert (changed.exit_code, "algorithm was 'keep-all' and is 'numwords'" in changed.stderr) == (2, True)


@pytest.mark.usefixtures("server")
def test_rows_in_a_store_become_a_graph(crawl: Path, tmp_path: Path) -> None:
    step = ("--algorithm", "keep-all", "-j", "1")
    listed = webstrata("run", "links", f"{ROOT}/in", "-o", f"{ROOT}/links", *step)
    assert listed.exit_code == 0, listed.output
    there = webstrata("links", "build", f"{ROOT}/links", "-o", str(tmp_path / "there"))
    here = webstrata("links", "build", str(crawl), "-o", str(tmp_path / "here"), *step)
    assert here.exit_code == there.exit_code == 0, there.output
    for path in (tmp_path / "here").glob("*.npy"):
        assert path.read_bytes() == (tmp_path / "there" / path.name).read_bytes()


@pytest.mark.parametrize("output", ["https://a.org/out", "http://a.org/out"])
def test_an_address_that_cannot_be_written_is_an_error_before_any_work(output: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        output_folder(output)
    done = webstrata("run", "extract", str(tmp_path / "none.warc.gz"), "-o", output)
    assert (done.exit_code, "cannot be written" in done.stderr) == (2, True)


def test_a_file_address_is_a_folder(tmp_path: Path) -> None:
    assert output_folder(f"file://{tmp_path}") == LocalFolder(tmp_path)
