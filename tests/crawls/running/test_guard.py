"""The guard: one page cannot take down or stall the rest."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from hostile import Hostile
from recordings import batches, rows_of

from webstrata.crawls import Extract, Guard, Limits, ListBlocks
from webstrata.crawls.reading.records import REASONS
from webstrata.errors import InputError

pytestmark = pytest.mark.slow

LIMITS = Limits(seconds=0.4, memory=2**29)


@pytest.mark.parametrize("jobs", [1, 3])
def test_guarded_rows_are_the_rows_of_the_step(jobs: int) -> None:
    pages = [f"<title>{i}</title><p>Page {i}.".encode() for i in range(100)]
    step = Extract(algorithm="keep-all", spans=True)
    guarded = rows_of(Guard(step=step, jobs=jobs)(batches(*pages, count=7)))
    assert guarded == rows_of(step(batches(*pages)))
    assert [row["record"] for row in guarded] == list(range(100))


def test_hostile_pages_become_rows() -> None:
    deeds = {
        b"@KILL@": ("crashed", "SIGKILL"),
        b"@SEGV@": ("crashed", "SIGSEGV"),
        b"@EXIT@": ("crashed", "exit code 3"),
        b"@SPIN@": ("timed out", "0.4 s"),
        b"@EAT@": ("out of memory", ""),
        b"@BREAK@": ("failed", "ArithmeticError: broken on purpose"),
    }
    pages = [html for word in deeds for html in (b"<p>good", b"<p>" + word)] + [b"<p>good"]
    rows = rows_of(Guard(step=Hostile(), limits=LIMITS, jobs=2)(batches(*pages)))
    assert [row["record"] for row in rows] == list(range(len(pages)))
    assert [row["text"] for row in rows[::2]] == ["good"] * (len(deeds) + 1)
    assert [(row["reason"], row["detail"]) for row in rows[1::2]] == list(deeds.values())
    assert {row["reason"] for row in rows} - {None} <= set(REASONS)


def test_a_page_that_only_waits_times_out_too() -> None:
    rows = rows_of(Guard(step=Hostile(), limits=Limits(seconds=0.3))(batches(b"<p>@SLEEP@", b"<p>good")))
    assert [row["reason"] for row in rows] == ["timed out", None]


def test_one_slow_page_bounds_what_is_read_ahead() -> None:
    taken = 0

    def source() -> Iterator[Any]:
        nonlocal taken
        for i in range(1000):
            taken += 1
            yield from batches(b"<p>@SLEEP@" if i == 0 else b"<p>good")

    result = Guard(step=Hostile(), limits=Limits(seconds=0.1), jobs=2)(source())
    next(result)
    assert taken < 50
    result.close()  # type: ignore[attr-defined]


def test_closing_early_leaves_nothing_behind() -> None:
    def threads() -> list[str]:
        return sorted(thread.name for thread in threading.enumerate() if thread.name != "webstrata-stopped")

    before = threads()
    result = Guard(step=Hostile(), jobs=2)(batches(*[b"<p>good"] * 500))
    next(result)
    result.close()  # type: ignore[attr-defined]
    assert threads() == before


def test_an_error_of_the_source_is_raised() -> None:
    def source() -> Iterator[Any]:
        yield from batches(b"<p>good")
        raise OSError("the disk is gone")

    result = Guard(step=Extract(algorithm="keep-all"), jobs=2)(source())
    with pytest.raises(OSError, match="the disk is gone"):
        rows_of(result)


def test_a_step_that_cannot_work_is_an_error_and_no_row() -> None:
    with pytest.raises(InputError, match="no extractor is called 'no-such'"):
        rows_of(Guard(step=Extract(algorithm="no-such"), jobs=2)(batches(b"<p>good")))


def test_nothing_in_nothing_out() -> None:
    assert rows_of(Guard(step=ListBlocks())(iter([]))) == []
