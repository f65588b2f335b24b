"""The formats of the folders that make up a search index."""

from __future__ import annotations

from webstrata.files import ArrayFormat

__all__ = ["INDEX", "MODEL", "SHARD"]


# Of the files, and of what the names of rankings in them stand for.
_VERSION = 2


def _format(name: str, kind: str) -> ArrayFormat:
    return ArrayFormat(name=name, kind=kind, version=_VERSION, command="webstrata search index")


INDEX = _format("search index", "index")
SHARD = _format("shard of a search index", "shard")
MODEL = _format("model of a search index", "model")
