"""Where runs write: a folder of this machine, or one of an object store by its address.

A file appears as a whole or not at all. On this machine that takes a rename. A store has no rename: files are made on
this machine, and an object appears when it is uploaded as a whole.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.reading.stores import is_remote, store_of, tried
from webstrata.errors import InputError
from webstrata.files import NewFile, write_file

__all__ = ["LocalFolder", "OutputFile", "OutputFolder", "StoreFolder", "output_folder"]

# The schemes of stores that can be written.
_WRITABLE = ("s3", "gs", "gcs", "hf", "file")
_PIECE = 2**23


class OutputFile(Protocol):
    """A file that gets its name when it is committed."""

    @property
    def stream(self) -> BinaryIO: ...

    def commit(self) -> None: ...

    def discard(self) -> None: ...


class OutputFolder(Protocol):
    """A folder to write to. Names may have slashes."""

    def size(self, name: str) -> int:
        """The size of a file; -1 if there is none."""
        ...

    def read(self, name: str) -> bytes:
        """The bytes of a file; `FileNotFoundError` if there is none."""
        ...

    def write(self, name: str, data: bytes) -> None:
        """Write a file as a whole."""
        ...

    def new_file(self, name: str) -> OutputFile: ...


def output_folder(output: str | Path) -> OutputFolder:
    """The folder of a path or an address."""
    name = str(output)
    scheme, mark, _ = name.partition("://")
    if isinstance(output, Path) or not mark:
        return LocalFolder(Path(output))
    if scheme not in _WRITABLE or not is_remote(name):
        raise InputError(f"{name} cannot be written: use a path or an address of {', '.join(_WRITABLE)}")
    if scheme == "file":
        return LocalFolder(Path(name.removeprefix("file://")))
    return StoreFolder(name.rstrip("/"))


@dataclass(frozen=True)
class LocalFolder:
    """A folder of this machine."""

    path: Path

    def size(self, name: str) -> int:
        try:
            return (self.path / name).stat().st_size
        except OSError:
            return -1

    def read(self, name: str) -> bytes:
        return (self.path / name).read_bytes()

    def write(self, name: str, data: bytes) -> None:
        write_file(self._made(name), data)

    def new_file(self, name: str) -> OutputFile:
        return NewFile(self._made(name))

    def _made(self, name: str) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


@dataclass(frozen=True)
class StoreFolder:
    """A folder of an object store, by its address.

    A store has no locks. Two runs with the same plan write the same bytes, so that neither can damage the other; a run
    with another plan is refused.
    """

    address: str

    def size(self, name: str) -> int:
        info = self._tried(name, lambda system, path: system.get_file_info(path))
        return int(info.size) if info.type == pyarrow("pyarrow.fs").FileType.File else -1

    def read(self, name: str) -> bytes:
        if self.size(name) < 0:
            raise FileNotFoundError(f"{self.address}/{name}")
        return cast(bytes, self._tried(name, _read))

    def write(self, name: str, data: bytes) -> None:
        self._tried(name, partial(_write, data))

    def new_file(self, name: str) -> OutputFile:
        return _Upload(self, name)

    def upload(self, name: str, file: BinaryIO) -> None:
        """Make an object of the bytes of a file."""
        self._tried(name, partial(_upload, file))

    def holds_files(self) -> bool:
        """Whether there is any object in the folder."""
        fs = pyarrow("pyarrow.fs")

        def find(system: Any, path: str) -> Any:
            return system.get_file_info(fs.FileSelector(path, recursive=True, allow_not_found=True))

        return any(info.type == fs.FileType.File for info in self._tried("", find))

    def _tried(self, name: str, action: Any) -> Any:
        address = f"{self.address}/{name}".rstrip("/")
        system, path = store_of(address)
        return tried(address, lambda: action(system, path), "written")


def _read(system: Any, path: str) -> bytes:
    with system.open_input_stream(path, compression=None) as stream:
        return cast(bytes, stream.read())


def _write(data: bytes, system: Any, path: str) -> None:
    with system.open_output_stream(path, compression=None) as stream:
        stream.write(data)


def _upload(file: BinaryIO, system: Any, path: str) -> None:
    file.seek(0)
    with system.open_output_stream(path, compression=None) as stream:
        shutil.copyfileobj(file, stream, _PIECE)


class _Upload:
    """A file on this machine that becomes an object when it is committed."""

    def __init__(self, folder: StoreFolder, name: str) -> None:
        self._folder, self._name = folder, name
        self.stream = cast(BinaryIO, tempfile.TemporaryFile(prefix="webstrata-"))  # noqa: SIM115

    def commit(self) -> None:
        self.stream.flush()
        self.stream.seek(0, os.SEEK_END)
        self._folder.upload(self._name, self.stream)
        self.stream.close()

    def discard(self) -> None:
        self.stream.close()
