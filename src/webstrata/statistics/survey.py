"""What is counted of pages: tokens by density, words and length, by full stop and by class; terms; repeated texts.

All counts are whole numbers that add up: the survey of a crawl is the sum of those of its pages, in whatever parts they
were counted.

**Unit.** What densities and words are counted of: the atomic blocks of a page, or the segments of a segmenter
(Kohlschütter 2011 §4.3.2 takes those of BF-RuleBased, §4.4 takes blocks).

**Full stop** (Kohlschütter 2011 §4.3.2). A dot that follows two letters at least and is followed by white space or the
end, but not that of a few abbreviations.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from webstrata._once import once
from webstrata.features import density
from webstrata.page import Page
from webstrata.segmentation.base import Segmenter
from webstrata.sites.fingerprints import fingerprint
from webstrata.text import Column, words, wrap

__all__ = ["ALL", "BOUNDARY", "CUTOFF", "MEASURES", "PageSurvey", "Survey", "survey_page"]

#: The boundary between the two strata that Kohlschütter 2011 found: densities up to it are of the first.
BOUNDARY = 8
#: The cut-off of Kohlschütter 2011 §4.3.3: what is no denser is template text.
CUTOFF = 5
#: The class of everything, where no labels are known.
ALL = "all"

#: What is counted, and what that means.
MEASURES: dict[str, str] = {
    "tokens by density": "words in units of each rounded text density",
    "stopped tokens by density": "the same, of units with a full stop",
    "units by density": "units of each rounded text density",
    "stopped units by density": "the same, of units with a full stop",
    "units by words": "units of each number of words",
    "tokens by length": "words of each number of characters",
    "documents by density": "documents by their mean text density, in hundredths",
    "documents by token length": "documents by the mean length of their words, in hundredths",
    "steps by quotient": "neighbouring units by the quotient of their densities (equation 4.9)",
    "documents": "documents with text",
}

_STOP = re.compile(r"(?<![^\W\d_])([^\W\d_]{2,})\.(?=\s|$)")
_ABBREVIATIONS = frozenset("vs dc inc ltd no vat jan feb mar apr may jun jul aug sep oct nov dec".split())
# Longer words and higher quotients than this are counted as this: they are not text.
_LONGEST, _STEEPEST = 100, 50


@dataclass(frozen=True)
class PageSurvey:
    """The counts of one page.

    Attributes
    ----------
    counts : by measure, class and value
    terms : of each term, whether it stands in units below the boundary, and above
    repeats : of each fingerprint, how many units have it, and their words at most as dense as the cut-off, and denser
    """

    counts: Mapping[tuple[str, str, int], int]
    terms: Mapping[str, tuple[bool, bool]]
    repeats: Mapping[int, tuple[int, int, int]]


def survey_page(
    page: Page, *, classes: list[str] | None = None, segmenter: Segmenter | None = None, repeats: bool = True
) -> PageSurvey:
    """Count one page.

    Parameters
    ----------
    page : the page
    classes : the class of each block, where it is known; a segment has that of most of its words
    segmenter : what units are; without one, the shown blocks
    repeats : whether to count terms and fingerprints, which takes most of the time

    >>> from webstrata.page import parse
    >>> found = survey_page(parse("<p>Home<p>It rained all day. We slept."))
    >>> found.counts["units by words", "all", 1], found.counts["stopped tokens by density", "all", 6]
    (1, 6)
    """
    rows = [own for own in _units(page, segmenter) if page.blocks.words[own].any()]
    texts = [_text(page, own) for own in rows]
    number, exact = _density(page, rows, texts)
    part = [ALL] * len(rows) if classes is None else _classes(page, classes, rows)
    rounded = np.floor(exact + 0.5).astype(np.int64)
    stopped = np.array([_has_stop(text) for text in texts], bool)
    counts: Counter[tuple[str, str, int]] = Counter()
    _count_units(counts, part, number, rounded, stopped)
    tokens = [word for text in texts for word in words(text)]
    if texts:
        _count_document(counts, tokens, exact)
    sparse = rounded <= BOUNDARY
    return PageSurvey(
        counts, _terms(texts, sparse) if repeats else {}, _repeats(texts, number, exact) if repeats else {}
    )


def _units(page: Page, segmenter: Segmenter | None) -> list[Column]:
    """The blocks of each unit."""
    if segmenter is None:
        return [np.array([row]) for row in np.flatnonzero(~page.blocks.hidden).tolist()]
    labels = segmenter(page).labels()
    inside = np.flatnonzero(labels >= 0)
    order = inside[np.argsort(labels[inside], kind="stable")]
    return np.split(order, np.flatnonzero(np.diff(labels[order])) + 1) if len(order) else []


def _text(page: Page, rows: Column) -> str:
    spans = zip(page.blocks.text_start[rows].tolist(), page.blocks.text_stop[rows].tolist(), strict=True)
    return "\n".join(page.text[start:stop] for start, stop in spans)


def _density(page: Page, rows: list[Column], texts: list[str]) -> tuple[Column, Column]:
    """The words of each unit, and its text density. Units of several blocks are laid out as one text."""
    blocks = page.blocks
    if all(len(own) == 1 for own in rows):
        own = np.array([int(row[0]) for row in rows], np.int64)
        counts = [column[own].astype(np.int64) for column in (blocks.words, blocks.lines, blocks.wrapped_words)]
    else:
        laid_out = [wrap(text, [0], [len(text)]) for text in texts]
        counts = [np.array([int(item[side][0]) for item in laid_out], np.int64) for side in range(3)]
    return counts[0], density(*counts)


def _classes(page: Page, classes: list[str], owner: list[Column]) -> list[str]:
    """The class of most of the words of each unit."""
    counts = page.blocks.words.tolist()
    found = []
    for rows in owner:
        weight: Counter[str] = Counter()
        for row in rows.tolist():
            weight[classes[row]] += counts[row] + 1
        found.append(weight.most_common(1)[0][0])
    return found


def _has_stop(text: str) -> bool:
    return any(match[1].lower() not in _ABBREVIATIONS for match in _STOP.finditer(text))


def _count_units(
    counts: Counter[tuple[str, str, int]], part: list[str], number: Column, rounded: Column, stopped: Column
) -> None:
    rows = zip(part, number.tolist(), rounded.tolist(), stopped.tolist(), strict=True)
    for name, size, dense, stop in rows:
        counts["tokens by density", name, dense] += size
        counts["units by density", name, dense] += 1
        counts["units by words", name, size] += 1
        if stop:
            counts["stopped tokens by density", name, dense] += size
            counts["stopped units by density", name, dense] += 1
    before, after = rounded[:-1], rounded[1:]
    # A density of nought is that of lines without a word, and no quotient can be taken of it.
    steps = np.abs(before - after)[after > 0] / after[after > 0]
    for quotient in np.minimum(np.ceil(steps[steps > 0]), _STEEPEST).astype(int).tolist():
        counts["steps by quotient", ALL, quotient] += 1


def _count_document(counts: Counter[tuple[str, str, int]], tokens: list[str], exact: Column) -> None:
    lengths = [min(len(token), _LONGEST) for token in tokens]
    for length, times in Counter(lengths).items():
        counts["tokens by length", ALL, length] += times
    counts["documents by density", ALL, round(100 * float(exact.mean()))] += 1
    counts["documents by token length", ALL, round(100 * sum(lengths) / max(1, len(lengths)))] += 1
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


@dataclass(frozen=True)
class Survey:
    """The counts of many pages.

    Attributes
    ----------
    counts : by measure, class and value
    terms : of each term, the documents that have it below the boundary, above it, and at all
    repeats : by how many units have a text: the texts, their words at most as dense as the cut-off, and denser
    """

    counts: Mapping[tuple[str, str, int], int]
    terms: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)
    repeats: Mapping[int, tuple[int, int, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, pages: Iterable[PageSurvey]) -> Survey:
        """The sum over pages."""
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
            # A text without letters has no fingerprint, and is like no other.
            texts, s, d = repeats.get(units if value else 1, (0, 0, 0))
            repeats[units if value else 1] = (texts + 1, s + sparse, d + dense)
        return cls(counts, terms, repeats)

    @once
    def classes(self) -> tuple[str, ...]:
        """The classes of units, in the order of their names."""
        return tuple(sorted({part for measure, part, _ in self.counts if measure == "tokens by density"}))

    def histogram(self, measure: str, part: str | None = None) -> Column:
        """How often each value from 0 on was counted, of one class or of all together."""
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
        return self.counts.get(("documents", ALL, 0), 0)

    @property
    def tokens(self) -> int:
        return int(self.histogram("tokens by density").sum())
