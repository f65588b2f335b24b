"""Floors under the scores: a change for the worse is told, and lowering a floor takes a word of its own.

The file is JSON: for each data set its checksum, and for each algorithm, input and metric the floor of the mean.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from webstrata.errors import InputError
from webstrata.evaluation.datasets.base import Card
from webstrata.evaluation.reports.tables import series
from webstrata.evaluation.scores import Row

__all__ = ["Fall", "check_floors", "checksum", "pin_floors"]

# Means are sums of rounded numbers, whose order may differ between machines.
_TOLERANCE = 1e-6
_DIGITS = 6


@dataclass(frozen=True)
class Fall:
    """A mean below its floor; the name is that of an algorithm, an input and a metric."""

    dataset: str
    name: str
    floor: float
    mean: float

    def __str__(self) -> str:
        return f"{self.name} on {self.dataset}: {self.mean:.6f} is below {self.floor:.6f}"


def checksum(card: Card) -> str:
    """A sum over the files of a data set."""
    told = "".join(f"{name} {value}\n" for name, value in sorted(card.files.items()))
    return hashlib.sha256(told.encode()).hexdigest()


def check_floors(path: Path, cards: Sequence[Card], rows: Sequence[Row]) -> list[Fall]:
    """The means that are below their floors.

    Only data sets and algorithms that have floors are checked; one that has a floor and no score is an error, as is
    a data set other than the one that the floors were pinned on.
    """
    floors, means = _read(path), _means(rows)
    falls = []
    for card in cards:
        pinned = floors.get(card.name)
        if pinned is None:
            raise InputError(f"{path} has no floors for data set {card.name!r}: pin them first")
        if pinned["checksum"] != checksum(card):
            raise InputError(f"data set {card.name!r} is not the one that the floors in {path} were pinned on")
        for name, floor in pinned["floors"].items():
            mean = means.get((card.name, name))
            if mean is None:
                raise InputError(
                    f"there is a floor for {name} on {card.name}, and no score: run it, or delete the floor"
                )
            if mean < floor - _TOLERANCE:
                falls.append(Fall(card.name, name, floor, mean))
    return falls


def pin_floors(path: Path, cards: Sequence[Card], rows: Sequence[Row], *, lower: bool = False) -> list[Fall]:
    """Raise the floors to the means; give those that would fall, which are left alone unless ``lower`` is true."""
    floors = _read(path) if path.is_file() else {}
    means = _means(rows)
    falls = []
    for card in cards:
        pinned = floors.get(card.name, {"floors": {}})
        same = pinned.get("checksum") == checksum(card)
        kept: dict[str, float] = dict(pinned["floors"]) if same else {}
        for (dataset, name), mean in means.items():
            if dataset != card.name:
                continue
            if name in kept and mean < kept[name] - _TOLERANCE:
                falls.append(Fall(dataset, name, kept[name], mean))
                if not lower:
                    continue
            kept[name] = round(mean, _DIGITS)
        floors[card.name] = {"checksum": checksum(card), "floors": dict(sorted(kept.items()))}
    path.write_text(json.dumps(floors, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return falls


def _means(rows: Sequence[Row]) -> dict[tuple[str, str], float]:
    return {
        (item.dataset, f"{algorithm} | {item.input} | {item.metric}"): fmean(item.values(algorithm))
        for item in series(rows)
        for algorithm in item.rows
    }


def _read(path: Path) -> dict[str, Any]:
    try:
        floors: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read floors from {path}: {error}") from error
    return floors
