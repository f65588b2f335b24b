"""Ranks of a graph, without bias and by topic: in memory, or as a folder of NumPy files that are mapped into memory."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from webstrata._array_checks import ArrayCheck, ArrayChecks, indices, offsets
from webstrata.errors import InputError
from webstrata.files import ArrayFormat, new_folder
from webstrata.links.graph import LinkGraph
from webstrata.links.topics import Topics
from webstrata.text import Column

__all__ = ["Ranks", "carried"]

_FORMAT = ArrayFormat(
    name="folder of ranks", kind="ranks", version=2, command="webstrata links rank", about="ranks.json"
)
_ARRAYS: ArrayChecks = {
    "unbiased": ArrayCheck(("f",), ("pages",)),
    "biased": ArrayCheck(("f",), (None,)),
    "topic_start": offsets("topics", into="topic pages"),
    "topic_pages": indices("topic pages", of="pages", kind="int64"),
}


@dataclass(frozen=True, eq=False, repr=False)
class Ranks:
    """The ranks of a graph.

    Attributes
    ----------
    unbiased : the rank of each page
    topics : the topics of the biased ranks
    biased : the ranks by topic, a column each
    method : the `repr` of the method that made them
    """

    unbiased: Column
    topics: Topics
    biased: Column
    method: str

    def __repr__(self) -> str:
        return f"<Ranks of {len(self.unbiased)} pages and {len(self.topics)} topics by {self.method}>"

    def save(self, folder: str | Path) -> None:
        """Write the ranks to a new folder, which appears as a whole or not at all."""
        sizes = np.cumsum([0, *map(len, self.topics.pages)])
        arrays = {
            "unbiased": self.unbiased,
            # Column by column, since the ranks of one topic are read together.
            "biased": np.ravel(self.biased, order="F"),
            "topic_start": sizes,
            "topic_pages": np.concatenate([np.empty(0, np.int64), *self.topics.pages]),
        }
        with new_folder(folder) as new:
            _FORMAT.write(new, arrays, {"method": self.method, "topics": self.topics.names})

    @classmethod
    def open(cls, folder: str | Path) -> Ranks:
        """Ranks from their folder."""
        folder = Path(folder)
        facts = _FORMAT.read_facts(folder)
        arrays = _FORMAT.read_arrays(folder, facts, _ARRAYS)
        try:
            unbiased, start = arrays["unbiased"], arrays["topic_start"]
            names = tuple(map(str, facts["topics"]))
            biased = arrays["biased"].reshape(len(unbiased), len(names), order="F")
            pages = tuple(arrays["topic_pages"][a:b] for (a, b), _ in zip(pairwise(start), names, strict=True))
            return cls(unbiased, Topics(names, pages), biased, str(facts["method"]))
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{folder} is damaged: its numbers do not fit together; make the ranks again") from error

    @property
    def relative(self) -> tuple[Column, Column]:
        """The unbiased and the biased ranks as multiples of their means."""
        biased, unbiased = np.asarray(self.biased), np.asarray(self.unbiased)
        mean = biased.mean(axis=0) if len(biased) else np.ones(biased.shape[1])
        return unbiased / (unbiased.mean() if len(unbiased) else 1.0), biased / np.where(mean > 0, mean, 1.0)


def carried(older: LinkGraph, ranks: Column, graph: LinkGraph) -> Column:
    """The ranks of an older graph for the pages of another one, found by URL; new pages get the mean rank.

    >>> from webstrata.links.graph import build_graph
    >>> older = build_graph(["http://a.org/", "http://b.org/"], [], [])
    >>> carried(older, np.array([1.0, 3.0]), build_graph(["http://a.org/", "http://c.org/", "http://b.org/"], [], []))
    array([1., 3., 2.])
    """
    if len(ranks) != older.pages:
        raise InputError(f"there are ranks of {len(ranks)} pages and a graph of {older.pages}: use ranks of that graph")
    if (older.pages and not len(older.urls)) or (graph.pages and not len(graph.urls)):
        raise InputError("a graph without URLs has no ranks to carry to another one")
    place = older.find(graph.urls)
    found = np.asarray(ranks, np.float64)
    mean = found.mean(axis=0) if len(found) else np.ones(found.shape[1:])
    known = (place >= 0).reshape((-1,) + (1,) * (found.ndim - 1))
    return np.where(known, found[np.maximum(place, 0)] if len(found) else mean, mean)
