"""The two packages of ``webstrata[scale]``, imported when they are first needed."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import MetaPathFinder
from typing import Any

from webstrata.errors import from_extra

__all__ = ["fastwarc", "pyarrow", "without_pandas"]


def pyarrow(module: str = "pyarrow") -> Any:
    """pyarrow, or one of its modules."""
    with from_extra("scale", "pyarrow"):
        return import_module(module)


def fastwarc(module: str = "fastwarc.warc") -> Any:
    """A module of fastwarc."""
    with from_extra("scale", "fastwarc"):
        return import_module(module)


def without_pandas() -> None:
    """Keep pyarrow from loading pandas in this process, which it would ask about every list, after half a second.

    pyarrow looks for it once, and here it finds none; other code can still import it.
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
