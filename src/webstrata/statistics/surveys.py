"""Counts over pages: tokens by density, words and length, by full stop and by class; terms; repeated texts.

All counts are integers that add up: the survey of a crawl is the sum of the surveys of its pages, in any grouping.

**Unit.** Densities and words are counted for units: the atomic blocks of a page, or the segments of a segmenter
(Kohlschütter 2011 §4.3.2 uses those of BF-RuleBased, §4.4 uses blocks).

**Full stop** (Kohlschütter 2011 §4.3.2). A dot after at least two letters and before white space or the end, except
after a few abbreviations.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from webstrata._once import once
from webstrata._pages import AnyPages, pages_of
from webstrata.extraction.base import EXTRACTORS, Extractor
from webstrata.features import density
from webstrata.page import Page
from webstrata.segmentation.base import SEGMENTERS, Segmenter
from webstrata.sites.fingerprints import fingerprint
from webstrata.text import Column, words, wrap

__all__ = [
    "ALL",
    "BOUNDARY",
    "CUTOFF",
    "LEAST_DOCUMENTS",
    "MEASURES",
    "PageSurvey",
    "Survey",
    "Units",
    "content_classes",
    "survey",
    "survey_page",
    "units_of",
]

#: The boundary between the two strata in Kohlschütter 2011: densities up to it belong to the first.
BOUNDARY = 8
#: The cut-off of Kohlschütter 2011 §4.3.3: text up to this density is template text.
CUTOFF = 5
#: The class of all units if no classes are known.
ALL = "all"
#: Terms of fewer documents are left out of surveys of many pages: most of them are numbers and misspellings.
LEAST_DOCUMENTS = 2

#: The measures, and their meaning.
MEASURES: dict[str, str] = {
    "tokens by density": "words in units of each rounded text density",
    "stopped tokens by density": "the same, of units with a full stop",
    "units by density": "units of each rounded text density",
    "stopped units by density": "the same, of units with a full stop",
    "units by words": "units of each number of words",
    "tokens by length": "words of each number of characters",
    "documents by density": "documents by their mean text density, in hundredths",
    "documents by token length": "documents by the mean length of their words, in hundredths",
    "documents by density over length": "documents by the quotient of the two, in hundredths",
    "steps by quotient": "neighbouring units by the quotient of their densities (equation 4.9)",
    "documents": "documents with text",
}

_STOP = re.compile(r"(?<![^\W\d_])([^\W\d_]{2,})\.(?=\s|$)")
_ABBREVIATIONS = frozenset("vs dc inc ltd no vat jan feb mar apr may jun jul aug sep oct nov dec".split())
# Longer words and larger quotients are counted as these: they are not text.
_LONGEST, _STEEPEST = 100, 50


@dataclass(frozen=True)
class PageSurvey:
    """The counts of one page.

    Attributes
    ----------
    counts : by measure, class and value
    terms : for each term, whether it occurs in units below the boundary, and above
    repeats : for each fingerprint the number of units that have it, their words up to the cut-off density, and above
    """

    counts: Mapping[tuple[str, str, int], int]
    terms: Mapping[str, tuple[bool, bool]]
    repeats: Mapping[int, tuple[int, int, int]]


@dataclass(frozen=True, eq=False)
class Units:
    """The units of a page that have words.

    Attributes
    ----------
    rows : the blocks of each
    texts : the text of each
    words, density : of each
    """

    rows: list[Column]
    texts: list[str]
    words: Column
    density: Column

    @once
    def rounded(self) -> Column:
        """The density of each, rounded half up."""
        return np.asarray(np.floor(self.density + 0.5).astype(np.int64))

    @once
    def stopped(self) -> Column:
        """Whether each has a full stop."""
        return np.array([_has_stop(text) for text in self.texts], bool)


def units_of(page: Page, segmenter: Segmenter | None = None) -> Units:
    """The units of a page: the segments of a segmenter, or the shown blocks.

    >>> from webstrata.page import parse
    >>> found = units_of(parse("<p>Home<p>It rained all day. We slept."))
    >>> found.texts, found.words.tolist(), found.stopped.tolist()
    (['Home', 'It rained all day. We slept.'], [1, 6], [False, True])
    """
    rows = [own for own in _divided(page, segmenter) if page.blocks.words[own].any()]
    texts = ["\n".join(page.blocks[row].text for row in own.tolist()) for own in rows]
    return Units(rows, texts, *_density(page, rows, texts))


def survey_page(page: Page, *, classes: list[str] | None = None, segmenter: Segmenter | None = None) -> PageSurvey:
    """Count one page.

    Parameters
    ----------
    page : the page
    classes : the class of each block, if known; a segment has the class of most of its words
    segmenter : divides the page into units; without one, units are the shown blocks

    >>> from webstrata.page import parse
    >>> found = survey_page(parse("<p>Home<p>It rained all day. We slept."))
    >>> found.counts["units by words", "all", 1], found.counts["stopped tokens by density", "all", 6]
    (1, 6)
    """
    units = units_of(page, segmenter)
    part = [ALL] * len(units.rows) if classes is None else _classes(page, classes, units.rows)
    counts: Counter[tuple[str, str, int]] = Counter()
    _count_units(counts, part, units)
    if units.texts:
        _count_document(counts, [word for text in units.texts for word in words(text)], units.density)
    terms = _terms(units.texts, units.rounded <= BOUNDARY)
    return PageSurvey(counts, terms, _repeats(units.texts, units.words, units.density))


def content_classes(page: Page, extractor: Extractor | None) -> list[str] | None:
    """For each block "content" or "boilerplate", as an extractor decides; None without an extractor."""
    if extractor is None:
        return None
    return ["content" if kept else "boilerplate" for kept in extractor(page).keep.tolist()]


def survey(
    pages: AnyPages, *, extractor: str | Extractor | None = "learned", segmenter: str | Segmenter | None = None
) -> Survey:
    """The survey of many pages, the same as that of a crawl of them.

    Parameters
    ----------
    pages : `Page` objects, HTML, or files (`Path`)
    extractor : its decisions are the classes "content" and "boilerplate"; None for one class of all units
    segmenter : divides pages into units; without one, units are atomic blocks

    >>> survey(["<li>Home<p>It rained all day.", "<li>Home<p>We slept."], extractor=None)
    <Survey: 2 documents, 8 words in 4 units>
    """
    find = EXTRACTORS.make(extractor) if isinstance(extractor, str) else extractor
    divide = SEGMENTERS.make(segmenter) if isinstance(segmenter, str) else segmenter
    counts = (survey_page(page, classes=content_classes(page, find), segmenter=divide) for page in pages_of(pages))
    return Survey.of(counts, least=LEAST_DOCUMENTS)


def _divided(page: Page, segmenter: Segmenter | None) -> list[Column]:
    """The blocks of each unit."""
    if segmenter is None:
        return [np.array([row]) for row in np.flatnonzero(~page.blocks.hidden).tolist()]
    labels = segmenter(page).labels()
    inside = np.flatnonzero(labels >= 0)
    order = inside[np.argsort(labels[inside], kind="stable")]
    return np.split(order, np.flatnonzero(np.diff(labels[order])) + 1) if len(order) else []


def _density(page: Page, rows: list[Column], texts: list[str]) -> tuple[Column, Column]:
    """The words of each unit, and its text density. A unit of several blocks is wrapped as one text."""
    blocks = page.blocks
    if all(len(own) == 1 for own in rows):
        own = np.array([int(row[0]) for row in rows], np.int64)
        counts = [column[own].astype(np.int64) for column in (blocks.words, blocks.lines, blocks.wrapped_words)]
    else:
        wrapped = [wrap(text, [0], [len(text)]) for text in texts]
        counts = [np.array([int(item[side][0]) for item in wrapped], np.int64) for side in range(3)]
    return counts[0], density(*counts)


def _classes(page: Page, classes: list[str], units: list[Column]) -> list[str]:
    """The class of most words of each unit."""
    counts = page.blocks.words.tolist()
    found = []
    for rows in units:
        weight: Counter[str] = Counter()
        for row in rows.tolist():
            weight[classes[row]] += counts[row] + 1
        found.append(weight.most_common(1)[0][0])
    return found


def _has_stop(text: str) -> bool:
    return any(match[1].lower() not in _ABBREVIATIONS for match in _STOP.finditer(text))


def _count_units(counts: Counter[tuple[str, str, int]], part: list[str], units: Units) -> None:
    rounded = units.rounded
    rows = zip(part, units.words.tolist(), rounded.tolist(), units.stopped.tolist(), strict=True)
    for name, size, dense, stop in rows:
        counts["tokens by density", name, dense] += size
        counts["units by density", name, dense] += 1
        counts["units by words", name, size] += 1
        if stop:
            counts["stopped tokens by density", name, dense] += size
            counts["stopped units by density", name, dense] += 1
    before, after = rounded[:-1], rounded[1:]
    # Lines without a word have the density 0, which cannot be divided by.
    steps = np.abs(before - after)[after > 0] / after[after > 0]
    for quotient in np.minimum(np.ceil(steps[steps > 0]), _STEEPEST).astype(int).tolist():
        counts["steps by quotient", ALL, quotient] += 1


def _count_document(counts: Counter[tuple[str, str, int]], tokens: list[str], exact: Column) -> None:
    lengths = [min(len(token), _LONGEST) for token in tokens]
    mean = sum(lengths) / max(1, len(lengths))
    for length, times in Counter(lengths).items():
        counts["tokens by length", ALL, length] += times
    counts["documents by density", ALL, round(100 * float(exact.mean()))] += 1
    counts["documents by token length", ALL, round(100 * mean)] += 1
    if mean:
        counts["documents by density over length", ALL, round(100 * float(exact.mean()) / mean)] += 1
    counts["documents", ALL, 0] += 1


def _terms(texts: list[str], sparse: Column) -> dict[str, tuple[bool, bool]]:
    sides: tuple[set[str], set[str]] = (set(), set())
    for text, low in zip(texts, sparse.tolist(), strict=True):
        sides[0 if low else 1].update(words(text.lower()))
    return {term: (term in sides[0], term in sides[1]) for term in sides[0] | sides[1]}


def _repeats(texts: list[str], number: Column, exact: Column) -> dict[int, tuple[int, int, int]]:
    found: dict[int, tuple[int, int, int]] = {}
    for text, size, low in zip(texts, number.tolist(), (exact <= CUTOFF).tolist(), strict=True):
        value = fingerprint(text)
        units, sparse, dense = found.get(value, (0, 0, 0))
        found[value] = (units + 1, sparse + size * low, dense + size * (not low))
    return found


@dataclass(frozen=True, repr=False)
class Survey:
    """The counts of many pages.

    Attributes
    ----------
    counts : by measure, class and value
    terms : for each term, the documents that have it below the boundary, above it, and anywhere
    repeats : by the number of units that have a text: texts, their words up to the cut-off density, and above
    """

    counts: Mapping[tuple[str, str, int], int]
    terms: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)
    repeats: Mapping[int, tuple[int, int, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, pages: Iterable[PageSurvey], *, least: int = 1) -> Survey:
        """The sum over pages, without the terms of fewer than ``least`` documents."""
        counts: Counter[tuple[str, str, int]] = Counter()
        terms: dict[str, tuple[int, int, int]] = {}
        prints: dict[int, tuple[int, int, int]] = {}
        for page in pages:
            counts.update(page.counts)
            for term, (low, high) in page.terms.items():
                a, b, both = terms.get(term, (0, 0, 0))
                terms[term] = (a + low, b + high, both + 1)
            for value, (units, sparse, dense) in page.repeats.items():
                n, s, d = prints.get(value, (0, 0, 0))
                prints[value] = (n + units, s + sparse, d + dense)
        repeats: dict[int, tuple[int, int, int]] = {}
        for value, (units, sparse, dense) in prints.items():
            # A text without letters has no fingerprint, so it repeats no other.
            texts, s, d = repeats.get(units if value else 1, (0, 0, 0))
            repeats[units if value else 1] = (texts + 1, s + sparse, d + dense)
        return cls(counts, {term: found for term, found in terms.items() if found[2] >= least}, repeats)

    def __repr__(self) -> str:
        units = int(self.histogram("units by density").sum())
        return f"<Survey: {self.documents:,} documents, {self.tokens:,} words in {units:,} units>"

    @once
    def classes(self) -> tuple[str, ...]:
        """The classes of units, sorted by name."""
        return tuple(sorted({part for measure, part, _ in self.counts if measure == "tokens by density"}))

    def histogram(self, measure: str, part: str | None = None) -> Column:
        """Counts of each value from 0 on, of one class or of all together."""
        found = {
            (part_, value): count
            for (name, part_, value), count in self.counts.items()
            if name == measure and part in (None, part_)
        }
        out = np.zeros(1 + max((value for _, value in found), default=0), np.int64)
        for (_, value), count in found.items():
            out[value] += count
        return out

    @property
    def documents(self) -> int:
        """Number of documents with text."""
        return self.counts.get(("documents", ALL, 0), 0)

    @property
    def tokens(self) -> int:
        """Number of words."""
        return int(self.histogram("tokens by density").sum())
