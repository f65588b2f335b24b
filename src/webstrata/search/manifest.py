"""The manifest of an index: which parts in its folder are in use.

A commit writes new parts beside the old ones and then replaces the manifest, ``about.json``, in one rename. So a reader
sees the pages of one commit, and a process that is killed leaves those of the commit before.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from webstrata._array_checks import indices
from webstrata.errors import InputError
from webstrata.search.analyser import Analyser
from webstrata.search.files import DEAD, INDEX
from webstrata.text import Column

__all__ = ["DeadPages", "Manifest", "number_of_part", "part_name"]

_PART = re.compile(r"(shard|model|dead)-([0-9]{5,12})")


def part_name(kind: str, number: int) -> str:
    """The name of a part.

    >>> part_name("shard", 7)
    'shard-00007'
    """
    return f"{kind}-{number:05}"


def number_of_part(name: str, kind: str = "") -> int:
    """The number in the name of a part, of some kind if that is given; -1 if it is none.

    >>> number_of_part("model-00012"), number_of_part("model-00012", "shard"), number_of_part("../model-00012")
    (12, -1, -1)
    """
    found = _PART.fullmatch(name)
    return int(found[2]) if found and kind in ("", found[1]) else -1


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """The parts of an index.

    Attributes
    ----------
    analyser : reads the terms of its pages
    shards : the names of the shards, in order
    model : the name of the model
    dead : the name of the part with the pages that do not count; "" if the model is up to date and knows them
    next : the number of the next part
    """

    analyser: Analyser
    shards: tuple[str, ...]
    model: str
    dead: str = ""
    next: int

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """The manifest of an index."""
        about = INDEX.read_facts(folder)
        try:
            found = cls(
                analyser=Analyser(**about["analyser"]), shards=tuple(str(name) for name in about["shards"]),
                model=str(about["model"]), dead=str(about.get("dead", "")), next=int(about["next"]),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise InputError(f"{folder} is damaged: build the index again") from error
        found._check(folder)
        return found

    def _check(self, folder: Path) -> None:
        """Refuse names that lead elsewhere, and a number that would overwrite a part."""
        numbers = [number_of_part(self.model, "model"), *(number_of_part(name, "shard") for name in self.shards)]
        if self.dead:
            numbers.append(number_of_part(self.dead, "dead"))
        texts = all(isinstance(value, str) for value in asdict(self.analyser).values())
        if not texts or not 0 <= min(numbers) <= max(numbers) < self.next < 10**12:
            raise InputError(f"{folder} is damaged (its parts are not those of an index): build the index again")

    def write(self, folder: Path) -> None:
        """Make this the manifest of the folder, at once."""
        INDEX.write(folder, {}, {**asdict(self), "shards": list(self.shards)})

    @property
    def parts(self) -> frozenset[str]:
        """The names of all parts."""
        return frozenset((*self.shards, self.model, self.dead)) - {""}


@dataclass(frozen=True, eq=False)
class DeadPages:
    """Pages that are in the shards of an index and do not count: replaced and deleted ones.

    Attributes
    ----------
    page : their numbers, ascending
    pages : the number of all pages
    """

    page: Column
    pages: int

    @classmethod
    def of(cls, alive: Column) -> DeadPages:
        """Those of a column that says of each page whether it counts."""
        return cls(np.flatnonzero(~alive).astype(np.uint32), len(alive))

    @property
    def alive(self) -> Column:
        """For each page, whether it counts."""
        alive = np.ones(self.pages, bool)
        alive[self.page] = False
        return alive

    def save(self, folder: Path) -> None:
        """Write the part into an existing folder."""
        DEAD.write(folder, {"page": self.page}, {"pages": self.pages})

    @classmethod
    def open(cls, folder: Path) -> DeadPages:
        """The part from its folder."""
        facts: dict[str, Any] = DEAD.read_facts(folder)
        pages = facts.get("pages")
        if not isinstance(pages, int) or pages < 0:
            raise InputError(f"{folder} is damaged: build the index again")
        return cls(DEAD.read_arrays(folder, facts, {"page": indices("dead", of=pages)})["page"], pages)
