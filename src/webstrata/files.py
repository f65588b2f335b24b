"""Files and folders that appear as a whole or not at all, and folders of arrays with a version.

What is being written has the temporary name ``.webstrata-<random>.tmp``. Once all bytes are on disk (fsync), it is
renamed. A killed process can leave such a file or folder behind; `remove_temporary` deletes them.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tokenize import TokenError
from typing import Any, BinaryIO

import numpy as np

from webstrata._array_checks import ArrayChecks, check_arrays
from webstrata.errors import InputError
from webstrata.text import Column

__all__ = [
    "ArrayFormat",
    "NewFile",
    "files_below",
    "full_disk",
    "new_folder",
    "open_regular",
    "read_json",
    "readable",
    "remove_temporary",
    "temporary_folder",
    "write_file",
    "write_json",
]

_PREFIX, _SUFFIX = ".webstrata-", ".tmp"
# Files that are brought to disk at once: three to five times as fast as one after the other, on ext4.
_SYNCS = 16


def _temporary(path: Path) -> Path:
    """A new name in the folder of ``path``: a rename is atomic within one file system only."""
    return path.with_name(f"{_PREFIX}{secrets.token_hex(8)}{_SUFFIX}")


def remove_temporary(folder: str | Path) -> None:
    """Delete what killed processes left anywhere below a folder. No other process may be writing there."""
    for path in sorted(Path(folder).rglob(f"{_PREFIX}*{_SUFFIX}")):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def full_disk(error: BaseException | None) -> InputError | None:
    """The error for users if this one means that a disk, a quota or the largest file is full; None for other errors.

    >>> print(full_disk(OSError(errno.ENOSPC, "No space left on device")))
    the disk is full: free some space and run the command again, with --resume if it has that option
    """
    if not isinstance(error, OSError):
        return None
    # NumPy gives no number: "4096 requested and 1024 written".
    if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) and not str(error).endswith(" written"):
        return None
    return InputError(
        "the disk is full: free some space and run the command again, with --resume if it has that option"
    )


class NewFile:
    """A file that gets its name when it is committed. Its ``with`` block commits, unless it ends with an error.

    Attributes
    ----------
    path : the name, which a file may have already: that file is replaced
    stream : what to write to

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "a.txt")
    ...     with NewFile(path) as file:
    ...         count = file.stream.write(b"one")
    ...         print(path.exists())
    ...     print(path.read_bytes())
    False
    b'one'
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._temporary = _temporary(self.path)
        # Fails if the file exists, and gives it the permissions that `open` would give.
        descriptor = os.open(self._temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        self.stream: BinaryIO = open(descriptor, "w+b")  # noqa: SIM115

    def __enter__(self) -> NewFile:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        try:
            if kind is None and not self.stream.closed:
                self.commit()
        finally:
            self.discard()

    def commit(self) -> None:
        """Bring the bytes to disk, and then the name."""
        self.stream.flush()
        os.fsync(self.stream.fileno())
        self.stream.close()
        os.replace(self._temporary, self.path)
        _sync(self.path.parent)

    def discard(self) -> None:
        """Delete what was written, unless it is committed."""
        with suppress(OSError):  # on a full disk, the buffer cannot be written
            self.stream.close()
        self._temporary.unlink(missing_ok=True)


def write_file(path: str | Path, data: str | bytes) -> None:
    """Write a file as a whole, in place of one that may exist. Lone surrogates of a text become question marks."""
    with NewFile(path) as file:
        file.stream.write(data.encode("utf-8", "replace") if isinstance(data, str) else data)


def write_json(path: str | Path, value: Mapping[str, Any]) -> None:
    """Write a JSON object as a file, as a whole, in ASCII: escapes keep lone surrogates, which file names may have."""
    import json  # slow to import; reading a model does not need it

    write_file(path, json.dumps(value, indent=1) + "\n")


# Facts about a folder have some kilobytes; JSON takes about ten times as much memory.
_LONGEST_JSON = 1 << 26


def read_json(path: str | Path, wrong: str) -> dict[str, Any]:
    """The JSON object in a file; `InputError` with the message ``wrong`` if there is none, or only a very large one."""
    import json

    try:
        with open_regular(path) as stream:
            data = stream.read(_LONGEST_JSON + 1)
        if len(data) > _LONGEST_JSON:
            raise InputError(wrong)
        value = json.loads(data)
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(wrong) from error
    if not isinstance(value, dict):
        raise InputError(wrong)
    return value


def open_regular(path: str | Path) -> BinaryIO:
    """Open a regular file to read. A pipe, which may block, and a device, which may never end, are `InputError`."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return open(descriptor, "rb")
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    raise InputError(f"cannot read {path}: it is a pipe or a device; name a file, or - for the standard input")


def files_below(folder: str | Path) -> list[Path]:
    """The regular files below a folder, sorted by path. Links that lead out of it are left out."""
    inside = Path(folder).resolve()
    paths = (Path(top, name) for top, _, names in os.walk(folder) for name in names)
    return sorted(
        path for path in paths if path.is_file() and (not path.is_symlink() or path.resolve().is_relative_to(inside))
    )


@contextmanager
def temporary_folder(parent: str | Path) -> Iterator[Path]:
    """An empty folder in another one, which is deleted at the end of the ``with`` block."""
    folder = _temporary(Path(parent) / "folder")
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def new_folder(folder: str | Path) -> Iterator[Path]:
    """An empty folder to write to, which gets its name at the end of the ``with`` block; an error deletes it."""
    folder = Path(folder)
    if folder.exists():
        raise InputError(f"{folder} is there already: name a new folder")
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = _temporary(folder)
    temporary.mkdir()
    try:
        yield temporary
        _sync_all([*temporary.rglob("*"), temporary])
        os.rename(temporary, folder)
    except BaseException as error:
        shutil.rmtree(temporary, ignore_errors=True)
        if full := full_disk(error):
            raise full from error
        if isinstance(error, OSError) and error.errno in (errno.ENOTEMPTY, errno.EEXIST):
            raise InputError(f"{folder} was made in the meantime: name a new folder") from error
        raise
    _sync(folder.parent)


@contextmanager
def readable(source: object, advice: str) -> Iterator[None]:
    """Errors from reading a damaged Parquet file as an `InputError` that names it and says what to do."""
    try:
        yield
    except InputError:
        raise
    # pyarrow raises subclasses of these; a column of another type, or without values, raises the last two.
    except (OSError, ValueError, KeyError, NotImplementedError, MemoryError, TypeError, AttributeError) as error:
        raise InputError(f"{source} is damaged ({error}): {advice}") from error


def _sync(path: Path) -> None:
    """Bring a file, or the names in a folder, to disk. Windows cannot open folders, and brings names to disk itself."""
    if os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_all(paths: list[Path]) -> None:
    """Bring many files to disk. Asked for several at once, a file system writes its journal once for all of them."""
    if len(paths) < _SYNCS:
        for path in paths:
            _sync(path)
        return
    from concurrent.futures import ThreadPoolExecutor  # slow to import

    with ThreadPoolExecutor(_SYNCS) as pool:
        list(pool.map(_sync, paths))


@dataclass(frozen=True, kw_only=True)
class ArrayFormat:
    """The format of folders that hold arrays in NumPy files, and facts about them in a JSON file.

    The size and type of every array is written beside the facts and compared when it is read, so that a damaged folder
    is refused.

    Parameters
    ----------
    name : what such a folder is, for messages
    kind : the same in one word, which is written to the JSON file
    version : only folders of the same version are read
    command : the command that makes such folders
    about : the name of the JSON file
    """

    name: str
    kind: str
    version: int
    command: str
    about: str = "about.json"

    def write(self, folder: Path, arrays: Mapping[str, Column], facts: Mapping[str, Any]) -> None:
        """Write arrays and facts into an existing folder, most often one of `new_folder`."""
        for name, array in arrays.items():
            np.save(folder / f"{name}.npy", np.ascontiguousarray(array), allow_pickle=False)
        self.describe(folder, arrays, facts)

    def describe(self, folder: Path, names: Iterable[str], facts: Mapping[str, Any]) -> None:
        """Write the facts into a folder in which the arrays of these names are already."""
        arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False) for name in names}
        files = {name: [(folder / f"{name}.npy").stat().st_size, str(array.dtype)] for name, array in arrays.items()}
        write_json(folder / self.about, {"version": self.version, "kind": self.kind, **facts, "files": files})

    def read_facts(self, folder: Path) -> dict[str, Any]:
        """The facts of a folder."""
        wrong = f"{folder} is no {self.name}: make one with `{self.command}`"
        facts = read_json(folder / self.about, wrong)
        version = facts.get("version", self.version)
        if version != self.version:
            raise InputError(
                f"{folder} has version {version} of the format, and this webstrata reads version {self.version} of a"
                f" {self.name}: make it again with `{self.command}`"
            )
        if facts.get("kind") != self.kind or not isinstance(facts.get("files"), dict):
            raise InputError(wrong)
        return facts

    def read_arrays(self, folder: Path, facts: Mapping[str, Any], checks: ArrayChecks) -> dict[str, Column]:
        """The arrays of a folder that have checks, mapped into memory and checked."""
        arrays = {}
        for name in checks:
            path = folder / f"{name}.npy"
            try:
                size, kind = facts["files"][name]
                array = np.load(path, mmap_mode="r", allow_pickle=False)
                whole = path.stat().st_size == size and array.dtype == np.dtype(kind)
            # A damaged header can raise any of these.
            except (OSError, ValueError, EOFError, KeyError, TypeError, OverflowError, TokenError) as error:
                raise InputError(f"{path} is damaged or missing: make {folder} again with `{self.command}`") from error
            if not whole:
                raise InputError(f"{path} is damaged: make {folder} again with `{self.command}`")
            # Slicing a plain array is several times faster than slicing a memory map.
            arrays[name] = array.view(np.ndarray)
        check_arrays(arrays, checks, source=folder, advice=f"make it again with `{self.command}`")
        return arrays
