"""Extraction of whole crawls without near-duplicates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from webstrata._once import once
from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.jobs.duplicates.clusters import Duplicates
from webstrata.crawls.jobs.extract_site import ExtractWithSite
from webstrata.crawls.running.steps import Extract

__all__ = ["ExtractUnique", "ExtractUniqueWithSite", "without_duplicates"]


def without_duplicates(batches: Iterator[Any], duplicates: Duplicates) -> Iterator[Any]:
    """The same records; those that another page is kept for are rejected with that page's name."""
    pa = pyarrow()
    for batch in batches:
        keepers = duplicates.keepers(batch.column("file").to_pylist(), batch.column("record").to_pylist())
        if any(keepers):
            columns = dict(zip(batch.schema.names, batch.columns, strict=True))
            before = zip(columns["reason"].to_pylist(), columns["detail"].to_pylist(), keepers, strict=True)
            told = [
                (reason, detail) if reason or not kept else ("duplicate", f"of {kept}")
                for reason, detail, kept in before
            ]
            columns["reason"] = pa.array([reason for reason, _ in told], pa.string())
            columns["detail"] = pa.array([detail for _, detail in told], pa.string())
            batch = pa.RecordBatch.from_arrays(list(columns.values()), schema=batch.schema)
        yield batch


@dataclass(frozen=True, kw_only=True)
class ExtractUnique(Extract):
    """`Extract` of those pages that no other page is kept for.

    Parameters
    ----------
    duplicates : a folder that `webstrata duplicates` wrote
    """

    duplicates: str

    @once
    def _known(self) -> Duplicates:
        return Duplicates(self.duplicates)

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        return super().__call__(without_duplicates(batches, self._known))


@dataclass(frozen=True, kw_only=True)
class ExtractUniqueWithSite(ExtractUnique, ExtractWithSite):
    """`ExtractUnique` with what is known of each page's site."""
