"""The pages that were opened: kept in memory, under a name made of what they are, the oldest dropped first."""

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

__all__ = ["Source", "Store", "opened", "read"]


@dataclass(frozen=True, slots=True)
class Source:
    """A page as it was given.

    Attributes
    ----------
    html : what was given
    name : what to call it
    url, encoding : what is known of it from outside
    recording : what `webstrata.rendering` recorded of it, where a browser has rendered it
    original : what was rendered, where it is known
    """

    html: bytes
    name: str = "page"
    url: str | None = None
    encoding: str | None = None
    recording: bytes | None = None
    original: bytes | None = None

    @property
    def id(self) -> str:
        """The same for the same page, and nothing that anybody could guess who does not have it."""
        parts = (self.html, self.url or "", self.encoding or "", self.recording or b"")
        digest = hashlib.sha256()
        for part in parts:
            data = part.encode() if isinstance(part, str) else part
            digest.update(len(data).to_bytes(8, "big") + data)
        return digest.hexdigest()[:24]

    @property
    def size(self) -> int:
        """Bytes that it takes."""
        return len(self.html) + len(self.recording or b"") + len(self.original or b"")


class Store:
    """So many pages, and so many bytes of them; whoever asks for one that was dropped has to open it again."""

    def __init__(self, *, pages: int = 64, size: int = 256 << 20) -> None:
        self._pages = pages
        self._room = size
        self._sources: OrderedDict[str, Source] = OrderedDict()
        self._pictures: dict[str, bytes] = {}
        self._lock = threading.Lock()

    def add(self, source: Source, *, screenshot: bytes | None = None) -> str:
        """Keep a page; gives its id."""
        with self._lock:
            name = source.id
            self._sources[name] = source
            self._sources.move_to_end(name)
            if screenshot is not None:
                self._pictures[name] = screenshot
            while len(self._sources) > 1 and (
                len(self._sources) > self._pages or sum(each.size for each in self._sources.values()) > self._room
            ):
                dropped, _ = self._sources.popitem(last=False)
                self._pictures.pop(dropped, None)
            return name

    def __getitem__(self, name: str) -> Source:
        with self._lock:
            source = self._sources.get(name)
            if source is None:
                raise KeyError(name)
            self._sources.move_to_end(name)
            return source

    def screenshot(self, name: str) -> bytes | None:
        """The picture of a rendered page."""
        return self._pictures.get(name)

    def recent(self) -> list[tuple[str, str]]:
        """The pages that are kept, id and name, the last one first."""
        with self._lock:
            return [(name, source.name) for name, source in reversed(self._sources.items())]


# In a worker

_LIMITS = Limits()
_MOST_READ = 3
_READ: OrderedDict[str, Page | RenderedPage] = OrderedDict()


def opened(source: Source) -> Page | RenderedPage:
    """The page, plain or rendered. The last few that were read in this process are kept."""
    name = source.id
    found = _READ.pop(name, None)
    if found is None:
        found = _load(source.recording) if source.recording is not None else _parse(source)
    _READ[name] = found
    while len(_READ) > _MOST_READ:
        _READ.popitem(last=False)
    return found


def read(source: Source) -> Page:
    """The page itself."""
    found = opened(source)
    return found if isinstance(found, Page) else found.page


def _parse(source: Source) -> Page:
    try:
        return read_page({"html": source.html, "url": source.url, "encoding": source.encoding}, _LIMITS)
    except Reject as reject:
        raise InputError(f"this page is {reject.reason}{f': {reject.detail}' if reject.detail else ''}") from reject


def _load(recording: bytes) -> RenderedPage:
    from webstrata.rendering.page import RenderedPage

    with tempfile.NamedTemporaryFile(suffix=".rendered") as file:
        file.write(recording)
        file.flush()
        return RenderedPage.load(Path(file.name))
