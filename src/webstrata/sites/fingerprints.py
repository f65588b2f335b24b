"""Template fingerprints (Kohlschütter 2011 §4.3.3): a text that many pages have is part of a template.

Texts are normalized before they are hashed, so that changing dates and addresses do not change the fingerprint: lower
case; names of months and days, AM and PM, and addresses removed; only letters kept, with one space between words;
``$DATE$`` and ``URL`` added if the text had a date token or an address. The fingerprint is the SHA-1 of the result.

*Deviations.* The thesis keeps Latin letters. Here every letter is kept, because all texts of another script would
otherwise have one fingerprint, and so is every other non-ASCII character. A text without letters has no fingerprint.
The first 8 bytes of the SHA-1 are kept as a number: among a thousand million texts the chance of any collision is 1 in
37. Sites count the pages of a fingerprint, statistics its units.
"""

from __future__ import annotations

import re
from hashlib import sha1

import numpy as np

from webstrata.page import Page
from webstrata.paragraphs import ITEM, ends_kept
from webstrata.text import Column

__all__ = ["FREQUENT", "fingerprint", "normalised", "paragraph_fingerprints", "paragraph_numbers"]

#: A text of this many pages belongs to a template (Kohlschütter 2011 §4.3.3).
FREQUENT = 10

_MONTHS = "january february march april may june july august september october november december"
_DAYS = "monday tuesday wednesday thursday friday saturday sunday"
_DATES = frozenset(
    name.encode()
    for full in f"{_MONTHS} {_DAYS}".split()
    for name in (full, full[:3])
) | {b"am", b"pm"}  # fmt: skip
_URL = re.compile(rb"(?:[a-z][a-z0-9+.-]*://|www\.)[^\s<>\"']+")
# ASCII characters other than letters become white space; bytes of other characters stay.
_LETTERS = bytes(c if 97 <= c <= 122 or c >= 128 else 32 for c in range(256))


def normalised(text: str) -> bytes:
    """The normalized text.

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


def paragraph_numbers(page: Page) -> Column:
    """For each block the number of its paragraph (`webstrata.paragraphs`), items of lists included; -1 if hidden.

    >>> from webstrata.page import parse
    >>> paragraph_numbers(parse("<p>one <b>two</b><br>three<p>four<ul><li>five")).tolist()
    [0, 0, 0, 1, 2]
    """
    shown = ~page.blocks.hidden
    number = np.full(len(page.blocks), -1, np.int64)
    number[shown] = np.cumsum(np.asarray(ends_kept(page, shown)) >= ITEM) - 1
    return number


def paragraph_fingerprints(page: Page) -> tuple[Column, Column]:
    """The fingerprint of each paragraph, and its words.

    A paragraph that is all link has the complement of its text's fingerprint: a headline that other pages link to
    repeats there, but above its own article it is no template text.
    """
    number = paragraph_numbers(page)
    shown = np.flatnonzero(number >= 0)
    if not len(shown):
        return np.zeros(0, np.uint64), np.zeros(0, np.int64)
    texts = [fingerprint(text) for text in _texts(page, shown, number[shown])]
    words = np.bincount(number[shown], page.blocks.words[shown])
    links = np.bincount(number[shown], page.blocks.link_words[shown])
    prints = np.array(texts, np.uint64)
    linked = (links == words) & (words > 0) & (prints != 0)
    return np.where(linked, ~prints, prints), words.astype(np.int64)


def _texts(page: Page, shown: Column, number: Column) -> list[str]:
    """The shown text of each paragraph; hidden text inside of it becomes a space."""
    begins = np.concatenate(([True], (np.diff(shown) > 1) | (np.diff(number) > 0)))
    first, last = shown[begins], shown[np.concatenate((begins[1:], [True]))]
    starts, stops = page.blocks.text_start[first].tolist(), page.blocks.text_stop[last].tolist()
    texts: list[str] = []
    for paragraph, start, stop in zip(number[begins].tolist(), starts, stops, strict=True):
        piece = page.text[start:stop]
        if paragraph == len(texts):
            texts.append(piece)
        else:
            texts[-1] += f" {piece}"
    return texts
