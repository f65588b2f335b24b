"""URLs: joining, cleaning, safety, hosts and registered domains.

A reference is the value of an attribute. It is first *cleaned* as in a browser (URL standard §4.4: control characters
and spaces around it are removed, and tabs and line ends inside it), then *joined* with the base. Only the result is
checked for *safety*: a scheme may hide behind characters that cleaning removes, or come from the base. A URL is never
longer than `LONGEST_URL`.

Registered domains come from the Public Suffix List (its ICANN section) if ``webstrata[domains]`` is installed, and
otherwise from a short built-in list of second-level labels (``co.uk``, ``com.au``, ``govt.nz``). Both depend on the
name alone, but they differ for rare suffixes (``pvt.k12.ma.us``), and releases of the list differ too. Machines that
work on one crawl should therefore have the same installation. A model of sites that was learned with another list stays
usable: a page whose domain has another name there is handled as a page of an unknown site.

Deviations. Joining follows RFC 3986 as implemented in Python, which differs from browsers for backslashes and for
schemes without an authority.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from webstrata._lengths import FREE_URL_ROOM, LONGEST_URL, URL_ROOM
from webstrata._urls import PlainResolver, is_plain

__all__ = ["Resolver", "clean", "host", "is_plain", "registered_domain", "resolve", "safe"]

_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
# More than browsers ignore: readers of the output may be more lenient than a browser.
_IGNORED = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\ud800-\udfff]+")
_EDGES = re.compile(rf"\A{_IGNORED.pattern}|(?<!{_IGNORED.pattern[:-1]}){_IGNORED.pattern}\Z")
_SAFE_SCHEMES = frozenset(("http", "https", "mailto", "tel", "ftp", "ftps", "sms", "geo"))
# Second-level labels before a country code under which names are registered.
_SECOND_LEVEL = frozenset(
    "ac co com edu go gob gouv gov govt gv id ltd me mil ne net nhs nom or org plc sch school".split()
)
_PLAIN_HOST = re.compile(r"https?://([a-z0-9.-]{1,255})(?:[/?#]|\Z)")
_IP_ADDRESS = re.compile(r"[0-9.]+|.*:.*")


def clean(reference: str) -> str:
    r"""A reference without what browsers ignore in it, and with ``%20`` for spaces inside.

    >>> clean(" java\nscript:alert(1) "), clean("a b")
    ('javascript:alert(1)', 'a%20b')
    """
    if reference.isascii() and reference.isprintable() and " " not in reference:  # nearly always
        return reference
    return _IGNORED.sub(lambda match: "%20" if " " in match[0] else "", _EDGES.sub("", reference))


def resolve(base: str, reference: str) -> str:
    """The absolute URL of a reference; the reference itself where they cannot be joined, "" where it is too long.

    >>> resolve("https://example.org/a/", "../b?c=1"), resolve("https://example.org/", "http://[x")
    ('https://example.org/b?c=1', 'http://[x')
    """
    from urllib.parse import urljoin  # imported on first use, to keep the start of the program fast

    if len(reference) > LONGEST_URL:
        return ""
    reference = clean(reference)
    if len(base) > LONGEST_URL:
        base = ""
    try:
        url = urljoin(clean(base), reference)
    except ValueError:  # a broken IPv6 address
        url = reference
    return clean(url) if len(url) <= LONGEST_URL else ""


def safe(base: str, reference: str) -> str | None:
    r"""The absolute URL of a reference; None where a browser would run it, and where it is empty or too long.

    A reference stays relative where the base is not safe itself, such as that of a file.

    >>> safe("https://example.org/a/", "../b?c=1")
    'https://example.org/b?c=1'
    >>> safe("https://example.org/", " java\nscript:alert(1)"), safe("\x7fjavascript:x//", "#a")
    (None, '#a')
    >>> safe("file:///home/page.html", "next page.html")
    'next%20page.html'
    """
    if is_plain(reference):
        return reference
    if not reference.strip():
        return None
    url = resolve(base, reference)
    if not _has_safe_scheme(url):
        url = resolve("", reference)
    return url if url and _has_safe_scheme(url) else None


def _has_safe_scheme(url: str) -> bool:
    """Whether the scheme of a URL may be written; True for a relative one."""
    scheme = _SCHEME.match(url)
    return scheme is None or scheme[1].lower() in _SAFE_SCHEMES


class Resolver(PlainResolver):
    """Gives the safe URLs of one page until they have `URL_ROOM` characters for each byte of it.

    >>> links = Resolver("https://example.org/a/", size=0)
    >>> links.safe("b"), links.safe("/c"), links.safe("data:x")
    ('https://example.org/a/b', 'https://example.org/c', None)
    """

    def __init__(self, base: str, *, size: int) -> None:
        super().__init__(base, FREE_URL_ROOM + URL_ROOM * size)

    def join(self, reference: str) -> str | None:
        """The safe URL of a reference that is not plain."""
        return safe(self.base, reference)

    def resolve(self, reference: str) -> str:
        """The same as the function `resolve`; "" once there is no room left."""
        return resolve(self.base, reference) if self.left else ""


def host(url: str) -> str:
    """The host of a URL in lower case, "" where it has none.

    >>> host("https://user@WWW.Example.org:80/a"), host("http://[x"), host("/a")
    ('www.example.org', '', '')
    """
    plain = _PLAIN_HOST.match(url)
    if plain:  # nearly always, and ten times faster
        return plain[1]
    from urllib.parse import urlsplit

    try:
        return urlsplit(url[:LONGEST_URL]).hostname or ""
    except ValueError:  # a broken IPv6 address
        return ""


def registered_domain(name: str) -> str:
    """The registered part of a host name: its public suffix and the label before it.

    Without ``webstrata[domains]`` these are the last two labels, or three where a country code follows a label under
    which names are registered. IP addresses and public suffixes are returned unchanged.

    >>> [registered_domain(name) for name in ("www.example.org", "news.bbc.co.uk", "a.b.gov.au", "10.0.0.1", "x")]
    ['example.org', 'bbc.co.uk', 'b.gov.au', '10.0.0.1', 'x']
    """
    name = name.rstrip(".").lower()
    if not name or _IP_ADDRESS.fullmatch(name):
        return name
    return _registered_part()(name) or name


@cache
def _registered_part() -> Callable[[str], str | None]:
    """The function that cuts a host name, by the Public Suffix List if it is installed."""
    try:
        from publicsuffixlist import PublicSuffixList
    except ImportError:
        return _by_short_list
    found: Callable[[str], str | None] = PublicSuffixList(only_icann=True).privatesuffix
    return found


def _by_short_list(name: str) -> str:
    labels = name.split(".")
    long = len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL
    return ".".join(labels[-3:] if long else labels[-2:])
