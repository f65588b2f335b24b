"""What a URL is, where it leads, and whether it may be written into a page.

A reference is what stands in an attribute. It is first *cleaned* as a browser does (URL standard §4.4: control
characters and spaces around it are nothing, tabs and line ends inside it neither), then *joined* with the base, and
only the result is asked whether it is *safe*: a scheme may hide behind characters that cleaning takes out, or come from
the base. A URL is never longer than `limits.LONGEST_URL`.

Deviations. Joining is that of RFC 3986 as Python has it, which differs from a browser's for backslashes and for schemes
without an authority. The registered domain is told by a short list of second-level suffixes (``co.uk``, ``com.au``) in
place of the Public Suffix List, which is larger than this package: `registered_domain` says the rule.
"""

from __future__ import annotations

import re

from webstrata._lengths import FREE_URL_ROOM, LONGEST_URL, URL_ROOM
from webstrata._urls import PlainResolver, is_plain

__all__ = ["Resolver", "clean", "host", "is_plain", "registered_domain", "resolve", "safe"]

_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
# More than browsers ignore: who reads the output may be more lenient than a browser.
_IGNORED = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\ud800-\udfff]+")
_EDGES = re.compile(rf"\A{_IGNORED.pattern}|(?<!{_IGNORED.pattern[:-1]}){_IGNORED.pattern}\Z")
_SAFE_SCHEMES = frozenset(("http", "https", "mailto", "tel", "ftp", "ftps", "sms", "geo"))
# Second-level labels that stand before a country's two letters and under which names are registered.
_SECOND_LEVEL = frozenset(
    "ac co com edu gob gouv gov govt gv id ltd me mil ne net nhs nom or org plc sch school".split()
)
_PLAIN_HOST = re.compile(r"https?://([a-z0-9.-]{1,255})(?:[/?#]|\Z)")
_IP_ADDRESS = re.compile(r"[0-9.]+|.*:.*")


def clean(reference: str) -> str:
    r"""A reference without what browsers ignore in it, and with ``%20`` for spaces inside.

    >>> clean(" java\nscript:alert(1) "), clean("a b")
    ('javascript:alert(1)', 'a%20b')
    """
    if reference.isascii() and reference.isprintable() and " " not in reference:  # as nearly all are
        return reference
    return _IGNORED.sub(lambda match: "%20" if " " in match[0] else "", _EDGES.sub("", reference))


def resolve(base: str, reference: str) -> str:
    """The absolute URL of a reference; the reference itself where they cannot be joined, "" where it is too long.

    >>> resolve("https://example.org/a/", "../b?c=1"), resolve("https://example.org/", "http://[x")
    ('https://example.org/b?c=1', 'http://[x')
    """
    from urllib.parse import urljoin  # imported with the first link: the start of the program does not wait for it

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
    r"""The absolute URL of a reference; None where a browser would run it, where it leads nowhere or is too long.

    >>> safe("https://example.org/a/", "../b?c=1")
    'https://example.org/b?c=1'
    >>> safe("https://example.org/", " java\nscript:alert(1)"), safe("\x7fjavascript:x//", "#a")
    (None, '#a')
    """
    if is_plain(reference):
        return reference
    if not reference.strip():
        return None
    url = resolve(base, reference)
    scheme = _SCHEME.match(url)
    return None if not url or (scheme and scheme[1].lower() not in _SAFE_SCHEMES) else url


class Resolver(PlainResolver):
    """Gives the safe URLs of one page, as long as there is room for them (`limits.URL_ROOM`).

    >>> links = Resolver("https://example.org/a/", size=0)
    >>> links.safe("b"), links.safe("/c"), links.safe("data:x")
    ('https://example.org/a/b', 'https://example.org/c', None)
    """

    def __init__(self, base: str, *, size: int) -> None:
        super().__init__(base, FREE_URL_ROOM + URL_ROOM * size)

    def join(self, reference: str) -> str | None:
        """A safe URL that is not plain."""
        return safe(self.base, reference)

    def resolve(self, reference: str) -> str:
        """As the function of that name."""
        return resolve(self.base, reference) if self.left else ""


def host(url: str) -> str:
    """The host of a URL in lower case, "" where it has none.

    >>> host("https://user@WWW.Example.org:80/a"), host("http://[x"), host("/a")
    ('www.example.org', '', '')
    """
    plain = _PLAIN_HOST.match(url)
    if plain:  # as nearly all: told in a tenth of the time
        return plain[1]
    from urllib.parse import urlsplit

    try:
        return urlsplit(url[:LONGEST_URL]).hostname or ""
    except ValueError:  # a broken IPv6 address
        return ""


def registered_domain(name: str) -> str:
    """The part of a host's name that somebody registered: its last two labels.

    It is three where the last label has two letters and the one before is one of a few that countries register names
    under, such as ``co.uk`` and ``com.au``. An address of numbers stays as it is.

    >>> [registered_domain(name) for name in ("www.example.org", "news.bbc.co.uk", "a.b.gov.au", "10.0.0.1", "x")]
    ['example.org', 'bbc.co.uk', 'b.gov.au', '10.0.0.1', 'x']
    """
    name = name.rstrip(".").lower()
    if _IP_ADDRESS.fullmatch(name):
        return name
    labels = name.split(".")
    long = len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL
    return ".".join(labels[-3:] if long else labels[-2:])
