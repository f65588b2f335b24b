"""The files that a page may load. The browser itself has no network: every request is answered from here.

A page from the web may load from its own host and port, and from others if they are allowed by name. A page from a file
may load the files of its folder. A page given as HTML without a URL may load nothing. Only ``GET`` is answered.
"""

from __future__ import annotations

import gzip
import ipaddress
import mimetypes
import time
import zlib
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from webstrata._connections import Target, is_public, read_body, redirection, request, resolve
from webstrata.errors import InputError, RenderError

__all__ = ["FILE_HOST", "Folder", "Nothing", "Resource", "ResourceLoader", "Web"]

#: The host of pages from files, and of HTML without a URL, in the browser. The domain invalid is reserved.
FILE_HOST = "page.invalid"
# Far above any image or style sheet of an ordinary page.
_LARGEST = 1 << 26
_LARGEST_PAGE = 1 << 25
_REDIRECTS = 10
_HEADERS = {"User-Agent": "Mozilla/5.0 (compatible; webstrata)", "Accept": "*/*", "Accept-Encoding": "gzip"}


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
    """Loads files of one folder, and nothing outside it; hidden files and folders are not loaded."""

    root: Path

    def get(self, url: str, seconds: float) -> Resource | None:
        try:
            parts = urlsplit(url)
            if parts.hostname != FILE_HOST:
                return None
            root = self.root.resolve()
            # The path is resolved, so symbolic links out of the folder are found.
            path = (root / unquote(parts.path).lstrip("/")).resolve()
            if any(name.startswith(".") for name in path.relative_to(root).parts):
                return None
            if not path.is_file() or path.stat().st_size > _LARGEST:
                return None
            return Resource(url, 200, _type(path), path.read_bytes())
        # Python 3.11 reports loops of symbolic links as RuntimeError.
        except (OSError, ValueError, RuntimeError):
            return None


def _type(path: Path) -> str:
    """The media type by the suffix of a name, as servers choose it; a saved query in a name is ignored."""
    for name in (path.name, path.name.partition("?")[0]):
        found = mimetypes.guess_type(name)[0]
        if found:
            return found
    return "application/octet-stream"


@dataclass(frozen=True)
class Web:
    """Loads files from the host and port of ``home``, the URL of the page, and from ``hosts``; ``any_host`` for all.

    A host is named with or without its port. The addresses of a host stay the same for the whole page. A page from the
    public network reaches public addresses only, even under names that are allowed. ``own`` says that the page itself
    was loaded from ``home``; anybody may have chosen the URL of given HTML, so such a page reaches private addresses of
    ``hosts`` only.
    """

    home: str
    hosts: frozenset[str] = frozenset()
    any_host: bool = False
    own: bool = True
    _pinned: dict[str, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)

    def allows(self, target: Target) -> bool:
        home = Target.of(self.home)
        if self._names(target):
            return True
        # Sites redirect from one of these to the other.
        if target.host.removeprefix("www.") == home.host.removeprefix("www."):
            return target.port in ((80, 443) if home.port in (80, 443) else (home.port,))
        return self.any_host

    def _names(self, target: Target) -> bool:
        return bool({target.host, f"{target.host}:{target.port}"} & self.hosts)

    def get(self, url: str, seconds: float) -> Resource | None:
        try:
            return self._follow(url, seconds, _LARGEST)
        except (InputError, zlib.error, OSError, EOFError):
            return None

    def page(self, url: str, seconds: float) -> Resource:
        """The page itself; errors are raised."""
        try:
            found = self._follow(url, seconds, _LARGEST_PAGE)
        except (InputError, zlib.error, OSError, EOFError) as error:
            raise RenderError(f"cannot load {url}: {error}") from error
        if found is None:
            raise RenderError(f"{url} redirects to another host: allow it with hosts= or --host")
        return found

    def _follow(self, url: str, seconds: float, largest: int) -> Resource | None:
        deadline = time.monotonic() + seconds
        for _ in range(_REDIRECTS):
            target = Target.of(url)
            if not self.allows(target):
                return None
            with request(target, self._addresses(target), _HEADERS, deadline) as response:
                if place := redirection(url, response):
                    url = place
                    continue
                body = read_body(response, largest, deadline)
            if response.headers.get("Content-Encoding", "").lower() == "gzip":
                body = _unzip(body, largest)
            return Resource(url, response.status, response.headers.get("Content-Type", ""), body)
        raise InputError(f"more than {_REDIRECTS} redirects")

    def _addresses(self, target: Target) -> tuple[str, ...]:
        """The addresses of a host, if the page may reach all of them."""
        found = self._resolved(target)
        if all(map(is_public, found)):
            return found
        if any(map(is_public, self._resolved(Target.of(self.home)))):
            raise InputError(f"{target.host} has a private address, which pages from the web cannot reach")
        if not self.own and not self._names(target):
            raise InputError(f"{target.host} has a private address: allow it with hosts= or --host")
        # No public name of an honest site has such an address.
        if "." in target.host and target.host not in found and any(map(_is_own, found)):
            raise InputError(f"{target.host} is this machine under another name: use its address")
        return found

    def _resolved(self, target: Target) -> tuple[str, ...]:
        if target.host not in self._pinned:
            # Requests of a page run in several threads; the first answer counts.
            self._pinned.setdefault(target.host, resolve(target))
        return self._pinned[target.host]


def _is_own(address: str) -> bool:
    """Whether an address is of this machine, or of the service that gives a virtual machine its secrets."""
    found = ipaddress.ip_address(address.partition("%")[0])
    return found.is_loopback or found.is_link_local or found.is_unspecified


def _unzip(body: bytes, largest: int) -> bytes:
    with gzip.GzipFile(fileobj=BytesIO(body)) as file:
        found = file.read(largest + 1)
    if len(found) > largest:
        raise InputError("it is too large")
    return found
