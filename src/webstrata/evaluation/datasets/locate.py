"""The files of data sets, in the folder WEBSTRATA_DATA or in ``../shared/data`` beside the project."""

from __future__ import annotations

import json
import os
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from webstrata.errors import InputError, from_extra

__all__ = ["archived_pages", "data_folder", "data_path", "parquet_rows"]

_VARIABLE = "WEBSTRATA_DATA"


def data_path(name: str) -> Path:
    """The path of a folder or file below the folder of data sets.

    Parameters
    ----------
    name : such as "cleaneval" or "cleaneval/cleaneval.parquet"
    """
    path = data_folder() / name
    if not path.exists():
        given = os.environ.get(_VARIABLE)
        where = f"{_VARIABLE} is {given}" if given else f"{_VARIABLE} is not set"
        raise InputError(f"no data set {name!r} ({where}): set {_VARIABLE} to the folder that contains it")
    return path.resolve()


def data_folder() -> Path:
    """The folder of data sets, whether it exists or not."""
    given = os.environ.get(_VARIABLE)
    return Path(given) if given else _project() / ".." / "shared" / "data"


def parquet_rows(path: Path, *, batch_size: int = 50) -> Iterator[dict[str, Any]]:
    """The rows of a Parquet file, read in small batches to save memory."""
    with from_extra("eval", "pyarrow"):
        import pyarrow.parquet
    with pyarrow.parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size):
            yield from batch.to_pylist()


def archived_pages(path: Path, index: str, file: str) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """The pages of a tar archive with the rows of its index, in the order of the index.

    Parameters
    ----------
    path : the archive; it is read into memory as a whole, because the index may be its last file
    index : the name of its index, which has one JSON object a line
    file : a template for the file of a page, with names of columns in braces
    """
    with tarfile.open(path) as archive:
        files = {member.name.removeprefix("./"): _content(archive, member) for member in archive if member.isfile()}
    for line in files[index].splitlines():
        row: dict[str, Any] = json.loads(line)
        yield files[file.format(**row)], row


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = archive.extractfile(member)
    assert file is not None, "it is a file"
    return file.read()


def _project() -> Path:
    """The root of a checkout: the first directory above this file, or the current one, that has a pyproject.toml."""
    for folder in Path(__file__).resolve().parents:
        if (folder / "pyproject.toml").is_file():
            return folder
    return Path.cwd()
