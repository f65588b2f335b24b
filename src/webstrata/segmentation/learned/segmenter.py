"""A learned segmenter: boosted trees over the elements of a page recognise its parts and their kinds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from webstrata._boxes import Rendered
from webstrata.errors import InputError
from webstrata.page import Page
from webstrata.segmentation.base import Segment, Segmentation
from webstrata.segmentation.learned.cover import cover
from webstrata.segmentation.learned.decoding import select, select_parts
from webstrata.segmentation.learned.model import ALL_KINDS, KINDS, DescribedPage, Floats, Rows, SegmenterModel, shipped

__all__ = ["LearnedSegmenter"]

# The difference between the log-odds of the coarsest threshold and of the finest one. Six moves a threshold of 0.3 to
# 0.9 for the coarsest and to 0.02 for the finest.
_RANGE = 6.0


@dataclass(frozen=True, kw_only=True)
class LearnedSegmenter:
    """The parts of a page as people mark them, learned from the pages of Kreuzer 2013 §4.2.

    Every element with visible text gets a score, the chance that people would call it a segment. Segments are selected
    by falling score, without those that share more than two thirds of their text with one selected before, down to a
    threshold that follows the best scores of the page. A segment inside of another has a higher level; one with nearly
    all the text of the page is left out where another is likely. Each has a ``kind``, its likeliest one: Header,
    Footer, Content or Sidebar; Logo, Menu, Title, LinkList, Table, Comments, Ad, Image, Video, Article or Searchbar. On
    a rendered page, positions and styles count as well.

    Parameters
    ----------
    cover : whether every shown word is in a segment. The first level then partitions the page, titles and records of
        lists are segments, and kinds come from tags and names as well. Otherwise only elements are segments that
        people are likely to mark
    granularity : from 0 for few and large segments to 1 for many and small ones. People differ; 0.5 is the best on
        average. A finer segmentation has all the segments of a coarser one
    model : a file made by ``webstrata train --segmenter``; the model of this package when None

    Deviations
    ----------
    Not from a paper: the thesis compares algorithms by others. This one is trained on its pages, with its types and its
    measure. Segments without text, such as a logo alone, are not found.

    >>> from webstrata.page import parse
    >>> found = LearnedSegmenter(granularity=0.25)(parse("<p>one"))
    >>> len(found), found.algorithm
    (1, 'LearnedSegmenter(cover=True, granularity=0.25, model=None)')

    Reference: R. Kreuzer, A quantitative comparison of semantic web page segmentation algorithms, MSc thesis, Utrecht
    2013.
    """

    sees_boxes: ClassVar[bool] = True

    cover: bool = True
    granularity: float = 0.5
    model: str | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.granularity <= 1:
            raise InputError(f"granularity is from 0 (coarse) to 1 (fine), not {self.granularity}")

    def __call__(self, page: Page | Rendered) -> Segmentation:
        return self._segment(page)[0]

    def explain(self, page: Page | Rendered) -> tuple[Segmentation, list[dict[str, float]]]:
        """The segmentation, and for each segment the chances of the kinds, which add up to 1 at most."""
        found, of, described = self._segment(page)
        model = self._model()
        rows = np.array([row for row in of if row >= 0], np.int32)
        by_trees = np.zeros((0, 0))
        if len(rows) and self.cover:
            by_trees = model.parts(described.matrix(rows, parts=True), described.mode)
            by_trees /= np.maximum(by_trees.sum(axis=1, keepdims=True), np.finfo(np.float32).tiny)
        elif len(rows):
            by_trees = model.kinds(described, rows)
        names, chances = ALL_KINDS if self.cover else KINDS, iter(by_trees.tolist())
        return found, [
            _chances(segment, dict(zip(names, next(chances), strict=True)) if row >= 0 else {})
            for segment, row in zip(found, of, strict=True)
        ]

    def _model(self) -> SegmenterModel:
        return shipped() if self.model is None else _load(self.model)

    def _segment(self, page: Page | Rendered) -> tuple[Segmentation, list[int], DescribedPage]:
        """The segmentation, the candidate of each segment (-1 for runs of siblings), and the page."""
        model = self._model()
        described = DescribedPage.of(page)
        scores, parts = model.judge(described, parts=self.cover)
        if not len(scores):
            return Segmentation(described.page, (), repr(self)), [], described
        # In document order; of two that begin together the larger comes first.
        cut = model.cut(described.mode) + _RANGE * (0.5 - self.granularity)
        rows, levels = select(described.candidates, scores, cut)
        if self.cover:
            table, chance = cover(described.candidates, rows, *_parts(model, described, parts))
            starts, stops, numbers, found, of, extra = table.T.tolist()
        else:
            chances = model.kinds(described, rows)
            chance = chances.max(axis=1)
            starts, stops = described.candidates.ranges()[rows].T.tolist()
            numbers, found, of, extra = levels.tolist(), chances.argmax(axis=1).tolist(), rows.tolist(), [0] * len(rows)
        names = [_NAMES[number] for number in found]
        score = scores.round(4).tolist()
        likely = [score[row] if row >= 0 else None for row in of]
        sure = [value or None for value in chance.astype(float).round(4).tolist()]
        hidden = repeat(described.candidates.shows_nothing)
        segments = tuple(map(Segment, starts, stops, numbers, names, likely, sure, hidden, map(bool, extra)))
        return Segmentation(described.page, segments, repr(self)), of, described


def _parts(model: SegmenterModel, page: DescribedPage, chances: Floats) -> tuple[Rows, npt.NDArray[np.float32]]:
    """For each candidate its kind as a part, -1 where it is none, and the chance of that kind if it is a part."""
    kinds = chances.argmax(axis=1).astype(np.int32)
    of_any = chances.sum(axis=1)
    taken = select_parts(page.candidates, kinds, of_any, model.part_cut(page.mode))
    shares = chances.max(axis=1) / np.maximum(of_any, np.finfo(np.float32).tiny)
    return np.where(taken, kinds, -1).astype(np.int32), shares.astype(np.float32)


def _chances(segment: Segment, by_trees: dict[str, float]) -> dict[str, float]:
    """The chances by the trees, where tags and names show the kind of a segment: of the other kinds."""
    if not segment.kind or segment.chance is None:
        return {kind: round(chance, 4) for kind, chance in by_trees.items()}
    others = 1 - by_trees.get(segment.kind, 0)
    rest = (1 - segment.chance) / others if others > 0 else 0
    found = {kind: round(chance * rest, 4) for kind, chance in by_trees.items()}
    return found | {segment.kind: segment.chance}


# By the number of a kind; the last one, for -1, is unknown.
_NAMES = (*ALL_KINDS, "")


@lru_cache(maxsize=4)
def _load(file: str) -> SegmenterModel:
    return SegmenterModel.load(file)
