"""The settings of a server."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from webstrata.workers.limits import Limits

__all__ = ["TYPES", "ServerSettings"]

#: The fifteen types of segments by level, with which Kreuzer 2013 (§4.2.3) marked pages. The names are those of its
#: data set and of the learned segmenter.
TYPES: dict[int, tuple[str, ...]] = {
    1: ("Header", "Footer", "Content", "Sidebar"),
    2: ("Logo", "Menu", "Title", "LinkList", "Table", "Comments", "Ad", "Image", "Video", "Article", "Searchbar"),
}


@dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """What a server serves, and its limits.

    Attributes
    ----------
    host, port : address and port to listen on
    allow_fetch : whether it fetches pages from the web
    data : folder of the data set to mark; None turns the annotator off
    index : folder of a search index
    site, graph : folders of a learnt site and a link graph of the indexed pages
    demo_site : whether to search the small site that ships with the package
    types : types of segments by level, for a data set without a list of its own
    limits : time and memory for one page
    jobs : how many pages are processed at the same time
    uploads : how many requests with a body are read at the same time
    upload_seconds : time limit for reading one body
    archive_bytes : size limit of a zip file with a data set
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
