"""Where an image is: the best of the addresses that a page gives for it.

A page may name an image many times: in ``src``, in ``srcset`` once for each size, in the ``source`` elements of a
``picture``, in attributes that a script reads when the image comes into view, and in a ``noscript`` beside it for
readers without scripts. The largest that is told by its size is taken; then the one that waits for a script, since what
stands in ``src`` then is a placeholder; then ``src``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import NamedTuple

from webstrata.elements import HIDDEN, TAG_NUMBERS
from webstrata.escaping import one_line
from webstrata.limits import LONGEST_TITLE
from webstrata.page import Page
from webstrata.urls import Resolver

__all__ = ["Candidate", "Image", "image_of", "srcset"]

# Where scripts that load images late keep the address; one that fits no screen in particular comes first.
_LATE = ("data-src", "data-original", "data-lazy-src", "data-lazy", "data-original-src", "data-hi-res-src", "data-url")
_SETS = ("srcset", "data-srcset", "data-lazy-srcset")
_PIXEL = ("0", "1")
# Names of files that show nothing, with a number or a size after them.
_PLACEHOLDER = re.compile(
    r"(?:^|/)(?:img|image)?[-_]?(?:blank|spacer|placeholder|pixel|transparent|loading|lazy|lazyload|dummy|empty|trans|clear"
    r"|grey|gray|1x1|x)(?:[-_.]?\d+(?:x\d+)?|[-_]?(?:img|image|pixel|gif))?\.(?:gif|png|svg|jpe?g|webp)(?:[?#]|$)",
    re.IGNORECASE,
)
_HIDES = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)

_SPACE = "\t\n\f\r "
_ADDRESS = re.compile(rf"[{_SPACE},]*+([^{_SPACE}]++)")
# Up to a comma that stands in no parentheses.
_DESCRIPTORS = re.compile(r"(?:[^,(]|\([^)]*+\)?)*+")
_DENSITY = re.compile(r"(\d{1,6}(?:\.\d{1,9})?|\.\d{1,9})(?:[eE][+-]?\d)?x")

_PICTURE, _SOURCE, _IMG, _NOSCRIPT = (TAG_NUMBERS[name] for name in ("picture", "source", "img", "noscript"))
# How many elements before and after a noscript, and how many levels up, are looked at.
_NEAR = 4
# A picture has a few sources.
_MOST_SOURCES = 32


class Image(NamedTuple):
    """Where an image is, and the text that stands for it."""

    src: str
    alt: str


class Candidate(NamedTuple):
    """An address of an image, with its width in pixels (0 where it is not told) and its pixels for each one of CSS."""

    url: str
    width: int
    density: float


def srcset(value: str) -> Iterator[Candidate]:
    """The candidates of a ``srcset``: the HTML standard's "parse a srcset attribute".

    An address ends at white space, so it may hold commas; one at its end parts it from the next candidate. A candidate
    with descriptors that the standard does not know is left out.

    >>> [candidate.url for candidate in srcset("a.jpg?w=1,h=2 300w, b.jpg 600w,c.jpg, d.jpg 2y")]
    ['a.jpg?w=1,h=2', 'b.jpg', 'c.jpg']
    """
    at = 0
    while address := _ADDRESS.match(value, at):
        url, at = address[1], address.end()
        described = ""
        if not url.endswith(","):
            descriptors = _DESCRIPTORS.match(value, at)
            described, at = (descriptors[0], descriptors.end() + 1) if descriptors else ("", at)
        url = url.rstrip(",")
        found = _described(url, described.split())
        if url and found:
            yield found


def _described(url: str, descriptors: list[str]) -> Candidate | None:
    width, density = 0, 1.0
    for descriptor in descriptors:
        number, unit = descriptor[:-1], descriptor[-1]
        if unit in "wh" and number.isdecimal() and number.isascii() and len(number) < 10:
            width = int(number) if unit == "w" else width
        elif _DENSITY.fullmatch(descriptor):
            density = float(number)
        else:
            return None
    return Candidate(url, width, density)


def image_of(page: Page, row: int, resolver: Resolver) -> Image | None:
    """An image that can be shown: it has an address of its own, and is neither a pixel that counts nor a placeholder.

    That of a ``noscript`` stands in for one beside it that cannot be shown.
    """
    attributes = page.elements[row].attributes
    if attributes.get("width") in _PIXEL or attributes.get("height") in _PIXEL:
        return None
    if page.elements.flags[row] & HIDDEN and not _stands_in(page, row, attributes, resolver):
        return None
    src = _best(page, row, attributes, resolver)
    return None if src is None else Image(src, one_line(attributes.get("alt", ""), LONGEST_TITLE))


def _best(page: Page, row: int, attributes: dict[str, str], resolver: Resolver) -> str | None:
    """The best address that is safe."""
    own = attributes.get("src", "").strip()
    ways: list[str] = []
    sets = [attributes[name] for name in _SETS if name in attributes]
    sets += _sets_of_sources(page, row)
    if sets:
        offered = chain.from_iterable(map(srcset, sets))
        candidates = [each for each in offered if not each.url.startswith("data:")]
        candidates.sort(key=lambda each: (each.width, each.density), reverse=True)
        # One that has neither a width nor more pixels is no better than what the image itself names.
        ways += [each.url for each in candidates if each.width or each.density > 1]
        own = own or next((each.url for each in candidates), "")
    ways += [attributes[name] for name in _LATE if name in attributes]
    for way in (*ways, own):
        way = way.strip()
        if way and not way.startswith("data:") and not _PLACEHOLDER.search(way[-200:]):
            src = resolver.safe(way)
            if src is not None:
                return src
    return None


def _sets_of_sources(page: Page, row: int) -> list[str]:
    """What the sources of a picture offer for its image."""
    elements = page.elements
    if elements.tag[elements.parent[row]] != _PICTURE:
        return []
    first = max(int(elements.parent[row]) + 1, row - _MOST_SOURCES)
    sources = [elements[each].attributes for each in range(first, row) if elements.tag[each] == _SOURCE]
    return [attributes[name] for attributes in sources for name in _SETS if name in attributes]


def _stands_in(page: Page, row: int, attributes: dict[str, str], resolver: Resolver) -> bool:
    """Whether an image in a ``noscript`` is the only one there that can be shown."""
    elements = page.elements
    around = next((up for up in islice(elements.ancestors(row), _NEAR) if elements.tag[up] == _NOSCRIPT), None)
    if around is None or _HIDES.search(attributes.get("style", "")[:1000]):
        return False
    after = around + 1
    while after < len(elements) and after - around <= 2 * _NEAR and elements.depth[after] > elements.depth[around]:
        after += 1
    near = [*range(max(around - _NEAR, 0), around), *range(after, min(after + _NEAR, len(elements)))]
    within, between = elements.parent[around], (elements.first_block[around], elements.end_block[around])
    return not any(
        elements.tag[each] == _IMG
        and not elements.flags[each] & HIDDEN
        and elements.first_block[each] in between
        and within in islice(elements.ancestors(each), _NEAR)
        and _best(page, each, elements[each].attributes, resolver) is not None
        for each in near
    )
