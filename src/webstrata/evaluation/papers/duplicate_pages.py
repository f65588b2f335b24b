"""Pages with equal content in other templates, and the pairs of them that near-duplicate detection finds.

The lyrics pages of Kohlschütter & Nejdl 2008 table 3 no longer exist. In their place: articles of news pages (L3S-GN1),
each put into the templates of three other hosts; and pages of the same path in two releases of a manual, such as
Debian's packages of documentation (``apt-get download NAME`` and ``dpkg -x``). A pair is true if the content, or the
path, is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

from webstrata.duplicates import LargestSegment, Rule, TextPart, WholePage, make_part
from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.evaluation.datasets.l3s_gn1 import FULL_TEXT
from webstrata.evaluation.papers.experiments import labelled_page
from webstrata.evaluation.papers.whole_sites import LearnedSite
from webstrata.files import files_below
from webstrata.page import Page, parse
from webstrata.sites import Rules
from webstrata.sites.segmenter import SOMSegmenter
from webstrata.text import Column

__all__ = ["FoundPairs", "PairedPages", "count_pairs", "manual_pages", "swapped_pages", "text_parts"]

_SEGMENTERS = "wordwrap taggap bf-plain bf-smoothed bf-rulebased justrules pagesegmenter-blocks".split()
_CHUNK = 64
_TEMPLATES = 30
# An article has at least so many words.
_WORDS = 100
# A page cut in three: before its article, the article, and what follows.
_Cut = tuple[bytes, bytes, bytes]


@dataclass(frozen=True, eq=False)
class PairedPages:
    """Pages, the content of each, and the template or the release that it has."""

    pages: Sequence[Page]
    side: Column
    content: Column


def manual_pages(first: Path, second: Path) -> PairedPages:
    """The pages of two releases of one manual; pages of the same path have the same content."""
    pages, sides, names = [], [], []
    for release, folder in enumerate((first, second)):
        for path in files_below(folder):
            if path.suffix == ".html" and not path.is_symlink():
                # Releases put their version into the path of the package, and nowhere below the folder of the pages.
                pages.append(parse(path.read_bytes()))
                names.append(str(path).split("/html/")[-1])
                sides.append(release)
    return PairedPages(pages, np.array(sides), np.unique(names, return_inverse=True)[1])


def swapped_pages(contents: int) -> PairedPages:
    """News pages with their articles exchanged: each of some articles in three of 30 templates of other hosts.

    The article is what lies between the first and the last block that people marked as its full text.
    """
    random = np.random.default_rng(1)
    items = list(find_dataset("l3s-gn1").items())
    by_host: dict[str, _Cut] = {}
    for place in random.permutation(len(items)).tolist():
        page, labels = labelled_page(items[place])
        rows = np.flatnonzero((labels == FULL_TEXT) & ~page.blocks.hidden)
        if len(rows) and int(page.blocks.words[rows].sum()) >= _WORDS:
            start, stop = int(page.blocks.source_start[rows[0]]), int(page.blocks.source_stop[rows[-1]])
            by_host.setdefault(urlsplit(page.url or "").netloc, (page.source[:start], page.source[start:stop],
                                                                 page.source[stop:]))  # fmt: skip
    cuts = list(by_host.values())
    templates, donors = cuts[:_TEMPLATES], cuts[_TEMPLATES : _TEMPLATES + contents]
    made, content = [], []
    for number, (_, article, _) in enumerate(donors):
        for place in random.choice(len(templates), min(3, len(templates)), replace=False).tolist():
            made.append(parse(templates[place][0] + article + templates[place][2], encoding="utf-8"))
            content.append(number)
    return PairedPages(made, np.arange(len(made)), np.array(content, np.int64))


def text_parts(given: PairedPages) -> Iterator[tuple[str, list[str]]]:
    """The texts of all pages by each way to choose them."""
    ways: dict[str, TextPart] = {"full text": WholePage()}
    ways |= {name: make_part("segment", name) for name in _SEGMENTERS}
    ways |= {"content (numwords)": make_part("content", "numwords"), "content (learned)": make_part("content")}
    for name, way in ways.items():
        yield name, [way(page) for page in given.pages]
        if name == _SEGMENTERS[-1] and len(set(given.side.tolist())) == 2:
            yield "som", list(_site_texts(given))


def _site_texts(given: PairedPages) -> Iterator[str]:
    """The largest segment of each page by the tree of its own release."""
    for number in (0, 1):
        own = [page for page, of in zip(given.pages, given.side.tolist(), strict=True) if of == number]
        largest = LargestSegment(segmenter=SOMSegmenter(tree=LearnedSite.of(own, Rules()).tree))
        yield from map(largest, own)


@dataclass(frozen=True, slots=True)
class FoundPairs:
    """Counts of pairs: true ones, those found, other ones, those found of different sides and of one side."""

    true: int
    found: int
    others: int
    wrong: int
    wrong_within: int


def count_pairs(texts: Sequence[str], given: PairedPages, rule: Rule) -> FoundPairs:
    """The pairs of pages that a rule takes for near-duplicates by these texts."""
    signatures = [rule.signature(text) for text in texts]
    known = np.array([item is not None for item in signatures])
    none = np.zeros(rule.permutations, np.uint32)
    matrix = np.stack([none if item is None else item for item in signatures])
    counts = np.zeros(5, np.int64)
    order, side, content = np.arange(len(texts)), given.side, given.content
    for start in range(0, len(texts), _CHUNK):
        rows = order[start : start + _CHUNK]
        same = matrix[rows, None] == matrix[None]
        found = (same.sum(axis=2) >= rule.needed) & known[rows, None] & known[None]
        found &= same.reshape(*same.shape[:2], rule.bands, rule.rows).all(axis=3).any(axis=2)
        later, across = order[None] > rows[:, None], side[rows, None] != side[None]
        true = content[rows, None] == content[None]
        counts += [
            int((true & later & across).sum()),
            int((true & later & across & found).sum()),
            int((~true & later & across).sum()),
            int((~true & later & across & found).sum()),
            int((~true & later & ~across & found).sum()),
        ]
    return FoundPairs(*counts.tolist())
