"""The files that a page may load. The browser itself has no network: every request is answered from here.

A page from the web may load from its own host, and from others if they are allowed by name. A page from a file may load
the files of its folder. A page given as HTML without a URL may load nothing. Only ``GET`` is answered.
"""

from __future__ import annotations

import gzip
import mimetypes
import time
import zlib
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from io import BytesIO
from pathlib import Path
from typing import Protocol
from urllib.error import HTTPError, URLError
from urllib.parse import quote, unquote, urljoin, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from webstrata.errors import RenderError

__all__ = ["FILE_HOST", "Folder", "Nothing", "Resource", "ResourceLoader", "Web"]

#: The host of pages from files, and of HTML without a URL, in the browser. The domain invalid is reserved.
FILE_HOST = "page.invalid"
# Far above any image or style sheet of an ordinary page.
_LARGEST = 1 << 26
_LARGEST_PAGE = 1 << 25
_REDIRECTS = 10


@dataclass(frozen=True)
class Resource:
    """A file that was loaded; ``url`` is its URL after redirects."""

    url: str
    status: int
    type: str
    body: bytes


class ResourceLoader(Protocol):
    """Loads the files of a page."""

    def get(self, url: str, seconds: float) -> Resource | None:
        """The file at a URL, within a number of seconds; None if the page may not load it, or it does not exist."""


@dataclass(frozen=True)
class Nothing:
    """Loads no files."""

    def get(self, url: str, seconds: float) -> Resource | None:
        return None


@dataclass(frozen=True)
class Folder:
    """Loads files of one folder, and nothing outside it."""

    root: Path

    def get(self, url: str, seconds: float) -> Resource | None:
        parts = urlsplit(url)
        if parts.hostname != FILE_HOST:
            return None
        path = (self.root / unquote(parts.path).lstrip("/")).resolve()
        try:
            # The path is resolved, so symbolic links out of the folder are found.
            if not path.is_relative_to(self.root.resolve()) or not path.is_file() or path.stat().st_size > _LARGEST:
                return None
            return Resource(url, 200, _type(path), path.read_bytes())
        except (OSError, ValueError):
            return None


def _type(path: Path) -> str:
    """The media type by the suffix of a name, as servers choose it; a saved query in a name is ignored."""
    for name in (path.name, path.name.partition("?")[0]):
        found = mimetypes.guess_type(name)[0]
        if found:
            return found
    return "application/octet-stream"


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


@dataclass(frozen=True)
class Web:
    """Loads files from some hosts; ``any_host`` for all."""

    hosts: frozenset[str]
    any_host: bool = False
    agent: str = "Mozilla/5.0 (compatible; webstrata)"

    def allows(self, url: str) -> bool:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and (self.any_host or (parts.hostname or "") in self.hosts)

    def get(self, url: str, seconds: float) -> Resource | None:
        try:
            return self._follow(url, seconds, _LARGEST)
        except (OSError, HTTPException, ValueError, zlib.error, EOFError):
            return None

    def page(self, url: str, seconds: float) -> Resource:
        """The page itself; errors are raised."""
        try:
            found = self._follow(url, seconds, _LARGEST_PAGE)
        except URLError as error:
            raise RenderError(f"cannot load {url}: {error.reason}") from error
        except (OSError, HTTPException, ValueError, zlib.error, EOFError) as error:
            raise RenderError(f"cannot load {url}: {error}") from error
        if found is None:
            raise RenderError(f"{url} redirects to another host: allow it with hosts= or --host")
        return found

    def _follow(self, url: str, seconds: float, largest: int) -> Resource | None:
        opener = build_opener(_NoRedirects)
        deadline = time.monotonic() + seconds
        for _ in range(_REDIRECTS):
            if not self.allows(url):
                return None
            request = Request(url, headers={"User-Agent": self.agent, "Accept": "*/*", "Accept-Encoding": "gzip"})
            try:
                response = opener.open(request, timeout=seconds)
            except HTTPError as error:
                response = error
            with response:
                where = response.headers.get("Location")
                if response.status in (301, 302, 303, 307, 308) and where:
                    url = urljoin(url, quote(where, safe="%/:=&?~#+!$,;'@()*[]"))
                    continue
                body = _read(response, largest, deadline)
                if response.headers.get("Content-Encoding", "").lower() == "gzip":
                    body = _unzip(body, largest)
                return Resource(url, response.status, response.headers.get("Content-Type", ""), body)
        raise ValueError(f"more than {_REDIRECTS} redirects")


def _read(response: HTTPResponse | HTTPError, largest: int, deadline: float) -> bytes:
    """The body. The timeout of a socket restarts with every byte, so the total time is checked as well."""
    parts: list[bytes] = []
    length = 0
    while part := response.read1(1 << 16):
        parts.append(part)
        length += len(part)
        if length > largest:
            raise ValueError("it is too large")
        if time.monotonic() > deadline:
            raise TimeoutError("timed out")
    return b"".join(parts)


def _unzip(body: bytes, largest: int) -> bytes:
    with gzip.GzipFile(fileobj=BytesIO(body)) as file:
        found = file.read(largest + 1)
    if len(found) > largest:
        raise ValueError("it is too large")
    return found
