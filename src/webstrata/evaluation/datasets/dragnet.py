"""Half of the pages of dragnet (2012): blogs and news with their content, and with the readers' comments apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from webstrata.evaluation.datasets.locate import archived_pages, data_path

__all__ = ["DragnetPage", "dragnet_pages"]


@dataclass(frozen=True, eq=False)
class DragnetPage:
    """A page: its HTML, its content (usually with title and date line), and its comments, empty on most pages."""

    name: str
    html: bytes
    content: str
    comments: str

    @property
    def both(self) -> str:
        """The content and the comments below it."""
        return f"{self.content}\n\n{self.comments}" if self.comments else self.content


def dragnet_pages() -> Iterator[DragnetPage]:
    """The 682 pages in the order of their gold texts."""
    for html, row in archived_pages(data_path("dragnet-dev/dragnet-dev.tar.xz"), "gold.jsonl", "{name}.html"):
        yield DragnetPage(row["name"], html, row["content"], row["comments"])
