"""How likely the content of a page was found: the chance that its words agree with those of a person, F1 over 0.8.

A small sum of boosted trees reads counts and scores of an extraction: how much is kept, how sure the scores are, how
much prose is left out, and how far a simple extractor agrees. A logistic curve, fitted on hosts outside of the
training, calibrates it. `webstrata.training.confidence` makes the model.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import exp
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from webstrata._array_checks import ArrayCheck, ArrayChecks
from webstrata.errors import InputError
from webstrata.extraction.result import Extraction, Kind
from webstrata.extraction.shallow import KeepAll, NumWords
from webstrata.models.files import Arrays, check, load_model, save_arrays, tree_checks, trees_of
from webstrata.page import parse

__all__ = ["ENDING", "GOOD", "VERSION", "ConfidenceModel", "beside", "confidence_columns", "describe_extraction"]

VERSION = 1
#: The F1 of words from which an extraction counts as good.
GOOD = 0.8
#: The confidence of ``model.npz`` is in a file with this ending in place of ``.npz``.
ENDING = ".confidence.npz"

_PROSE_WORDS = 10
_DOUBT = (0.2, 0.8)


def _ratio(part: float, whole: float) -> float:
    return float(part) / float(whole) if whole else 0.0


def _facts(extraction: Extraction) -> dict[str, float]:
    """The counts and scores of an extraction by name."""
    page, keep, score = extraction.page, extraction.keep, extraction.score
    blocks = page.blocks
    words, links, hidden = blocks.words, blocks.link_words, blocks.hidden
    shown = ~hidden
    seen = np.where(shown, words, 0)
    total, kept = float(seen.sum()), float(words[keep].sum())
    chance = words * np.where(shown | keep, score, 0)
    hits, relevant = float(chance[keep].sum()), float(chance.sum())
    prose = shown & (words >= _PROSE_WORDS) & (3 * links < words)
    prose_words = float(words[prose].sum())
    simple = NumWords()(page).keep
    simple_words = float(words[simple].sum())
    doubtful = (score > _DOUBT[0]) & (score < _DOUBT[1])
    rows = np.flatnonzero(keep)
    runs = int((np.diff(rows) > 1).sum()) + 1 if len(rows) else 0
    between = keep[rows[0] : rows[-1] + 1] if len(rows) else keep[:0]
    inside = words[rows[0] : rows[-1] + 1] if len(rows) else words[:0]
    comments = float(words[extraction.kind == Kind.COMMENT].sum())
    carried = float(extraction.carried.blocks.words.sum()) if extraction.carried else 0.0
    return {
        "expected F1": _ratio(2 * hits, kept + relevant),
        "expected precision": _ratio(hits, kept),
        "expected recall": _ratio(hits, relevant),
        "doubtful words": _ratio(float(words[doubtful & shown].sum()), total),
        "doubtful kept words": _ratio(float(words[doubtful & keep].sum()), kept),
        "kept words of low score": _ratio(float(words[keep & (score < 0.5)].sum()), kept),
        "left out words of high score": _ratio(float(words[~keep & shown & (score > 0.3)].sum()), kept),
        "kept words, log": np.log1p(kept),
        "words, log": np.log1p(total),
        "kept share": _ratio(kept, total),
        "kept blocks, log": np.log1p(len(rows)),
        "blocks, log": np.log1p(len(blocks)),
        "words of a kept block": _ratio(kept, len(rows)),
        "runs for words": _ratio(100.0 * runs, kept),
        "longest kept block": _ratio(float(words[keep].max(initial=0)), kept),
        "kept share from first to last": _ratio(kept, float(inside.sum())),
        "kept blocks from first to last": _ratio(float(between.sum()), len(between)),
        "link words of kept": _ratio(float(links[keep].sum()), kept),
        "link words": _ratio(float(links.sum()), total),
        "prose": _ratio(prose_words, total),
        "prose that is kept": _ratio(float(words[prose & keep].sum()), prose_words),
        "kept that is prose": _ratio(float(words[prose & keep].sum()), kept),
        "prose left out, log": np.log1p(float(words[prose & ~keep].sum())),
        "simple agrees": _ratio(2 * float(words[simple & keep].sum()), simple_words + kept),
        "simple words, log": np.log1p(simple_words),
        "headings for words": _ratio(100.0 * float((keep & (blocks.heading > 0)).sum()), kept),
        "hidden of kept": _ratio(float(words[keep & hidden].sum()), kept),
        "comments": _ratio(comments, comments + kept),
        "title found": float((extraction.kind == Kind.TITLE).any()),
        "carried": _ratio(carried, carried + kept),
        "elements for words": _ratio(len(page.elements), total),
        "bytes for words, log": np.log1p(_ratio(len(page.source), total)),
    }


def describe_extraction(extraction: Extraction) -> npt.NDArray[np.float32]:
    """The row of an extraction, in the order of `confidence_columns`."""
    return np.array([list(_facts(extraction).values())], np.float32)


@cache
def confidence_columns() -> tuple[str, ...]:
    """The names of the columns. The code that fills them names them as well: it is run on a page of one word."""
    return tuple(_facts(KeepAll()(parse(b"<p>word"))))


class ConfidenceModel:
    """The trees and the logistic curve, from the arrays of a file."""

    def __init__(self, arrays: Arrays) -> None:
        self._arrays = dict(arrays)
        check(arrays, _CHECKS, command="webstrata train --confidence")
        if int(arrays["version"]) != VERSION:
            raise InputError(f"the model has version {int(arrays['version'])}, not {VERSION}: train it again")
        if tuple(arrays["columns"].tolist()) != confidence_columns():
            raise InputError("the model was trained on other columns: run `webstrata train --confidence`")
        self._trees = trees_of(arrays, "trees")
        self._slope, self._offset = map(float, arrays["curve"])

    def __reduce__(self) -> tuple[Any, ...]:
        return ConfidenceModel, (self._arrays,)

    @classmethod
    def load(cls, file: str | Path | IO[bytes]) -> ConfidenceModel:
        """The model of a file."""
        return load_model(cls, file)

    def save(self, file: str | Path) -> None:
        """Write the model to a file."""
        save_arrays(file, self._arrays)

    def chance(self, row: npt.NDArray[np.float32]) -> float:
        """The chance that an extraction with this row is good."""
        log_odds = self._slope * float(self._trees.sums(row)[0]) + self._offset
        return 1 / (1 + exp(-max(-50.0, min(50.0, log_odds))))

    def __call__(self, extraction: Extraction) -> float:
        """The chance that an extraction is good; 0 for one without text."""
        if not extraction.keep.any() and extraction.carried is None:
            return 0.0
        return self.chance(describe_extraction(extraction))


_CHECKS: ArrayChecks = {
    "version": ArrayCheck(("i",), ()),
    "columns": ArrayCheck(("U",), ("columns",)),
    "curve": ArrayCheck(("f",), (2,)),
    **tree_checks("trees"),
}


@lru_cache(maxsize=8)
def beside(model: str | None) -> ConfidenceModel | None:
    """The confidence that belongs to a model of the extractor, by the file of that; the shipped one when None.

    None if there is no such file.
    """
    file = Path(model) if model is not None else Path(__file__).with_name("model.npz")
    found = file.with_name(file.name.removesuffix(".npz") + ENDING)
    return ConfidenceModel.load(found) if found.is_file() else None
