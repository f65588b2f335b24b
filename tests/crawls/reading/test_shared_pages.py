"""Batches in shared memory: the same rows as over sockets, whatever readers and workers die of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hostile import Deadly, Hostile
from recordings import rows_of
from warcs import PACKINGS, page_record

from webstrata.crawls import Extract, Guard, Input, Limits, find_inputs
from webstrata.crawls.reading.reader import Reader
from webstrata.crawls.reading.records import BATCH_BYTES, batch_of
from webstrata.crawls.reading.shared_pages import PageWriter, SharedPages, shared_pages
from webstrata.crawls.running.steps import CrawlStep


def archive(folder: Path, *pages: bytes) -> Input:
    path = folder / "a.warc.gz"
    records = (page_record(f"http://{number}/", html) for number, html in enumerate(pages))
    path.write_bytes(b"".join(map(PACKINGS[".warc.gz"], records)))
    [source] = find_inputs([str(path)])
    return source


def run(
    source: Input, step: CrawlStep, slots: SharedPages | None, *, jobs: int = 2, seconds: float = 10
) -> list[dict[str, Any]]:
    limits = Limits(seconds=seconds, memory=2**29)
    reader = Reader(source, limits=limits, pages=slots)
    return rows_of(Guard(step=step, limits=limits, jobs=jobs, pages=slots)(iter(reader)))


@pytest.mark.slow
@pytest.mark.parametrize(("count", "jobs"), [(1, 3), (2, 1), (8, 2)])
def test_rows_are_those_of_messages(tmp_path: Path, count: int, jobs: int) -> None:
    long = b"<p>" + b"Long. " * (BATCH_BYTES // 2)  # no slot has room for it
    source = archive(tmp_path, *(b"<p>Page %d." % number for number in range(100)), long, b"<p>The last.")
    step = Extract(algorithm="keep-all")
    with shared_pages(count) as slots:
        rows = run(source, step, slots, jobs=jobs)
        assert sorted(slots.free(lambda slot: None)) == list(range(count))
    assert [row["text"][:8] for row in rows[-2:]] == ["Long. Lo", "The last"]
    assert rows == run(source, step, None)


@pytest.mark.slow
def test_hostile_pages_become_rows(tmp_path: Path) -> None:
    deeds = [b"@KILL@", b"@SEGV@", b"@SPIN@", b"@EAT@", b"@BREAK@"]
    source = archive(tmp_path, *(html for deed in deeds for html in (b"<p>good", b"<p>" + deed)), b"<p>good")
    with shared_pages(3) as slots:
        rows = run(source, Hostile(), slots, seconds=0.4)
    reasons = ["crashed", "crashed", "timed out", "out of memory", "failed"]
    assert [row["reason"] for row in rows] == [reason for each in reasons for reason in (None, each)] + [None]
    assert [row["text"] for row in rows[::2]] == ["good"] * 6


@pytest.mark.slow
def test_a_new_reader_finds_the_slots_of_one_that_died(tmp_path: Path) -> None:
    source = archive(tmp_path, *([b"<p>good"] * 40))
    with shared_pages(1) as slots:
        rows = run(Deadly("warc", source.files), Extract(algorithm="keep-all"), slots)
    assert [row["record"] for row in rows if row["reason"]] == [2, 3]
    assert [row["record"] for row in rows] == list(range(40))


def test_a_slot_is_held_until_it_is_given_back() -> None:
    rows = [{"file": "f", "record": i, "html": html} for i, html in enumerate([b"<p>one", None, b"<p>three"])]
    whole = batch_of(rows)
    freed: list[int] = []
    with shared_pages(2) as slots:
        writer = PageWriter(slots, slots.free(freed.append), freed.pop)
        first, second = writer.batch(rows), writer.batch(rows)
        slots.hold(first)
        slots.hold(second)
        assert slots.free(freed.append) == []
        for batch in (first, second):
            assert slots.with_pages(batch).equals(whole)
            assert slots.with_pages(batch.slice(1)).to_pylist() == whole.slice(1).to_pylist()
        assert slots.with_pages(whole) is whole
        slots.release(whole)
        assert freed == []
        slots.release(first)
        slots.release(first)
        assert len(freed) == 1
        assert writer.batch(rows).equals(first)
        large = [{**rows[0], "html": b"x" * (2 * BATCH_BYTES + 1)}]
        assert writer.batch(large).equals(batch_of(large))
