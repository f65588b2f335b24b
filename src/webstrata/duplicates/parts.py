"""Which part of a page is compared: its content, its largest segment, or all of it.

Two pages with the same article and different templates share little as a whole, and two articles in one template share
much. So Kohlschütter & Nejdl 2008 §5.4 compares the largest segment of each page. What an extractor takes for content
is the step further.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from webstrata.errors import InputError
from webstrata.extraction.base import EXTRACTORS, Extractor
from webstrata.features import ratio
from webstrata.page import Page
from webstrata.segmentation.base import SEGMENTERS, Segmenter

__all__ = ["BY", "Content", "LargestSegment", "Part", "WholePage", "make_part"]

#: What pages can be compared by.
BY = ("content", "segment", "page")


class Part(Protocol):
    """The text of a page that is compared."""

    def __call__(self, page: Page) -> str: ...


@dataclass(frozen=True, kw_only=True)
class Content:
    """What an extractor takes for content.

    >>> from webstrata.page import parse
    >>> Content(extractor=EXTRACTORS.make("keep-all"))(parse("<p>A page<p>comes in strata."))
    'A page\\n\\ncomes in strata.'
    """

    extractor: Extractor = field(default_factory=lambda: EXTRACTORS.make("learned"))

    def __call__(self, page: Page) -> str:
        return self.extractor(page).text


@dataclass(frozen=True, kw_only=True)
class LargestSegment:
    """The segment with most words, of those where links have less than half of the words.

    Parameters
    ----------
    segmenter : what divides the page; where segments lie in one another, the inner ones count
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
        rows = np.flatnonzero(labels == int(words.argmax()))
        spans = zip(blocks.text_start[rows].tolist(), blocks.text_stop[rows].tolist(), strict=True)
        return "\n".join(page.text[start:stop] for start, stop in spans)


@dataclass(frozen=True, kw_only=True)
class WholePage:
    """All text that a browser shows."""

    def __call__(self, page: Page) -> str:
        blocks = page.blocks
        shown = np.flatnonzero(~blocks.hidden)
        spans = zip(blocks.text_start[shown].tolist(), blocks.text_stop[shown].tolist(), strict=True)
        return "\n".join(page.text[start:stop] for start, stop in spans)


def make_part(by: str, algorithm: str = "") -> Part:
    """The part of that name.

    Parameters
    ----------
    by : content, segment or page
    algorithm : the extractor or segmenter; empty for the default
    """
    if by == "content":
        return Content(extractor=EXTRACTORS.make(algorithm or "learned"))
    if by == "segment":
        return LargestSegment(segmenter=SEGMENTERS.make(algorithm or "bf-rulebased"))
    if by == "page":
        if algorithm:
            raise InputError("whole pages are compared without an algorithm: leave it out")
        return WholePage()
    raise InputError(f"pages are compared by {', '.join(BY)}, not by {by!r}")
