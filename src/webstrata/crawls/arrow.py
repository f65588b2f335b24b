"""The two packages of ``webstrata[scale]``, imported when they are first needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from webstrata.errors import from_extra

__all__ = ["fastwarc", "pyarrow"]


def pyarrow(module: str = "pyarrow") -> Any:
    """pyarrow, or one of its modules."""
    with from_extra("scale", "pyarrow"):
        return import_module(module)


def fastwarc(module: str = "fastwarc.warc") -> Any:
    """A module of fastwarc."""
    with from_extra("scale", "fastwarc"):
        return import_module(module)
