"""Min-hash signatures, and the rule that finds near-duplicates with them.

A text is the set of its shingles, runs of six words. Two texts are near-duplicates if they share at least half of their
shingles: the number that both have over the number that either has (the Jaccard coefficient). Min-hashes estimate that
without the shingles: each is the smallest hash of any shingle of a text under one random permutation, and the chance
that two texts have the same min-hash equals the share of shingles that they share (Broder 1997). A *signature* is a
row of min-hashes; the share of positions where two signatures agree estimates the share of shingles.

*Bands* select the pairs to compare: runs of values of the signature. Pages are compared if they agree in all values of
at least one band.

Reference: Kohlschütter & Nejdl 2008 §5.4 (6 tokens, 8 min-hashes, at least 50 %); A. Broder, On the resemblance and
containment of documents, 1997.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from webstrata._once import once
from webstrata.duplicates._minhash import min_hashes, shingle_hashes, word_hashes
from webstrata.errors import InputError
from webstrata.text import Column

__all__ = ["PAPER", "Rule", "hashed_shingles"]

# Seed of the random permutations. The raw output of a bit generator is the same in all versions of NumPy.
_STREAM = 2008
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def hashed_shingles(text: str, length: int) -> Column:
    """The distinct shingles of a text (`webstrata.text.shingles`) as sorted 64-bit hashes.

    >>> len(hashed_shingles("The cat sat there. The cat sat here.", 3))
    5
    """
    hashes = np.asarray(shingle_hashes(word_hashes(text.lower()), length))
    return np.unique(hashes)


@dataclass(frozen=True, kw_only=True)
class Rule:
    """When two texts are near-duplicates.

    Parameters
    ----------
    length : words of a shingle
    bands : runs of the signature; pages that agree in one are compared
    rows : values of each band; the signature has bands × rows values
    shared : share of the values that must agree

    The defaults find most pairs that share this much, and compare few others. `PAPER` is the setting of
    Kohlschütter & Nejdl 2008 §5.4, with each of the eight values a band of its own, so that no pair is missed.

    >>> rule = Rule()
    >>> texts = (f"The longest of the strata was laid down by rivers, {end}" for end in ("twice.", "once."))
    >>> bool(rule.agree(*map(rule.signature, texts)))
    True
    """

    length: int = 6
    bands: int = 16
    rows: int = 2
    shared: float = 0.5

    def __post_init__(self) -> None:
        if min(self.length, self.bands, self.rows) < 1:
            raise InputError("length, bands and rows must be at least 1")
        if self.permutations > 4096:
            raise InputError(f"{self.bands} bands of {self.rows} rows are more than 4096 values: choose fewer")
        if not 0 < self.shared <= 1:
            raise InputError(f"shared must be above 0 and at most 1, not {self.shared}")

    @property
    def permutations(self) -> int:
        """Number of values of a signature."""
        return self.bands * self.rows

    @property
    def needed(self) -> int:
        """Number of values in which two signatures must agree."""
        return max(1, int(np.ceil(self.shared * self.permutations - 1e-9)))

    @once
    def _permutations(self) -> tuple[Column, Column]:
        raw = np.random.PCG64(_STREAM).random_raw(2 * self.permutations).astype(np.uint64)
        return raw[::2] | np.uint64(1), raw[1::2].copy()

    def signature(self, text: str) -> Column | None:
        """The min-hashes of a text; None for a text without a word."""
        words = word_hashes(text.lower())
        if not len(words):
            return None
        out = np.empty(self.permutations, np.uint32)
        min_hashes(np.asarray(shingle_hashes(words, self.length)), *self._permutations, out)
        return out

    def share(self, a: Column, b: Column) -> Column:
        """The share of values in which signatures agree, row by row."""
        return np.asarray((np.asarray(a) == np.asarray(b)).mean(axis=-1))

    def agree(self, a: Column, b: Column) -> Column:
        """Whether signatures belong to near-duplicates, row by row."""
        return np.asarray((np.asarray(a) == np.asarray(b)).sum(axis=-1) >= self.needed)

    def keys(self, signatures: Column) -> Column:
        """A 64-bit key for each band of each signature; two are equal if the band and its values are."""
        values = np.asarray(signatures, np.uint64).reshape(len(signatures), self.bands, self.rows)
        keys = np.broadcast_to(np.arange(1, self.bands + 1, dtype=np.uint64), values.shape[:2]).copy()
        for row in range(self.rows):
            keys = _mixed(keys * np.uint64(0x9E3779B97F4A7C15) + values[:, :, row])
        return keys.view(np.int64)

    def probability(self, similarity: Column) -> Column:
        """The chance of finding a pair with this similarity: a band agrees in all rows, and enough values agree.

        >>> Rule(bands=1, rows=1, shared=1.0).probability([0.25]).tolist()
        [0.25]
        >>> [round(float(chance), 2) for chance in PAPER.probability(np.array([0.3, 0.5, 0.8]))]
        [0.19, 0.64, 0.99]
        """
        return np.array([self._probability(float(s)) for s in np.asarray(similarity)])

    def _probability(self, s: float) -> float:
        """The chance that enough values agree, minus the chance that they do without a band in which all agree."""
        n, r = self.permutations, self.rows
        enough = sum(comb(n, k) * s**k * (1 - s) ** (n - k) for k in range(self.needed, n + 1))
        broken = np.array([comb(r, k) * s**k * (1 - s) ** (r - k) for k in range(r)])
        missed = np.ones(1)
        for _ in range(self.bands):
            missed = np.convolve(missed, broken)
        return float(min(1.0, max(0.0, enough - missed[self.needed :].sum())))


def _mixed(x: Column) -> Column:
    """The finalizer of SplitMix64, as in `_minhash`."""
    x = (x ^ (x >> np.uint64(30))) * _MIX[0]
    x = (x ^ (x >> np.uint64(27))) * _MIX[1]
    return np.asarray(x ^ (x >> np.uint64(31)))


#: The setting of Kohlschütter & Nejdl 2008 §5.4: 6 tokens, 8 min-hashes, at least 50 % shared.
PAPER = Rule(bands=8, rows=1)
