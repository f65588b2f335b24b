"""Fetches pages from the web, but none from this machine or its network, and within limits of size and time.

The name of a host is resolved once, every address is checked, and the connection goes to one of these addresses: a name
that resolves to another address a moment later (DNS rebinding) has no effect. Redirects are checked in the same way.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from webstrata.crawls.reading.http import decode_body, is_html
from webstrata.encoding import believed
from webstrata.errors import InputError

__all__ = ["Fetched", "Fetcher", "is_public"]

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_PIECE = 65536
_AGENT = "Mozilla/5.0 (compatible; webstrata; +https://pypi.org/project/webstrata/)"


def is_public(address: str) -> bool:
    """Whether an address belongs to the public network; IPv4 addresses inside IPv6 addresses are checked too.

    >>> [is_public(each) for each in ("8.8.8.8", "127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "::ffff:10.0.0.1")]
    [True, False, False, False, False, False]
    >>> [is_public(each) for each in ("64:ff9b::7f00:1", "2002:7f00:1::", "0.0.0.0", "224.0.0.1", "fd00::1%eth0")]
    [False, False, False, False, False]
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour
        if found in _NAT64:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
    return found.is_global and not found.is_multicast and not found.is_reserved


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
        limit = time.monotonic() + self.seconds
        for _ in range(self.redirects + 1):
            answer = self._ask(url, limit)
            if isinstance(answer, Fetched):
                return answer
            url = answer
        raise InputError(f"more than {self.redirects} redirects")

    def _ask(self, url: str, limit: float) -> Fetched | str:
        """The page, or the target of a redirect."""
        try:
            parts = urlsplit(url)
            port = parts.port or (443 if parts.scheme == "https" else 80)
        except ValueError as error:
            raise InputError(f"not a URL: {error}") from error
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError("a URL to fetch begins with http:// or https://")
        if port not in self.ports:
            raise InputError(f"pages are not fetched from port {port}: use {', '.join(map(str, self.ports))}")
        connected = [self._connect(parts.hostname, port, limit)]
        # The timer closes the connection at the limit, even if the server sends a byte from time to time.
        clock = threading.Timer(max(limit - time.monotonic(), 0), _hang_up, [connected])
        clock.start()
        try:
            if parts.scheme == "https":
                context = ssl.create_default_context()
                connected.append(context.wrap_socket(connected.pop(), server_hostname=parts.hostname))
            return self._exchange(connected[0], url, limit)
        except (OSError, http.client.HTTPException) as error:
            raise InputError(f"cannot fetch a page from {parts.hostname}: {error or type(error).__name__}") from error
        finally:
            clock.cancel()
            for each in connected:
                each.close()

    def _connect(self, host: str, port: int, limit: float) -> socket.socket:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise InputError(f"cannot find the host {host[:100]}: check its spelling") from error
        addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
        if not all(map(self.allowed, addresses)):
            raise InputError(f"{host[:100]} is not on the public network: open its pages as files")
        for address in addresses[:3]:
            try:
                return socket.create_connection((address, port), timeout=max(limit - time.monotonic(), 0.01))
            except OSError:
                continue
        raise InputError(f"{host[:100]} cannot be reached")

    def _exchange(self, connected: socket.socket, url: str, limit: float) -> Fetched | str:
        parts = urlsplit(url)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port)
        connection.sock = connected
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        if not target.isascii() or any(ord(letter) <= 32 for letter in target):
            raise InputError("the URL has characters that must be percent-encoded")
        connection.putrequest("GET", target, skip_host=True, skip_accept_encoding=True)
        for name, value in (
            ("Host", parts.netloc.rpartition("@")[2]),
            ("User-Agent", _AGENT),
            ("Accept", "text/html, application/xhtml+xml"),
            ("Accept-Encoding", "gzip, identity"),
            ("Connection", "close"),
        ):
            connection.putheader(name, value)
        connection.endheaders()
        response = connection.getresponse()
        if response.status in _REDIRECTS and (place := response.headers.get("Location")):
            return urljoin(url, place)
        if response.status != 200:
            raise InputError(f"the server answered {response.status}")
        body = self._read(response, limit)
        kind = response.headers.get("Content-Type")
        body = decode_body(body, {"content-encoding": response.headers.get("Content-Encoding", "")}, self.size)
        if len(body) > self.size:
            raise InputError(f"the page is larger than {self.size >> 20} MB")
        if not is_html(kind, body):
            raise InputError(f"the page is not HTML: its type is {(kind or 'unknown')[:80]}")
        return Fetched(url, body, believed(body, kind))

    def _read(self, response: http.client.HTTPResponse, limit: float) -> bytes:
        parts = []
        size = 0
        while part := response.read1(_PIECE):
            size += len(part)
            if size > self.size:
                raise InputError(f"the page is larger than {self.size >> 20} MB")
            parts.append(part)
        if time.monotonic() > limit:
            raise InputError(f"the page takes longer than {self.seconds:g} s")
        return b"".join(parts)


def _hang_up(connected: list[socket.socket]) -> None:
    for each in connected:
        with suppress(OSError):  # the server may have closed it
            each.shutdown(socket.SHUT_RDWR)
