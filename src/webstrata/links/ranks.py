"""Ranks on disk: a folder with the ranks of a graph without bias and by topic, mapped into memory when opened."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from webstrata.errors import InputError
from webstrata.links.topics import Topics
from webstrata.text import Column

__all__ = ["Ranks"]

_VERSION = 1


@dataclass(frozen=True, eq=False)
class Ranks:
    """The ranks of a graph.

    Attributes
    ----------
    unbiased : the rank of each page
    topics : what the others are biased on
    biased : the ranks by topic, a column each
    method : what made them
    """

    unbiased: Column
    topics: Topics
    biased: Column
    method: str

    def save(self, folder: Path) -> None:
        """Write the ranks. The folder appears as a whole or not at all, and must not be there yet."""
        if folder.exists():
            raise InputError(f"{folder} is there already: name a new folder")
        folder.parent.mkdir(parents=True, exist_ok=True)
        hidden = folder.with_name(f".{folder.name}.tmp")
        shutil.rmtree(hidden, ignore_errors=True)
        hidden.mkdir()
        sizes = np.cumsum([0, *map(len, self.topics.pages)])
        arrays = {
            "unbiased": self.unbiased,
            "biased": np.asfortranarray(self.biased),
            "topic_start": sizes,
            "topic_pages": np.concatenate([np.empty(0, np.int64), *self.topics.pages]),
        }
        for name, array in arrays.items():
            np.save(hidden / f"{name}.npy", array)
        about = {"version": _VERSION, "method": self.method, "topics": self.topics.names}
        (hidden / "ranks.json").write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        os.rename(hidden, folder)

    @classmethod
    def open(cls, folder: Path) -> Ranks:
        """Ranks from their folder."""
        try:
            about = json.loads((folder / "ranks.json").read_text(encoding="utf-8"))
            version = about["version"]
            names = ("unbiased", "biased", "topic_start", "topic_pages")
            unbiased, biased, start, pages = (np.load(folder / f"{name}.npy", mmap_mode="r") for name in names)
            topics = Topics(tuple(about["topics"]), tuple(np.split(pages, start[1:-1])) if len(start) > 1 else ())
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{folder} holds no ranks: make them with `webstrata links rank`") from error
        if version != _VERSION:
            raise InputError(f"{folder} has version {version} of ranks, this is {_VERSION}: make them again")
        if biased.shape != (len(unbiased), len(topics.names)) or len(start) != len(topics.names) + 1:
            raise InputError(f"{folder} is damaged: its numbers do not fit together; make the ranks again")
        return cls(unbiased, topics, biased, str(about["method"]))

    @property
    def relative(self) -> tuple[Column, Column]:
        """The unbiased and the biased ranks as multiples of their means."""
        biased, unbiased = np.asarray(self.biased), np.asarray(self.unbiased)
        mean = biased.mean(axis=0) if len(biased) else np.ones(biased.shape[1])
        return unbiased / (unbiased.mean() if len(unbiased) else 1.0), biased / np.where(mean > 0, mean, 1.0)
