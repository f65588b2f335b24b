"""Two texts side by side: which of their words stand in shingles that both have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webstrata._once import once
from webstrata.duplicates._minhash import shingle_hashes, word_hashes
from webstrata.text import Column, words

__all__ = ["Comparison", "Run"]


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of a text, and whether the other text has it as well."""

    text: str
    shared: bool


@dataclass(frozen=True)
class Comparison:
    """What two texts share.

    Parameters
    ----------
    a, b : the texts
    length : words of a shingle

    >>> found = Comparison("The cat sat on the mat.", "Here the cat sat.", length=3)
    >>> found.shared, found.either, found.similarity
    (1, 5, 0.2)
    >>> found.runs("a")
    [Run(text='The cat sat', shared=True), Run(text=' on the mat.', shared=False)]
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
        """Distinct shingles that both texts have."""
        return len(self._both)

    @property
    def either(self) -> int:
        """Distinct shingles of both texts together."""
        return sum(len(np.unique(found)) for found in self._shingles.values()) - self.shared

    @property
    def similarity(self) -> float:
        """The share of all shingles that both texts have."""
        return self.shared / self.either if self.either else 0.0

    def runs(self, side: str) -> list[Run]:
        """One of the texts, ``"a"`` or ``"b"``, in pieces that the other has or has not."""
        text = self.a if side == "a" else self.b
        hashes = self._shingles[side]
        known = np.isin(hashes, self._both)
        found = words(text)
        steps = np.zeros(len(found) + 1, np.int64)
        np.add.at(steps, np.flatnonzero(known), 1)
        np.add.at(steps, np.minimum(np.flatnonzero(known) + self.length, len(found)), -1)
        inside = (np.cumsum(steps)[:-1] > 0).tolist()
        runs: list[Run] = []
        begin = at = 0
        for number, word in enumerate(found):
            start = text.index(word, at)
            if number and inside[number] != inside[number - 1]:
                # What stands between two words belongs to the run that is not shared.
                cut = at if inside[number - 1] else start
                runs.append(Run(text[begin:cut], inside[number - 1]))
                begin = cut
            elif not number and inside[0] and start:
                runs.append(Run(text[:start], False))
                begin = start
            at = start + len(word)
        if found and inside[-1] and at < len(text):
            runs.append(Run(text[begin:at], True))
            begin = at
        if begin < len(text):
            runs.append(Run(text[begin:], bool(found) and inside[-1] and begin < at))
        return runs
