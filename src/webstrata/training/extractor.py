"""Training of the learned extractor from pages whose content is known.

Three stages, each trained on the out-of-fold scores of the one before: weights of words (a linear model), the first
pass of trees, the second pass of trees. All are seeded; the same data gives the same model.

The second pass minimises the mean over pages of 1 - F1, with the chances of content in place of decisions, plus a log
loss, which keeps the chances calibrated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from webstrata import urls
from webstrata.errors import from_extra
from webstrata.extraction.learned.model import (
    PAGE_TYPES,
    START_TREES,
    VERSION,
    ExtractorModel,
    add_context,
    columns,
    describe,
)
from webstrata.extraction.learned.scorer import start_score
from webstrata.models.files import flatten
from webstrata.training.samples import Sample

__all__ = ["Trained", "train"]

Floats = npt.NDArray[np.float64]
Progress = Callable[[str], None]

_HOSTS = 8  # a word on fewer hosts is typical of a host rather than of content
_ROWS = 350  # paragraphs of a page in the training data; more of one page help little
_MADE_WEIGHT = 0.5  # of a made page, beside 1 for a real one

_TREES = {
    "max_bin": 63,
    "feature_fraction": 0.2,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "min_data_in_leaf": 60,
    "num_threads": 1,
    "deterministic": True,
    "force_row_wise": True,
    "seed": 1,
    "verbosity": -1,
}
_FIRST = {"learning_rate": 0.06, "num_leaves": 24}
_SECOND = {"learning_rate": 0.05, "num_leaves": 16, "min_sum_hessian_in_leaf": 5}
_FIRST_ROUNDS, _SECOND_ROUNDS = 260, 170


@dataclass(frozen=True, eq=False)
class Trained:
    """The model of all samples, and for each fold the model trained without it."""

    model: ExtractorModel
    without: dict[int, ExtractorModel]


def train(samples: Sequence[Sample], *, workers: int = 1, progress: Progress = lambda message: None) -> Trained:
    """Learn models from samples: one from all, and one without each fold.

    Each stage is trained on scores that come from models without the fold of the page.
    """
    samples = [sample for sample in samples if not np.isnan(sample.content).all()]
    table = _TrainingSet(samples)
    folds = [*table.folds(), None]
    parts: dict[int | None, dict[str, Any]] = {
        fold: {"version": np.array(VERSION), "columns": np.array(columns().names)} for fold in folds
    }
    with ThreadPoolExecutor(workers) as pool:
        progress("weights of words")
        for fold, fitted in zip(folds, pool.map(partial(_fit_words, table), folds), strict=True):
            parts[fold].update(fitted)
            parts[fold].update(_fit_page_words(table, fold))
            if fold is not None:
                table.weigh(ExtractorModel({**parts[fold], **_no_trees()}), fold)
        progress("first pass")
        first = np.zeros(len(table.words))
        for fold, booster in zip(folds, pool.map(partial(_fit_first, table), folds), strict=True):
            trees = booster.dump_model()["tree_info"]
            parts[fold].update(_named("start", trees[:START_TREES]))
            parts[fold].update(_named("first", trees[START_TREES:]))
            if fold is not None:
                rows = table.is_of(fold)
                first[rows] = booster.predict(table.matrix[rows][:, : columns().first], num_threads=1)
        for sample, span in zip(samples, table.spans, strict=True):
            add_context(sample.features, first[span], table.matrix[span])
        progress("second pass")
        for fold, booster in zip(folds, pool.map(partial(_fit_second, table, first), folds), strict=True):
            parts[fold].update(_named("second", booster.dump_model()["tree_info"]))
    return Trained(
        ExtractorModel(parts[None]), {fold: ExtractorModel(parts[fold]) for fold in folds if fold is not None}
    )


def _named(name: str, trees: list[dict[str, Any]]) -> dict[str, npt.NDArray[Any]]:
    return {f"{name}_{part}": array for part, array in flatten(trees).items()}


class _TrainingSet:
    """All paragraphs of all samples, as rows of one matrix."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        self.samples = samples
        sizes = [len(sample.words) for sample in samples]
        edges = np.concatenate(([0], np.cumsum(sizes)))
        self.spans = [slice(start, stop) for start, stop in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)]
        self.page = np.repeat(np.arange(len(samples)), sizes)
        self.words = np.concatenate([sample.words for sample in samples])
        self.content = np.concatenate([sample.content for sample in samples])
        self.fold = np.array([sample.fold for sample in samples])
        self.page_weight = np.array(
            [sample.page.weight * (_MADE_WEIGHT if sample.is_made else 1.0) for sample in samples]
        )
        self.matrix = np.empty((edges[-1], len(columns().names)), np.float32)
        for sample, span in zip(samples, self.spans, strict=True):
            self.matrix[span] = describe(sample.features)
        self.chosen = np.zeros(len(self.words), bool)
        random = np.random.default_rng(1)
        for span in self.spans:
            rows = np.arange(span.start, span.stop)[(self.words[span] > 0) & ~np.isnan(self.content[span])]
            self.chosen[random.permutation(rows)[:_ROWS]] = True
        self.weight = self._weights()

    def _weights(self) -> Floats:
        """Weights of the paragraphs: by the square root of their words, with the same sum for each page."""
        root = np.sqrt(self.words)
        total = np.bincount(self.page, root * self.chosen, minlength=len(self.samples))
        weight = root / np.maximum(total, 1e-9)[self.page]
        mean: Floats = weight / weight[self.chosen].mean() * self.page_weight[self.page]
        return mean

    def folds(self) -> list[int]:
        return sorted(set(self.fold.tolist()))

    def is_of(self, fold: int | None) -> npt.NDArray[np.bool_]:
        """Which rows belong to a fold."""
        of: npt.NDArray[np.bool_] = self.fold[self.page] == fold
        return of

    def rows(self, without: int | None) -> npt.NDArray[np.int64]:
        """The rows to train on, when a fold is held out."""
        return np.flatnonzero(self.chosen & ~self.is_of(without))

    def weigh(self, model: ExtractorModel, fold: int) -> None:
        for sample, span in zip(self.samples, self.spans, strict=True):
            if sample.fold == fold:
                model.weigh(sample.features, self.matrix[span])


