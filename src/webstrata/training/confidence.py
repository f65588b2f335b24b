"""Training of the confidence of an extraction, from pages whose content is known.

Each page is extracted by the model that was trained without the fold of its host; trees learn whether its F1 is over
0.8. The model for a fold is trained on the other folds, so that its confidence is out of fold as well. A logistic curve
is fitted on the answers of models without the fold of the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from webstrata.errors import from_extra
from webstrata.evaluation.datasets.folds import fold_of
from webstrata.evaluation.metrics.words import characters_or_tokens, word_score
from webstrata.extraction.base import EXTRACTORS
from webstrata.extraction.learned.confidence import (
    GOOD,
    VERSION,
    ConfidenceModel,
    confidence_columns,
    describe_extraction,
)
from webstrata.models.files import flatten, trees_of
from webstrata.page import parse
from webstrata.training.samples import SWITCHES, Labelled

__all__ = [
    "ConfidenceSample",
    "Range",
    "TrainedConfidence",
    "confidence_samples",
    "reliability_curve",
    "train_confidence",
    "write_confidence_card",
]

Floats = npt.NDArray[np.float64]

_TREES = {
    "objective": "binary",
    "learning_rate": 0.04,
    "num_leaves": 6,
    "min_data_in_leaf": 25,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "num_threads": 1,
    "deterministic": True,
    "force_row_wise": True,
    "boost_from_average": False,
    "seed": 1,
    "verbosity": -1,
}
_ROUNDS = 140
# What can only speak for an extraction, and against it.
_FOR = {"expected F1", "expected precision", "simple agrees", "prose that is kept"}
_AGAINST = {"doubtful words", "doubtful kept words"}
#: The limits of the ranges of confidence in cards and reports.
RANGES = (0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.01)


@dataclass(frozen=True, eq=False)
class ConfidenceSample:
    """A page that was extracted by the model without its fold: its row, and the F1 of its words."""

    source: str
    fold: int
    row: npt.NDArray[np.float32]
    f: float
    weight: float = 1.0


@dataclass(frozen=True, eq=False)
class TrainedConfidence:
    """The model of all samples, and for each fold the model trained without it."""

    model: ConfidenceModel
    without: dict[int, ConfidenceModel]

    def of(self, sample: ConfidenceSample) -> float:
        """The confidence of a sample, by the model without its fold."""
        return self.without[sample.fold].chance(sample.row)


class Range(NamedTuple):
    """The pages whose confidence is in a range: its mean, the share of good ones, the mean F1, their number."""

    confidence: float
    good: float
    f: float
    pages: int


def confidence_samples(pages: Iterable[Labelled], models: Mapping[int, str]) -> list[ConfidenceSample]:
    """The samples of some pages.

    Parameters
    ----------
    models : for each fold the file of the extractor that was trained without it
    """
    found = []
    for page in pages:
        fold = fold_of(page.url, page.name)
        # Registries cache nothing, but the model behind a file is read once.
        extractor = EXTRACTORS.make("learned", model=models[fold], **SWITCHES.get(page.source, {}))
        extraction = extractor(parse(page.html))
        f = word_score(page.content, extraction.text, tokenise=characters_or_tokens).f
        found.append(ConfidenceSample(page.source, fold, describe_extraction(extraction), f, page.weight))
    return found


def train_confidence(samples: Sequence[ConfidenceSample]) -> TrainedConfidence:
    """Learn models from samples: one from all, and one without each fold."""
    folds = sorted({sample.fold for sample in samples})
    arrays = {fold: _fit([sample for sample in samples if sample.fold != fold]) for fold in (*folds, None)}
    trees = {fold: trees_of(parts, "trees") for fold, parts in arrays.items()}
    sums = np.array([trees[sample.fold].sums(sample.row)[0] for sample in samples])
    for fold in (*folds, None):
        # The curve of a model without a fold is fitted on the other folds.
        others = np.array([sample.fold != fold for sample in samples])
        arrays[fold]["curve"] = _curve(sums[others], _good(samples)[others], _weights(samples)[others])
    models = {fold: ConfidenceModel(parts) for fold, parts in arrays.items()}
    return TrainedConfidence(models.pop(None), {fold: model for fold, model in models.items() if fold is not None})


def _good(samples: Sequence[ConfidenceSample]) -> npt.NDArray[np.bool_]:
    return np.array([sample.f > GOOD for sample in samples])


def _weights(samples: Sequence[ConfidenceSample]) -> Floats:
    return np.array([sample.weight for sample in samples], np.float64)


def _fit(samples: Sequence[ConfidenceSample]) -> dict[str, npt.NDArray[Any]]:
    with from_extra("train", "lightgbm"):
        import lightgbm
    slopes = [int(name in _FOR) - int(name in _AGAINST) for name in confidence_columns()]
    rows = np.concatenate([sample.row for sample in samples])
    data = lightgbm.Dataset(rows, _good(samples).astype(float), weight=_weights(samples))
    booster = lightgbm.train({**_TREES, "monotone_constraints": slopes}, data, _ROUNDS)
    flat = flatten(booster.dump_model()["tree_info"])
    named: dict[str, npt.NDArray[Any]] = {f"trees_{name}": array for name, array in flat.items()}
    return {"version": np.array(VERSION), "columns": np.array(confidence_columns()), **named}


def _curve(sums: Floats, good: npt.NDArray[np.bool_], weights: Floats) -> Floats:
    """Slope and offset of the logistic curve."""
    from sklearn.linear_model import LogisticRegression

    if good.all() or not good.any():
        return np.array([1.0, 0.0])
    fitted = LogisticRegression(C=1e6).fit(sums[:, None], good, weights)
    return np.array([fitted.coef_[0, 0], fitted.intercept_[0]])


def reliability_curve(confidence: Sequence[float], f: Sequence[float]) -> list[Range]:
    """The pages of each range of confidence, from the lowest.

    >>> [tuple(row) for row in reliability_curve([0.1, 0.92, 0.94], [0.5, 0.9, 0.7])]
    [(0.1, 0.0, 0.5, 1), (0.93, 0.5, 0.8, 2)]
    """
    chances, scores = np.array(confidence), np.array(f)
    found = []
    for low, high in pairwise(RANGES):
        inside = (chances >= low) & (chances < high)
        if inside.any():
            own = scores[inside]
            mean, good, f1 = (round(float(part.mean()), 4) for part in (chances[inside], own > GOOD, own))
            found.append(Range(mean, good, f1, len(own)))
    return found


def write_confidence_card(samples: Sequence[ConfidenceSample], trained: TrainedConfidence, *, credit: str) -> str:
    """The card of the model as Markdown: its data, and how reliable the confidence is."""
    chances = np.array([trained.of(sample) for sample in samples])
    lines = [
        "# Model card: confidence of the learned extractor",
        "",
        f"Data: {credit}",
        "",
        f"Method: the chance that the F1 of words is over {GOOD}, by boosted trees over counts and scores of an",
        "extraction, and a logistic curve. Five folds by host: each page is extracted, and its confidence given, by",
        "models without its fold.",
        "",
        "| confidence | F1 over 0.8 | mean F1 | pages |",
        "| --- | --- | --- | --- |",
    ]
    curve = reliability_curve(chances.tolist(), [sample.f for sample in samples])
    lines += [f"| {row.confidence:.3f} | {row.good:.3f} | {row.f:.3f} | {row.pages} |" for row in curve]
    lines += ["", "| pages | number | F1 over 0.8 | confidence from 0.9 on | F1 over 0.8 of these |"]
    lines.append("| --- | --- | --- | --- | --- |")
    for source in sorted({sample.source for sample in samples}):
        of = np.array([sample.source == source for sample in samples])
        sure, good = of & (chances >= 0.9), _good(samples)
        right = f"{good[sure].mean():.3f}" if sure.any() else "-"
        lines.append(f"| {source} | {of.sum()} | {good[of].mean():.3f} | {sure.sum() / of.sum():.3f} | {right} |")
    return "\n".join([*lines, ""])
