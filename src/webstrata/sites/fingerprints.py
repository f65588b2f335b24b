"""Template fingerprints (Kohlschütter 2011 §4.3.3): a text that stands on many pages is part of a template.

Texts are normalised before they are hashed, so that a date or an address that changes does not make a text another one:
lower case; names of months and days, AM and PM, and addresses removed; only letters kept, with one space between words;
``$DATE$`` and ``URL`` added where the text held a date token or an address. The fingerprint is the SHA-1 of that.

*Deviations.* The thesis keeps Latin letters. Every letter is kept here, since all texts of another script would
otherwise have one fingerprint; so is every other character outside of ASCII. A text without any letter has no
fingerprint. The first 8 bytes of the SHA-1 are kept as a number: among a thousand million texts the odds that any two
meet by chance are 1 in 37. Frequencies count pages where texts of one page may be told apart, else segments.
"""

from __future__ import annotations

import re
from hashlib import sha1

import numpy as np

from webstrata.page import INLINE_TAGS, Page, tag_mask
from webstrata.text import Column

__all__ = ["FREQUENT", "fingerprint", "normalised", "paragraph_fingerprints", "paragraph_numbers"]

#: A text of so many pages belongs to a template (Kohlschütter 2011 §4.3.3).
FREQUENT = 10

_MONTHS = "january february march april may june july august september october november december"
_DAYS = "monday tuesday wednesday thursday friday saturday sunday"
_DATES = frozenset(
    name.encode()
    for full in f"{_MONTHS} {_DAYS}".split()
    for name in (full, full[:3])
) | {b"am", b"pm"}  # fmt: skip
_URL = re.compile(rb"(?:[a-z][a-z0-9+.-]*://|www\.)[^\s<>\"']+")
# Everything of ASCII that is no letter is white space; bytes of other characters stay.
_LETTERS = bytes(c if 97 <= c <= 122 or c >= 128 else 32 for c in range(256))


def normalised(text: str) -> bytes:
    """The text as it is hashed.

    >>> normalised("Posted on Mon, 3 January 2011 at 10:15 am by Ada: see http://example.org/x")
    b'posted on at by ada see $DATE$ URL'
    """
    lower = text.lower().encode("utf-8", "replace")
    has_url = b"://" in lower or b"www." in lower
    without = _URL.sub(b" ", lower) if has_url else lower
    words = without.translate(_LETTERS).split()
    has_date = not _DATES.isdisjoint(words)
    if has_date:
        words = [word for word in words if word not in _DATES]
    words += [b"$DATE$"] * has_date + [b"URL"] * (without is not lower and without != lower)
    return b" ".join(words)


def fingerprint(text: str) -> int:
    """The first 8 bytes of the SHA-1 of the normalised text as a number; 0 for a text without letters.

    >>> fingerprint("Updated 3 May") == fingerprint("updated 14 June"), fingerprint("2011")
    (True, 0)
    """
    normal = normalised(text)
    return int.from_bytes(sha1(normal, usedforsecurity=False).digest()[:8], "big") if normal else 0


_INLINE = tag_mask(INLINE_TAGS)


def paragraph_numbers(page: Page) -> Column:
    """For each block the number of its paragraph: blocks with inline tags between them are one; -1 for hidden ones."""
    shown = np.flatnonzero(~page.blocks.hidden)
    number = np.full(len(page.blocks), -1, np.int64)
    if len(shown):
        begins = ~page.blocks.gap_within(_INLINE)[shown]
        begins[1:] |= np.diff(shown) > 1
        begins[0] = True
        number[shown] = np.cumsum(begins) - 1
    return number


def paragraph_fingerprints(page: Page) -> tuple[Column, Column]:
    """The fingerprint of each paragraph, and its words.

    A paragraph that is all link has the complement of its text's fingerprint: a headline that other pages of the site
    link to comes back there, and is no template text where it stands above its article.
    """
    number = paragraph_numbers(page)
    shown = np.flatnonzero(number >= 0)
    if not len(shown):
        return np.zeros(0, np.uint64), np.zeros(0, np.int64)
    first = shown[np.flatnonzero(np.diff(number[shown], prepend=-1))]
    last = shown[np.flatnonzero(np.diff(number[shown], append=number[shown[-1]] + 1))]
    starts, stops = page.blocks.text_start[first].tolist(), page.blocks.text_stop[last].tolist()
    found = [fingerprint(page.text[start:stop]) for start, stop in zip(starts, stops, strict=True)]
    words = np.bincount(number[shown], page.blocks.words[shown])
    links = np.bincount(number[shown], page.blocks.link_words[shown])
    prints = np.array(found, np.uint64)
    linked = (links == words) & (words > 0) & (prints != 0)
    return np.where(linked, ~prints, prints), words.astype(np.int64)
