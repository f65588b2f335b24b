"""The learned model: a plain file of arrays, and the scores that it gives to the paragraphs of a page.

The file is a NumPy archive of plain arrays, without pickled objects. It holds the weights of words (a linear model over
classes, ids, headings and first words), the weights of a page's own words for each page type, and two sums of trees.
The names of all features are stored as well, so that a file that does not fit the code is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from webstrata.errors import InputError
from webstrata.extract._context import CONTEXT, context
from webstrata.extract._features import FEATURES, features
from webstrata.extract._outline import Outline, outline
from webstrata.extract._trees import Trees
from webstrata.extract._vocabulary import SUMS, Vocabulary
from webstrata.page import INLINE_TAGS, Page, tag_mask

__all__ = ["COLUMNS", "FIRST", "PAGE_TYPES", "VERSION", "Model", "describe", "read_outline", "shipped"]

VERSION = 1

PAGE_TYPES = ("article", "documentation", "service", "forum", "listing", "collection", "product")

#: The columns of a page's matrix. The first pass reads those before `FIRST`, the second one all.
COLUMNS = (*FEATURES, *SUMS, *(f"like {name}" for name in PAGE_TYPES), *CONTEXT)
FIRST = len(COLUMNS) - len(CONTEXT)
_SUMS = len(FEATURES)
_TYPES = _SUMS + len(SUMS)

# The second pass corrects the first one's log-odds. These are damped: the first pass is surest where it has seen
# the page's template, and less so elsewhere. 0.7 and the bounds did best of the few values tried on WCXB.
_DAMPING = 0.7
_SUREST = 0.99

# Half of the paragraphs are boilerplate beyond doubt: those below these log-odds after the first trees, or below this
# chance after the first pass, are not looked at again. On WCXB it saves a sixth of the time that scoring takes and
# costs 0.0003 of F1 (0.8750 to 0.8747).
_EARLY_TREES, _EARLY_NO = 40, -2.6
_NO = 0.047

_INLINE = tag_mask(INLINE_TAGS)

Floats = npt.NDArray[np.float64]
Arrays = Mapping[str, npt.NDArray[Any]]


def read_outline(page: Page) -> Outline:
    """The paragraphs of a page and what surrounds them."""
    return outline(page, page.title, _INLINE)


def describe(page: Outline) -> npt.NDArray[np.float32]:
    """The matrix of a page, one row a paragraph; only `FEATURES`, which no model is needed for, are filled."""
    matrix = np.zeros((len(page), len(COLUMNS)), np.float32)
    features(page, matrix)
    return matrix


def start_score(first: Floats) -> Floats:
    """What the second pass starts from: the damped log-odds of the first one."""
    bounded = np.clip(first, 1 - _SUREST, _SUREST)
    return _DAMPING * np.log(bounded / (1 - bounded))


@dataclass(frozen=True, eq=False, repr=False)
class Model:
    """What was learned, as arrays by name. Made by `webstrata.evaluate.training`, or read from a file."""

    arrays: Arrays

    def __post_init__(self) -> None:
        if "version" not in self.arrays or int(self.arrays["version"]) != VERSION:
            raise InputError(f"this is no model of version {VERSION}: train one with `webstrata train`")
        if tuple(self.arrays["columns"].tolist()) != COLUMNS:
            raise InputError("the model was trained with other features: train one with `webstrata train`")

    @classmethod
    def load(cls, file: str | Path | IO[bytes]) -> Model:
        """Read a model."""
        try:
            with np.load(file, allow_pickle=False) as archive:
                return cls({name: archive[name] for name in archive.files})
        except (OSError, ValueError, KeyError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"cannot read the model {file}: {error}") from error

    def save(self, file: str | Path) -> None:
        """Write the model."""
        with Path(file).open("wb") as stream:
            arrays: dict[str, Any] = dict(self.arrays)
            np.savez_compressed(stream, **arrays)

    @cached_property
    def words(self) -> Vocabulary:
        return Vocabulary(self.arrays["word_hash"], self.arrays["word_weight"][:, None].astype(np.float32))

    @cached_property
    def page_words(self) -> Vocabulary:
        return Vocabulary(self.arrays["page_hash"], self.arrays["page_weight"])

    @cached_property
    def first(self) -> Trees:
        return self._trees("first")

    @cached_property
    def second(self) -> Trees:
        return self._trees("second")

    def _trees(self, name: str) -> Trees:
        parts = ("roots", "depths", "feature", "threshold", "child", "value")
        return Trees(*(self.arrays[f"{name}_{part}"] for part in parts))

    def weigh(self, page: Outline, matrix: npt.NDArray[np.float32]) -> None:
        """Fill the columns that come from the weights of words."""
        self.words.unit_sums(page, matrix, _SUMS)
        matrix[:, _TYPES:FIRST] = self.page_words.page_sums(page) + self.arrays["page_bias"]

    def score(self, page: Outline) -> Floats:
        """For each paragraph how much it looks like content, from 0 to 1."""
        matrix = describe(page)
        self.weigh(page, matrix)
        log_odds = self.first.sums(matrix, 0, _EARLY_TREES)
        unsure = np.flatnonzero(log_odds > _EARLY_NO)
        log_odds[unsure] += self.first.sums(matrix[unsure], _EARLY_TREES)
        first = _logistic(log_odds)
        context(page, first, matrix, FIRST)
        log_odds = start_score(first)
        unsure = np.flatnonzero(first > _NO)
        log_odds[unsure] += self.second.sums(matrix[unsure])
        return _logistic(log_odds)


def _logistic(log_odds: Floats) -> Floats:
    return 1 / (1 + np.exp(-log_odds))


@lru_cache(maxsize=1)
def shipped() -> Model:
    """The model of this package."""
    with (files("webstrata.extract") / "model.npz").open("rb") as stream:
        return Model.load(stream)


def flatten(trees: Iterable[Mapping[str, Any]]) -> dict[str, npt.NDArray[Any]]:
    """Trees as LightGBM dumps them, as the arrays of `Trees`: the two children of a node are neighbours."""
    roots: list[int] = []
    depths: list[int] = []
    rows: list[tuple[int, float, int, float]] = []
    for tree in trees:
        roots.append(len(rows))
        rows.append(_leaf(len(rows)))
        waiting, deepest = [(tree["tree_structure"], len(rows) - 1, 0)], 0
        while waiting:
            node, place, depth = waiting.pop()
            deepest = max(deepest, depth)
            if "split_feature" not in node:
                rows[place] = (0, np.inf, place, node["leaf_value"])
                continue
            child = len(rows)
            rows[place] = (node["split_feature"], _round_down(node["threshold"]), child, 0.0)
            rows.extend([_leaf(child), _leaf(child + 1)])
            waiting += [(node["left_child"], child, depth + 1), (node["right_child"], child + 1, depth + 1)]
        depths.append(deepest)
    feature, threshold, child_rows, value = zip(*rows, strict=True) if rows else ((), (), (), ())
    return {
        "roots": np.array(roots, np.int32),
        "depths": np.array(depths, np.int32),
        "feature": np.array(feature, np.int32),
        "threshold": np.array(threshold, np.float32),
        "child": np.array(child_rows, np.int32),
        "value": np.array(value, np.float32),
    }


def _leaf(place: int) -> tuple[int, float, int, float]:
    return 0, np.inf, place, 0.0


def _round_down(threshold: float) -> float:
    """The largest float32 that is not above: a float32 is at most one exactly when it is at most the other."""
    rounded = np.float32(threshold)
    return float(np.nextafter(rounded, np.float32(-np.inf)) if float(rounded) > threshold else rounded)
