"""Half of the annotated pages of trafilatura's own evaluation: snippets that belong to the content, and that do not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from webstrata.evaluation.datasets.locate import archived_pages, data_path

__all__ = ["SnippetPage", "snippet_pages"]


@dataclass(frozen=True, eq=False)
class SnippetPage:
    """A page: its file, its address if it has one, its HTML, and its snippets."""

    name: str
    url: str | None
    html: bytes
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]


def snippet_pages() -> Iterator[SnippetPage]:
    """The 510 pages in the order of their annotations."""
    for html, row in archived_pages(data_path("snippets-dev/snippets-dev.tar.xz"), "snippets.jsonl", "{file}"):
        # Pages that were added by hand have a name in place of an address.
        url = row["url"] if row["url"].startswith("http") else None
        yield SnippetPage(row["file"], url, html, tuple(row["with"]), tuple(row["without"]))
