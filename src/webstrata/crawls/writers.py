"""Rows into files: Parquet, JSON lines, text.

The bytes of a file depend on its rows alone, never on how they came in batches.
"""

from __future__ import annotations

import json
from typing import Any, BinaryIO, Protocol

from webstrata.crawls.arrow import pyarrow

__all__ = ["FORMATS", "Writer"]

# A row group is closed at so many rows or bytes: what waits in memory stays small, and readers can skip.
_GROUP_ROWS, _GROUP_BYTES = 1000, 16 * 2**20


class Writer(Protocol):
    """Takes batches of rows and ends the file when it is closed."""

    def __init__(self, stream: BinaryIO, schema: Any) -> None: ...

    def write(self, batch: Any) -> None: ...

    def close(self) -> None: ...


class ParquetWriter:
    """Parquet, compressed with Zstandard."""

    def __init__(self, stream: BinaryIO, schema: Any) -> None:
        self._file = pyarrow("pyarrow.parquet").ParquetWriter(stream, schema, compression="zstd")
        self._pending: list[Any] = []
        self._bytes = 0

    def write(self, batch: Any) -> None:
        for row in (batch.slice(i, 1) for i in range(batch.num_rows)):
            self._pending.append(row)
            self._bytes += row.nbytes
            if len(self._pending) >= _GROUP_ROWS or self._bytes >= _GROUP_BYTES:
                self._flush()

    def _flush(self) -> None:
        if self._pending:
            self._file.write_batch(pyarrow().concat_batches(self._pending))
        self._pending, self._bytes = [], 0

    def close(self) -> None:
        self._flush()
        self._file.close()


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
    """The content, each ended by a line with a form feed. A form feed inside it is written as a space.

    Where it is there in another form than text, it is written in that.
    """

    def __init__(self, stream: BinaryIO, schema: Any) -> None:
        from webstrata.errors import InputError

        names = [name for name in ("tei", "html", "markdown", "text") if name in schema.names]
        if not names:
            raise InputError("this step gives no text: write it as parquet or json")
        self._column = names[0]
        self._stream = stream

    def write(self, batch: Any) -> None:
        for text in batch.column(self._column).to_pylist():
            self._stream.write(text.replace("\f", " ").encode("utf-8", "replace") + b"\n\f\n")

    def close(self) -> None:
        self._stream.flush()


#: The formats by name; a name is also the ending of the files.
FORMATS: dict[str, type[Writer]] = {"parquet": ParquetWriter, "jsonl": JsonLinesWriter, "txt": TextWriter}
