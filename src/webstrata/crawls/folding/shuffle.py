"""The shuffle: rows are grouped by key through files.

Each part of the rows becomes one Arrow file with one batch for each bucket of keys, its rows sorted by key. A bucket is
read from all files at once, key by key. The files are mapped into memory, so that the system decides how much of them
to keep there.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.reading.stores import files_at, is_remote, open_input
from webstrata.errors import InputError
from webstrata.files import readable

if TYPE_CHECKING:
    from webstrata.crawls.folding.folds import Fold

__all__ = [
    "RowGroups",
    "find_row_groups",
    "has_columns",
    "has_groups",
    "key_bucket",
    "key_groups",
    "partial_rows",
    "rows_at",
    "shuffle_part",
]

_BATCH_ROWS = 1024
_ADVICE = "write it again with the command that made it"
# The most bytes of a batch that a fold gets, unless a single row has more.
_GROUP_BYTES = 16 * 2**20


@dataclass(frozen=True, slots=True)
class RowGroups:
    """Some row groups of a Parquet file: from number ``first`` up to ``stop``."""

    file: str
    first: int
    stop: int

    def batches(self, *, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """The rows as batches, with all columns or some."""
        if self.first < self.stop:
            groups = list(range(self.first, self.stop))
            with readable(self.file, _ADVICE), _parquet(self.file) as file:
                yield from file.iter_batches(batch_size=_BATCH_ROWS, row_groups=groups, columns=columns)

    @property
    def rows(self) -> int:
        """The number of rows."""
        with _parquet(self.file) as file:
            footer = file.metadata
        return sum(footer.row_group(number).num_rows for number in range(self.first, self.stop))

    @property
    def leaves(self) -> list[str]:
        """The paths of the columns as the file stores them, those in lists and structs included."""
        with _parquet(self.file) as file:
            schema = file.schema
        return [schema.column(number).path for number in range(len(schema))]

    @property
    def schema(self) -> Any:
        with readable(self.file, _ADVICE), _parquet(self.file) as file:
            return file.schema_arrow


def _parquet(name: str) -> Any:
    """A Parquet file by its path or address."""
    return pyarrow("pyarrow.parquet").ParquetFile(open_input(name) if is_remote(name) else name)


def has_columns(folder: Path | str, columns: Iterable[str]) -> bool:
    """Whether the Parquet files of a folder have these columns, whichever engine wrote them."""
    return set(columns) <= set(find_row_groups(folder, 2**62)[0].schema.names)


def rows_at(name: str) -> Path | str | None:
    """The folder of rows at a path or an address: the output of a run, of this machine or of Spark; else None."""
    marks = ("_job", "_SUCCESS", "_summary.json")
    if is_remote(name):
        root = name.rstrip("/")
        below = (file.removeprefix(f"{root}/").split("/")[0] for file in files_at(root))
        return root if any(mark in marks for mark in below) else None
    return Path(name) if any((Path(name) / mark).exists() for mark in marks) else None


def find_row_groups(folder: Path | str, size: int) -> tuple[RowGroups, ...]:
    """The Parquet files of a folder in parts of about ``size`` bytes of uncompressed data, in order of their names.

    Parameters
    ----------
    folder : its path, or its address
    size : of a part
    """
    if isinstance(folder, Path):
        found = [str(path) for path in folder.glob("*.parquet")]
    else:
        found = [name for name in files_at(folder) if name.endswith(".parquet") and name.rpartition("/")[0] == folder]
    files = sorted(name for name in found if name.rpartition("/")[2][0] not in "._")
    if not files:
        raise InputError(f"{folder} holds no Parquet files: name the folder that a run has written")
    return tuple(part for file in files for part in _parts_of(file, size))


def _parts_of(file: str, size: int) -> Iterator[RowGroups]:
    try:
        with _parquet(file) as opened:
            footer = opened.metadata
    except (OSError, ValueError) as error:
        raise InputError(f"{file} is no Parquet file: {error}") from error
    first = held = 0
    for number in range(footer.num_row_groups):
        held += footer.row_group(number).total_byte_size
        if held >= size:
            yield RowGroups(file, first, number + 1)
            first, held = number + 1, 0
    if first < footer.num_row_groups or not footer.num_row_groups:
        yield RowGroups(file, first, footer.num_row_groups)


def partial_rows(part: RowGroups, fold: Fold) -> Any:
    """The rows of a part after `Fold.partial`, as one table."""
    pa = pyarrow()
    schema = fold.partial_schema(part.schema)
    if fold.key not in schema.names:
        raise InputError(f"the rows have no column {fold.key} to fold by, only {', '.join(schema.names)}")
    return pa.Table.from_batches(list(fold.partial(part.batches())), schema)


def key_bucket(key: Any, buckets: int) -> int:
    """The bucket of a key: the same on every machine and in every run."""
    return zlib.crc32(repr(key).encode("utf-8", "surrogatepass")) % buckets


def shuffle_part(part: RowGroups, fold: Fold, buckets: int, stream: BinaryIO) -> None:
    """Write the partial rows of a part: one batch for each bucket, sorted by key, rows of a key in their order."""
    pa = pyarrow()
    rows = partial_rows(part, fold)
    keys = rows.column(fold.key).combine_chunks().dictionary_encode()
    values = keys.dictionary.to_pylist()
    # Null has no code: it gets the one after all others.
    codes = keys.indices.fill_null(len(values)).to_numpy(zero_copy_only=False)
    ranks, bucket_of = _ranks([*values, None], buckets)
    order = np.lexsort((ranks[codes], bucket_of[codes]))
    bounds = np.searchsorted(bucket_of[codes][order], np.arange(buckets + 1))
    with pa.ipc.new_file(stream, rows.schema) as writer:
        for start, stop in pairwise(bounds.tolist()):
            writer.write_batch(_one_batch(rows.take(order[start:stop])))


def _one_batch(table: Any) -> Any:
    """A table as a single batch."""
    batches = table.combine_chunks().to_batches()
    if len(batches) > 1:
        raise InputError("a part of the rows holds more than 2 GB of one bucket: fold with a smaller part_bytes")
    return batches[0] if batches else pyarrow().RecordBatch.from_pylist([], table.schema)


def _ranks(values: list[Any], buckets: int) -> tuple[Any, Any]:
    """The rank of each key in their order, and its bucket."""
    ranks = np.empty(len(values), np.int64)
    ranks[sorted(range(len(values)), key=lambda code: _sorted_as(values[code]))] = np.arange(len(values))
    return ranks, np.array([key_bucket(value, buckets) for value in values], np.int64)


def _sorted_as(key: Any) -> tuple[bool, Any]:
    """The sort key of a key: null is last."""
    return key is None, key if key is not None else 0


def key_groups(files: list[Path], bucket: int, key: str) -> Iterator[tuple[Any, Iterator[Any]]]:
    """The groups of a bucket in order of their keys: each key, and its rows in the order of the files.

    The rows of a group must be consumed before the next group.
    """
    _raise_open_files(len(files))
    pieces: dict[Any, list[Any]] = {}
    for path in files:
        batch = pyarrow().ipc.open_file(pyarrow().memory_map(str(path))).get_batch(bucket)
        for value, piece in _runs(batch, key):
            pieces.setdefault(value, []).append(piece)
    for value in sorted(pieces, key=_sorted_as):
        yield value, (small for piece in pieces.pop(value) for small in _small(piece))


def has_groups(files: list[Path], bucket: int) -> bool:
    """Whether a bucket has any group."""
    for path in files:
        with pyarrow().memory_map(str(path)) as mapped:
            if pyarrow().ipc.open_file(mapped).get_batch(bucket).num_rows:
                return True
    return False


def _runs(batch: Any, key: str) -> Iterator[tuple[Any, Any]]:
    """The rows of a sorted batch, key by key."""
    if not batch.num_rows:
        return
    keys = batch.column(key).dictionary_encode()
    values = [*keys.dictionary.to_pylist(), None]
    codes = keys.indices.fill_null(len(values) - 1).to_numpy(zero_copy_only=False)
    starts = [0, *(np.flatnonzero(np.diff(codes)) + 1).tolist(), len(codes)]
    for start, stop in pairwise(starts):
        yield values[codes[start]], batch.slice(start, stop - start)


def _small(batch: Any) -> Iterator[Any]:
    """The same rows in batches that fit in memory."""
    rows = max(1, int(batch.num_rows * _GROUP_BYTES / max(1, batch.nbytes)))
    for start in range(0, batch.num_rows, rows):
        yield batch.slice(start, rows)


def _raise_open_files(count: int) -> None:
    """Raise the limit of open files of this process for ``count`` mapped files, as far as the system allows it."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * count + 64
    if soft != resource.RLIM_INFINITY and soft < wanted:
        allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
