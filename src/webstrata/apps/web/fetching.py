"""Fetches pages from the web, but none from this machine or its network, and within limits of size and time.

Every address of a host is checked, and the connection goes to one of these (`webstrata._connections`). Redirects are
checked in the same way.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from webstrata._connections import Target, is_public, read_body, redirection, request, resolve
from webstrata.crawls.reading.http import decode_body, is_html
from webstrata.encoding import believed
from webstrata.errors import InputError

__all__ = ["Fetched", "Fetcher"]

_HEADERS = {
    "User-Agent": "Mozilla/5.0 (compatible; webstrata; +https://pypi.org/project/webstrata/)",
    "Accept": "text/html, application/xhtml+xml",
    "Accept-Encoding": "gzip, identity",
}


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page that was fetched: its final URL, its bytes, and the encoding that its header names, if believed."""

    url: str
    html: bytes
    encoding: str | None


@dataclass(frozen=True, kw_only=True)
class Fetcher:
    """Fetches pages from public addresses.

    Parameters
    ----------
    size : the most bytes of a page, compressed and decompressed
    seconds : time limit for the whole fetch, redirects included
    redirects : how many are followed
    ports : ports that may be used
    allowed : whether an address may be used
    """

    size: int = 16 << 20
    seconds: float = 20.0
    redirects: int = 5
    ports: tuple[int, ...] = (80, 443, 8080, 8443)
    allowed: Callable[[str], bool] = is_public

    def __call__(self, url: str) -> Fetched:
        """The page of a URL, or `InputError` with the reason."""
        deadline = time.monotonic() + self.seconds
        for _ in range(self.redirects + 1):
            answer = self._ask(url, deadline)
            if isinstance(answer, Fetched):
                return answer
            url = answer
        raise InputError(f"more than {self.redirects} redirects")

    def _ask(self, url: str, deadline: float) -> Fetched | str:
        """The page, or the target of a redirect."""
        target = Target.of(url)
        if target.port not in self.ports:
            raise InputError(f"pages are not fetched from port {target.port}: use {', '.join(map(str, self.ports))}")
        addresses = resolve(target)
        if not all(map(self.allowed, addresses)):
            raise InputError(f"{target.host[:100]} is not on the public network: open its pages as files")
        with request(target, addresses, _HEADERS, deadline) as response:
            if place := redirection(url, response):
                return place
            if response.status != 200:
                raise InputError(f"the server answered {response.status}")
            body = read_body(response, self.size, deadline)
        kind = response.headers.get("Content-Type")
        body = decode_body(body, {"content-encoding": response.headers.get("Content-Encoding", "")}, self.size)
        if len(body) > self.size:
            raise InputError(f"the page is larger than {self.size >> 20} MB")
        if not is_html(kind, body):
            raise InputError(f"the page is not HTML: its type is {(kind or 'unknown')[:80]}")
        return Fetched(url, body, believed(body, kind))
