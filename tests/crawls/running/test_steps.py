from __future__ import annotations

import pyarrow as pa
from recordings import rows_of

from webstrata.crawls import Extract
from webstrata.crawls.reading.records import record_schema


def test_rejected_rows_keep_their_reason() -> None:
    batch = pa.RecordBatch.from_pylist([{"reason": "not HTML", "url": "u"}], record_schema())
    [row] = rows_of(Extract(algorithm="keep-all")(iter([batch])))
    assert (row["reason"], row["url"], row["text"]) == ("not HTML", "u", None)
