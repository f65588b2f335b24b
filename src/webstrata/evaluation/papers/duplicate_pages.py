"""Pages with equal content in other templates, and the pairs of them that near-duplicate detection finds.

The lyrics pages of Kohlschütter & Nejdl 2008 table 3 no longer exist. In their place: contents of WCXB pages, each put
into the templates of three other hosts; and pages of the same path in two releases of a manual, such as Debian's
packages of documentation (``apt-get download NAME`` and ``dpkg -x``). A pair is true if the content, or the path, is
the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from webstrata.duplicates import LargestSegment, Rule, TextPart, WholePage, make_part
from webstrata.evaluation.datasets.locate import data_path
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
    """Pages made of contents and templates of WCXB, each content in three of 30 templates."""
    from webstrata.training.augmentation import EditablePage, transplanted
    from webstrata.training.samples import prepare, read_dataset

    random = np.random.default_rng(1)
    whole: dict[str, Any] = {}
    labelled = read_dataset(data_path("wcxb-dev/wcxb-dev.parquet"))
    for number in random.permutation(len(labelled)).tolist():
        page = labelled[number]
        host = page.url.split("/")[2] if page.url.count("/") > 2 else page.name
        if page.page_type == "article" and host not in whole and len(page.html) < 400_000:
            editable = EditablePage.from_sample(prepare(page))
            if _is_covered(editable):
                whole[host] = editable
        if len(whole) == contents + _TEMPLATES:
            break
    editables = list(whole.values())
    made, content = [], []
    for number, donor in enumerate(editables[_TEMPLATES:]):
        for place in random.choice(_TEMPLATES, 3, replace=False).tolist():
            made.append(transplanted(editables[place], [donor], random).page)
            content.append(number)
    return PairedPages(made, np.arange(len(made)), np.array(content))


def _is_covered(editable: Any) -> bool:
    """Whether a page has enough content, and nearly all of it in elements that can be cut out."""
    content = float((editable.page.blocks.words * np.nan_to_num(editable.content)).sum())
    inside = sum(editable.words_of(row) for row in editable.parts)
    return content >= 100 and 0.95 * content <= inside <= 1.1 * content


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
