"""The two packages of ``webstrata[scale]``, imported on first use, and helpers for Arrow columns."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.abc import MetaPathFinder
from typing import Any

import numpy as np

from webstrata.errors import from_extra
from webstrata.text import Column

__all__ = ["fastwarc", "pyarrow", "rows_with_arrays", "signed", "unsigned", "without_pandas"]


def pyarrow(module: str = "pyarrow") -> Any:
    """pyarrow, or one of its modules."""
    with from_extra("scale", "pyarrow"):
        return import_module(module)


def fastwarc(module: str = "fastwarc.warc") -> Any:
    """A module of fastwarc."""
    with from_extra("scale", "fastwarc"):
        return import_module(module)


def signed(column: Column) -> Column:
    """The bits of unsigned integers as signed ones: Spark has no unsigned integers. Other columns are returned.

    >>> signed(np.array([1, 2**64 - 1], np.uint64)).tolist()
    [1, -1]
    """
    kind = column.dtype
    return column.view(f"i{kind.itemsize}") if kind.kind == "u" else column


def unsigned(column: Column, kind: str) -> Column:
    """A column as it was before `signed`, of this type."""
    return np.ascontiguousarray(column, kind.removeprefix("u")).view(kind)


def rows_with_arrays(batch: Any) -> Iterator[dict[str, Any]]:
    """The rows of a batch with lists as arrays, which is much faster than ``to_pylist``."""
    columns = {name: batch.column(name) for name in batch.schema.names}
    lists = {name for name, column in columns.items() if pyarrow().types.is_list(column.type)}
    for number in range(batch.num_rows):
        yield {
            name: column[number].values.to_numpy(zero_copy_only=False) if name in lists else column[number].as_py()
            for name, column in columns.items()
        }


def without_pandas() -> None:
    """Keep pyarrow from loading pandas in this process, which would take half a second.

    pyarrow asks for pandas once, when it first converts a list. It is hidden at that moment; other code can import it.
    """
    hiding = _Hiding()
    sys.meta_path.insert(0, hiding)
    try:
        pyarrow().array([0])
    finally:
        sys.meta_path.remove(hiding)


class _Hiding(MetaPathFinder):
    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("pandas is hidden for a moment", name=name)
