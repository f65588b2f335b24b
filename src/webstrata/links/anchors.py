"""The links of a page as a graph needs them: target, text, and the stratum of the page that each link is in.

Only links with a URL of the web (``http`` or ``https``) lead to a page. Fragments are dropped, since they name a place
within the page. A link is in the *content* if an extractor keeps one of its blocks; a link without text, such as that
of a picture, if the blocks around it are kept. All other links are in the *template*.

The cost of a page is bounded: links beyond the first `MOST_LINKS` are counted and left out, and so are broken URLs.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

import numpy as np

from webstrata._escaping import one_line
from webstrata._lengths import LONGEST_TITLE, LONGEST_URL
from webstrata.page import Page
from webstrata.text import Column

__all__ = ["MOST_LINKS", "Anchor", "Anchors", "anchors", "page_url"]

#: Links of one page that are kept. Ordinary pages have a few hundred.
MOST_LINKS = 20_000
_PORTS = {"http": 80, "https": 443}


def page_url(url: str, *, query: bool = True) -> str | None:
    """The normal form of a page's URL: without fragment, host in lower case; None if it is not a URL of the web.

    Parameters
    ----------
    query : whether to keep the query

    >>> page_url("HTTP://Example.org:80#top"), page_url("https://example.org/a?b=1#c", query=False)
    ('http://example.org/', 'https://example.org/a')
    >>> page_url("mailto:me@example.org"), page_url("http://[x"), page_url("http://a:99999/"), page_url("")
    (None, None, None, None)
    """
    if len(url) > LONGEST_URL:
        return None
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:  # a broken IPv6 address or port
        return None
    scheme = parts.scheme.lower()
    if scheme not in _PORTS or not host:
        return None
    name = f"[{host}]" if ":" in host else host
    place = name if port in (None, _PORTS[scheme]) else f"{name}:{port}"
    return urlunsplit((scheme, place, parts.path or "/", parts.query if query else "", ""))


@dataclass(frozen=True, slots=True)
class Anchor:
    """A link: the URL of its target, its text, its ``rel``, its first block, and whether it is in the content."""

    target: str
    text: str
    rel: str | None
    block: int
    content: bool


@dataclass(frozen=True, slots=True)
class Anchors:
    """The links of a page, and the numbers of links left out: those that lead to no page, and those past the limit."""

    links: tuple[Anchor, ...]
    broken: int
    dropped: int


def anchors(page: Page, keep: Column, *, query: bool = True) -> Anchors:
    """The links of a page.

    Parameters
    ----------
    page : the page, with its url
    keep : for each block, whether it is content
    query : whether to keep the queries of targets

    >>> from webstrata.page import parse
    >>> page = parse("<nav><a href=/>Home</a></nav><p>See <a href=b#c rel=nofollow>this</a>.", url="http://a.org/x/y")
    >>> for link in anchors(page, np.array([False, True])).links:
    ...     print(link)
    Anchor(target='http://a.org/', text='Home', rel=None, block=0, content=False)
    Anchor(target='http://a.org/x/b', text='this', rel='nofollow', block=1, content=True)
    """
    kept = np.concatenate(([0], np.cumsum(keep))).tolist()
    blocks = len(keep)
    found: list[Anchor] = []
    broken = 0
    targets: dict[str, str | None] = {}
    for link in page.links:
        if len(found) == MOST_LINKS:
            break
        if link.url not in targets:
            targets[link.url] = page_url(link.url, query=query)
        target = targets[link.url]
        if target is None:
            broken += 1
            continue
        first, stop = link.blocks.start, link.blocks.stop
        if first == stop:
            around = range(max(first - 1, 0), min(first + 1, blocks))
            content = bool(around) and kept[around.stop] - kept[around.start] == len(around)
        else:
            content = kept[stop] > kept[first]
        rel = page.elements[link.element].attributes.get("rel")
        found.append(
            Anchor(target, one_line(link.text, LONGEST_TITLE), one_line(rel, 100) if rel else None, first, content)
        )
    return Anchors(tuple(found), broken, len(page.links) - len(found) - broken)
