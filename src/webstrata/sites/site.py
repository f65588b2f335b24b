"""What is known of a site: its refined tree, its segment classes, and the texts that come back on its pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from webstrata._once import once
from webstrata.extraction.base import Extraction
from webstrata.page import Page
from webstrata.sites.classes import Refined
from webstrata.sites.fingerprints import paragraph_fingerprints, paragraph_numbers
from webstrata.sites.segmenter import SOMSegmenter, block_classes
from webstrata.text import Column

__all__ = ["SegmentClass", "Site"]


@dataclass(frozen=True, slots=True)
class SegmentClass:
    """Segments of many pages that share a label.

    Attributes
    ----------
    kind : its label as a hash; the kind of its segments
    path : its label in words, from the root down
    pages, segments, words : how much of the site belongs to it
    kept : how many of the words an extractor took for content
    distinct : how many different texts its segments have; an estimate where there are many
    examples : pages that have it
    """

    kind: str
    path: str
    pages: int
    segments: int
    words: int
    kept: int
    distinct: float
    examples: tuple[str, ...] = ()

    @property
    def weight(self) -> float:
        """How much its segments tell of their pages: different texts for each segment, from near 0 to 1.

        A menu that is the same everywhere weighs next to nothing, an article 1. It stands in for the block importance
        of de Moura et al. 2010, which needs an index of the words.
        """
        return min(1.0, self.distinct / self.segments) if self.segments else 0.0


@dataclass(frozen=True, eq=False, repr=False)
class Site:
    """What is known of one site.

    Attributes
    ----------
    name : its host, its registered domain, or "all"
    tree : the refined tree
    classes : its segment classes, those with most words first
    fingerprints, frequency : paragraphs that come back, sorted by fingerprint, and their pages
    """

    name: str
    tree: Refined
    classes: tuple[SegmentClass, ...]
    fingerprints: Column
    frequency: Column

    def __repr__(self) -> str:
        return f"<Site {self.name}: {self.pages} pages, {len(self.classes)} classes>"

    @property
    def pages(self) -> int:
        """How many pages it was learnt from."""
        return self.tree.tree.pages

    @property
    def mixed(self) -> bool:
        """Whether its pages are of several templates: no class with text stands on half of them."""
        return bool(self.classes) and max(item.pages for item in self.classes) < 0.5 * self.pages

    @property
    def segmenter(self) -> SOMSegmenter:
        return SOMSegmenter(tree=self.tree, source=self.name)

    @once
    def _by_label(self) -> dict[int, SegmentClass]:
        return {int(item.kind, 16): item for item in self.classes}

    def frequencies(self, page: Page) -> Column:
        """For each block, on how many pages of the site its paragraph stands; 0 where on no other."""
        found, _ = paragraph_fingerprints(page)
        pages = np.zeros(len(found), np.int64)
        if len(self.fingerprints) and len(found):
            place = np.minimum(np.searchsorted(self.fingerprints, found), len(self.fingerprints) - 1)
            pages = np.where(self.fingerprints[place] == found, self.frequency[place], 0)
        number = paragraph_numbers(page)
        result = np.zeros(len(number), np.int64)
        result[number >= 0] = pages[number[number >= 0]]
        return result

    def weights(self, page: Page) -> Column:
        """For each block, the weight of its segment class; 1 where the site does not know the class."""
        return self._of_classes(page, 1.0, lambda found: found.weight)

    def kept(self, page: Page) -> tuple[Column, Column]:
        """For each block, the share of its class's words that were kept, and the pages that the class was seen on.

        The second is 0 where the site does not know the class, or where no extractor was asked.
        """
        asked = any(item.kept for item in self.classes)
        share = self._of_classes(page, 0.0, lambda found: found.kept / found.words if found.words else 0.0)
        pages = self._of_classes(page, 0.0, lambda found: found.pages * asked)
        return share, pages

    def _of_classes(self, page: Page, unknown: float, value: Callable[[SegmentClass], float]) -> Column:
        _, labels = block_classes(page, self.tree)
        unique, place = np.unique(labels, return_inverse=True)
        classes = [self._by_label.get(label) for label in unique.tolist()]
        values = np.array([unknown if found is None else value(found) for found in classes])
        return values[place] if len(values) else np.zeros(0)

    def __call__(self, extraction: Extraction) -> Extraction:
        """A site is a filter: what it makes of a decision with `webstrata.sites.extraction.WithSite`."""
        from webstrata.sites.extraction import WithSite

        return WithSite(site=self)(extraction)
