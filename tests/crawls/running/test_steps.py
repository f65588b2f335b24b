"""What each step makes of a page."""

from __future__ import annotations

import pyarrow as pa
from recordings import batches, rows_of

from webstrata.crawls import Blocks, Extract, Segment
from webstrata.crawls.reading.records import record_schema


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
    [row] = rows_of(Segment(algorithm="justrules")(batches(b"<h1>Strata</h1><p>A page comes<p>in layers.")))
    assert [segment["text"] for segment in row["segments"]] == ["Strata", "A page comes\nin layers."]


def test_rejected_rows_go_through_as_they_are() -> None:
    batch = pa.RecordBatch.from_pylist([{"reason": "not HTML", "url": "u"}], record_schema())
    [row] = rows_of(Extract(algorithm="keep-all")(iter([batch])))
    assert (row["reason"], row["url"], row["text"]) == ("not HTML", "u", None)
