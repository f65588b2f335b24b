"""What a server is told when it starts."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from webstrata.workers.limits import Limits

__all__ = ["LEVELS", "TYPES", "Settings"]

#: The types of segments by level, with which Kreuzer 2013 (§4.2.3) marked pages: the fifteen of the thesis.
TYPES: dict[int, tuple[str, ...]] = {
    1: ("Header", "Footer", "Content", "Sidebar"),
    2: (
        "Logo", "Menu", "Title", "Link-list", "Table", "Comments", "Ad", "Image", "Video", "Article", "Searchbar",
    ),
}  # fmt: skip
#: The levels that can be marked; the thesis found two to be enough.
LEVELS = tuple(TYPES)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What a server serves, and what it allows.

    Attributes
    ----------
    host, port : where it listens
    allow_fetch : whether it fetches pages from the web
    data : the folder with the data set that is marked; None where nothing can be marked
    index : the folder of a search index
    site, graph : a learnt site and a link graph that belong to the index
    demo_site : whether to search the small site that ships with the package
    types : the types of segments by level; a data set that has its own list goes first
    limits : what one page may cost
    jobs : how many pages are read at a time
    uploads : how many requests with a body may come in at a time
    upload_seconds : how long one may take to come in
    archive_bytes : how large a zip file with a data set may be
    """

    host: str = "127.0.0.1"
    port: int = 8420
    allow_fetch: bool = False
    data: Path | None = None
    index: Path | None = None
    site: Path | None = None
    graph: Path | None = None
    demo_site: bool = False
    types: dict[int, tuple[str, ...]] = field(default_factory=lambda: dict(TYPES))
    limits: Limits = field(default_factory=lambda: Limits(seconds=20.0, memory=2 << 30))
    jobs: int = 2
    uploads: int = 16
    upload_seconds: float = 30.0
    archive_bytes: int = 256 << 20
