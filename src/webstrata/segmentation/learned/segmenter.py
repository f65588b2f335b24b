"""A learned segmenter: boosted trees over the elements of a page recognise its parts and their kinds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from webstrata._boxes import Rendered
from webstrata.errors import InputError
from webstrata.page import Page
from webstrata.segmentation.base import Segment, Segmentation
from webstrata.segmentation.learned.decoding import select
from webstrata.segmentation.learned.model import KINDS, DescribedPage, Floats, SegmenterModel, shipped

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
    (1, 'LearnedSegmenter(granularity=0.25, model=None)')

    Reference: R. Kreuzer, A quantitative comparison of semantic web page segmentation algorithms, MSc thesis, Utrecht
    2013.
    """

    sees_boxes: ClassVar[bool] = True

    granularity: float = 0.5
    model: str | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.granularity <= 1:
            raise InputError(f"granularity is from 0 (coarse) to 1 (fine), not {self.granularity}")

    def __call__(self, page: Page | Rendered) -> Segmentation:
        return self._segment(page)[0]

    def explain(self, page: Page | Rendered) -> tuple[Segmentation, list[dict[str, float]]]:
        """The segmentation, and for each segment the chances of all kinds."""
        found, chances = self._segment(page)
        return found, [dict(zip(KINDS, row, strict=True)) for row in chances.round(4).tolist()]

    def _segment(self, page: Page | Rendered) -> tuple[Segmentation, Floats]:
        """The segmentation, and the chances of the kinds, one row per segment."""
        model = shipped() if self.model is None else _load(self.model)
        described = DescribedPage.of(page)
        scores = model.scores(described)
        if not len(scores):
            return Segmentation(described.page, (), repr(self)), np.zeros((0, len(KINDS)))
        # In document order; of two that begin together the larger comes first.
        cut = model.cut(described.mode) + _RANGE * (0.5 - self.granularity)
        rows, levels = select(described.candidates, scores, cut)
        chances = model.kinds(described, rows)
        starts, stops = described.candidates.ranges()[rows].T.tolist()
        kinds = [KINDS[number] for number in chances.argmax(axis=1).tolist()]
        chance = scores[rows].round(4).tolist()
        segments = tuple(map(Segment, starts, stops, levels.tolist(), kinds, chance))
        return Segmentation(described.page, segments, repr(self)), chances


@lru_cache(maxsize=4)
def _load(file: str) -> SegmenterModel:
    return SegmenterModel.load(file)
