"""Texts from outside as segments of a page (the BlockMapper of Kreuzer 2013 §5.2).

Other programs return texts without our block numbers. A text is placed where it occurs in the page, ignoring white
space; otherwise on the range of blocks with most of its words and fewest others, if these are similar enough; otherwise
nowhere, which is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice

import numpy as np

from webstrata._once import once
from webstrata.evaluation.metrics import tokens
from webstrata.page import Page
from webstrata.segmentation import Segment, Segmentation
from webstrata.segmentation.base import readable
from webstrata.text import Column

__all__ = ["BlockMapper", "Mapped"]

# The largest number of occurrences of a text that are compared.
_MOST_OCCURRENCES = 1000
# Two texts with more pairs of equal words than this are compared as bags of words: difflib takes half a second for the
# pairs in 20,000 words of prose.
_MOST_PAIRS = 4_000_000


@dataclass(frozen=True, eq=False)
class Mapped:
    """The places of texts.

    ``places`` has for each text its first block and the one after its last, or None; ``exact`` and ``fuzzy`` count the
    texts that were found each way.
    """

    places: tuple[tuple[int, int] | None, ...]
    exact: int
    fuzzy: int

    @property
    def unmapped(self) -> int:
        """The number of texts that were not found in the page."""
        return self.places.count(None)


@dataclass(frozen=True, eq=False)
class BlockMapper:
    """Finds texts in a page.

    Parameters
    ----------
    page : the page
    threshold : the least ratio of words that a text must share, in order, with its place (2M/T, as in difflib). At
        0.6, two texts of equal length have three words of five in common.

    >>> from webstrata.page import parse
    >>> mapper = BlockMapper(parse("<h1>Strata</h1><p>A page comes <b>in</b> layers.<p>Read on"))
    >>> mapper.places(["Strata", "A page comes in layers.", "a web page comes in many layers", "Weather"])
    Mapped(places=((0, 1), (1, 4), (1, 4), None), exact=2, fuzzy=1)
    """

    page: Page
    threshold: float = 0.6

    def places(self, texts: Iterable[str]) -> Mapped:
        """The place of each text; repeated texts are placed in the order of the page."""
        found: list[tuple[int, int] | None] = []
        exact = fuzzy = 0
        taken: set[tuple[int, int]] = set()
        cursor = 0
        for text in texts:
            place = self._exactly(text, cursor, taken)
            exact += place is not None
            if place is None:
                place = self._nearly(text)
                fuzzy += place is not None
            if place is not None:
                taken.add(place)
                cursor = place[0]
            found.append(place)
        return Mapped(tuple(found), exact, fuzzy)

    def segmentation(self, segments: Iterable[tuple[str, int, str]], algorithm: str) -> tuple[Segmentation, Mapped]:
        """The segmentation by texts with their levels and kinds, without texts that were not found."""
        rows = list(segments)
        mapped = self.places(text for text, _, _ in rows)
        placed = tuple(
            Segment(*place, max(level, 1), kind, hidden=bool(self.page.blocks.hidden[place[0]]))
            for place, (_, level, kind) in zip(mapped.places, rows, strict=True)
            if place is not None
        )
        return Segmentation(self.page, placed, algorithm), mapped

    # Exactly

    @once
    def _bare(self) -> tuple[str, Column, Column]:
        """The shown text without white space; the block of each character; 2 at starts of blocks, 1 at words."""
        words: list[str] = []
        rows: list[int] = []
        edges: list[int] = []
        blocks = self.page.blocks
        for row in readable(self.page).tolist():
            for number, word in enumerate(self.page.text[blocks.text_start[row] : blocks.text_stop[row]].split()):
                words.append(word)
                rows.append(row)
                edges.append(1 if number else 2)
        lengths = np.array([len(word) for word in words], np.int64)
        edge = np.zeros(int(lengths.sum()) + 1, np.int8)
        edge[np.cumsum(lengths) - lengths] = edges
        edge[-1] = 2
        return "".join(words), np.repeat(np.array(rows, np.int64), lengths), edge

    def _exactly(self, text: str, cursor: int, taken: set[tuple[int, int]]) -> tuple[int, int] | None:
        """The best occurrence: not taken yet, aligned with blocks or at least with words, next in the page."""
        page, rows, edge = self._bare
        bare = "".join(text.split())
        best = None
        for start in islice(_occurrences(bare, page), _MOST_OCCURRENCES):
            stop = start + len(bare)
            place = int(rows[start]), int(rows[stop - 1]) + 1
            rank = place in taken, -min(int(edge[start]), int(edge[stop])), place[0] < cursor, start
            if best is None or rank < best[0]:
                best = rank, place
        return best[1] if best else None

    # Nearly

    @once
    def _words(self) -> tuple[list[str], Column]:
        """The normalised words of the shown blocks, and the block of each."""
        words: list[str] = []
        rows: list[int] = []
        blocks = self.page.blocks
        for row in readable(self.page).tolist():
            found = tokens(self.page.text[blocks.text_start[row] : blocks.text_stop[row]])
            words += found
            rows += [row] * len(found)
        return words, np.array(rows, np.int64)

    def _nearly(self, text: str) -> tuple[int, int] | None:
        words, rows = self._words
        wanted = tokens(text)
        if not wanted or not words:
            return None
        start, stop = _densest(words, set(wanted))
        ratio = _ratio(words[start:stop], wanted, self.threshold)
        return (int(rows[start]), int(rows[stop - 1]) + 1) if stop > start and ratio >= self.threshold else None


def _occurrences(needle: str, text: str) -> Iterator[int]:
    at = text.find(needle) if needle else -1
    while at >= 0:
        yield at
        at = text.find(needle, at + 1)


def _ratio(words: list[str], wanted: list[str], threshold: float) -> float:
    """The similarity of two lists of words, in order (2M/T as in difflib).

    The time of difflib grows with the pairs of equal words, and a page may repeat one word thousands of times. So two
    lists that share too few words in any order are not aligned, and two lists with too many pairs of equal words are
    compared as bags.

    >>> _ratio(["a", "b", "c"], ["a", "c"], 0.5), _ratio(["a"] * 9000, ["a"] * 9000, 0.5)
    (0.8, 1.0)
    """
    counts, wanted_counts = Counter(words), Counter(wanted)
    total = len(words) + len(wanted)
    most = 2 * (counts & wanted_counts).total() / total if total else 0.0
    pairs = sum(count * wanted_counts[word] for word, count in counts.items())
    if most < threshold or pairs > _MOST_PAIRS:
        return most
    # Without autojunk, which ignores the frequent words of long texts.
    return SequenceMatcher(None, words, wanted, autojunk=False).ratio()


def _densest(words: list[str], wanted: set[str]) -> tuple[int, int]:
    """The range in which wanted words outnumber the others by most (the maximum subarray)."""
    gain = np.array([1 if word in wanted else -1 for word in words])
    sums = np.concatenate(([0], np.cumsum(gain)))
    lowest = np.minimum.accumulate(sums)
    stop = int(np.argmax(sums - lowest))
    # The last of several starts gives the shortest range.
    start = stop - int(np.argmin(sums[: stop + 1][::-1]))
    return start, stop
