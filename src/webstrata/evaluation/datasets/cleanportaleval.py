"""CleanPortalEval (2013): news pages of four portals in the form of CleanEval, several pages from each template."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from webstrata.evaluation.datasets.cleaneval import plain_gold, unwrap
from webstrata.evaluation.datasets.locate import data_path, parquet_rows

__all__ = ["PortalPage", "portal_pages"]


@dataclass(frozen=True, eq=False)
class PortalPage:
    """A page: its portal ("bbc.co.uk") and the portal's section, its HTML without the wrapper, its content."""

    name: str
    url: str
    domain: str
    section: str
    html: bytes
    encoding: str | None
    gold: str


def portal_pages() -> Iterator[PortalPage]:
    """The 71 pages in the order of the file."""
    for row in parquet_rows(data_path("cleaneval/cleanportaleval.parquet")):
        html, encoding = unwrap(row["html"])
        gold = plain_gold(row["gold"].lstrip())
        yield PortalPage(row["id"], row["url"], row["domain"], row["section"], html, encoding, gold)
