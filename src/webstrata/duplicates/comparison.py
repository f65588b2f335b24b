"""Two texts side by side: which of their words are in shingles that both texts have."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from webstrata._once import once
from webstrata.duplicates._minhash import shingle_hashes, word_hashes
from webstrata.text import Column, words

__all__ = ["TextComparison", "TextRun"]


@dataclass(frozen=True, slots=True)
class TextRun:
    """A piece of a text, and whether the other text has it too."""

    text: str
    shared: bool


@dataclass(frozen=True)
class TextComparison:
    """The shingles that two texts share.

    Parameters
    ----------
    a, b : the texts
    length : words of a shingle

    >>> found = TextComparison("The cat sat on the mat.", "Here the cat sat.", length=3)
    >>> found.shared, found.either, found.similarity
    (1, 5, 0.2)
    >>> found.runs("a")
    [TextRun(text='The cat sat', shared=True), TextRun(text=' on the mat.', shared=False)]
    """

    a: str
    b: str
    length: int = 6

    @once
    def _shingles(self) -> dict[str, Column]:
        texts = {"a": self.a, "b": self.b}
        return {
            name: np.asarray(shingle_hashes(word_hashes(text.lower()), self.length)) for name, text in texts.items()
        }

    @once
    def _both(self) -> Column:
        return np.asarray(np.intersect1d(self._shingles["a"], self._shingles["b"]))

    @property
    def shared(self) -> int:
        """Number of distinct shingles that both texts have."""
        return len(self._both)

    @property
    def either(self) -> int:
        """Number of distinct shingles of both texts together."""
        return sum(len(np.unique(found)) for found in self._shingles.values()) - self.shared

    @property
    def similarity(self) -> float:
        """Shared shingles as a share of all: the Jaccard coefficient."""
        return self.shared / self.either if self.either else 0.0

    def runs(self, side: str) -> list[TextRun]:
        """One of the texts, ``"a"`` or ``"b"``, cut where shared text begins or ends."""
        text = self.a if side == "a" else self.b
        found = words(text)
        inside = self._shared_words(side, len(found))
        cuts, at = [0], 0
        for number, word in enumerate(found):
            start = text.index(word, at)
            if inside[number] != (number > 0 and inside[number - 1]):
                # The text between two words belongs to the run that is not shared.
                cuts.append(start if inside[number] else at)
            at = start + len(word)
        if found and inside[-1]:
            cuts.append(at)
        cuts.append(len(text))
        pieces = pairwise(cuts)
        return [
            TextRun(text[start:stop], number % 2 == 1) for number, (start, stop) in enumerate(pieces) if start < stop
        ]

    def _shared_words(self, side: str, count: int) -> list[bool]:
        """For each of the ``count`` words of a text, whether it is in a shared shingle."""
        known = np.flatnonzero(np.isin(self._shingles[side], self._both))
        steps = np.zeros(count + 1, np.int64)
        np.add.at(steps, known, 1)
        np.add.at(steps, np.minimum(known + self.length, count), -1)
        return (np.cumsum(steps)[:-1] > 0).tolist()  # type: ignore[no-any-return]
