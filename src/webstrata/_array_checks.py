"""What arrays from files must be like before native code reads them: types, lengths, bounds and order.

Each reader has a table with an `ArrayCheck` for each of its arrays, and calls `check_arrays`. Neighbours are compared
and never subtracted: differences of 64-bit integers can wrap.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from webstrata.errors import InputError

__all__ = ["ArrayCheck", "ArrayChecks", "bytes_of", "check_arrays", "indices", "offsets", "strings"]


@dataclass(frozen=True, slots=True)
class ArrayCheck:
    """What one array must be like. Negative values are allowed only where nothing limits the values.

    Parameters
    ----------
    types : names or kinds of its dtype, such as "int64" or "f"
    shape : the length of each dimension: a number, a name, or None for any. A name is the same length in all arrays
    index_of : a length or its name: all values are below it
    offsets_into : a name: the values ascend from 0 to this length, and there is one value more than ``shape`` says
    ascending : whether each value is larger than the one before it
    before_row : whether each value is below its own index; -1 is allowed
    values : False if native code checks every value that it reads; then a large array need not be read to open it
    """

    types: tuple[str, ...]
    shape: tuple[int | str | None, ...]
    index_of: int | str | None = None
    offsets_into: str | None = None
    ascending: bool = False
    before_row: bool = False
    values: bool = True

    def form_problem(self, array: Any, lengths: dict[str, int]) -> str:
        """The problem with the type or shape, or ""; ``lengths`` gets the lengths that have names."""
        if array is None:
            return "is missing"
        if not array.dtype.isnative or not {array.dtype.name, array.dtype.kind} & set(self.types):
            return "has the wrong type"
        shape = array.shape
        if self.offsets_into is not None:
            shape = tuple(length - 1 for length in shape)
        if len(shape) != len(self.shape) or min(shape, default=0) < 0:
            return "has the wrong shape"
        for want, have in zip(self.shape, shape, strict=True):
            if want is not None and have != (lengths.setdefault(want, have) if isinstance(want, str) else want):
                return "has the wrong length"
        return ""

    def value_problem(self, array: npt.NDArray[Any], lengths: Mapping[str, int]) -> str:
        """The problem with the values, or ""."""
        if not self.values:
            return ""
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            return "has values that are not finite"
        if self.offsets_into is not None and (
            array[0] != 0 or array[-1] != lengths[self.offsets_into] or not (array[1:] >= array[:-1]).all()
        ):
            return "does not ascend from 0 to the end"
        if self.index_of is not None and array.size:
            stop = lengths[self.index_of] if isinstance(self.index_of, str) else self.index_of
            if not 0 <= int(array.min()) <= int(array.max()) < stop:
                return "has values out of range"
        if self.ascending and not (array[1:] > array[:-1]).all():
            return "does not ascend"
        if self.before_row and not ((array >= -1) & (array < np.arange(len(array)))).all():
            return "has values out of range"
        return ""


ArrayChecks = Mapping[str, ArrayCheck]


def offsets(count: str, into: str) -> ArrayCheck:
    """The offsets of ``count`` things in an array of length ``into``, and its end."""
    return ArrayCheck(("int64",), (count,), offsets_into=into)


def indices(count: str, of: int | str, kind: str = "uint32") -> ArrayCheck:
    """``count`` indices of things whose number is ``of``."""
    return ArrayCheck((kind,), (count,), index_of=of)


def bytes_of(count: str) -> ArrayCheck:
    """``count`` bytes."""
    return ArrayCheck(("uint8",), (count,))


def strings(name: str, count: str) -> dict[str, ArrayCheck]:
    """The two arrays of ``count`` strings (`webstrata.links.strings`)."""
    return {name: bytes_of(f"bytes of {name}"), f"{name}_start": offsets(count, f"bytes of {name}")}


def check_arrays(arrays: Mapping[str, npt.NDArray[Any]], checks: ArrayChecks, *, source: object, advice: str) -> None:
    """Refuse arrays that differ from their checks.

    Parameters
    ----------
    arrays : by name; others than those of ``checks`` are ignored
    checks : by name
    source : the file or folder, for the message
    advice : what to do about a damaged file, for the message

    >>> tables = {"start": offsets("rows", "cells"), "cell": indices("cells", of=9)}
    >>> cells = {"start": np.array([0, 2, 1, 3]), "cell": np.array([1, 2, 3], np.uint32)}
    >>> check_arrays(cells, tables, source="a.table", advice="make it again")
    Traceback (most recent call last):
    webstrata.errors.InputError: a.table is damaged (start does not ascend from 0 to the end): make it again
    """
    lengths: dict[str, int] = {}
    # All lengths are known before values are compared with them.
    for problem_of in (ArrayCheck.form_problem, ArrayCheck.value_problem):
        for name, check in checks.items():
            if problem := problem_of(check, arrays.get(name), lengths):  # type: ignore[arg-type]
                raise InputError(f"{source} is damaged ({name} {problem}): {advice}")
