"""Extractors by shallow text features (Kohlschütter 2011 §4.3.3 and §4.4): a rule for each block and its neighbours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webstrata import features
from webstrata.extraction.base import Extraction, decide
from webstrata.extraction.window import neighbours
from webstrata.page import Page
from webstrata.segmentation.base import SEGMENTERS, segment
from webstrata.text import Column

__all__ = ["Densitometric", "DensityCutoff", "KeepAll", "MinDensity", "MinWords", "NumWords"]


@dataclass(frozen=True, kw_only=True)
class KeepAll:
    """Keep every block that is not hidden: the baseline of Kohlschütter 2011 §4.4.3.

    >>> from webstrata.page import parse
    >>> KeepAll()(parse("<nav>Home</nav><p>Strata are layers.<p hidden>Psst.")).keep.tolist()
    [True, True, False]
    """

    def __call__(self, page: Page) -> Extraction:
        return decide(self, page, ~page.blocks.hidden)


@dataclass(frozen=True, kw_only=True)
class MinWords:
    """Keep blocks with a minimum number of words (Kohlschütter 2011 §4.4.3).

    Parameters
    ----------
    minimum : least number of words of content

    >>> from webstrata.page import parse
    >>> MinWords(minimum=3)(parse("<nav>Home</nav><p>Strata are layers.")).text
    'Strata are layers.'
    """

    minimum: int = 10

    def __call__(self, page: Page) -> Extraction:
        blocks = page.blocks
        keep = (blocks.words >= self.minimum) & ~blocks.hidden
        return decide(self, page, keep, reasons=("too few words", "enough words"))


@dataclass(frozen=True, kw_only=True)
class MinDensity:
    """Keep blocks of a least text density with few links: the rule that C4.8 learns on CleanEval (Kohlschütter 2011
    §4.4.3).

    Parameters
    ----------
    density : least text density of content
    link_density : highest link density of content

    >>> from webstrata.page import parse
    >>> page = parse("<nav>Home</nav><p>Strata are layers.<p><a href=/>All strata of the Earth</a>")
    >>> MinDensity(density=2)(page).text
    'Strata are layers.'
    """

    density: float = 7
    link_density: float = 0.35

    def __call__(self, page: Page) -> Extraction:
        blocks = page.blocks
        linked = features.link_density(blocks) > self.link_density
        reason = np.where(linked, 0, np.where(features.text_density(blocks) < self.density, 1, 2))
        reason = np.where(blocks.hidden, 3, reason)
        return decide(self, page, reason == 2, reason=reason, reasons=("mostly links", "thin", "dense", "hidden"))


@dataclass(frozen=True, kw_only=True)
class NumWords:
    """The decision tree over number of words and link density (Kohlschütter 2011 Algorithm 4.3).

    A block with few links is content if it is long or if its neighbours are long enough; the bounds are higher after a
    block of links.

    Parameters
    ----------
    link_density, previous_link_density : the highest link density of a block and of the one before it
    words, next_words, previous_words : bounds for a block after text; up to these numbers of words it is boilerplate
    words_after_links, next_words_after_links : the same for a block after links

    Deviations
    ----------
    None. The bounds are those in print, so a link density of exactly one third exceeds 0.333333. Neighbours beyond the
    page have no words and no links.

    >>> from webstrata.page import parse
    >>> page = parse("<nav><a href=/>Home</a> <b><a href=/n>News</a></b></nav><p>" + "word " * 41 + "<p>short<p>end")
    >>> NumWords()(page).keep.tolist()
    [False, False, True, True, False]

    References
    ----------
    C. Kohlschütter, Exploiting links and text structure on the Web, PhD thesis, Hannover 2011, Algorithm 4.3.
    """

    link_density: float = 0.333333
    previous_link_density: float = 0.555556
    words: int = 16
    next_words: int = 15
    previous_words: int = 4
    words_after_links: int = 40
    next_words_after_links: int = 17

    _REASONS = (
        "mostly links",
        "short between short",
        "short before long",
        "short after text",
        "long",
        "after links, short",
        "after links, before long",
        "after links, very long",
    )
    _CONTENT = np.array([0, 0, 1, 1, 1, 0, 1, 1], bool)

    def __call__(self, page: Page) -> Extraction:
        words = page.blocks.words[_shown(page)]
        previous, _, following = neighbours(words)
        after_text = np.where(
            words > self.words,
            4,
            np.where(following > self.next_words, 2, np.where(previous > self.previous_words, 3, 1)),
        )
        after_links = np.where(
            words > self.words_after_links, 7, np.where(following > self.next_words_after_links, 6, 5)
        )
        return _decide(self, page, after_text, after_links)


@dataclass(frozen=True, kw_only=True)
class Densitometric:
    """The decision tree over text density and link density (Kohlschütter 2011 Algorithm 4.2).

    Parameters
    ----------
    link_density, previous_link_density : as for `NumWords`
    density, next_density, previous_density : bounds for a block after text
    next_density_after_links : bound for a block after links; its own density does not matter there

    Deviations
    ----------
    None; see `NumWords` about bounds and the ends of the page.

    >>> from webstrata.page import parse
    >>> page = parse("<nav><a href=/>Home</a></nav><p>" + "word " * 60 + "<p>" + "word " * 20 + "<p>end")
    >>> Densitometric()(page).keep.tolist()
    [False, True, True, True]

    References
    ----------
    C. Kohlschütter, Exploiting links and text structure on the Web, PhD thesis, Hannover 2011, Algorithm 4.2.
    """

    link_density: float = 0.333333
    previous_link_density: float = 0.555556
    density: float = 9
    next_density: float = 10
    previous_density: float = 4
    next_density_after_links: float = 11

    _REASONS = (
        "mostly links",
        "thin between thin",
        "thin before dense",
        "thin after text",
        "dense before nothing",
        "dense",
        "after links, before thin",
        "after links, before dense",
    )
    _CONTENT = np.array([0, 0, 1, 1, 0, 1, 0, 1], bool)

    def __call__(self, page: Page) -> Extraction:
        density = features.text_density(page.blocks)[_shown(page)]
        previous, _, following = neighbours(density)
        after_text = np.where(
            density > self.density,
            np.where(following == 0, 4, 5),
            np.where(following > self.next_density, 2, np.where(previous > self.previous_density, 3, 1)),
        )
        after_links = np.where(following > self.next_density_after_links, 7, 6)
        return _decide(self, page, after_text, after_links)


@dataclass(frozen=True, kw_only=True)
class DensityCutoff:
    """Drop segments of low text density (Kohlschütter 2011 §4.3.3 and §4.3.4).

    The page is segmented by BF-rulebased. A segment with a rounded density ϱ' of at most 5 is probably template text,
    which has no sentences.

    Parameters
    ----------
    density : the highest rounded density of dropped segments
    segmenter : the segmenter, as for `webstrata.segment`

    References
    ----------
    C. Kohlschütter, Exploiting links and text structure on the Web, PhD thesis, Hannover 2011, section 4.3.
    """

    density: int = 5
    segmenter: str = "bf-rulebased"

    def __post_init__(self) -> None:
        SEGMENTERS.make(self.segmenter)  # a wrong name fails here, not at the first page

    def __call__(self, page: Page) -> Extraction:
        segments = segment(page, self.segmenter).segments
        starts = np.array([each.start for each in segments], np.int64)
        stops = np.array([each.stop for each in segments], np.int64)
        density = np.zeros(len(page.blocks))
        for start, stop, value in zip(starts, stops, _run_density(page, starts, stops), strict=True):
            density[start:stop] = value
        # The thesis rounds to the nearest integer: half up, while NumPy rounds half to even.
        keep = (np.floor(density + 0.5) > self.density) & ~page.blocks.hidden
        return decide(self, page, keep, reasons=("thin segment", "dense segment"))


def _run_density(page: Page, starts: Column, stops: Column) -> Column:
    """Text density of runs of blocks. Fusing joins lines, so counts add up, except for one last line."""
    blocks = page.blocks
    words = _run_sum(blocks.words, starts, stops)
    last_line = (blocks.words - blocks.wrapped_words)[stops - 1]
    return features.density(words, _run_sum(blocks.lines, starts, stops), words - last_line)


def _run_sum(column: Column, starts: Column, stops: Column) -> Column:
    total = np.concatenate(([0], np.cumsum(column)))
    run: Column = total[stops] - total[starts]
    return run


def _shown(page: Page) -> Column:
    """The rows of the blocks that are not hidden: the others are not neighbours."""
    return np.flatnonzero(~page.blocks.hidden)


def _decide(tree: NumWords | Densitometric, page: Page, after_text: Column, after_links: Column) -> Extraction:
    """The decision of a tree. Both trees test for links first; leaf 0 is a block that is mostly links.

    Parameters
    ----------
    after_text, after_links : the leaf of each visible block if the block before it is text, and if it is mostly links
    """
    rows = _shown(page)
    links = features.link_density(page.blocks)[rows]
    before = neighbours(links)[0]
    # The last leaf is for hidden blocks.
    leaf = np.full(len(page.blocks), len(tree._REASONS))
    leaf[rows] = np.where(
        links <= tree.link_density, np.where(before <= tree.previous_link_density, after_text, after_links), 0
    )
    keep = np.append(tree._CONTENT, False)[leaf]
    return decide(tree, page, keep, reason=leaf, reasons=(*tree._REASONS, "hidden"))
