"""The model of the learned segmenter: a file of arrays, and the scores that it gives to the candidates of a page.

The file holds, once for plain pages and once for rendered ones, the trees that recognise segments, the trees for each
kind of segment, and the threshold that did best on pages outside of the training data of the trees. Tiny candidates get
no score; those that the first trees score low skip the others. The names of all features are stored as well, so that a
file that does not fit the code is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from pathlib import Path
from typing import IO, Literal

import numpy as np
import numpy.typing as npt

from webstrata._array_checks import ArrayCheck, ArrayChecks
from webstrata._boxes import Boxes, Rendered, TextBoxes, seen_blocks
from webstrata._once import once
from webstrata.errors import InputError
from webstrata.models.files import Arrays, check, load_model, save_arrays, tree_checks, trees_of
from webstrata.models.trees import Trees
from webstrata.page import Page, parse
from webstrata.segmentation.learned.candidates import Candidates
from webstrata.segmentation.learned.features import feature_names, features
from webstrata.segmentation.learned.visual import Looks

__all__ = ["ALL_KINDS", "KINDS", "VERSION", "DescribedPage", "Mode", "SegmenterModel", "columns", "shipped"]

VERSION = 2

#: What a segment can be (Kreuzer 2013 §4.2.3), those of the first level first.
KINDS = (
    "Header Footer Content Sidebar Logo Menu Title LinkList Table Comments Ad Image Video Article Searchbar"
).split()

#: All kinds of segments: those, and what tags, names and repetition show (see `webstrata.segmentation.learned.cover`).
ALL_KINDS = (*KINDS, "Item", "Form", "Overlay")

#: Which trees are used: those for plain pages, or those for rendered pages.
Mode = Literal["plain", "boxes"]

# Candidates in the matrix at a time, so that it takes 8 MB at most.
_ROWS = 8192

# The log-odds of tiny candidates, as low as those that the first trees drop.
_TINY = -5.0

Floats = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int32]

_TREES = ("start", "segment", *(f"kind_{kind}" for kind in KINDS))
_CHECKS: ArrayChecks = {
    name: item
    for mode in ("plain", "boxes")
    for checks in (
        {f"{mode}_{name}": ArrayCheck(("f",), ()) for name in ("cut", "start_no", "start_rest")},
        *(tree_checks(f"{mode}_{name}") for name in _TREES),
    )
    for name, item in checks.items()
}


@cache
def columns(mode: Mode) -> tuple[str, ...]:
    """The names of the features, as the code that fills them says them: it is run on a page of one word."""
    page = parse(b"<p>word")
    found = Candidates(page)
    if mode == "plain":
        return feature_names(found)
    nothing = np.zeros(len(page.elements), np.uint8)
    text = TextBoxes(*(np.zeros(len(page.blocks), np.float32) for _ in range(4)))
    boxes = Boxes(**{item.name: text if item.name == "text" else nothing for item in fields(Boxes)})  # type: ignore[arg-type]
    return feature_names(found) + Looks(found, boxes, page, np.zeros(len(page.blocks), bool)).names()


@dataclass(frozen=True, eq=False)
class DescribedPage:
    """The candidates of a page with what is seen of them."""

    page: Page
    candidates: Candidates
    looks: Looks | None

    @classmethod
    def of(cls, page: Page | Rendered) -> DescribedPage:
        if isinstance(page, Page):
            return cls(page, Candidates(page), None)
        found = Candidates(page.page)
        return cls(page.page, found, Looks(found, page.boxes, page.page, seen_blocks(page)))

    @property
    def mode(self) -> Mode:
        return "plain" if self.looks is None else "boxes"

    def matrix(self, rows: Rows) -> Matrix:
        """The features of some candidates, one row each."""
        plain = len(columns("plain"))
        found = np.empty((len(rows), len(columns(self.mode))), np.float32)
        features(self.candidates, rows, found, plain)
        if self.looks is not None:
            self.looks.fill(rows, found, plain, found.shape[1] - plain)
        return found

    def parts(self, rows: Rows) -> Iterator[Matrix]:
        """The features of some candidates, some thousand rows at a time."""
        for first in range(0, len(rows), _ROWS):
            yield self.matrix(rows[first : first + _ROWS])


@dataclass(frozen=True, eq=False, repr=False)
class SegmenterModel:
    """The arrays of a model, by name. Made by `webstrata.training`, or read from a file."""

    arrays: Arrays

    def __post_init__(self) -> None:
        version = self.arrays.get("version")
        if version is None or version.shape != () or version.dtype.kind not in "iu" or int(version) != VERSION:
            raise InputError(f"this is no segmenter of version {VERSION}: train one with `webstrata train --segmenter`")
        names = self.arrays.get("columns")
        if names is None or names.ndim != 1 or tuple(names.tolist()) != columns("boxes"):
            raise InputError("the segmenter was trained with other features: use `webstrata train --segmenter`")
        check(self.arrays, _CHECKS, command="webstrata train --segmenter")

    @classmethod
    def load(cls, file: str | Path | IO[bytes]) -> SegmenterModel:
        """Read a model."""
        return load_model(cls, file)

    def save(self, file: str | Path) -> None:
        """Write the model."""
        save_arrays(file, self.arrays)

    @once
    def _trees(self) -> dict[str, Trees]:
        try:
            found = {
                f"{mode}_{name}": trees_of(self.arrays, f"{mode}_{name}")
                for mode in ("plain", "boxes")
                for name in _TREES
            }
        except ValueError as error:
            raise InputError(
                f"the segmenter is damaged ({error}): train it again with `webstrata train --segmenter`"
            ) from error
        if any(trees.width > len(columns("plain" if "plain" in name else "boxes")) for name, trees in found.items()):
            raise InputError(
                "the segmenter is damaged (its trees need more features):"
                " train it again with `webstrata train --segmenter`"
            )
        return found

    def cut(self, mode: Mode) -> float:
        """The default threshold in log-odds (see `webstrata.segmentation.learned.decoding.select`)."""
        return float(self.arrays[f"{mode}_cut"])

    def scores(self, page: DescribedPage) -> Floats:
        """For each candidate the chance that people would call it a segment, from 0 to 1."""
        rows = page.candidates.sizeable()
        sums = np.full(len(page.candidates), _TINY)
        sums[rows] = np.concatenate([*(self._sums(part, page.mode) for part in page.parts(rows)), np.zeros(0)])
        chances: Floats = 1 / (1 + np.exp(-sums))
        return chances

    def _sums(self, matrix: Matrix, mode: Mode) -> Floats:
        """The log-odds of candidates. Where the sum of the first trees is low, the others would multiply it by about
        ``start_rest``, so they are skipped."""
        start = self._trees[f"{mode}_start"].sums(matrix)
        likely = np.flatnonzero(start > self.arrays[f"{mode}_start_no"]).astype(np.int32)
        sums: Floats = start * self.arrays[f"{mode}_start_rest"]
        sums[likely] = start[likely]
        self._trees[f"{mode}_segment"].add(matrix, likely, sums)
        return sums

    def kinds(self, page: DescribedPage, rows: Rows) -> Floats:
        """For each of these candidates the chance of each kind, one row per candidate; a row adds up to 1."""
        matrix = page.matrix(rows)
        every = np.arange(len(rows), dtype=np.int32)
        sums = np.zeros((len(KINDS), len(rows)))
        for kind, out in zip(KINDS, sums, strict=True):
            self._trees[f"{page.mode}_kind_{kind}"].add(matrix, every, out)
        chances = np.exp(sums - sums.max(axis=0)).T
        result: Floats = chances / chances.sum(axis=1, keepdims=True)
        return result


@lru_cache(maxsize=1)
def shipped() -> SegmenterModel:
    """The model of this package."""
    return SegmenterModel.load(Path(__file__).with_name("model.npz"))
