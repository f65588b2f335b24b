"""The learned model: a plain file of arrays, and the scores that it gives to the paragraphs of a page.

The file is a NumPy archive of plain arrays, without pickled objects. It holds the weights of words (a linear model over
classes, ids, headings and first words), the weights of a page's own words for each page type, and two sums of trees.
The names of all features are stored as well, so that a file that does not fit the code is refused.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from webstrata.errors import InputError
from webstrata.extraction.learned.build_outline import outline
from webstrata.extraction.learned.first_pass import feature_names, features
from webstrata.extraction.learned.outline import Outline
from webstrata.extraction.learned.scorer import Scorer
from webstrata.extraction.learned.second_pass import context, context_names
from webstrata.extraction.learned.trees import MOST_LEAVES, Trees
from webstrata.extraction.learned.vocabulary import Vocabulary
from webstrata.page import parse

__all__ = ["PAGE_TYPES", "VERSION", "Columns", "Model", "add_context", "columns", "describe", "flatten", "shipped"]

VERSION = 3

PAGE_TYPES = ("article", "documentation", "service", "forum", "listing", "collection", "product")


class Columns(NamedTuple):
    """The names of the columns of a page's matrix, part by part. The first pass reads all but `context`."""

    features: tuple[str, ...]
    sums: tuple[str, ...]
    types: tuple[str, ...]
    context: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return self.features + self.sums + self.types + self.context

    @property
    def first(self) -> int:
        """How many columns the first pass reads."""
        return len(self.features) + len(self.sums) + len(self.types)


@cache
def columns() -> Columns:
    """The columns, as the code that fills them names them: it is run on a page of one word."""
    page = outline(parse(b"<p>word"))
    nothing = Vocabulary(np.zeros(0, np.uint32), np.zeros((0, 1), np.float32))
    types = tuple(f"like {name}" for name in PAGE_TYPES)
    return Columns(feature_names(page), nothing.sum_names(page), types, context_names(page))


# So many trees of the first pass are enough to tell half of the paragraphs for boilerplate beyond doubt.
START_TREES = 33

_ALL_LEAVES = (1 << MOST_LEAVES) - 1

Floats = npt.NDArray[np.float64]
Arrays = Mapping[str, npt.NDArray[Any]]


def describe(page: Outline) -> npt.NDArray[np.float32]:
    """The matrix of a page, one row a paragraph; only the features, which no model is needed for, are filled."""
    matrix = np.zeros((len(page), len(columns().names)), np.float32)
    features(page, matrix, len(columns().features))
    return matrix


def add_context(page: Outline, first: Floats, matrix: npt.NDArray[np.float32]) -> None:
    """Fill the columns of the second pass, from the scores of the first."""
    context(page, np.ascontiguousarray(first), matrix, columns().first, len(columns().context))


# The arrays of a model: the kinds of their numbers, and their shapes, with None where any length will do.
_TREES: dict[str, tuple[str, tuple[int | None, ...]]] = {
    "feature": ("i", (None,)),
    "threshold": ("f", (None,)),
    "tree": ("iu", (None,)),
    "leaves": ("u", (None,)),
    "value": ("f", (None, MOST_LEAVES)),
}
_PARTS: dict[str, tuple[str, tuple[int | None, ...]]] = {
    "word_hash": ("u", (None,)),
    "word_weight": ("f", (None,)),
    "page_hash": ("u", (None,)),
    "page_weight": ("f", (None, len(PAGE_TYPES))),
    "page_bias": ("f", (len(PAGE_TYPES),)),
    **{f"{name}_{part}": spec for name in ("start", "first", "second") for part, spec in _TREES.items()},
}
# The shipped model has about a tenth of this.
_MOST_BYTES = 64 << 20


def _check(name: str, array: npt.NDArray[Any] | None, kinds: str, shape: tuple[int | None, ...]) -> None:
    """Refuse an array that native code must not see."""
    if array is None:
        raise InputError(f"the model is damaged (it has no {name}): train it again with `webstrata train`")
    fits = len(array.shape) == len(shape) and all(
        want in (None, have) for want, have in zip(shape, array.shape, strict=True)
    )
    if not fits or array.dtype.kind not in kinds or (array.dtype.kind == "f" and not np.isfinite(array).all()):
        raise InputError(f"the model is damaged ({name} is wrong): train it again with `webstrata train`")


