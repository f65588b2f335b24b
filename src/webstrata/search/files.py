"""Folders of NumPy files that are whole or refused: every file's size is kept beside them and compared when opened."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from webstrata.errors import InputError
from webstrata.text import Column

__all__ = ["publish", "read_about", "read_arrays", "scratch", "write_arrays"]

_ABOUT = "about.json"


def scratch(folder: Path) -> Path:
    """An empty folder beside the one that is to be written, with a hidden name."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    hidden = folder.with_name(f".{folder.name}.tmp")
    shutil.rmtree(hidden, ignore_errors=True)
    hidden.mkdir()
    return hidden


def publish(hidden: Path, folder: Path) -> None:
    """Give a folder its name, once what it holds is on disk."""
    for path in (*hidden.rglob("*"), hidden, folder.parent):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    os.rename(hidden, folder)


def write_arrays(folder: Path, arrays: Mapping[str, Column], about: Mapping[str, Any]) -> None:
    """Write arrays as files of a folder that is there, and what is to be known of them."""
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", np.ascontiguousarray(array), allow_pickle=False)
    files = {name: [(folder / f"{name}.npy").stat().st_size, str(array.dtype)] for name, array in arrays.items()}
    text = json.dumps({**about, "files": files}, indent=1, ensure_ascii=False) + "\n"
    (folder / _ABOUT).write_text(text, encoding="utf-8")


def read_about(folder: Path, version: int, kind: str) -> dict[str, Any]:
    """What is to be known of a folder of this kind."""
    try:
        about = json.loads((folder / _ABOUT).read_text(encoding="utf-8"))
        found = about["version"], about["kind"], about["files"].items()
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{folder} is no search {kind}: make one with `webstrata search index`") from error
    if found[1] != kind:
        raise InputError(f"{folder} is no search {kind}: make one with `webstrata search index`")
    if found[0] != version:
        raise InputError(f"{folder} has version {found[0]} of search indexes, this is {version}: build it again")
    return dict(about)


def read_arrays(folder: Path, about: Mapping[str, Any]) -> dict[str, Column]:
    """The arrays of a folder, mapped into memory; refused where a file is not as it was written."""
    arrays = {}
    for name, (size, kind) in about["files"].items():
        path = folder / f"{name}.npy"
        try:
            if path.stat().st_size != size:
                raise InputError(f"{path} is damaged: it has not the size it was written with; build the index again")
            array = np.load(path, mmap_mode="r", allow_pickle=False)
        except InputError:
            raise
        except (OSError, ValueError, EOFError) as error:
            raise InputError(f"{path} is damaged or missing: build the index again") from error
        if array.dtype != np.dtype(kind) or array.ndim != 1:
            raise InputError(f"{path} is damaged: it holds other numbers than it was written with; build it again")
        # As a plain array, which is several times faster to slice than a memory map.
        arrays[name] = array.view(np.ndarray)
    return arrays
