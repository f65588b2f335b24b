"""The guard: one page cannot take down or stall the rest."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

from hostile import Hostile
from webstrata.crawls import Blocks, Extract, Guard, Limits
from webstrata.crawls.limits import Reject, read_page
from webstrata.crawls.records import REASONS, batches_of, record_schema
from webstrata.errors import InputError, MissingExtra

LIMITS = Limits(seconds=0.4, memory=2**29)


def batches(*pages: bytes, count: int = 32) -> Iterator[Any]:
    rows = [{"html": html, "file": "f", "record": number} for number, html in enumerate(pages)]
    return batches_of(rows, record_schema(), count=count)


def rows_of(result: Iterator[Any]) -> list[dict[str, Any]]:
    return [row for batch in result for row in batch.to_pylist()]


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
    rows = rows_of(Guard(step=Hostile(), limits=Limits(seconds=0.05))(batches(b"<p>@SLEEP@", b"<p>good")))
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
    before = threading.active_count()
    result = Guard(step=Hostile(), jobs=2)(batches(*[b"<p>good"] * 500))
    next(result)
    result.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before


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
    assert rows_of(Guard(step=Blocks())(iter([]))) == []


@pytest.mark.parametrize(
    ("html", "limits", "reason"),
    [
        (b"", Limits(), "empty"),
        (b"<p>12345678", Limits(bytes=10), "too large"),
        (b"<div>" * 100 + b"x", Limits(depth=50), "too deep"),
        (b"<p " + b"".join(b"a%d " % i for i in range(20_000)) + b">x", Limits(), "too many attributes"),
    ],
)
def test_limits(html: bytes, limits: Limits, reason: str) -> None:
    with pytest.raises(Reject) as rejection:
        read_page({"html": html}, limits)
    assert rejection.value.reason == reason


def test_an_unknown_encoding_is_ignored() -> None:
    assert read_page({"html": "<p>Мир".encode(), "encoding": "utf-9"}, Limits()).text == "Мир"


def test_spans_lead_to_the_source() -> None:
    html = "<nav>Навигация</nav><p>Мир <b>и</b> труд.".encode()
    [row] = rows_of(Extract(algorithm="keep-all", spans=True)(batches(html)))
    found = [html[span["start"] : span["stop"]].decode() for span in row["spans"]]
    assert found == ["Навигация", "Мир", "и", "труд."]


def test_blocks() -> None:
    [row] = rows_of(Blocks()(batches(b"<title>T</title><p>one two<div hidden>three")))
    assert [(block["text"], block["tag"], block["words"], block["hidden"]) for block in row["blocks"]] == [
        ("one two", "p", 2, False),
        ("three", "div", 1, True),
    ]


def test_segments() -> None:
    pytest.importorskip("webstrata.segmentation.base")
    from webstrata.crawls import Segment

    [row] = rows_of(Segment(algorithm="justrules")(batches(b"<h1>Strata</h1><p>A page comes<p>in layers.")))
    assert [segment["text"] for segment in row["segments"]] == ["Strata", "A page comes\nin layers."]


def test_rejected_rows_go_through_as_they_are() -> None:
    batch = pa.RecordBatch.from_pylist([{"reason": "not HTML", "url": "u"}], record_schema())
    [row] = rows_of(Extract(algorithm="keep-all")(iter([batch])))
    assert (row["reason"], row["url"], row["text"]) == ("not HTML", "u", None)


@pytest.mark.parametrize(("package", "module"), [("pyarrow", "pyarrow"), ("fastwarc", "fastwarc.warc")])
def test_a_missing_package_is_named_with_its_extra(package: str, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from webstrata.crawls import arrow

    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=rf"{package} is not installed: run pip install 'webstrata\[scale\]'"):
        getattr(arrow, package)()
