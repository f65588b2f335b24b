"""The two packages of ``webstrata[scale]``, imported on first use; those of `webstrata._arrow` included."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import MetaPathFinder
from typing import Any

from webstrata._arrow import pyarrow, rows_with_arrays, signed, unsigned
from webstrata.errors import from_extra

__all__ = ["fastwarc", "pyarrow", "rows_with_arrays", "signed", "unsigned", "without_pandas"]


def fastwarc(module: str = "fastwarc.warc") -> Any:
    """A module of fastwarc."""
    with from_extra("scale", "fastwarc"):
        return import_module(module)


def without_pandas() -> None:
    """Keep pyarrow from loading pandas in this process, which would take half a second.

    pyarrow asks for pandas once, when it first converts a list. It is hidden at that moment; other code can import it.
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
