"""Floors for scores: a change that makes a mean worse fails, and floors fall only if asked to.

The file of floors is JSON: for each data set its checksum and the number of pages, and for each algorithm, input and
metric the floor of the mean.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from webstrata.errors import InputError
from webstrata.evaluation.datasets.base import Card
from webstrata.evaluation.reports.tables import series
from webstrata.evaluation.scores import Row
from webstrata.files import write_file

__all__ = ["TOLERANCE", "Fall", "check_floors", "checksum", "pin_floors"]

#: How far below its floor a mean may be: the order of a sum may differ between machines.
TOLERANCE = 1e-6
_DIGITS = 6


@dataclass(frozen=True)
class Fall:
    """A mean below its floor; the name consists of an algorithm, an input and a metric."""

    dataset: str
    name: str
    floor: float
    mean: float

    def __str__(self) -> str:
        return f"{self.name} on {self.dataset}: {self.mean:.6f} is below {self.floor:.6f}"


def checksum(card: Card) -> str:
    """A SHA-256 over the names and sums of the files of a data set."""
    lines = "".join(f"{name} {value}\n" for name, value in sorted(card.files.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def check_floors(path: Path, cards: Sequence[Card], rows: Sequence[Row], *, tolerance: float = TOLERANCE) -> list[Fall]:
    """The means that are below their floors.

    A floor without a score is an error, and so is a data set without floors or with other pages than those that its
    floors were pinned on. Scores without a floor are ignored.
    """
    floors = _read(path)
    falls = []
    for card in cards:
        if card.name not in floors:
            raise InputError(f"{path} has no floors for data set {card.name!r}: pin them first")
        if not _is_of(floors[card.name], card, rows):
            raise _other_pages(path, card)
        means = dict(_means(rows, card))
        for name, floor in floors[card.name]["floors"].items():
            if name not in means:
                raise InputError(
                    f"there is a floor for {name} on {card.name}, and no score: run it, or delete the floor"
                )
            if means[name] < floor - tolerance:
                falls.append(Fall(card.name, name, floor, means[name]))
    return falls


def pin_floors(
    path: Path,
    cards: Sequence[Card],
    rows: Sequence[Row],
    *,
    lower: bool = False,
    replace: bool = False,
    tolerance: float = TOLERANCE,
) -> list[Fall]:
    """Raise the floors to the means, and return the means that are below their floors.

    Parameters
    ----------
    path, cards, rows : the file of floors, the data sets, and their scores
    lower : lower the floors of those means as well
    replace : discard the floors of a data set that has other pages now; without it that is an error
    tolerance : how far below its floor a mean may be
    """
    floors = _read(path) if path.is_file() else {}
    falls = []
    for card in cards:
        kept: dict[str, float] = {}
        if card.name in floors:
            if _is_of(floors[card.name], card, rows):
                kept = dict(floors[card.name]["floors"])
            elif not replace:
                raise _other_pages(path, card)
        for name, mean in _means(rows, card):
            if name in kept and mean < kept[name] - tolerance:
                falls.append(Fall(card.name, name, kept[name], mean))
            if lower or mean > kept.get(name, -1.0):
                kept[name] = round(mean, _DIGITS)
        floors[card.name] = {**_pages(card, rows), "floors": dict(sorted(kept.items()))}
    write_file(path, (json.dumps(floors, indent=1, ensure_ascii=False) + "\n").encode())
    return falls


def _pages(card: Card, rows: Sequence[Row]) -> dict[str, Any]:
    """Which pages were scored."""
    return {"checksum": checksum(card), "pages": len({row.page for row in rows if row.dataset == card.name})}


def _is_of(pinned: dict[str, Any], card: Card, rows: Sequence[Row]) -> bool:
    """Whether floors were pinned on these pages."""
    return all(pinned.get(key) == value for key, value in _pages(card, rows).items())


def _other_pages(path: Path, card: Card) -> InputError:
    return InputError(
        f"the scores on {card.name!r} are of other pages than those that its floors in {path} were pinned on: score the"
        " same pages, or pin with --replace to discard the floors"
    )


def _means(rows: Sequence[Row], card: Card) -> Iterator[tuple[str, float]]:
    for item in series(row for row in rows if row.dataset == card.name):
        for algorithm in item.rows:
            yield f"{algorithm} | {item.input} | {item.metric}", fmean(item.values(algorithm))


def _read(path: Path) -> dict[str, Any]:
    try:
        floors: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read floors from {path}: {error}") from error
    return floors
