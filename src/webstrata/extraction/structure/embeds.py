"""Players and posts of other sites, which a page shows in frames, and its own video and audio: written as links.

The link leads to the page of the video or the post where its address is known from that of the player. Frames without
a title that are none of these are left out: most are advertisements, buttons and measurements.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from webstrata._escaping import one_line
from webstrata._lengths import LONGEST_TITLE
from webstrata.page import Page
from webstrata.urls import host, safe

__all__ = ["Embed", "embeds", "public_address"]

# Elements of a page that are read, and elements in a ``video`` before its sources.
_MOST, _MOST_SOURCES = 1000, 16
_SOURCES = (b"src", b"data-src", b"data-lazy-src", b"data-litespeed-src")
_MEDIA = re.compile(
    r"(?:^|\.)(?:youtube(?:-nocookie)?\.com|youtu\.be|vimeo\.com|dailymotion\.com|twitch\.tv|ted\.com|wistia\.(?:com|net)"
    r"|brightcove\.net|bilibili\.com|rutube\.ru|vkvideo\.ru|tiktok\.com|soundcloud\.com|spotify\.com|bandcamp\.com"
    r"|music\.apple\.com|podcasts\.apple\.com|twitter\.com|x\.com|instagram\.com|codepen\.io|jsfiddle\.net"
    r"|codesandbox\.io|datawrapper\.de|dwcdn\.net|flourish\.studio|archive\.org|loom\.com|streamable\.com|slideshare\.net)$"
)
_NOISE = re.compile(
    r"\bads?\b|advert|captcha|cookie|consent|\bchat\b|widget|\blikes?\b|\bshare|comment|tag ?manager|analytics|log ?in"
    r"|newsletter|subscri|sign ?up|follow|preferences|tracking|pixel|sandbox|^iframe$",
    re.IGNORECASE,
)
_SCHEME = re.compile(r"^(?:https?:)?//", re.IGNORECASE)
_PLAYERS = (
    (re.compile(r"https?://(?:www\.)?youtube(?:-nocookie)?\.com/embed/([\w-]{11})(?:[?#].*)?"), r"https://www.youtube.com/watch?v=\1"),
    (re.compile(r"https?://player\.vimeo\.com/video/(\d+)(?:[?#].*)?"), r"https://vimeo.com/\1"),
    (re.compile(r"https?://platform\.twitter\.com/embed/(?:Tweet|index)\.html\?(?:[^#]*&)?id=(\d+).*"), r"https://x.com/i/status/\1"),
    (re.compile(r"https?://(?:www\.)?dailymotion\.com/embed/video/(\w+)(?:[?#].*)?"), r"https://www.dailymotion.com/video/\1"),
    (re.compile(r"https?://open\.spotify\.com/embed/([\w/]+)(?:[?#].*)?"), r"https://open.spotify.com/\1"),
)  # fmt: skip


class Embed(NamedTuple):
    """A player or a post: the address to link to, and its title; the address in the page if it has none."""

    url: str
    title: str


def embeds(page: Page) -> dict[int, Embed]:
    """The players and posts of a page, by the row of their element.

    >>> from webstrata.page import parse
    >>> list(embeds(parse("<iframe title=Varves src='//www.youtube.com/embed/b_PXuEPxN50?rel=0'>")).values())
    [Embed(url='https://www.youtube.com/watch?v=b_PXuEPxN50', title='Varves')]
    """
    found: dict[int, Embed] = {}
    elements = page.elements
    for row in elements.find("iframe", "video", "audio").tolist()[:_MOST]:
        *sources, title, label, width, height = elements.some_attributes(
            row, (*_SOURCES, b"title", b"aria-label", b"width", b"height")
        )
        if width in ("0", "1") or height in ("0", "1"):
            continue
        is_frame = elements[row].tag == "iframe"
        source = next(filter(None, (each.strip() for each in sources if each)), "") or _source(page, row)
        base = page.base_url or ("https:" if source.startswith("//") else "")
        url = public_address(safe(base, source) or "") if source else ""
        title = one_line(title or label or "", LONGEST_TITLE)
        if url and (not is_frame or _is_shown(url, title)):
            found[row] = Embed(url, title or one_line(_SCHEME.sub("", source).partition("?")[0], LONGEST_TITLE) or url)
    return found


def _is_shown(url: str, title: str) -> bool:
    """Whether a frame has a player, a post or something with a title that belongs to the page."""
    return bool(_MEDIA.search(host(url))) or bool(url.startswith("http") and title and not _NOISE.search(title))


def public_address(url: str) -> str:
    """The page of what a player shows, if its address is known; else the address of the player.

    >>> public_address("https://player.vimeo.com/video/45725193?h=1"), public_address("https://example.org/a")
    ('https://vimeo.com/45725193', 'https://example.org/a')
    """
    for pattern, address in _PLAYERS:
        if pattern.fullmatch(url):
            return pattern.sub(address, url)
    return url


def _source(page: Page, row: int) -> str:
    """The first source inside of a video or of audio."""
    elements = page.elements
    for each in range(row + 1, min(row + _MOST_SOURCES, len(elements))):
        if elements.parent[each] != row:
            break
        if elements[each].tag == "source":
            return (elements.attribute(each, "src") or "").strip()
    return ""
