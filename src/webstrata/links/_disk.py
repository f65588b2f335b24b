"""Arrays that grow on disk, and numbers that are distributed over files: the parts of sorting outside of memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from webstrata.text import Column

__all__ = ["GrowingArray", "Shares"]

# Buffers of files in bytes: each of many files gets few numbers at a time.
_BUFFER = 2**18


class GrowingArray:
    """An array in a NumPy file, written piece by piece.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with GrowingArray(Path(folder, "a.npy"), np.int64) as array:
    ...         array.append(np.arange(2))
    ...         array.append(np.arange(3))
    ...     np.load(Path(folder, "a.npy")).tolist()
    [0, 1, 0, 1, 2]
    """

    def __init__(self, path: Path, kind: Any) -> None:
        self.size, self._kind = 0, np.dtype(kind)
        self._stream = path.open("wb", _BUFFER)
        self._head()

    def _head(self) -> None:
        # NumPy pads this header, so that it has the same length whatever the size.
        shape = {"shape": (self.size,), "fortran_order": False, "descr": np.lib.format.dtype_to_descr(self._kind)}
        np.lib.format.write_array_header_1_0(self._stream, shape)

    def append(self, piece: Column) -> None:
        self._stream.write(np.ascontiguousarray(piece, self._kind).data)
        self.size += len(piece)

    def __enter__(self) -> GrowingArray:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._stream:
            self._stream.seek(0)
            self._head()


class Shares:
    """Numbers distributed over files by a sorted leading part of them, for sorting share by share.

    Parameters
    ----------
    folder : an empty folder for the files
    bounds : the first number of each share but the first
    """

    def __init__(self, folder: Path, bounds: Column) -> None:
        folder.mkdir()
        self._bounds = bounds
        self._paths = [folder / f"{number}.bin" for number in range(len(bounds) + 1)]
        self._streams = [path.open("wb", _BUFFER) for path in self._paths]

    def add(self, numbers: Column) -> None:
        """Add numbers, which are sorted in place."""
        numbers.sort()
        cuts = [0, *np.searchsorted(numbers, self._bounds).tolist(), len(numbers)]
        for stream, start, stop in zip(self._streams, cuts, cuts[1:], strict=False):
            if start < stop:
                stream.write(numbers[start:stop].data)

    def close(self) -> None:
        """Close the files, after which nothing can be added."""
        for stream in self._streams:
            stream.close()

    def sorted(self) -> Iterator[Column]:
        """The numbers of each share in order, equal ones included; each file is deleted after its share."""
        self.close()
        for path in self._paths:
            numbers = np.fromfile(path, self._bounds.dtype)
            numbers.sort()
            yield numbers
            path.unlink()
