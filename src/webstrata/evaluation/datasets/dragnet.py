"""Half of the pages of dragnet (2012): blogs and news, as two data sets: with and without the readers' comments."""

from __future__ import annotations

from collections.abc import Iterator

from webstrata.evaluation.datasets.base import Card, Gold, Item, PageInput
from webstrata.evaluation.datasets.locate import archived_pages, data_path

__all__ = ["COMMENTS_CARD", "CONTENT_CARD", "read_comments", "read_content"]

_FILE = "dragnet-dev/dragnet-dev.tar.xz"


def _card(name: str, comments: str) -> Card:
    return Card(
        name,
        f"dragnet, half of its blog and news pages of 2012: content {comments} comments",
        "github.com/seomoz/dragnet_data; M. E. Peters and D. Lecocq, WWW 2013 companion",
        "none stated: testing only, no redistribution",
        682,
        {"texts": 682, "with comments": 203, "without comments": 479},
        {_FILE: "0302dc05e7e4a6b2100f4be65801d552067a2efe2b68bf94d50cbc28765b07a7"},
        note="The content usually has the title and the date line. Some texts have fewer than 20 words, and are right.",
    )


CONTENT_CARD = _card("dragnet-dev", "without")
COMMENTS_CARD = _card("dragnet-dev-comments", "and")


def read_content() -> Iterator[Item]:
    """The pages in the order of their gold texts, which are the content alone."""
    return _read(comments=False)


def read_comments() -> Iterator[Item]:
    """The same pages; their gold texts are the content with the comments below it, where a page has any."""
    return _read(comments=True)


def _read(*, comments: bool) -> Iterator[Item]:
    for html, row in archived_pages(data_path(_FILE), "gold.jsonl", "{name}.html"):
        text = row["content"]
        if comments and row["comments"]:
            text = f"{text}\n\n{row['comments']}"
        group = "with comments" if row["comments"] else "without comments"
        yield Item(row["name"], {"html": PageInput(html)}, Gold(text=text), group)
