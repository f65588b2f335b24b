"""Whole jobs: nothing lost, nothing doubled, the same bytes every time."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from commands import webstrata
from gates import HANG_SECONDS, Gate
from hostile import Hostile, gated_job
from warcs import PACKINGS, info, page_record

from webstrata.crawls import CrawlStep, Extract, Job, Limits, find_inputs
from webstrata.errors import InputError

pytestmark = pytest.mark.slow

TESTS = Path(__file__).parents[2] / "kits"


def job(inputs: list[Path], output: Path, step: CrawlStep | None = None, **options: Any) -> Job:
    step = step or Extract(algorithm="keep-all")
    return Job(inputs=tuple(find_inputs([str(path) for path in inputs])), step=step, output=output, **options)


def files_of(output: Path) -> dict[str, bytes]:
    """Every file of an output but the lock."""
    paths = (path for path in output.rglob("*") if path.is_file() and path.name != "lock")
    return {str(path.relative_to(output)): path.read_bytes() for path in paths}


def rows_of(output: Path) -> list[dict[str, Any]]:
    return [row for path in sorted(output.glob("*.parquet")) for row in pq.read_table(path).to_pylist()]


def write_warc(path: Path, parts: list[bytes]) -> Path:
    name = "".join(path.suffixes[-2:]) if path.suffix != ".warc" else ".warc"
    path.write_bytes(b"".join(map(PACKINGS[name], parts)))
    return path


def own_pages(count: int) -> list[bytes]:
    sentence = "A page comes in layers, and each layer is read. "
    return [
        f"<title>{i}</title><nav><a href=/>Home</a></nav><p>{sentence * (1 + i % 7)}".encode() for i in range(count)
    ]


def real_pages() -> list[bytes]:
    """Pages of the WCXB development set, where it is there."""
    path = Path(os.environ.get("WEBSTRATA_DATA") or TESTS.parents[2] / "shared/data") / "wcxb-dev/wcxb-dev.parquet"
    if not path.exists():
        return []
    batch = next(pq.ParquetFile(path).iter_batches(batch_size=60, columns=["html"]))
    pages = [html for html in batch.column("html").to_pylist() if html]
    return [html.encode() if isinstance(html, str) else html for html in pages]


def test_the_worst_crawl(tmp_path: Path) -> None:
    """Damage, hostile pages and giants among good pages: all good ones come out, once, and the rest is counted."""
    pages = own_pages(40) + real_pages()
    good = [page_record(f"http://good/{i}", html) for i, html in enumerate(pages)]
    bad = {
        "broken record": [
            page_record("http://bad/", b"<p>wrong length", longer=-5),
            page_record("http://bad/", b"<p>wrong length", longer=10**10),
        ],
        "not HTML": [page_record("http://bad/", b"%PDF-1.4", content_type="application/pdf")],
        "HTTP error": [page_record("http://bad/", b"<p>gone", status="410 Gone")],
        "empty": [page_record("http://bad/", b"")],
        "too large": [page_record("http://bad/", b"<p>large " * (100 * 2**20 // 9))],
        "crashed": [page_record("http://bad/", b"<p>@KILL@"), page_record("http://bad/", b"<p>@SEGV@")],
        "timed out": [page_record("http://bad/", b"<p>@SPIN@")],
        "out of memory": [page_record("http://bad/", b"<p>@EAT@")],
        "failed": [page_record("http://bad/", b"<p>@BREAK@")],
        "no content": [page_record("http://bad/", b"<p hidden>x")],
        "not a response": [info()],
    }
    deep = page_record("http://deep/", b"<div>" * 1_000_000 + b"the bottom")
    parts = [*good, deep, *(part for group in bad.values() for part in group)]
    random.Random(7).shuffle(parts)
    middle = len(parts) // 2
    inputs = [
        write_warc(tmp_path / "a.warc.gz", parts[:middle]),
        write_warc(tmp_path / "b.warc", parts[middle:]),
        write_warc(tmp_path / "cut.warc.gz", [page_record("http://cut/", b"<p>" + bytes(range(256)) * 20)]),
    ]
    inputs[2].write_bytes(inputs[2].read_bytes()[:-40])
    limits = Limits(seconds=2)
    summary = job(inputs, tmp_path / "out", Hostile(limits=limits), limits=limits, shard_records=20, rejected=True).run(
        jobs=2
    )

    expected = Counter({reason: len(group) for reason, group in bad.items()}) + Counter(truncated=1)
    empty = sum(not row for row in texts_of(pages))
    assert Counter(summary.rejected) == expected + Counter({"no content": empty})
    assert summary.records == len(parts) + 1
    assert summary.written + sum(summary.rejected.values()) == summary.records
    rows = rows_of(tmp_path / "out")
    found = {row["url"]: row["text"] for row in rows}
    assert len(found) == len(rows) == summary.written
    assert found.pop("http://deep/") == "the bottom"
    assert found == {f"http://good/{i}": text for i, text in enumerate(texts_of(pages)) if text}
    aside = [
        json.loads(line)
        for path in (tmp_path / "out/_rejected").iterdir()
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert Counter(row["reason"] for row in aside) == Counter(summary.rejected)
    assert json.loads((tmp_path / "out/_summary.json").read_text()) == summary.as_dict()


def texts_of(pages: list[bytes]) -> list[str]:
    from webstrata.extraction import extract

    return [extract(html, "keep-all").text for html in pages]


@pytest.mark.parametrize("form", ["parquet", "jsonl", "txt"])
def test_the_number_of_processes_changes_no_byte(tmp_path: Path, form: str) -> None:
    parts = [page_record(f"http://a/{i}", html) for i, html in enumerate(own_pages(90))]
    inputs = [write_warc(tmp_path / "a.warc.gz", parts[:70]), write_warc(tmp_path / "b.warc.gz", parts[70:])]
    outputs = []
    for jobs in (1, 2):
        job(inputs, tmp_path / str(jobs), format=form, shard_records=25).run(jobs=jobs)
        outputs.append(files_of(tmp_path / str(jobs)))
    assert outputs[0] == outputs[1]
    assert sum(name.endswith(form) for name in outputs[0]) == 4


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[Gate]:
    made = Gate(tmp_path / "gate")
    yield made
    made.close()


def test_killed_at_random_moments(tmp_path: Path, gate: Gate, kills: int) -> None:
    """The whole job, or its first process alone, is killed; after the last resume not a byte is different."""
    count = 400
    parts = [page_record(f"http://a/{i}", html) for i, html in enumerate(own_pages(count))]
    inputs = [str(write_warc(tmp_path / "a.warc.gz", parts))]
    output = tmp_path / "out"
    chance = random.Random()
    for kill in range(kills):
        process = start_gated(inputs, output, gate, jobs=1 + kill // 2 % 2)
        if kill % 2:
            # Somewhere in the work: so many pages are through, and no more can be.
            done = chance.randint(20, 40)
            gate.open(done)
            gate.wait(done)
            time.sleep(chance.uniform(0, 0.05))
        else:
            # Anywhere from the first instant.
            time.sleep(chance.uniform(0, 0.8))
        assert process.poll() is None
        os.killpg(process.pid, signal.SIGKILL) if kill % 4 < 3 else process.kill()
        process.wait()
    gate.open(2 * count + 100)
    assert start_gated(inputs, output, gate).wait(HANG_SECONDS) == 0

    gated_job(inputs, str(tmp_path / "calm"), str(gate.folder)).run(jobs=2)
    assert files_of(output) == files_of(tmp_path / "calm")
    assert sorted(row["url"] for row in rows_of(output)) == sorted(f"http://a/{i}" for i in range(count))


def start_gated(inputs: list[str], output: Path, gate: Gate, *, jobs: int = 2) -> subprocess.Popen[bytes]:
    call = f"hostile.run_gated({inputs!r}, {str(output)!r}, {str(gate.folder)!r}, {jobs})"
    code = f"import sys; sys.path[:0] = {sys.path!r}; import hostile; {call}"
    return subprocess.Popen([sys.executable, "-c", code], start_new_session=True)


def test_resume(tmp_path: Path) -> None:
    source = write_warc(tmp_path / "a.warc.gz", [page_record(f"http://a/{i}", b"<p>x") for i in range(30)])
    first = job([source], tmp_path / "out", shard_records=10)
    summary = first.run(jobs=1)
    with pytest.raises(InputError, match="holds an earlier run: add --resume"):
        first.run(jobs=1)
    before = files_of(tmp_path / "out")
    assert first.run(jobs=1, resume=True) == summary
    (tmp_path / "out/_job/part-00000-00001.json").unlink()
    assert first.run(jobs=1, resume=True) == summary
    assert files_of(tmp_path / "out") == before
    with pytest.raises(InputError, match=r"spans was False and is True; shard_records was 10 and is 9"):
        job([source], tmp_path / "out", Extract(algorithm="keep-all", spans=True), shard_records=9).run(resume=True)


def test_one_folder_one_run(tmp_path: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webstrata._locks._SECONDS", 0.1)
    source = write_warc(tmp_path / "a.warc.gz", [page_record(f"http://a/{i}", b"<p>x") for i in range(20)])
    process = start_gated([str(source)], tmp_path / "out", gate)
    try:
        gate.open(1)
        gate.wait(1)
        with pytest.raises(InputError, match="another process is writing to"):
            gated_job([str(source)], str(tmp_path / "out"), str(gate.folder)).run(resume=True)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def test_an_input_process_that_is_stopped_does_not_hang_the_run(tmp_path: Path, gate: Gate) -> None:
    source = write_warc(tmp_path / "a.warc.gz", [page_record(f"http://a/{i}", b"<p>x") for i in range(20)])
    process = start_gated([str(source)], tmp_path / "out", gate, jobs=1)
    try:
        gate.open(1)
        gate.wait(1)
        [child] = map(int, Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split())
        os.kill(child, signal.SIGSTOP)
        assert process.wait(30) != 0
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def test_a_finished_run_is_finished_already(tmp_path: Path) -> None:
    source = write_warc(tmp_path / "a.warc.gz", [page_record("http://a/", b"<p>x")])
    (tmp_path / "pages").mkdir()
    for number in range(3):
        (tmp_path / "pages" / f"{number}.html").write_text(f"<h1>Day {number}</h1><p>It rained, and they slept on.")
    commands = {
        "run": ["run", "extract", str(source), "--algorithm", "keep-all"],
        "site": ["site", "learn", str(tmp_path / "pages"), "--no-extraction"],
        "duplicates": ["duplicates", str(source), "--by", "page"],
    }
    for name, command in commands.items():
        again = [*command, "-o", str(tmp_path / name), "-j", "1", "--resume"]
        first, second = webstrata(*again), webstrata(*again)
        assert (first.exit_code, second.exit_code) == (0, 0), first.output + second.output
        assert "finished already" not in first.output
        assert "finished already" in second.output
        assert set(first.output.splitlines()) - set(second.output.splitlines()) <= {*first.stderr.splitlines()}
        assert webstrata(*again[:-1]).exit_code == 2


def test_other_peoples_folders_are_left_alone(tmp_path: Path) -> None:
    source = write_warc(tmp_path / "a.warc", [page_record("http://a/", b"<p>x")])
    with pytest.raises(InputError, match="holds other files"):
        job([source], tmp_path).run()
    with pytest.raises(InputError, match="is a file: name a folder"):
        job([source], source).run()


def test_an_error_in_a_lane_reaches_the_caller(tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": ["x"]}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match="no column html"):
        job([tmp_path / "a.parquet"], tmp_path / "out").run()


def test_a_shard_may_end_with_the_input(tmp_path: Path) -> None:
    source = write_warc(tmp_path / "a.warc", [page_record(f"http://a/{i}", b"<p>x") for i in range(4)])
    assert job([source], tmp_path / "out", shard_records=2).run(jobs=1).written == 4
    assert len(rows_of(tmp_path / "out")) == 4


def test_text_needs_a_text(tmp_path: Path) -> None:
    from webstrata.crawls import ListBlocks

    source = write_warc(tmp_path / "a.warc", [page_record("http://a/", b"<p>x")])
    with pytest.raises(InputError, match="this step gives no text"):
        job([source], tmp_path / "out", ListBlocks(), format="txt").run()


def test_a_full_disk_is_told_and_leaves_a_resumable_state(tmp_path: Path) -> None:
    source = write_warc(tmp_path / "a.warc", [page_record(f"http://a/{i}", b"<p>x") for i in range(10)])
    (tmp_path / "out/_job").mkdir(parents=True)
    # A folder in the place of the second shard fails like a disk that gives out at that moment.
    (tmp_path / "out/part-00000-00001.jsonl").mkdir()
    stopped = job([source], tmp_path / "out", shard_records=4, format="jsonl")
    with pytest.raises(InputError, match="Is a directory"):
        stopped.run(jobs=1)
    (tmp_path / "out/part-00000-00001.jsonl").rmdir()
    assert stopped.run(jobs=1, resume=True).written == 10


def written(tmp_path: Path, count: int = 30) -> tuple[Path, Job]:
    """A finished job of three shards, and its input."""
    source = write_warc(tmp_path / "a.warc.gz", [page_record(f"http://a/{i}", b"<p>x") for i in range(count)])
    done = job([source], tmp_path / "out", shard_records=10)
    done.run(jobs=1)
    return source, done


def test_an_input_that_was_replaced_is_not_mixed_with_the_old_one(tmp_path: Path) -> None:
    source, done = written(tmp_path)
    before = source.read_bytes()
    (tmp_path / "out/_job/part-00000-00002.json").unlink()
    state = source.stat()
    source.write_bytes(before[:100] + bytes([before[100] ^ 1]) + before[101:])
    os.utime(source, ns=(state.st_atime_ns, state.st_mtime_ns))
    with pytest.raises(InputError, match="the inputs have changed since"):
        done.run(resume=True)
    source.write_bytes(before)
    with pytest.raises(InputError, match="the inputs have changed since"):
        done.run(resume=True)
    os.utime(source, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert done.run(resume=True).written == 30


def test_a_shard_that_is_gone_or_cut_is_written_again(tmp_path: Path) -> None:
    _, done = written(tmp_path)
    before = files_of(tmp_path / "out")
    shard = tmp_path / "out/part-00000-00001.parquet"
    shard.unlink()
    assert done.run(jobs=1, resume=True).written == 30
    assert files_of(tmp_path / "out") == before
    shard.write_bytes(shard.read_bytes()[:-1])
    assert done.run(jobs=1, resume=True).written == 30
    assert files_of(tmp_path / "out") == before


@pytest.mark.parametrize("text", ["", "[]", "{", "7"])
@pytest.mark.parametrize("name", ["plan.json", "part-00000-00001.json"])
def test_a_damaged_state_is_told(tmp_path: Path, name: str, text: str) -> None:
    _, done = written(tmp_path)
    (tmp_path / "out/_job" / name).write_text(text)
    with pytest.raises(InputError, match="damaged"):
        done.run(jobs=1, resume=True)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    source = write_warc(tmp_path / "a.warc", [page_record("http://a/", b"<p>x")])
    with pytest.raises(InputError, match=r"cannot write to .*Not a directory"):
        job([source], source / "out").run()


def test_a_name_that_is_not_utf_8_is_read_and_planned(tmp_path: Path) -> None:
    source = tmp_path / os.fsdecode(b"\xff.warc")
    write_warc(source, [page_record("http://a/", b"<p>x")])
    named = job([source], tmp_path / "out")
    assert named.run(jobs=1).written == 1
    assert named.run(jobs=1, resume=True).written == 1


def test_lanes_end_with_the_process_that_started_them(tmp_path: Path, gate: Gate) -> None:
    """Also while they wait for a page, and at once, so that the folder is free for the next run."""
    source = write_warc(tmp_path / "a.warc.gz", [page_record(f"http://a/{i}", b"<p>x") for i in range(20)])
    process = start_gated([str(source)], tmp_path / "out", gate, jobs=1)
    gate.open(1)
    gate.wait(1)
    process.kill()
    process.wait()
    gate.open(100)
    assert gated_job([str(source)], str(tmp_path / "out"), str(gate.folder)).run(jobs=1, resume=True).written == 20
