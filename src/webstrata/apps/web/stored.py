"""The pages that were opened: kept in memory under a hash of their content; the oldest are dropped first."""

from __future__ import annotations

import hashlib
import tempfile
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from webstrata.errors import InputError
from webstrata.page import Page
from webstrata.workers.limits import Limits, Reject, read_page

if TYPE_CHECKING:
    from webstrata.rendering.page import RenderedPage

__all__ = ["Store", "StoredPage", "load", "load_page"]


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page as it was opened.

    Attributes
    ----------
    html : the bytes of the page
    name : its name for people
    url, encoding : its address and its encoding, if the user or the server gave them
    recording : the recording of `webstrata.rendering`, of a rendered page
    original : the HTML that was rendered, if it is known
    """

    html: bytes
    name: str = "page"
    url: str | None = None
    encoding: str | None = None
    recording: bytes | None = None
    original: bytes | None = None

    @property
    def id(self) -> str:
        """A hash of the page. It cannot be guessed without the page, so it protects the page from other users."""
        parts = (self.html, self.url or "", self.encoding or "", self.recording or b"")
        digest = hashlib.sha256()
        for part in parts:
            data = part.encode() if isinstance(part, str) else part
            digest.update(len(data).to_bytes(8, "big") + data)
        return digest.hexdigest()[:24]

    @property
    def size(self) -> int:
        """The bytes that it takes in memory."""
        return len(self.html) + len(self.recording or b"") + len(self.original or b"")


class Store:
    """A cache of at most ``pages`` pages with at most ``size`` bytes together."""

    def __init__(self, *, pages: int = 64, size: int = 256 << 20) -> None:
        self._most_pages = pages
        self._most_bytes = size
        self._pages: OrderedDict[str, StoredPage] = OrderedDict()
        self._screenshots: dict[str, bytes] = {}
        self._lock = threading.Lock()

    def add(self, source: StoredPage, *, screenshot: bytes | None = None) -> str:
        """Store a page; returns its id."""
        with self._lock:
            name = source.id
            self._pages[name] = source
            self._pages.move_to_end(name)
            if screenshot is not None:
                self._screenshots[name] = screenshot
            while len(self._pages) > 1 and (len(self._pages) > self._most_pages or self._bytes() > self._most_bytes):
                dropped, _ = self._pages.popitem(last=False)
                self._screenshots.pop(dropped, None)
            return name

    def _bytes(self) -> int:
        return sum(page.size for page in self._pages.values())

    def __getitem__(self, name: str) -> StoredPage:
        with self._lock:
            self._pages.move_to_end(name)  # raises KeyError
            return self._pages[name]

    def screenshot(self, name: str) -> bytes | None:
        """The screenshot of a rendered page."""
        return self._screenshots.get(name)

    def recent(self) -> list[tuple[str, str]]:
        """Id and name of the stored pages, the last used first."""
        with self._lock:
            return [(name, source.name) for name, source in reversed(self._pages.items())]


# In a worker

_LIMITS = Limits()
_MOST_CACHED = 3
_CACHE: OrderedDict[str, Page | RenderedPage] = OrderedDict()


def load(source: StoredPage) -> Page | RenderedPage:
    """The parsed page, or the rendered one of a recording. Each process caches the last few."""
    name = source.id
    found = _CACHE.pop(name, None)
    if found is None:
        found = _load_recording(source.recording) if source.recording is not None else _parse(source)
    _CACHE[name] = found
    while len(_CACHE) > _MOST_CACHED:
        _CACHE.popitem(last=False)
    return found


def load_page(source: StoredPage) -> Page:
    """The parsed page; of a recording, the page that the browser made."""
    found = load(source)
    return found if isinstance(found, Page) else found.page


def _parse(source: StoredPage) -> Page:
    try:
        return read_page({"html": source.html, "url": source.url, "encoding": source.encoding}, _LIMITS)
    except Reject as reject:
        raise InputError(f"this page is {reject.reason}{f': {reject.detail}' if reject.detail else ''}") from reject


def _load_recording(recording: bytes) -> RenderedPage:
    from webstrata.rendering.page import RenderedPage

    with tempfile.NamedTemporaryFile(suffix=".rendered") as file:
        file.write(recording)
        file.flush()
        return RenderedPage.load(Path(file.name))
