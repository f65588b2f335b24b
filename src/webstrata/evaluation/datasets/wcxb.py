"""WCXB: the development pages of a benchmark, of seven types, with their main content, snippets and metadata."""

from __future__ import annotations

from collections.abc import Iterator

from webstrata.evaluation.datasets.base import Card, Gold, Item, PageInput
from webstrata.evaluation.datasets.folds import fold_of
from webstrata.evaluation.datasets.locate import data_path, parquet_rows

__all__ = ["CARD", "read"]

_FILE = "wcxb-dev/wcxb-dev.parquet"
_FIELDS = {"title": "title", "author": "author", "date": "publish_date"}

CARD = Card(
    "wcxb",
    "WCXB 1.0, development pages of seven types that are not in its test set",
    "github.com/Murrough-Foley/web-content-extraction-benchmark",
    "CC-BY-4.0",
    1358,
    {
        "article": 711,
        "service": 165,
        "forum": 112,
        "listing": 98,
        "product": 92,
        "collection": 91,
        "documentation": 89,
    },
    {_FILE: "8e8676ef1d8ddc2608524dc4b212d57a899c17ccbce8d377a37c4b20c2017c14"},
    note="The content of 21 pages is empty.",
    trains=("learned",),
)


def read() -> Iterator[Item]:
    """The pages in the order of the file, which is sorted by host; the group is the type of the page."""
    for row in parquet_rows(data_path(_FILE)):
        gold = Gold(
            text=row["main_content"] or "",
            wanted=tuple(row["with"] or ()),
            unwanted=tuple(row["without"] or ()),
            fields={field: row[column] for field, column in _FIELDS.items() if row[column]},
        )
        name, url = row["file_id"], row["url"] or ""
        page = PageInput(row["html"], url=url or None, fold=fold_of(url, name))
        yield Item(name, {"html": page}, gold, row["page_type"])
