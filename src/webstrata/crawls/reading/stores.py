"""Files by path or by address: of this machine, of object stores (s3://, gs://, hf://), and of web servers.

Reads of remote files are large, since each is a request, and are tried again after a failure. A store that does not
answer ends the run with `StoreError`, because its silence says nothing about the records.
"""

from __future__ import annotations

import hashlib
import io
import os
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast

from webstrata.crawls.arrow import pyarrow
from webstrata.errors import InputError, StoreError, from_extra, need
from webstrata.files import open_regular

__all__ = [
    "SCHEMES",
    "archive_at",
    "digest_of_ends",
    "files_at",
    "is_remote",
    "open_input",
    "read_range",
    "state_of",
    "store_of",
    "tried",
]

#: The schemes of addresses that can be read, with what is needed for them.
SCHEMES = {"file": "", "s3": "", "gs": "", "gcs": "", "http": "fsspec", "https": "fsspec", "hf": "huggingface_hub"}

_COMMON_CRAWL = "https://data.commoncrawl.org/"
# The folders of Common Crawl's store: what is above them is the store.
_FOLDERS = ("crawl-data/", "cc-index/")
_REMOTE_BYTES = 8 * 2**20
# Bytes of each end of a file that are part of the digest for noticing changes.
_END_BYTES = 65_536
# Failures of one read, and the seconds of the first pause, which doubles.
_TRIES, _PAUSE = 5, 0.5

T = TypeVar("T")


def is_remote(name: str) -> bool:
    """Whether a name is an address. One with an unknown scheme raises `InputError`.

    >>> is_remote("s3://bucket/crawl.warc.gz"), is_remote("crawl.warc.gz")
    (True, False)
    """
    scheme, mark, _ = name.partition("://")
    if mark and scheme not in SCHEMES:
        raise InputError(
            f"{name} has the scheme {scheme}, which is not known: use a path or one of {', '.join(SCHEMES)}"
        )
    if mark and (package := SCHEMES[scheme]):
        need("remote", package)
    return bool(mark)


def archive_at(name: str, listed_in: str) -> str:
    """The path or address of an archive that a list or an index names.

    A relative path is one from where the list is, if there is such a file; otherwise it is one of Common Crawl, from
    the store of the list, or from https://data.commoncrawl.org/. A list from an address names no file of this machine.

    >>> archive_at("crawl-data/a.warc.gz", "s3://commoncrawl/cc-index/table/part-0.parquet")
    's3://commoncrawl/crawl-data/a.warc.gz'
    """
    local = name.startswith("/") or name.partition("://")[0].lower() == "file"
    if local and "://" in listed_in and not listed_in.lower().startswith("file:"):
        raise InputError(f"{listed_in} lists {name}, a file of this machine: copy the list, if you trust it")
    if "://" in name or name.startswith("/"):
        return name
    if "://" not in listed_in:
        beside = Path(listed_in).parent / name
        return str(beside) if beside.exists() else _COMMON_CRAWL + name
    root = next((root for mark in _FOLDERS if mark in listed_in for root in [listed_in.partition(mark)[0]]), "")
    return (root or _COMMON_CRAWL) + name


def store_of(address: str) -> tuple[Any, str]:
    """The file system of pyarrow for an address, and the path there."""
    fs = pyarrow("pyarrow.fs")
    scheme = address.partition("://")[0]
    try:
        if not (package := SCHEMES[scheme]):
            return cast(tuple[Any, str], fs.FileSystem.from_uri(address))
        with from_extra("remote", package):
            system, path = import_module("fsspec.core").url_to_fs(address)
        return fs.PyFileSystem(fs.FSSpecHandler(system)), path
    except (OSError, ValueError) as error:
        raise InputError(f"{address} cannot be opened: {error}") from error


def open_input(name: str) -> BinaryIO:
    """Open a path, ``-`` for the standard input, or an address."""
    try:
        if name == "-":
            return os.fdopen(os.dup(0), "rb")
        if not is_remote(name):
            return open_regular(name)
        return io.BufferedReader(_RemoteFile(name), _REMOTE_BYTES)
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror or error}") from error


def files_at(address: str) -> list[str]:
    """The addresses of the files below an address, sorted; empty if it is a file or not there."""
    system, path = store_of(address)
    fs = pyarrow("pyarrow.fs")
    if address.startswith("http") or system.get_file_info(path).type == fs.FileType.File:
        return []
    chosen = fs.FileSelector(path, recursive=True, allow_not_found=True)
    found = [item.path for item in system.get_file_info(chosen) if item.type == fs.FileType.File]
    scheme = address.partition("://")[0]
    return sorted(f"{scheme}://{item}" for item in found)


def state_of(name: str) -> tuple[int, int]:
    """Size and time of a file; the time of a store that keeps none is 0."""
    if not is_remote(name):
        found = os.stat(name)
        return found.st_size, found.st_mtime_ns
    system, path = store_of(name)
    info = tried(name, lambda: system.get_file_info(path))
    return info.size or 0, info.mtime_ns or 0


def digest_of_ends(name: str, size: int) -> str:
    with open_input(name) as stream:
        digest = hashlib.sha256(stream.read(_END_BYTES))
        stream.seek(max(0, size - _END_BYTES))
        digest.update(stream.read(_END_BYTES))
    return digest.hexdigest()


def read_range(name: str, offset: int, length: int) -> bytes:
    """Some bytes of a file, by one request; fewer if it ends before."""
    if is_remote(name):
        system, path = store_of(name)

        def read() -> bytes:
            with system.open_input_file(path) as file:
                return cast(bytes, file.read_at(length, offset))

        return tried(name, read)
    with open_input(name) as stream:
        stream.seek(offset)
        return stream.read(length)


class _RemoteFile(io.RawIOBase):
    """A remote file that can seek; each read is one request, repeated if it fails."""

    def __init__(self, name: str) -> None:
        self._name, self._at = name, 0
        self._file = self._opened()
        self._size = tried(name, self._file.size)

    def _opened(self) -> Any:
        system, path = store_of(self._name)
        return system.open_input_file(path)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: Any) -> int:
        size = max(0, min(len(buffer), self._size - self._at))
        data = tried(self._name, lambda: self._file.read_at(size, self._at)) if size else b""
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()


def tried(name: str, action: Callable[[], T], what: str = "read") -> T:
    """The result of an action on a remote file, tried again after errors of the network."""
    for attempt in range(_TRIES):
        if attempt:
            time.sleep(_PAUSE * 2**attempt)
        try:
            return action()
        except FileNotFoundError as error:
            raise InputError(f"cannot read {name}: there is no such file") from error
        except OSError as error:
            last = error
    raise StoreError(f"{name} cannot be {what}: {last}; after {_TRIES} tries the run ends, and --resume continues it")
