"""Other extractors as steps, so that they run in the same harness. Worker processes import them from here by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from webstrata.run import Extract

__all__ = ["PEERS", "Peer"]


def _resiliparse() -> Callable[[bytes], str | None]:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    def extract(html: bytes) -> str | None:
        text: str | None = extract_plain_text(bytes_to_str(html, detect_encoding(html)), main_content=True)
        return text

    return extract


def _trafilatura() -> Callable[[bytes], str | None]:
    from trafilatura import extract

    return extract


PEERS = {"resiliparse": _resiliparse, "trafilatura": _trafilatura}


@dataclass(frozen=True, kw_only=True)
class Peer:
    """The main content of each page as another package finds it."""

    name: str

    @property
    def schema(self) -> Any:
        return Extract(algorithm="keep-all").schema

    @cached_property
    def _extract(self) -> Callable[[bytes], str | None]:
        return PEERS[self.name]()

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        schema = self.schema
        for batch in batches:
            rows = []
            for record in batch.to_pylist():
                row = {name: record.get(name) for name in schema.names}
                if row["reason"] is None:
                    row["text"] = self._extract(record["html"]) or None
                    row["reason"] = None if row["text"] else "no content"
                rows.append(row)
            yield pa.RecordBatch.from_pylist(rows, schema)
