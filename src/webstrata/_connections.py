"""HTTP requests to checked addresses.

The name of a host is resolved once, the caller checks every address, and the connection goes to one of these addresses:
a name that resolves to another address a moment later (DNS rebinding) has no effect. Proxies are not used, because they
would resolve the name again.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import quote, urljoin, urlsplit

from webstrata.errors import InputError

__all__ = ["Target", "is_public", "read_body", "redirection", "request", "resolve"]

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_PORTS = {"http": 80, "https": 443}
# Characters of a path or query that are sent as they are.
_PLAIN = "%/:=&?~+!$,;'@()*[]"
_PIECE = 65536


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
        if found.is_site_local:
            return False
    return found.is_global and not found.is_multicast and not found.is_reserved


@dataclass(frozen=True, slots=True)
class Target:
    """The parts of a URL that a request needs, in ASCII; ``path`` includes the query.

    >>> Target.of("http://例え.jp/ä b?q")
    Target(scheme='http', host='xn--r8jz45g.jp', port=80, path='/%C3%A4%20b?q')
    """

    scheme: str
    host: str
    port: int
    path: str

    @classmethod
    def of(cls, url: str) -> Target:
        try:
            parts = urlsplit(url)
            host = parts.hostname or ""
            host = host if host.isascii() else host.encode("idna").decode("ascii")
            path = quote(parts.path or "/", safe=_PLAIN)
            query = f"?{quote(parts.query, safe=_PLAIN)}" if parts.query else ""
            port = parts.port or _PORTS.get(parts.scheme, 0)
        except ValueError as error:
            raise InputError(f"not a URL: {error}") from error
        if parts.scheme not in _PORTS or not host:
            raise InputError("a URL to fetch begins with http:// or https://")
        return cls(parts.scheme, host, port, path + query)

    @property
    def header(self) -> str:
        """The value of the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


def resolve(target: Target) -> tuple[str, ...]:
    """The addresses of the host."""
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise InputError(f"cannot find the host {target.host[:100]}: check its spelling") from error
    return tuple(dict.fromkeys(str(each[4][0]) for each in found))


@contextmanager
def request(
    target: Target, addresses: Sequence[str], headers: Mapping[str, str], deadline: float
) -> Iterator[http.client.HTTPResponse]:
    """The answer to a GET request that is sent to one of the addresses; raises `InputError`.

    The deadline, in the time of `time.monotonic`, holds inside the ``with`` statement too.
    """
    connected = [_connect(target, addresses, deadline)]
    # The timer closes the connection at the deadline, even if the server sends a byte from time to time.
    clock = threading.Timer(max(deadline - time.monotonic(), 0), _hang_up, [connected])
    clock.daemon = True
    clock.start()
    try:
        if target.scheme == "https":
            context = ssl.create_default_context()
            connected.append(context.wrap_socket(connected.pop(), server_hostname=target.host))
        connection = http.client.HTTPConnection(target.host, target.port)
        connection.sock = connected[0]
        connection.putrequest("GET", target.path, skip_host=True, skip_accept_encoding=True)
        for name, value in {"Host": target.header, **headers, "Connection": "close"}.items():
            connection.putheader(name, value)
        connection.endheaders()
        yield connection.getresponse()
    except (OSError, ValueError, http.client.HTTPException) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"cannot fetch from {target.host[:100]}: {error or type(error).__name__}") from error
    finally:
        clock.cancel()
        for each in connected:
            each.close()


def _connect(target: Target, addresses: Sequence[str], deadline: float) -> socket.socket:
    for address in addresses[:3]:
        with suppress(OSError):
            return socket.create_connection((address, target.port), timeout=max(deadline - time.monotonic(), 0.01))
    raise InputError(f"{target.host[:100]} cannot be reached")


def _hang_up(connected: list[socket.socket]) -> None:
    for each in connected:
        with suppress(OSError):  # the server may have closed it
            each.shutdown(socket.SHUT_RDWR)


def redirection(url: str, response: http.client.HTTPResponse) -> str | None:
    """The URL to which an answer redirects."""
    place = response.headers.get("Location")
    if response.status not in _REDIRECTS or not place:
        return None
    try:
        # Headers are read as Latin-1, but browsers read this one as UTF-8.
        return urljoin(url, place.encode("latin-1").decode())
    except ValueError as error:
        raise InputError(f"the server redirects to a broken URL: {error}") from error


def read_body(response: http.client.HTTPResponse, size: int, deadline: float) -> bytes:
    """The body; raises `InputError` if it is larger than ``size`` or takes too long."""
    parts = []
    length = 0
    while part := response.read1(_PIECE):
        parts.append(part)
        length += len(part)
        if length > size:
            raise InputError(f"the answer is larger than {size / (1 << 20):g} MB")
        if time.monotonic() > deadline:
            break
    # A connection that the timer closed looks like the end of a body without a length.
    if time.monotonic() > deadline:
        raise InputError("the answer takes longer than allowed")
    return b"".join(parts)
