"""The two packages of ``webstrata[scale]``, imported when they are first needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from webstrata.errors import MissingExtra

__all__ = ["fastwarc", "pyarrow"]


def pyarrow(module: str = "pyarrow") -> Any:
    """pyarrow, or one of its modules."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra("scale", "pyarrow") from error


def fastwarc(module: str = "fastwarc.warc") -> Any:
    """A module of fastwarc."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra("scale", "fastwarc") from error
