from __future__ import annotations

from recordings import batches, rows_of

from webstrata.crawls.jobs.segment import SegmentPages


def test_segments_with_their_text() -> None:
    [row] = rows_of(SegmentPages(algorithm="justrules")(batches(b"<h1>Strata</h1><p>A page comes<p>in layers.")))
    assert [segment["text"] for segment in row["segments"]] == ["Strata", "A page comes\nin layers."]
