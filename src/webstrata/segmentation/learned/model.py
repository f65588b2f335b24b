"""The model of the learned segmenter: a file of arrays, and the scores that it gives to the candidates of a page.

The file holds, once for plain pages and once for rendered ones, the trees that recognise segments, the trees for each
kind of segment, those for the parts of a covering segmentation, and the thresholds that did best on pages outside of
the training data of the trees. Tiny candidates get no score; those that the first trees score low skip the others. The
names of all features are stored as well, so that a file that does not fit the code is refused.
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
from webstrata.segmentation.learned.part_features import PartFeatures
from webstrata.segmentation.learned.visual import Looks

__all__ = [
    "ALL_KINDS",
    "KINDS",
    "VERSION",
    "DescribedPage",
    "Floats",
    "Matrix",
    "Mode",
    "Rows",
    "SegmenterModel",
    "columns",
    "part_columns",
    "shipped",
]

VERSION = 3

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

# The trees of `kinds` and `parts` have several classes: each kind, and for parts also none.
_TREES = ("start", "segment", "kinds", "part_start", "parts")
_NUMBERS = ("cut", "start_no", "start_rest", "part_cut", "part_start_no")
_CHECKS: ArrayChecks = {
    name: item
    for mode in ("plain", "boxes")
    for checks in (
        {f"{mode}_{name}": ArrayCheck(("f",), ()) for name in _NUMBERS},
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


@cache
def part_columns(mode: Mode) -> tuple[str, ...]:
    """The names of the features that the trees for parts see."""
    return columns(mode) + PartFeatures(Candidates(parse(b"<p>word"))).names()


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

    @once
    def _part_features(self) -> PartFeatures:
        return PartFeatures(self.candidates)

    def matrix(self, rows: Rows, *, parts: bool = False) -> Matrix:
        """The features of some candidates, one row each; ``parts`` adds those that the trees for parts see."""
        plain, own = len(columns("plain")), len(columns(self.mode))
        found = np.empty((len(rows), len(part_columns(self.mode)) if parts else own), np.float32)
        features(self.candidates, rows, found, plain)
        if self.looks is not None:
            self.looks.fill(rows, found, plain, own - plain)
        if parts:
            self._part_features.fill(rows, found, own)
        return found

    def chunks(self, rows: Rows, *, parts: bool) -> Iterator[Matrix]:
        """The features of some candidates, some thousand rows at a time."""
        for first in range(0, len(rows), _ROWS):
            yield self.matrix(rows[first : first + _ROWS], parts=parts)


@dataclass(frozen=True, eq=False, repr=False)
class SegmenterModel:
    """The arrays of a model, by name. Made by `webstrata.training`, or read from a file."""

    arrays: Arrays

    def __post_init__(self) -> None:
        version = self.arrays.get("version")
        if version is None or version.shape != () or version.dtype.kind not in "iu" or int(version) != VERSION:
            raise InputError(f"this is no segmenter of version {VERSION}: train one with `webstrata train --segmenter`")
        names = self.arrays.get("columns")
        if names is None or names.ndim != 1 or tuple(names.tolist()) != part_columns("boxes"):
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
        if any(trees.width > _width(name) for name, trees in found.items()):
            raise InputError(
                "the segmenter is damaged (its trees need more features):"
                " train it again with `webstrata train --segmenter`"
            )
        return found

    def cut(self, mode: Mode) -> float:
        """The default threshold in log-odds (see `webstrata.segmentation.learned.decoding.select`)."""
        return float(self.arrays[f"{mode}_cut"])

    def part_cut(self, mode: Mode) -> float:
        """The least chance of a part."""
        return float(self.arrays[f"{mode}_part_cut"])

    def scores(self, page: DescribedPage) -> Floats:
        """For each candidate the chance that people would call it a segment, from 0 to 1."""
        return self.judge(page, parts=False)[0]

    def judge(self, page: DescribedPage, *, parts: bool = True) -> tuple[Floats, Floats]:
        """The scores, and for each candidate the chance that it is a part of each kind; zeros without ``parts``."""
        rows = page.candidates.sizeable()
        sums = np.full(len(page.candidates), _TINY)
        chances = np.zeros((len(page.candidates) if parts else 0, len(ALL_KINDS)))
        first = 0
        for matrix in page.chunks(rows, parts=parts):
            own = rows[first : first + len(matrix)]
            sums[own] = self._sums(matrix, page.mode)
            if parts:
                chances[own] = self.parts(matrix, page.mode)
            first += len(matrix)
        return 1 / (1 + np.exp(-sums)), chances

    def _sums(self, matrix: Matrix, mode: Mode) -> Floats:
        """The log-odds of candidates. Where the sum of the first trees is low, the others would multiply it by about
        ``start_rest``, so they are skipped."""
        start = self._trees[f"{mode}_start"].sums(matrix)
        likely = np.flatnonzero(start > self.arrays[f"{mode}_start_no"]).astype(np.int32)
        sums: Floats = start * self.arrays[f"{mode}_start_rest"]
        sums[likely] = start[likely]
        self._trees[f"{mode}_segment"].add(matrix, likely, sums)
        return sums

    def parts(self, matrix: Matrix, mode: Mode) -> Floats:
        """For each row the chance that it is a part of each kind. The first trees drop those that are hardly one."""
        likely = self._trees[f"{mode}_part_start"].sums(matrix) > self.arrays[f"{mode}_part_start_no"]
        chances = np.zeros((len(matrix), len(ALL_KINDS)))
        if likely.any():
            sums = self._trees[f"{mode}_parts"].class_sums(matrix[likely], len(ALL_KINDS) + 1)
            chances[likely] = _shares(sums)[:, :-1]
        return chances

    def kinds(self, page: DescribedPage, rows: Rows) -> Floats:
        """For each of these candidates the chance of each kind, one row per candidate; a row adds up to 1."""
        return _shares(self._trees[f"{page.mode}_kinds"].class_sums(page.matrix(rows), len(KINDS)))


def _shares(sums: Floats) -> Floats:
    """The chances of classes, one row for each of sums of trees."""
    chances = np.exp(sums - sums.max(axis=1, keepdims=True))
    result: Floats = chances / chances.sum(axis=1, keepdims=True)
    return result


def _width(name: str) -> int:
    """The number of features that trees may need."""
    mode, _, of = name.partition("_")
    count = part_columns if of.startswith("part") else columns
    return len(count("plain" if mode == "plain" else "boxes"))


@lru_cache(maxsize=1)
def shipped() -> SegmenterModel:
    """The model of this package."""
    return SegmenterModel.load(Path(__file__).with_name("model.npz"))
