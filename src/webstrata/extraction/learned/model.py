"""The model of the learned extractor: a file of arrays, and the scores that it gives to the paragraphs of a page.

The file is a NumPy archive of plain arrays, without pickled objects. It holds the weights of words (a linear model over
classes, ids, headings and first words), the weights of the words in a page's metadata for each page type, and the trees
of both passes. The names of all features are stored as well, so that a file that does not fit the code is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
import numpy.typing as npt

from webstrata._array_checks import ArrayCheck, ArrayChecks
from webstrata._once import once
from webstrata.errors import InputError
from webstrata.extraction.learned.first_pass import feature_names, features
from webstrata.extraction.learned.page_features import PageFeatures
from webstrata.extraction.learned.reading import read_page
from webstrata.extraction.learned.scorer import Scorer
from webstrata.extraction.learned.second_pass import context, context_names
from webstrata.extraction.learned.vocabulary import Vocabulary
from webstrata.models.files import Arrays, check, load_model, save_arrays, tree_checks, trees_of
from webstrata.page import parse

__all__ = [
    "PAGE_TYPES",
    "START_TREES",
    "VERSION",
    "ColumnNames",
    "ExtractorModel",
    "add_context",
    "columns",
    "describe",
    "shipped",
]

VERSION = 4

PAGE_TYPES = ("article", "documentation", "service", "forum", "listing", "collection", "product")


class ColumnNames(NamedTuple):
    """The names of the columns of the matrix of a page, in four parts. The first pass reads all but `context`."""

    features: tuple[str, ...]
    sums: tuple[str, ...]
    types: tuple[str, ...]
    context: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return self.features + self.sums + self.types + self.context

    @property
    def first(self) -> int:
        """The number of columns that the first pass reads."""
        return len(self.features) + len(self.sums) + len(self.types)


@cache
def columns() -> ColumnNames:
    """The columns. The code that fills them names them as well: it is run on a page of one word."""
    page = read_page(parse(b"<p>word"))
    no_words = Vocabulary(np.zeros(0, np.uint32), np.zeros((0, 1), np.float32))
    types = tuple(f"like {name}" for name in PAGE_TYPES)
    return ColumnNames(feature_names(page), no_words.sum_names(page), types, context_names(page))


# The number of trees that every paragraph goes through; they show that half of the paragraphs are clearly boilerplate.
START_TREES = 33

Floats = npt.NDArray[np.float64]


def describe(page: PageFeatures) -> npt.NDArray[np.float32]:
    """The matrix of a page, one row per paragraph, with the features that need no model filled in."""
    matrix = np.zeros((len(page), len(columns().names)), np.float32)
    features(page, matrix, len(columns().features))
    return matrix


def add_context(page: PageFeatures, first: Floats, matrix: npt.NDArray[np.float32]) -> None:
    """Fill the columns of the second pass, from the scores of the first."""
    context(page, np.ascontiguousarray(first), matrix, columns().first, len(columns().context))


# The arrays of a model.
_CHECKS: ArrayChecks = {
    "word_hash": ArrayCheck(("u",), ("words",)),
    "word_weight": ArrayCheck(("f",), ("words",)),
    "page_hash": ArrayCheck(("u",), ("words of pages",)),
    "page_weight": ArrayCheck(("f",), ("words of pages", len(PAGE_TYPES))),
    "page_bias": ArrayCheck(("f",), (len(PAGE_TYPES),)),
    **tree_checks("start"),
    **tree_checks("first"),
    **tree_checks("second"),
}


@dataclass(frozen=True, eq=False, repr=False)
class ExtractorModel:
    """The arrays of a model, by name. Made by `webstrata.training.extractor`, or read from a file."""

    arrays: Arrays

    def __post_init__(self) -> None:
        version = self.arrays.get("version")
        if version is None or version.shape != () or version.dtype.kind not in "iu" or int(version) != VERSION:
            raise InputError(f"this is no model of version {VERSION}: train one with `webstrata train`")
        names = self.arrays.get("columns")
        if names is None or names.ndim != 1 or tuple(names.tolist()) != columns().names:
            raise InputError("the model was trained with other features: train one with `webstrata train`")
        check(self.arrays, _CHECKS, command="webstrata train")

    @classmethod
    def load(cls, file: str | Path | IO[bytes]) -> ExtractorModel:
        """Read a model."""
        return load_model(cls, file)

    def save(self, file: str | Path) -> None:
        """Write the model."""
        save_arrays(file, self.arrays)

    @once
    def scorer(self) -> Scorer:
        """The model in the form in which it scores pages."""
        try:
            return Scorer(
                Vocabulary(self.arrays["word_hash"], self.arrays["word_weight"][:, None].astype(np.float32)),
                Vocabulary(self.arrays["page_hash"], self.arrays["page_weight"].astype(np.float32)),
                self.arrays["page_bias"],
                *(trees_of(self.arrays, name) for name in ("start", "first", "second")),
                features=len(columns().features),
                sums=len(columns().sums),
                context=len(columns().context),
            )
        except ValueError as error:
            raise InputError(f"the model is damaged ({error}): train it again with `webstrata train`") from error

    def weigh(self, page: PageFeatures, matrix: npt.NDArray[np.float32]) -> None:
        """Fill the columns that come from the weights of words."""
        self.scorer.weigh(page, matrix)

    def score(self, page: PageFeatures) -> Floats:
        """For each paragraph the chance that it is content, from 0 to 1."""
        return self.scorer.passes(page)[1]


@lru_cache(maxsize=1)
def shipped() -> ExtractorModel:
    """The model of this package."""
    return ExtractorModel.load(Path(__file__).with_name("model.npz"))
