"""pyarrow, imported on first use, and helpers for its columns."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np

from webstrata.errors import from_extra
from webstrata.text import Column

__all__ = ["pyarrow", "rows_with_arrays", "signed", "unsigned"]


def pyarrow(module: str = "pyarrow") -> Any:
    """pyarrow, or one of its modules."""
    with from_extra("scale", "pyarrow"):
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
