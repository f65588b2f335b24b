"""Block Fusion (Kohlschütter & Nejdl 2008 §4): neighbouring blocks of similar text density become one segment.

The density of a block is its number of words per line, without the last line if there are several (equation 6). Fusing
two blocks joins their lines without wrapping them anew, so counts are added and each fusion is constant work. Passes go
from left to right, and a fused block meets its next neighbour in the same pass; the first pass without a fusion is the
last.

The native code (`_fusion.pyx`) has the same result as the printed algorithm, pass for pass, in linear time.

Deviations, of all three variants:

- Two blocks without words have a slope delta of 0; equation 7 would divide zero by zero.
- Smoothing compares a block with its successor, so the last block is not smoothed.
- Hidden blocks are left out (see `webstrata.segmentation.base`).

Reference: C. Kohlschütter and W. Nejdl, A densitometric approach to web page segmentation, CIKM 2008. The two-level
variant is that of R. Kreuzer, A quantitative comparison of semantic web page segmentation algorithms, MSc thesis,
Utrecht 2013, §6.1.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from webstrata.errors import InputError
from webstrata.page import Blocks, Page
from webstrata.segmentation._fusion import fuse
from webstrata.segmentation.base import Segment, Segmentation
from webstrata.segmentation.rules import FORCE_GAP_MASK, NO_GAP_MASK
from webstrata.text import WRAP_WIDTH, Column

__all__ = ["BFPlain", "BFRuleBased", "BFSmoothed", "Iteration"]

_PLAIN, _SMOOTHED, _IMPROVED = 0, 1, 2
# Footnote 6: neighbours of at most this density may differ and still dominate the block between them.
_LOW_DENSITY = 5.0
_NO_CUTS = np.zeros(0, np.uint8)
_RULES = (tuple(FORCE_GAP_MASK.tolist()), tuple(NO_GAP_MASK.tolist()))


class Iteration(NamedTuple):
    """One pass of Block Fusion: the number of blocks before it, and of its fusions."""

    blocks: int
    fusions: int


@dataclass(frozen=True, kw_only=True)
class _BlockFusion:
    """The base class of the three variants.

    Parameters
    ----------
    theta : ϑ_max, the largest slope delta at which two blocks are fused
    inner : ι_max, a smaller threshold for a second level: the atomic blocks of each segment are fused again with it
        (Kreuzer 2013 §6.1.1); None for one level
    width : w_max, the columns at which the text of a block is wrapped
    """

    theta: float
    inner: float | None = None
    width: int = WRAP_WIDTH

    _rules: ClassVar[tuple[tuple[int, ...], ...]] = ()

    def __post_init__(self) -> None:
        if not self.theta >= 0:
            raise InputError(f"theta must be a slope delta, 0 or more, not {self.theta}")
        if self.inner is not None and not 0 <= self.inner < self.theta:
            raise InputError(f"inner must be from 0 to below theta ({self.theta}), not {self.inner}")
        if self.width < 1:
            raise InputError(f"width must be at least one column, not {self.width}")

    @property
    def _smoothing(self) -> int:
        return _SMOOTHED

    def __call__(self, page: Page) -> Segmentation:
        return self.run(page)[0]

    def run(self, page: Page, *, iterations: int | None = None) -> tuple[Segmentation, tuple[Iteration, ...]]:
        """The segmentation, and the log of its passes, the last of which fuses nothing.

        Parameters
        ----------
        iterations : the number of passes at most (Kohlschütter & Nejdl 2008 §5.3); None for no limit
        """
        blocks = page.blocks if self.width == WRAP_WIDTH else page.blocks.wrapped(self.width)
        passes = -1 if iterations is None else iterations
        firsts, lasts, log = self._fuse(blocks, self.theta, _NO_CUTS, passes)
        segments = [Segment(first, last + 1) for first, last in zip(firsts, lasts, strict=True)]
        if self.inner is not None:
            # With a cut at each start, one run divides all segments.
            cuts = np.zeros(len(blocks), np.uint8)
            cuts[firsts] = 1
            firsts, lasts, _ = self._fuse(blocks, self.inner, cuts, passes)
            segments += [Segment(first, last + 1, 2) for first, last in zip(firsts, lasts, strict=True)]
        return Segmentation(page, tuple(segments), repr(self)), tuple(Iteration(*entry) for entry in log)

    def _fuse(
        self, blocks: Blocks, threshold: float, cuts: Column, passes: int
    ) -> tuple[list[int], list[int], list[tuple[int, int]]]:
        return fuse(
            blocks.words,
            blocks.lines,
            blocks.wrapped_words,
            blocks.flags,
            blocks.gap,
            self._rules,
            cuts,
            threshold,
            self._smoothing,
            _LOW_DENSITY,
            passes,
        )


@dataclass(frozen=True, kw_only=True)
class BFPlain(_BlockFusion):
    """BF-PLAIN: fuse two neighbours whose slope delta is at most theta (Kohlschütter & Nejdl 2008 Algorithm 1).

    Takes theta (ϑ_max), inner (ι_max) and width (w_max).

    >>> from webstrata.page import parse
    >>> page = parse("<i>one</i><i>two</i><i>and now three four five</i>")
    >>> BFPlain()(page).texts()
    ['onetwo', 'and now three four five']
    >>> BFPlain().run(page)[1]
    (Iteration(blocks=3, fusions=1), Iteration(blocks=2, fusions=0))
    """

    theta: float = 0.38

    @property
    def _smoothing(self) -> int:
        return _PLAIN


@dataclass(frozen=True, kw_only=True)
class BFSmoothed(_BlockFusion):
    """BF-SMOOTHED: as plain, and also fuse a block with both neighbours if they are equally dense and denser than it
    (Kohlschütter & Nejdl 2008 Algorithm 1).

    Takes theta (ϑ_max), inner (ι_max), width (w_max), and

    improved : whether to use footnote 6, by which the densities of both neighbours must be at most 5 instead of equal.
        The footnote replaces this part of line 4 only: the block must still be less dense than its predecessor.

    >>> from webstrata.page import parse
    >>> page = parse("<i>a b</i><i>c</i><i>d e</i><i>f g h i</i>")
    >>> BFSmoothed()(page).texts(), BFPlain()(page).texts()
    (['a bcd e', 'f g h i'], ['a b', 'c', 'd e', 'f g h i'])
    """

    theta: float = 0.38
    improved: bool = False

    @property
    def _smoothing(self) -> int:
        return _IMPROVED if self.improved else _SMOOTHED


@dataclass(frozen=True, kw_only=True)
class BFRuleBased(BFSmoothed):
    """BF-RULEBASED: as smoothed, but tags may enforce or avoid a gap (Kohlschütter & Nejdl 2008 equation 8).

    A gap with a tag of `webstrata.segmentation.rules.FORCE_GAP` always separates two segments, and one with only tags
    of ``NO_GAP`` never does, for any theta. With an infinite theta the segments are those of JUSTRULES.

    Takes theta (ϑ_max), inner (ι_max), width (w_max) and improved (footnote 6).

    Deviations
    ----------
    Equation 8 changes the slope delta only, so smoothing would fuse across enforced gaps and break the equality with
    JUSTRULES that the paper states. Here smoothing stops at enforced gaps.

    >>> from webstrata.page import parse
    >>> BFRuleBased()(parse("<h1>Strata</h1><p>A <b>page</b> comes<p>in layers.")).texts()
    ['Strata', 'A page comes\\nin layers.']
    """

    theta: float = 0.6

    _rules: ClassVar[tuple[tuple[int, ...], ...]] = _RULES
