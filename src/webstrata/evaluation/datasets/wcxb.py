"""The development pages of WCXB: pages of seven types with their main content (CC-BY-4.0)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from webstrata.evaluation.datasets.locate import data_path, parquet_rows

__all__ = ["PAGE_TYPES", "WCXBPage", "wcxb_pages"]

_FIELDS = {"title": "title", "author": "author", "date": "publish_date"}
PAGE_TYPES = ("article", "forum", "product", "collection", "listing", "documentation", "service")


@dataclass(frozen=True, eq=False)
class WCXBPage:
    """A page: its type, its HTML, its main content, snippets that belong to it or do not, and known metadata."""

    name: str
    url: str
    page_type: str
    html: bytes
    gold: str
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]
    fields: dict[str, str]


def wcxb_pages() -> Iterator[WCXBPage]:
    """The pages in the order of the file, sorted by host. 21 have no main content and ``gold`` is empty."""
    for row in parquet_rows(data_path("wcxb-dev/wcxb-dev.parquet")):
        yield WCXBPage(
            row["file_id"],
            row["url"] or "",
            row["page_type"],
            row["html"],
            row["main_content"] or "",
            tuple(row["with"] or ()),
            tuple(row["without"] or ()),
            {field: row[column] for field, column in _FIELDS.items() if row[column]},
        )
