"""Scores of a segmentation against the ground truth of its page, or of another version of that page.

Texts are compared as in Kreuzer 2013, tokens as in Kohlschütter & Nejdl 2008. Where the two pages differ (the
original HTML and what a browser made of it), their tokens are aligned first and only those that both have are compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np

from webstrata._once import once
from webstrata.evaluation.metrics import (
    Score,
    adjusted_rand,
    exact_matching,
    fuzzy_matching,
    normalised_mutual_information,
)
from webstrata.evaluation.metrics.matching import Mode
from webstrata.page import Page
from webstrata.segmentation import Segmentation
from webstrata.text import Column

__all__ = ["PageWords", "SegmentScores", "Truth", "kind_scores"]


@dataclass(frozen=True)
class SegmentScores:
    """How well a segmentation agrees with the ground truth.

    ``adjusted_rand`` and ``nmi`` are over tokens, ``exact`` and ``fuzzy`` over the texts of segments of all levels.
    """

    segments: int
    adjusted_rand: float
    nmi: float
    exact: Score
    fuzzy: Score


def kind_scores(truth: Segmentation, found: Segmentation) -> dict[str, Score]:
    """For each kind the strict, fuzzy matching of its segments. Those of an unknown kind, "", match nothing.

    >>> from webstrata.page import parse
    >>> from webstrata.segmentation.base import Segment, Segmentation
    >>> page = parse("<p>one<p>two")
    >>> known = Segmentation(page, (Segment(0, 1, kind="Title"), Segment(1, 2, kind="Menu")), "")
    >>> said = Segmentation(page, (Segment(0, 1, kind="Title"), Segment(1, 2)), "")
    >>> {kind: (score.hits, score.retrieved, score.relevant) for kind, score in kind_scores(known, said).items()}
    {'': (0, 1, 0), 'Menu': (0, 0, 1), 'Title': (1, 1, 1)}
    """
    scores = {}
    for kind in sorted({item.kind for side in (truth, found) for item in side}):
        relevant, retrieved = ([side.text(item) for item in side if item.kind == kind] for side in (truth, found))
        if kind:
            scores[kind] = fuzzy_matching(relevant, retrieved)
        else:
            counts = [sum(bool(text.strip()) for text in texts) for texts in (retrieved, relevant)]
            scores[kind] = Score.from_counts(0, retrieved=counts[0], relevant=counts[1])
    return scores


@dataclass(frozen=True, eq=False)
class PageWords:
    """The tokens of the shown blocks of a page that have a letter or a digit: their text, offset and block."""

    texts: tuple[str, ...]
    offsets: Column
    blocks: Column

    @classmethod
    def of(cls, page: Page) -> PageWords:
        """
        >>> from webstrata.page import parse
        >>> PageWords.of(parse("<p>one - two<p hidden>no<p>three")).texts
        ('one', 'two', 'three')
        """
        texts: list[str] = []
        offsets: list[int] = []
        rows: list[int] = []
        blocks = page.blocks
        for row in np.flatnonzero(~blocks.hidden).tolist():
            at = int(blocks.text_start[row])
            for token in page.text[at : blocks.text_stop[row]].split():
                at = page.text.index(token, at)
                if any(map(str.isalnum, token)):
                    texts.append(token)
                    offsets.append(at)
                    rows.append(row)
                at += len(token)
        return cls(tuple(texts), np.array(offsets, np.int64), np.array(rows, np.int64))


@dataclass(frozen=True, eq=False)
class Truth:
    """The ground truth of a page, prepared to score segmentations of one version of that page.

    Parameters
    ----------
    truth : the segmentation by hand
    page : the version of the page that algorithms see
    mode : how texts are compared (see `webstrata.evaluation.metrics.exact_matching`)
    """

    truth: Segmentation
    page: Page
    mode: Mode = "strict"

    @once
    def words(self) -> PageWords:
        """The words of the page that algorithms see."""
        return PageWords.of(self.page)

    @once
    def _texts(self) -> list[str]:
        return self.truth.texts()

    @once
    def aligned(self) -> tuple[Column, Column]:
        """The blocks of the words that both pages have: in the truth's page, and the number of the word in `words`."""
        own = PageWords.of(self.truth.page)
        matches = SequenceMatcher(None, own.texts, self.words.texts).get_matching_blocks()
        left = np.concatenate([np.arange(match.a, match.a + match.size) for match in matches]).astype(np.int64)
        right = np.concatenate([np.arange(match.b, match.b + match.size) for match in matches]).astype(np.int64)
        return own.blocks[left], right

    @once
    def _pairs(self) -> tuple[Column, Column]:
        """Numbers of the words that are in both pages and in a segment of the truth; and their segments."""
        blocks, words = self.aligned
        labels = self.truth.labels()[blocks]
        return words[labels >= 0], labels[labels >= 0]

    def agreement(self, labels: Column) -> tuple[float, float]:
        """AdjRand and NMI of a label for each of `words`.

        The innermost segment of the truth counts. Words outside of its segments are ignored; words without a label (-1)
        are one segment.
        """
        shared, expected = self._pairs
        return adjusted_rand(expected, labels[shared]), normalised_mutual_information(expected, labels[shared])

    def scores(self, found: Segmentation, *, labels: Column | None = None) -> SegmentScores:
        """All scores of a segmentation of `page`; ``labels`` are those of its words, if these cut blocks."""
        texts = found.texts()
        rand, nmi = self.agreement(found.labels()[self.words.blocks] if labels is None else labels)
        return SegmentScores(
            len(found),
            rand,
            nmi,
            exact_matching(self._texts, texts, mode=self.mode),
            fuzzy_matching(self._texts, texts, mode=self.mode),
        )
