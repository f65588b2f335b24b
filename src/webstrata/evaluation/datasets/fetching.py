"""Puts the files of a data set from an address into the folder of data sets, after a check of each."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from webstrata.crawls.reading.stores import open_input
from webstrata.errors import InputError
from webstrata.evaluation.datasets.base import Card
from webstrata.files import NewFile

__all__ = ["fetch"]

_PIECE = 1 << 20


def fetch(
    card: Card, address: str, folder: Path, *, progress: Callable[[int], object] = lambda size: None
) -> list[Path]:
    """The files of a card, fetched from below an address or a folder; those that are there already are kept.

    A file is written under its name only when its SHA-256 is that of the card.

    Parameters
    ----------
    address : of the folder that has the files under the names of the card, such as ``https://example.org/data``
    folder : the folder of data sets
    progress : called with the bytes of each piece
    """
    found = []
    for name, expected in card.files.items():
        target = folder / name
        found.append(target)
        if target.exists() and _digest_of(target) == expected:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        _fetch_file(f"{address.rstrip('/')}/{name}", target, expected, progress)
    return found


def _fetch_file(source: str, target: Path, expected: str, progress: Callable[[int], object]) -> None:
    digest = hashlib.sha256()
    with open_input(source) as stream, NewFile(target) as file:
        while piece := stream.read(_PIECE):
            digest.update(piece)
            file.stream.write(piece)
            progress(len(piece))
        if digest.hexdigest() != expected:
            raise InputError(f"{source} is another file than the data set has: its SHA-256 is {digest.hexdigest()}")


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
