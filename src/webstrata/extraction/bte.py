"""Body text extraction (Kohlschütter 2011 §4.4.1; Finn et al. 2001): the run with most words and fewest tags."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webstrata.extraction.base import Extraction, decide
from webstrata.page import Page
from webstrata.tags import tag_counts
from webstrata.text import Column

__all__ = ["BTE", "best_run"]


def best_run(gain: Column, cost: Column) -> tuple[int, int]:
    """The run ``start:stop`` of the greatest sum, in linear time.

    Row k gains ``gain[k]``; a run pays ``cost[k]`` between rows ``k - 1`` and ``k``. Of runs with equal sums, the first
    to stop wins. The run is empty if every sum is 0 or less.

    With C the running sum of gains less costs, the sum of rows i to j is (C after j) - (C before i, its cost paid);
    the best i for every j is a running minimum.

    >>> best_run(np.array([1, 5, 4, 1]), np.array([0, 9, 2, 8]))
    (1, 3)
    """
    if not len(gain):
        return 0, 0
    paid = np.cumsum(cost)
    after = np.cumsum(gain) - paid
    before = after - gain
    lowest = np.minimum.accumulate(before)
    stop = int(np.argmax(after - lowest))
    if after[stop] - lowest[stop] <= 0:
        return 0, 0
    return int(np.argmin(before[: stop + 1])), stop + 1


@dataclass(frozen=True, kw_only=True)
class BTE:
    """Keep the one run of blocks with the most words inside and the most tags outside.

    The original counts words inside and tags outside of the run, for every pair of ends. The number of all tags is
    constant, so the best run has the highest number of words less tags inside, and one pass finds it.

    Deviations
    ----------
    A run starts and ends at the borders of blocks, because decisions are made for blocks. Hidden words do not count.

    >>> from webstrata.page import parse
    >>> page = parse("<ul><li>a<li>b</ul><p>some words of text<p>and some more<ul><li>c<li>d</ul>")
    >>> BTE()(page).text
    'some words of text\\n\\nand some more'

    References
    ----------
    A. Finn, N. Kushmerick, B. Smyth, Fact or fiction: content classification for digital libraries, DELOS Workshop
    2001.
    """

    def __call__(self, page: Page) -> Extraction:
        blocks = page.blocks
        words = np.where(blocks.hidden, 0, blocks.words)
        before, inside = tag_counts(page)
        start, stop = best_run(words - inside, before)
        keep = np.zeros(len(blocks), bool)
        keep[start:stop] = True
        return decide(self, page, keep & ~blocks.hidden, reasons=("outside the best run", "inside the best run"))
