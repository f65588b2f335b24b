"""Writers of rows: Parquet, JSON lines, text.

The bytes of a file depend on its rows alone, not on how they were split into batches.
"""

from __future__ import annotations

import json
from typing import Any, BinaryIO, Protocol

import numpy as np

from webstrata.crawls.arrow import pyarrow
from webstrata.extraction.formats import CONTENT_FORMATS
from webstrata.text import Column

__all__ = ["FORMATS", "JsonLinesWriter", "ParquetWriter", "RowWriter", "TextWriter"]

# The most rows and bytes of a row group: few rows wait in memory, and readers can skip groups.
_GROUP_ROWS, _GROUP_BYTES = 1000, 16 * 2**20


class RowWriter(Protocol):
    """Writes batches of rows, and the end of the file when it is closed."""

    def __init__(self, stream: BinaryIO, schema: Any) -> None: ...

    def write(self, batch: Any) -> None: ...

    def close(self) -> None: ...


class ParquetWriter:
    """Parquet, compressed with Zstandard."""

    def __init__(self, stream: BinaryIO, schema: Any) -> None:
        self._file = pyarrow("pyarrow.parquet").ParquetWriter(stream, schema, compression="zstd")
        self._pending: list[Any] = []
        self._rows = 0
        self._most = 0  # an upper bound of the bytes of these rows

    def write(self, batch: Any) -> None:
        self._pending.append(batch)
        self._rows += batch.num_rows
        self._most += batch.nbytes
        if self._rows >= _GROUP_ROWS or self._most >= _GROUP_BYTES:
            self._write_groups()

    def _write_groups(self) -> None:
        """Write the groups that are full; their ends depend on the rows alone."""
        rows = pyarrow().concat_batches(self._pending)
        sizes = _row_bytes(rows)
        while (stop := _group_end(sizes)) is not None:
            self._file.write_batch(rows.slice(0, stop))
            rows, sizes = rows.slice(stop), sizes[stop:]
        self._pending, self._rows, self._most = [rows], rows.num_rows, int(sizes.sum())

    def close(self) -> None:
        pending, self._pending = self._pending, []
        rows, self._rows = self._rows, 0
        if rows:
            self._file.write_batch(pyarrow().concat_batches(pending))
        self._file.close()


def _group_end(sizes: Column) -> int | None:
    """The end of the first group of rows with these sizes; None if the group is not full."""
    full = np.flatnonzero(np.cumsum(sizes[:_GROUP_ROWS]) >= _GROUP_BYTES)
    if len(full):
        return int(full[0]) + 1
    return _GROUP_ROWS if len(sizes) >= _GROUP_ROWS else None


def _row_bytes(batch: Any) -> Column:
    """The number of bytes of each row."""
    return np.asarray(sum(map(_value_bytes, batch.columns), np.zeros(batch.num_rows, np.int64)))


def _value_bytes(array: Any) -> Column:
    """The number of bytes of each value of an array; eight for numbers."""
    types = pyarrow().types
    if types.is_struct(array.type):
        return np.asarray(sum(map(_value_bytes, array.flatten()), np.zeros(len(array), np.int64)))
    if types.is_list(array.type):
        ends = np.cumsum(np.concatenate(([0], _value_bytes(array.values))))
        offsets = array.offsets.to_numpy()
        return np.asarray(ends[offsets[1:]] - ends[offsets[:-1]])
    if types.is_string(array.type) or types.is_binary(array.type):
        lengths = pyarrow("pyarrow.compute").binary_length(array).fill_null(0)
        return np.asarray(lengths.to_numpy(zero_copy_only=False), np.int64)
    return np.full(len(array), 8)


class JsonLinesWriter:
    """One JSON object a line."""

    def __init__(self, stream: BinaryIO, schema: Any) -> None:
        self._stream = stream

    def write(self, batch: Any) -> None:
        for row in batch.to_pylist():
            self._stream.write(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n")

    def close(self) -> None:
        self._stream.flush()


class TextWriter:
    """The content, each followed by a line with a form feed. A form feed inside the content becomes a space.

    If the rows have other formats than text, the content is written in one of these.
    """

    def __init__(self, stream: BinaryIO, schema: Any) -> None:
        from webstrata.errors import InputError

        names = [name for name in reversed(CONTENT_FORMATS) if name in schema.names]
        if not names:
            raise InputError("this step gives no text: write it as parquet or json")
        self._column = names[0]
        self._stream = stream

    def write(self, batch: Any) -> None:
        for text in batch.column(self._column).to_pylist():
            self._stream.write(text.replace("\f", " ").encode("utf-8", "replace") + b"\n\f\n")

    def close(self) -> None:
        self._stream.flush()


#: The formats of files by name, which is also the ending of the files.
FORMATS: dict[str, type[RowWriter]] = {"parquet": ParquetWriter, "jsonl": JsonLinesWriter, "txt": TextWriter}
