"""Half of the labelled pages of five test suites of other projects. Each suite has its own idea of content."""

from __future__ import annotations

from collections.abc import Iterator

from webstrata.evaluation.datasets.base import Card, Gold, Item, PageInput
from webstrata.evaluation.datasets.folds import fold_of
from webstrata.evaluation.datasets.locate import data_path, parquet_rows

__all__ = ["CARD", "read"]

_FILE = "many-dev/many-dev.parquet"

CARD = Card(
    "many-dev",
    "Half of the labelled pages of five test suites: news, blogs, reader views and forums",
    "test suites of fundus, magic-html and other projects that publish them under permissive licences",
    "MIT (fundus, articles) and Apache-2.0 (reader, magic): training allowed, no redistribution of pages",
    412,
    {
        "texts": 412,
        "fundus": 138,
        "articles": 85,
        "reader": 59,
        "magic-article": 65,
        "magic-forum": 65,
        "title": 196,
        "author": 133,
        "date": 149,
        "tags": 108,
    },
    {_FILE: "ccecd2b5b37c20a724ed7a6d53a31b8483b4599ad6fd3e6d6b8b6d9a8b50eeb3"},
    note="Do not average over the suites: score each with the options that match its convention. One content is empty.",
    conventions={
        "fundus": "news of 90 publishers in 30 languages: summary, headlines and paragraphs; no title, no captions",
        "articles": "English news and blogs of 2019: the body of the article; no title, no captions",
        "reader": "pages of all kinds as a reader view shows them; no title, captions included",
        "magic-article": "Chinese and English articles above long streams of recommendations: the body",
        "magic-forum": "threads of forums: posts and replies are the content",
    },
    trains=("learned",),
)


def read() -> Iterator[Item]:
    """The pages in the order of the file; the group is the suite."""
    for row in parquet_rows(data_path(_FILE)):
        known = {
            "title": row["title"],
            "author": "; ".join(row["authors"] or ()),
            "date": row["date"],
            "tags": "; ".join(row["tags"] or ()),
        }
        gold = Gold(text=row["main_content"] or "", fields={name: value for name, value in known.items() if value})
        name, url = row["file_id"], row["url"] or ""
        yield Item(
            name, {"html": PageInput(row["html"], url=url or None, fold=fold_of(url, name))}, gold, row["source"]
        )
