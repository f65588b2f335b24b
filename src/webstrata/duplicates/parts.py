"""The part of a page that is compared: its content, its largest segment, or all of it.

Two pages with the same article in different templates share little as a whole, and two articles in one template share
much. Kohlschütter & Nejdl 2008 §5.4 therefore compares the largest segment of each page. The content that an extractor
keeps goes one step further.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from webstrata.errors import InputError
from webstrata.extraction.base import EXTRACTORS, Extractor
from webstrata.features import ratio
from webstrata.page import Page
from webstrata.segmentation.base import SEGMENTERS, Segmenter

__all__ = ["BY", "KeptContent", "LargestSegment", "TextPart", "WholePage", "make_part"]

#: The names of the parts.
BY = ("content", "segment", "page")


class TextPart(Protocol):
    """Gives the text of a page that is compared."""

    def __call__(self, page: Page) -> str: ...


@dataclass(frozen=True, kw_only=True)
class KeptContent:
    """The content that an extractor keeps.

    >>> from webstrata.page import parse
    >>> KeptContent(extractor=EXTRACTORS.make("keep-all"))(parse("<p>A page<p>comes in strata."))
    'A page\\n\\ncomes in strata.'
    """

    extractor: Extractor = field(default_factory=lambda: EXTRACTORS.make("learned"))

    def __call__(self, page: Page) -> str:
        return self.extractor(page).text


@dataclass(frozen=True, kw_only=True)
class LargestSegment:
    """The segment with most words, of those with less than half of their words in links.

    Parameters
    ----------
    segmenter : divides the page; of nested segments, the inner ones count
    linked : segments with this share of linked words or more are left out

    *Deviation.* The paper counts tokens; words are counted here, as everywhere in the package. A page whose segments
    are all left out has no text to compare.

    >>> from webstrata.page import parse
    >>> largest = LargestSegment(segmenter=SEGMENTERS.make("justrules"))
    >>> largest(parse("<ul><li><a href=a>One of many links</a><li><a href=b>and one more</a></ul><h1>Strata</h1>"))
    'Strata'
    """

    segmenter: Segmenter = field(default_factory=lambda: SEGMENTERS.make("bf-rulebased"))
    linked: float = 0.5

    def __call__(self, page: Page) -> str:
        blocks = page.blocks
        labels = self.segmenter(page).labels()
        inside = np.flatnonzero(labels >= 0)
        if not len(inside):
            return ""
        words = np.bincount(labels[inside], blocks.words[inside])
        linked = ratio(np.bincount(labels[inside], blocks.link_words[inside]), words)
        words[linked >= self.linked] = 0
        if not words.any():
            return ""
        return _text(page, np.flatnonzero(labels == int(words.argmax())).tolist())


@dataclass(frozen=True, kw_only=True)
class WholePage:
    """All text that a browser shows."""

    def __call__(self, page: Page) -> str:
        return _text(page, np.flatnonzero(~page.blocks.hidden).tolist())


def _text(page: Page, rows: Iterable[int]) -> str:
    return "\n".join(page.blocks[row].text for row in rows)


def make_part(by: str, algorithm: str = "") -> TextPart:
    """The part with this name.

    Parameters
    ----------
    by : content, segment or page
    algorithm : the extractor or segmenter; empty for the default
    """
    if by == "content":
        return KeptContent(extractor=EXTRACTORS.make(algorithm or "learned"))
    if by == "segment":
        return LargestSegment(segmenter=SEGMENTERS.make(algorithm or "bf-rulebased"))
    if by == "page":
        if algorithm:
            raise InputError("whole pages are compared without an algorithm: leave it out")
        return WholePage()
    raise InputError(f"pages are compared by {', '.join(BY)}, not by {by!r}")
