"""CleanPortalEval (2013): news pages of four portals in the format of CleanEval, several pages from each template."""

from __future__ import annotations

from collections.abc import Iterator

from webstrata.evaluation.datasets.base import Card, Gold, Item, PageInput
from webstrata.evaluation.datasets.cleaneval import plain_gold, unwrap
from webstrata.evaluation.datasets.locate import data_path, parquet_rows

__all__ = ["CARD", "read"]

_FILE = "cleaneval/cleanportaleval.parquet"

CARD = Card(
    "cleanportaleval",
    "CleanPortalEval, news pages of four portals",
    "github.com/ppke-nlpg/CleanPortalEval, mirrored at github.com/j-szulc/html-cleaning-dataset-merged",
    "none stated: research use, no redistribution",
    71,
    {"tv.msnbc.com": 30, "washingtonpost.com": 15, "blogs.wsj.com": 14, "bbc.co.uk": 12},
    {_FILE: "a0e0f7752bc06a6adfd25aeb1d74ec527ec2d75ce60f70bb1c47a2cc64f7c279"},
    note="Its own readme says 70 pages.",
)


def read() -> Iterator[Item]:
    """The pages in the order of the file; the group is the portal."""
    for row in parquet_rows(data_path(_FILE)):
        html, encoding = unwrap(row["html"])
        gold = Gold(text=plain_gold(row["gold"].lstrip()))
        yield Item(row["id"], {"html": PageInput(html, encoding, row["url"])}, gold, row["domain"])
