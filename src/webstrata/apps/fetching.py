"""Fetches pages from the web within limits of size and time, and reaches private addresses only if the user named one.

Every address of a host is checked, and the connection goes to one of these (`webstrata._connections`). Redirects are
checked in the same way.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from webstrata._connections import Target, is_public, read_body, redirection, request, resolve
from webstrata.crawls.reading.http import decode_body, is_html
from webstrata.encoding import believed
from webstrata.errors import InputError

__all__ = ["Fetched", "Fetcher"]

_HEADERS = {
    "User-Agent": "Mozilla/5.0 (compatible; webstrata)",
    "Accept": "text/html, application/xhtml+xml",
    "Accept-Encoding": "gzip, identity",
}


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page that was fetched: its final URL, its bytes, and its Content-Type header."""

    url: str
    html: bytes
    header: str | None

    @property
    def encoding(self) -> str | None:
        """The encoding that the header names, if it is believed."""
        return believed(self.html, self.header)


@dataclass(frozen=True, kw_only=True)
class Fetcher:
    """Fetches pages.

    Parameters
    ----------
    size : the most bytes of a page, compressed and decompressed
    seconds : time limit for the whole fetch, redirects included
    redirects : how many are followed
    ports : ports that may be used; None for all
    allowed : whether an address may be used
    named : whether the user of this machine named the URL. It may then have any address, and so may its redirects until
        one of the hosts is public
    plain : whether plain text is read as HTML, too, and so what has no media type
    """

    size: int = 16 << 20
    seconds: float = 20.0
    redirects: int = 5
    ports: tuple[int, ...] | None = (80, 443, 8080, 8443)
    allowed: Callable[[str], bool] = is_public
    named: bool = False
    plain: bool = False

    def __call__(self, url: str) -> Fetched:
        """The page of a URL, or `InputError` with the reason."""
        deadline = time.monotonic() + self.seconds
        anywhere = self.named
        for _ in range(self.redirects + 1):
            target = Target.of(url)
            addresses = resolve(target)
            if not anywhere:
                self._check(target, addresses)
            answer = self._ask(url, target, addresses, deadline)
            if isinstance(answer, Fetched):
                return answer
            anywhere = anywhere and not any(map(self.allowed, addresses))
            url = answer
        raise InputError(f"more than {self.redirects} redirects")

    def _check(self, target: Target, addresses: Sequence[str]) -> None:
        if all(map(self.allowed, addresses)):
            return
        host = target.host[:100]
        if self.named:
            raise InputError(f"a public page redirects to {host}, which is not public: give that URL if you mean it")
        raise InputError(f"{host} is not on the public network: open its pages as files")

    def _ask(self, url: str, target: Target, addresses: Sequence[str], deadline: float) -> Fetched | str:
        """The page, or the target of a redirect."""
        if self.ports is not None and target.port not in self.ports:
            raise InputError(f"pages are not fetched from port {target.port}: use {', '.join(map(str, self.ports))}")
        with request(target, addresses, _HEADERS, deadline) as response:
            if place := redirection(url, response):
                return place
            if response.status != 200:
                raise InputError(f"the server answered {response.status}")
            body = read_body(response, self.size, deadline)
        header = response.headers.get("Content-Type")
        body = decode_body(body, {"content-encoding": response.headers.get("Content-Encoding", "")}, self.size)
        if len(body) > self.size:
            raise InputError(f"the page is larger than {self.size >> 20} MB")
        if not is_html(header, body) and not (self.plain and response.headers.get_content_type() == "text/plain"):
            raise InputError(f"the page is not HTML: its type is {(header or 'unknown')[:80]}")
        return Fetched(url, body, header)
