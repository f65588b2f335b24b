"""What stands in the files."""

from __future__ import annotations

import io

import pyarrow as pa

from webstrata.crawls.writers import TextWriter


def test_a_form_feed_in_a_text_ends_no_page() -> None:
    batch = pa.RecordBatch.from_pylist([{"text": "one\n\f\nstill one"}, {"text": "two"}])
    stream = io.BytesIO()
    writer = TextWriter(stream, batch.schema)
    writer.write(batch)
    writer.close()
    assert stream.getvalue().decode().split("\n\f\n") == ["one\n \nstill one", "two", ""]
