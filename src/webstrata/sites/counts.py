"""Counts of segment classes over the pages of a site, once its tree is known. Counts of parts of the pages add up."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from zlib import crc32

import numpy as np

from webstrata.sites.classes import Refined
from webstrata.sites.nodes import Nodes
from webstrata.text import Column

__all__ = ["ClassCount", "ClassCounts", "SegmentClass", "add_counts", "count_page"]

# Distinct texts of a class that are kept, those with the smallest hashes: a sample that shows how often a text repeats.
_TEXTS = 32
_EXAMPLES = 3
# From this weight on, most texts of a class are found once.
_OWN_TEXTS = 0.5
_WORD = re.compile(r"[a-z]+[1-6]?")
# The names of classes by tags, and by words that sites use for ids, classes and roles.
_NAMES = {
    "nav": "menu", "menu": "menu", "navigation": "menu", "navbar": "menu", "breadcrumb": "breadcrumbs",
    "breadcrumbs": "breadcrumbs", "footer": "footer", "contentinfo": "footer", "header": "header", "banner": "header",
    "masthead": "header", "aside": "sidebar", "sidebar": "sidebar", "complementary": "sidebar", "toc": "contents",
    "comment": "comments", "comments": "comments", "search": "search", "form": "form", "title": "title", "h1": "title",
    "related": "related pages",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class ClassCount:
    """Counts of one segment class.

    Attributes
    ----------
    pages, segments, words : size of the class
    kept : words that an extractor kept
    texts : hashes of a sample of its distinct texts, and the segments of each
    examples : pages that have it
    quotes : how a sample of its distinct texts begins
    """

    pages: int
    segments: int
    words: int
    kept: int
    texts: Mapping[int, int] = field(default_factory=dict, repr=False)
    examples: tuple[str, ...] = ()
    quotes: tuple[str, ...] = field(default=(), repr=False)

    @property
    def distinct(self) -> float:
        """Number of distinct texts of its segments; an estimate if there are many."""
        return self.segments * len(self.texts) / max(1, sum(self.texts.values()))

    def __add__(self, other: ClassCount) -> ClassCount:
        texts = dict(self.texts)
        for text, count in other.texts.items():
            texts[text] = texts.get(text, 0) + count
        return ClassCount(
            pages=self.pages + other.pages,
            segments=self.segments + other.segments,
            words=self.words + other.words,
            kept=self.kept + other.kept,
            texts=dict(sorted(texts.items())[:_TEXTS]),
            examples=tuple(sorted({*self.examples, *other.examples})[:_EXAMPLES]),
            quotes=tuple(sorted({*self.quotes, *other.quotes}, key=_drawn)[:_EXAMPLES]),
        )


def _drawn(text: str) -> tuple[int, str]:
    """Orders texts as if at random, but always in the same way."""
    return crc32(text.encode("utf-8", "replace")), text


#: Counts by the label of the class, as a signed 64-bit integer.
ClassCounts = dict[int, ClassCount]


@dataclass(frozen=True, kw_only=True)
class SegmentClass(ClassCount):
    """Segments of many pages that have the same label.

    Attributes
    ----------
    kind : the label as a hash; the kind of its segments
    path : the label in words, from the root down
    """

    kind: str
    path: str

    @property
    def weight(self) -> float:
        """Distinct texts per segment, from near 0 to 1.

        A menu that is the same on all pages weighs almost nothing, an article 1. The weight replaces the block
        importance of de Moura et al. 2010, which needs an index of the words.
        """
        return min(1.0, self.distinct / self.segments) if self.segments else 0.0

    @property
    def name(self) -> str:
        """A name for people: by what is kept of its words and how often they repeat, else by the words of its path.

        >>> numbers = {"pages": 9, "segments": 9, "kind": "", "texts": {1: 9}}
        >>> SegmentClass(words=90, kept=0, path="body > div.footer > p", **numbers).name
        'footer'
        >>> SegmentClass(words=90, kept=80, path="main > p", **{**numbers, "texts": dict.fromkeys(range(9), 1)}).name
        'article body'
        """
        words = _WORD.findall(self.path.lower())
        named = next((_NAMES[word] for word in reversed(words) if word in _NAMES), "")
        if self.weight >= _OWN_TEXTS and 2 * self.kept >= max(self.words, 1):
            return "title" if named == "title" else "article body"
        return named or ("other text" if self.weight >= _OWN_TEXTS else "template text")


def count_page(
    tree: Refined, nodes: Nodes, kept: Column, example: str, quotes: Sequence[str] | None = None
) -> ClassCounts:
    """The counts of the segment classes of one page.

    Parameters
    ----------
    tree : of its site
    nodes : of the page
    kept : for each node, the words that an extractor keeps
    example : the name of the page
    quotes : for each node, how its text begins
    """
    segment, labels = tree.segments(nodes)
    above = np.where(nodes.parent >= 0, segment[nodes.parent], -1)
    tops = np.flatnonzero((segment >= 0) & (segment != above))
    hashes = [column[tops].view(np.int64) for column in (labels, nodes.text)]
    columns = (*hashes, segment[tops], nodes.words[tops], kept[tops])
    found: dict[int, _PageCount] = {}
    for label, *counts in zip(*(column.tolist() for column in columns), strict=True):
        found.setdefault(label, _PageCount()).add(*counts)
    if quotes is not None:
        for label, top in zip(hashes[0].tolist(), tops.tolist(), strict=True):
            found[label].quote = found[label].quote or quotes[top]
    return {label: count.finished(example) for label, count in found.items()}


@dataclass
class _PageCount:
    """One class on one page; a flow has several nodes of one segment."""

    segments: set[int] = field(default_factory=set)
    words: int = 0
    kept: int = 0
    text: int = 0
    quote: str = ""

    def add(self, text: int, segment: int, words: int, kept: int) -> None:
        self.segments.add(segment)
        self.words += words
        self.kept += kept
        # A sum modulo 2^64, which does not depend on the order.
        self.text = (self.text + text + 2**63) % 2**64 - 2**63

    def finished(self, example: str) -> ClassCount:
        count = len(self.segments)
        texts = {self.text: count}
        quotes = (self.quote,) if self.quote else ()
        return ClassCount(
            pages=1, segments=count, words=self.words, kept=self.kept, texts=texts, examples=(example,), quotes=quotes
        )  # fmt: skip


def add_counts(counts: ClassCounts, other: Mapping[int, ClassCount]) -> None:
    """Add counts to others, in place."""
    for label, count in other.items():
        counts[label] = counts[label] + count if label in counts else count
