"""A sequence of strings as two arrays, the bytes of all and the offset of each, which can be mapped into memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from webstrata.links._hashes import hash_strings
from webstrata.text import Column

__all__ = ["Strings"]


@dataclass(frozen=True, eq=False, repr=False)
class Strings(Sequence[str]):
    """A sequence of strings.

    Attributes
    ----------
    data : the UTF-8 of all strings, one after the other
    start : the offset of each string, and the end

    >>> names = Strings.of(["one", "", "drei"])
    >>> len(names), names[2], names[-3], names[:2]
    (3, 'drei', 'one', ['one', ''])
    """

    data: Column
    start: Column

    @classmethod
    def of(cls, strings: Iterable[str]) -> Strings:
        return cls.of_bytes(string.encode("utf-8", "replace") for string in strings)

    @classmethod
    def of_bytes(cls, strings: Iterable[bytes]) -> Strings:
        """Strings from their UTF-8."""
        pieces = list(strings)
        start = np.zeros(len(pieces) + 1, np.int64)
        np.cumsum([len(piece) for piece in pieces], out=start[1:])
        return cls(np.frombuffer(b"".join(pieces), np.uint8), start)

    def hashes(self, key: tuple[int, int], first: int = 0, stop: int | None = None) -> tuple[Column, Column]:
        """The two halves of the keyed hash of each string from ``first`` to ``stop``."""
        start = np.ascontiguousarray(self.start[first : len(self) + 1 if stop is None else stop + 1], np.int64)
        halves = np.empty((2, len(start) - 1), np.uint64)
        hash_strings(self.data, start, *key, halves[0], halves[1])
        return halves[0], halves[1]

    def __len__(self) -> int:
        return len(self.start) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        return self.data[self.start[place] : self.start[place + 1]].tobytes().decode("utf-8", "replace")

    def __repr__(self) -> str:
        return f"<Strings: {len(self)}>"