def _common(hashes: Sequence[npt.NDArray[np.uint32]], hosts: Sequence[str]) -> npt.NDArray[np.uint32]:
    """The words that occur on enough hosts, in order."""
    numbers = {host: number for number, host in enumerate(sorted(set(hosts)))}
    pairs = [
        np.unique(words).astype(np.uint64) << np.uint64(24) | np.uint64(numbers[host])
        for words, host in zip(hashes, hosts, strict=True)
    ]
    found, count = np.unique(np.unique(np.concatenate(pairs)) >> np.uint64(24), return_counts=True)
    common: npt.NDArray[np.uint32] = found[count >= _HOSTS].astype(np.uint32)
    return common


def _host(sample: Sample) -> str:
    return urls.host(sample.page.url) or sample.page.name


def _fit_words(table: _TrainingSet, without: int | None) -> dict[str, npt.NDArray[Any]]:
    """Weights of words by logistic regression with an L2 penalty, without the pages of a fold."""
    from scipy import optimize, sparse

    keep = [i for i, sample in enumerate(table.samples) if sample.fold != without]
    hashes = [table.samples[i].hashes for i in keep]
    known = _common(hashes, [_host(table.samples[i]) for i in keep])
    if not len(known):  # with few hosts, no word is on enough of them
        return {"word_hash": known, "word_weight": np.zeros(0, np.float32)}
    every = np.concatenate(hashes)
    number = np.minimum(np.searchsorted(known, every), len(known) - 1)
    is_known = known[number] == every
    lengths = np.concatenate([np.diff(table.samples[i].starts) for i in keep])
    place = np.repeat(np.arange(len(lengths)), lengths)[is_known]
    size = (len(lengths), len(known))
    counts = sparse.csr_matrix((np.ones(len(place), np.float32), (place, number[is_known])), shape=size)
    rows = np.concatenate([np.arange(table.spans[i].start, table.spans[i].stop) for i in keep])
    counts, rows = counts[table.chosen[rows]], rows[table.chosen[rows]]
    counts.data = np.minimum(counts.data, 3)
    transposed = counts.T.tocsr()
    truth, weight = table.content[rows], table.weight[rows]

    def loss(weights: Floats) -> tuple[float, Floats]:
        log_odds = counts @ weights[:-1] + weights[-1]
        chance = 1 / (1 + np.exp(-log_odds))
        value = (weight * (np.logaddexp(0, log_odds) - truth * log_odds)).sum() + 10 * (weights[:-1] ** 2).sum()
        slope = weight * (chance - truth)
        return float(value), np.append(transposed @ slope + 20 * weights[:-1], slope.sum())

    best = optimize.minimize(loss, np.zeros(len(known) + 1), jac=True, method="L-BFGS-B", options={"maxiter": 25}).x
    weights = best[:-1].astype(np.float32)
    matters = np.abs(weights) >= 0.02
    return {"word_hash": known[matters], "word_weight": weights[matters]}


