"""Half of the annotated pages of trafilatura's own evaluation: snippets of the content, and snippets of boilerplate."""

from __future__ import annotations

from collections.abc import Iterator

from webstrata.evaluation.datasets.base import Card, Gold, Item, PageInput
from webstrata.evaluation.datasets.locate import archived_pages, data_path

__all__ = ["CARD", "read"]

_FILE = "snippets-dev/snippets-dev.tar.xz"

CARD = Card(
    "snippets-dev",
    "Half of the pages of trafilatura's evaluation, with wanted and unwanted snippets",
    "github.com/adbar/trafilatura, tests/evaldata.json",
    "annotations Apache-2.0; the pages belong to their publishers: testing only, no redistribution",
    510,
    {"wanted": 1513, "unwanted": 1526},
    {_FILE: "27931d7996e754389793594f4e75333b23e5fb14d76612a06adb2fa10cbbf977"},
    note="Mostly German, French and English. Its authors count snippets over all pages together.",
)


def read() -> Iterator[Item]:
    """The pages in the order of their annotations."""
    for html, row in archived_pages(data_path(_FILE), "snippets.jsonl", "{file}"):
        # Pages that were added by hand have a name in place of a URL.
        url = row["url"] if row["url"].startswith("http") else None
        gold = Gold(wanted=tuple(row["with"]), unwanted=tuple(row["without"]))
        yield Item(row["file"], {"html": PageInput(html, url=url)}, gold)
