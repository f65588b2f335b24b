"""The formats of the folders that make up a search index."""

from __future__ import annotations

from webstrata.files import ArrayFormat

__all__ = ["DEAD", "INDEX", "MODEL", "SHARD"]


# The version of the files and of the rankings that are named in them.
_VERSION = 6


def _format(name: str, kind: str) -> ArrayFormat:
    return ArrayFormat(name=name, kind=kind, version=_VERSION, command="webstrata search index")


INDEX = _format("search index", "index")
SHARD = _format("shard of a search index", "shard")
MODEL = _format("model of a search index", "model")
DEAD = _format("list of deleted pages of a search index", "dead")