def _fit_page_words(table: _TrainingSet, without: int | None) -> dict[str, npt.NDArray[Any]]:
    """For each page type, the weights of the words in the metadata of a page."""
    from sklearn.linear_model import LogisticRegression

    samples = [sample for sample in table.samples if sample.fold != without and not sample.is_made]
    known = _common([sample.page_hashes for sample in samples], [_host(sample) for sample in samples])
    types = [sample.page.page_type for sample in samples]
    weight = np.zeros((len(known), len(PAGE_TYPES)), np.float32)
    bias = np.zeros(len(PAGE_TYPES), np.float32)
    if len(known) and len(set(types)) > 2:
        present = np.array([np.isin(known, sample.page_hashes) for sample in samples], np.float32)
        fitted = LogisticRegression(C=0.1, max_iter=300).fit(present, types)
        for row, name in enumerate(fitted.classes_):
            if name in PAGE_TYPES:
                weight[:, PAGE_TYPES.index(name)] = fitted.coef_[row]
                bias[PAGE_TYPES.index(name)] = fitted.intercept_[row]
    return {"page_hash": known, "page_weight": weight, "page_bias": bias}


def _no_trees() -> dict[str, npt.NDArray[Any]]:
    return {part: array for name in ("start", "first", "second") for part, array in _named(name, []).items()}


def _lightgbm() -> Any:
    with from_extra("train", "lightgbm"):
        import lightgbm
    return lightgbm


def _fit_first(table: _TrainingSet, without: int | None) -> Any:
    lightgbm = _lightgbm()
    rows = table.rows(without)
    data = lightgbm.Dataset(table.matrix[rows][:, : columns().first], table.content[rows], weight=table.weight[rows])
    parameters = {**_TREES, **_FIRST, "objective": "cross_entropy", "boost_from_average": False}
    return lightgbm.train(parameters, data, _FIRST_ROUNDS)


def _fit_second(table: _TrainingSet, first: Floats, without: int | None) -> Any:
    lightgbm = _lightgbm()
    rows = table.rows(without)
    page, truth = table.page[rows], table.content[rows]
    pages = len(table.samples)
    # Pages with more rows than were chosen count in full.
    part = np.bincount(page, table.words[rows], minlength=pages)
    labelled = np.bincount(table.page, table.words * ~np.isnan(table.content), minlength=pages)
    words = table.words[rows] * (labelled / np.maximum(part, 1))[page]
    relevant = np.bincount(page, words * truth, minlength=pages) + 5
    scale = len(rows) / len(np.unique(page))

    def objective(log_odds: Floats, data: Any) -> tuple[Floats, Floats]:
        """Slope and curvature of the mean of 1 - F1 and of the log loss. F1 = 2 hits / (retrieved + relevant)."""
        chance = 1 / (1 + np.exp(-log_odds))
        both = (np.bincount(page, words * chance, minlength=pages) + relevant)[page]
        hits = np.bincount(page, words * chance * truth, minlength=pages)[page]
        slope = -2 * words * (truth * both - hits) / both**2 * scale * table.page_weight[page]
        curve = chance * (1 - chance)
        weight = table.weight[rows]
        return slope * curve + weight * (chance - truth), np.maximum((np.abs(slope) + weight) * curve, 1e-4)

    data = lightgbm.Dataset(table.matrix[rows], truth, init_score=start_score(first[rows]))
    parameters = {**_TREES, **_SECOND, "objective": objective}
    return lightgbm.train(parameters, data, _SECOND_ROUNDS)
