"""What stands in the files."""

from __future__ import annotations

import io
import random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.crawls.running import writers
from webstrata.crawls.running.writers import ParquetWriter, TextWriter

SCHEMA = pa.schema(
    [
        ("text", pa.string()),
        ("number", pa.int32()),
        ("tags", pa.list_(pa.string())),
        ("segments", pa.list_(pa.struct([("start", pa.int32()), ("text", pa.string())]))),
    ]
)
ROWS: list[dict[str, Any]] = [
    {
        "text": None if i % 7 == 0 else "silt " * (i % 13),
        "number": i,
        "tags": None if i % 5 == 0 else ["é" * (i % 3)] * (i % 4),
        "segments": [{"start": i, "text": None if i % 3 else "clay"}] * (i % 6),
    }
    for i in range(60)
]


def row_bytes(row: dict[str, Any]) -> int:
    """What the writer counts, from Python's values."""
    tags, segments = row["tags"] or [], row["segments"] or []
    texts = [row["text"], *tags, *(segment["text"] for segment in segments)]
    return sum(len((text or "").encode()) for text in texts) + 8 + 8 * len(segments)


def written(rows: list[dict[str, Any]], cuts: list[int]) -> bytes:
    """The rows as a file, handed over in batches that end at some places."""
    stream = io.BytesIO()
    writer = ParquetWriter(stream, SCHEMA)
    whole = pa.RecordBatch.from_pylist(rows, SCHEMA)
    for start, stop in zip([0, *cuts], [*cuts, len(rows)], strict=True):
        writer.write(whole.slice(start, stop - start))
    writer.close()
    return stream.getvalue()


@settings(max_examples=40)
@given(st.lists(st.integers(0, len(ROWS))), st.integers(1, 30), st.integers(1, 2000))
def test_the_bytes_of_a_file_do_not_depend_on_batches(cuts: list[int], most_rows: int, most_bytes: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writers, "_GROUP_ROWS", most_rows)
        patch.setattr(writers, "_GROUP_BYTES", most_bytes)
        whole = written(ROWS, [])
        assert written(ROWS, sorted(cuts)) == whole
    file = pq.ParquetFile(io.BytesIO(whole))
    assert file.read().to_pylist() == ROWS
    at = 0
    for group in range(file.num_row_groups):
        sizes = [row_bytes(row) for row in ROWS[at : at + file.metadata.row_group(group).num_rows]]
        is_full = len(sizes) == most_rows or sum(sizes) >= most_bytes
        assert is_full or group == file.num_row_groups - 1
        assert len(sizes) <= most_rows
        assert sum(sizes[:-1]) < most_bytes
        at += len(sizes)


def test_many_small_batches_make_few_groups() -> None:
    rows = [{**random.Random(i).choice(ROWS)} for i in range(2500)]
    file = pq.ParquetFile(io.BytesIO(written(rows, list(range(1, 2500)))))
    assert [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)] == [1000, 1000, 500]


def test_a_form_feed_in_a_text_ends_no_page() -> None:
    batch = pa.RecordBatch.from_pylist([{"text": "one\n\f\nstill one"}, {"text": "two"}])
    stream = io.BytesIO()
    writer = TextWriter(stream, batch.schema)
    writer.write(batch)
    writer.close()
    assert stream.getvalue().decode().split("\n\f\n") == ["one\n \nstill one", "two", ""]


def test_a_file_may_be_closed_twice() -> None:
    """As after a full disk: the rows are written, and the file fails when it is brought to disk."""
    stream = io.BytesIO()
    writer = ParquetWriter(stream, SCHEMA)
    writer.write(pa.RecordBatch.from_pylist(ROWS, SCHEMA))
    writer.close()
    before = stream.getvalue()
    writer.close()
    assert stream.getvalue() == before
