"""Algorithms by name: ours, and those that other packages register through entry points.

An algorithm is a class with keyword-only parameters; its ``repr`` rebuilds it. Its module is imported when it is asked
for, so that listing names costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Generic, TypeVar

from webstrata.errors import InputError

__all__ = ["Entry", "Registry"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Entry:
    """Where an algorithm is, which paper it comes from, and what it needs besides a page."""

    location: str
    paper: str = ""
    needs: str = ""


class Registry(Generic[T]):
    """The algorithms of one kind.

    Parameters
    ----------
    kind : what the algorithms are, for messages ("segmenter")
    group : the entry-point group under which other packages add theirs
    entries : ours, by name
    """

    def __init__(self, kind: str, group: str, entries: Mapping[str, Entry]) -> None:
        self.kind = kind
        self.group = group
        self._entries = dict(entries)

    def entries(self) -> dict[str, Entry]:
        """All algorithms by name; ours cannot be replaced from outside."""
        others = {
            point.name: Entry(point.value, "", point.dist.name if point.dist else "")
            for point in entry_points(group=self.group)
        }
        return {**others, **self._entries}

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self.entries()))

    def make(self, name: str, **parameters: Any) -> T:
        """The algorithm of that name with these parameters."""
        # Ours first: looking through all installed packages for entry points takes longer than most pages.
        entry = self._entries.get(name) or self.entries().get(name)
        if entry is None:
            raise InputError(f"no {self.kind} is called {name!r}: choose one of {', '.join(self)}")
        module, _, attribute = entry.location.partition(":")
        factory = getattr(import_module(module), attribute)
        try:
            algorithm: T = factory(**parameters)
        except TypeError as error:
            raise InputError(f"{self.kind} {name!r}: {error}") from error
        return algorithm
