"""Other extractors as steps, so that they run in the same harness. Worker processes import them from here by name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from webstrata.crawls import Extract
from webstrata.evaluation.answers.algorithms import OTHERS
from webstrata.evaluation.datasets.base import PageInput

__all__ = ["Peer"]


@dataclass(frozen=True, kw_only=True)
class Peer:
    """The main content of each page as another package finds it."""

    name: str

    @property
    def schema(self) -> Any:
        return Extract(algorithm="keep-all").schema

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        schema, extract = self.schema, OTHERS.make(self.name)
        for batch in batches:
            rows = []
            for record in batch.to_pylist():
                row = {name: record.get(name) for name in schema.names}
                if row["reason"] is None:
                    row["text"] = extract(PageInput(record["html"])) or None
                    row["reason"] = None if row["text"] else "no content"
                rows.append(row)
            yield pa.RecordBatch.from_pylist(rows, schema)