@dataclass(frozen=True, eq=False, repr=False)
class Model:
    """What was learned, as arrays by name. Made by `webstrata.training.training`, or read from a file."""

    arrays: Arrays

    def __post_init__(self) -> None:
        version = self.arrays.get("version")
        if version is None or version.shape != () or version.dtype.kind not in "iu" or int(version) != VERSION:
            raise InputError(f"this is no model of version {VERSION}: train one with `webstrata train`")
        names = self.arrays.get("columns")
        if names is None or names.ndim != 1 or tuple(names.tolist()) != columns().names:
            raise InputError("the model was trained with other features: train one with `webstrata train`")
        for name, (kinds, shape) in _PARTS.items():
            _check(name, self.arrays.get(name), kinds, shape)

    @classmethod
    def load(cls, file: str | Path | IO[bytes]) -> Model:
        """Read a model."""
        try:
            with zipfile.ZipFile(file) as archive:
                size = sum(part.file_size for part in archive.infolist())
            if size > _MOST_BYTES:
                raise InputError(f"{file} is no model: it would take {size} bytes, and {_MOST_BYTES} is the most")
            with np.load(file, allow_pickle=False) as arrays:
                return cls({name: arrays[name] for name in arrays.files})
        except InputError:
            raise
        # A damaged archive is told by whatever part of the readers meets it first.
        except (OSError, ValueError, KeyError, EOFError, NotImplementedError, zipfile.BadZipFile, zlib.error) as error:
            raise InputError(f"cannot read the model {file}: {error}") from error

    def save(self, file: str | Path) -> None:
        """Write the model."""
        with Path(file).open("wb") as stream:
            arrays: dict[str, Any] = dict(self.arrays)
            np.savez_compressed(stream, **arrays)

    @cached_property
    def scorer(self) -> Scorer:
        """What was learned, ready to use."""
        try:
            return Scorer(
                Vocabulary(self.arrays["word_hash"], self.arrays["word_weight"][:, None].astype(np.float32)),
                Vocabulary(self.arrays["page_hash"], self.arrays["page_weight"]),
                self.arrays["page_bias"],
                *(self._trees(name) for name in ("start", "first", "second")),
                features=len(columns().features),
                sums=len(columns().sums),
                context=len(columns().context),
            )
        except ValueError as error:
            raise InputError(f"the model is damaged ({error}): train it again with `webstrata train`") from error

    def _trees(self, name: str) -> Trees:
        parts = ("feature", "threshold", "tree", "leaves", "value")
        return Trees(*(self.arrays[f"{name}_{part}"] for part in parts))

    def weigh(self, page: Outline, matrix: npt.NDArray[np.float32]) -> None:
        """Fill the columns that come from the weights of words."""
        self.scorer.weigh(page, matrix)

    def score(self, page: Outline) -> Floats:
        """For each paragraph the chance that it is content, from 0 to 1."""
        return self.scorer.passes(page)[1]


@lru_cache(maxsize=1)
def shipped() -> Model:
    """The model of this package."""
    return Model.load(Path(__file__).with_name("model.npz"))


def flatten(trees: Iterable[Mapping[str, Any]]) -> dict[str, npt.NDArray[Any]]:
    """Trees as LightGBM dumps them, as the arrays of `Trees`."""
    rows: list[tuple[int, float, int, int]] = []
    values: list[list[float]] = []
    for number, tree in enumerate(trees):
        value: list[float] = []
        # Leaves are numbered from the left. A node is known when its left side has been numbered.
        waiting: list[tuple[Mapping[str, Any], int | None]] = [(tree["tree_structure"], None)]
        while waiting:
            node, first = waiting.pop()
            if "split_feature" not in node:
                value.append(node["leaf_value"])
            elif first is None:
                waiting += [(node["right_child"], None), (node, len(value)), (node["left_child"], None)]
            else:
                left = (1 << len(value)) - (1 << first)
                rows.append((node["split_feature"], _round_down(node["threshold"]), number, ~left & _ALL_LEAVES))
        if len(value) > MOST_LEAVES:
            raise InputError(f"a tree has {len(value)} leaves: {MOST_LEAVES} is the most")
        values.append(value + [0.0] * (MOST_LEAVES - len(value)))
    rows.sort()
    feature, threshold, tree_numbers, leaves = zip(*rows, strict=True) if rows else ((), (), (), ())
    return {
        "feature": np.array(feature, np.int32),
        "threshold": np.array(threshold, np.float32),
        "tree": np.array(tree_numbers, np.uint16),
        "leaves": np.array(leaves, np.uint32),
        "value": np.array(values, np.float32).reshape(-1, MOST_LEAVES),
    }


def _round_down(threshold: float) -> float:
    """The largest float32 that is not above: a float32 is at most one exactly when it is at most the other."""
    rounded = np.float32(threshold)
    return float(np.nextafter(rounded, np.float32(-np.inf)) if float(rounded) > threshold else rounded)
