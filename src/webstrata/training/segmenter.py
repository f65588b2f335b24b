"""Training of the learned segmenter from pages whose segments are known.

The target of a candidate is 1 where a known segment has its text, and less where one has nearly its text. The trees are
trained on all versions of all pages, once for plain pages and once for rendered ones. All thresholds are chosen by
out-of-fold scores. All is seeded; the same data gives the same model.

Pages whose marks are complete train the trees for the parts of a page, other pages all other trees; where there are no
pages of one sort, those of the other one train both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from webstrata.errors import InputError, from_extra
from webstrata.models.files import flatten
from webstrata.segmentation.learned.decoding import select, select_parts
from webstrata.segmentation.learned.model import (
    ALL_KINDS,
    KINDS,
    VERSION,
    SegmenterModel,
    columns,
    part_columns,
)
from webstrata.training.segment_samples import EXACT, FUZZY, SegmentSample

__all__ = ["TrainedSegmenter", "page_score", "train_segmenter"]

Floats = npt.NDArray[np.float64]
Progress = Callable[[str], None]

_FUZZY_TARGET = 0.67
_CUTS = np.arange(-30, 5) / 10

_TREES = {
    "max_bin": 63,
    "feature_fraction": 0.15,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "num_leaves": 8,
    "num_threads": 1,
    "deterministic": True,
    "force_row_wise": True,
    "boost_from_average": False,
    "verbosity": -1,
}
_SEGMENT = {"objective": "cross_entropy", "learning_rate": 0.05, "num_leaves": 16, "min_data_in_leaf": 30}
# The mean of two sums of trees with different seeds is steadier than either.
_SEEDS, _SEGMENT_ROUNDS = (1, 2), 210
# The first _START trees drop six of ten candidates, those with log-odds below _START_NO. Of 25,783 candidates of pages
# outside of the training data, none that they drop had a score of 0.2 with all trees.
_START, _START_NO, _START_REST = 80, -3.0, 1.33
_KIND = {"objective": "multiclass", "num_class": len(KINDS), "learning_rate": 0.15, "min_data_in_leaf": 20}
_KIND_ROUNDS = 24
_PART = {"objective": "multiclass", "num_class": len(ALL_KINDS) + 1, "learning_rate": 0.1, "feature_fraction": 0.3,
         "min_data_in_leaf": 8}  # fmt: skip
_PART_ROUNDS = 60
# The trees that drop most candidates before those for parts: below _PART_START_NO few are one.
_PART_START = {"objective": "binary", "learning_rate": 0.15, "feature_fraction": 0.3, "min_data_in_leaf": 20}
_PART_START_ROUNDS, _PART_START_NO = 30, -2.0
_PART_CUTS = np.arange(20, 71, 2) / 100

Parts = dict[str, npt.NDArray[Any]]
# The trees by their names, and the numbers that go with them.
Fitted = tuple[dict[str, Parts], dict[str, float]]


@dataclass(frozen=True, eq=False)
class TrainedSegmenter:
    """The model of all samples, and for each fold the model trained without it."""

    model: SegmenterModel
    without: dict[int, SegmenterModel]


def train_segmenter(
    plain: Sequence[SegmentSample],
    boxes: Sequence[SegmentSample] = (),
    *,
    workers: int = 1,
    progress: Progress = lambda message: None,
) -> TrainedSegmenter:
    """Learn models from samples: one from all, and one without each fold.

    Parameters
    ----------
    plain, boxes : samples of plain and of rendered pages; without the latter, the model ignores boxes
    workers : the number of models to train in parallel
    progress : progress callback
    """
    plain, boxes = ([sample for sample in samples if len(sample.kinds)] for samples in (plain, boxes))
    if not plain:
        raise InputError("no page has segments: name data sets of segmentations")
    folds = [*sorted({sample.fold for sample in plain}), None]
    parts: dict[int | None, Parts] = {
        fold: {"version": np.array(VERSION), "columns": np.array(part_columns("boxes"))} for fold in folds
    }
    with ThreadPoolExecutor(workers) as pool:
        for mode, samples in (("plain", plain), ("boxes", boxes or plain)):
            progress(f"trees for {'plain' if mode == 'plain' else 'rendered'} pages")
            fitted = dict(zip(folds, pool.map(partial(_fit, samples), folds), strict=True))
            for fold, found in fitted.items():
                parts[fold] |= _arrays(mode, found)
            progress("thresholds")
            models = {fold: SegmenterModel(_complete(parts[fold])) for fold in folds if fold is not None}
            for name, cuts in (("cut", _cuts(samples, models)), ("part_cut", _part_cuts(samples, models))):
                for fold, cut in cuts.items():
                    parts[fold][f"{mode}_{name}"] = np.array(cut)
    whole = SegmenterModel(parts.pop(None))
    return TrainedSegmenter(whole, {fold: SegmenterModel(arrays) for fold, arrays in parts.items() if fold is not None})


def _arrays(mode: str, fitted: Fitted) -> Parts:
    trees, numbers = fitted
    arrays = {f"{mode}_{name}_{part}": array for name, parts in trees.items() for part, array in parts.items()}
    return arrays | {f"{mode}_{name}": np.array(number) for name, number in numbers.items()}


def _complete(parts: Parts) -> Parts:
    """The arrays for plain pages replace those for rendered pages that are not there yet."""
    return {name.replace("plain_", "boxes_"): array for name, array in parts.items()} | parts


def _target(sample: SegmentSample) -> Floats:
    best = sample.matches.max(axis=1, initial=0)
    return np.where(best == EXACT, 1.0, np.where(best == FUZZY, _FUZZY_TARGET, 0.0))


def _of_sort(samples: Sequence[SegmentSample], *, complete: bool) -> Sequence[SegmentSample]:
    """The samples with complete marks, or those without; all where there are none."""
    return [sample for sample in samples if sample.complete == complete] or samples


def _fit(samples: Sequence[SegmentSample], without: int | None) -> Fitted:
    """All trees, without the pages of a fold."""
    used = [sample for sample in samples if sample.fold != without]
    if not used:
        raise InputError("all pages are of one fold: pages of several hosts are needed")
    trees, numbers = _fit_segments(_of_sort(used, complete=False))
    part_trees, part_numbers = _fit_parts(_of_sort(used, complete=True))
    return {**trees, **part_trees}, {**numbers, **part_numbers, "cut": 0.5, "part_cut": 0.5}


def _fit_segments(used: Sequence[SegmentSample]) -> Fitted:
    """The trees for segments and for their kinds."""
    with from_extra("train", "lightgbm"):
        import lightgbm
    matrix = np.concatenate([sample.matrix[:, : len(columns(sample.page.mode))] for sample in used])
    target = np.concatenate([_target(sample) for sample in used])
    segment = [
        lightgbm.train({**_TREES, **_SEGMENT, "seed": seed}, lightgbm.Dataset(matrix, target), _SEGMENT_ROUNDS)
        for seed in _SEEDS
    ]
    rows, kinds = _kinds(used)
    kind = lightgbm.train({**_TREES, **_KIND, "seed": _SEEDS[0]}, lightgbm.Dataset(matrix[rows], kinds), _KIND_ROUNDS)
    trees = _mean(segment)
    named = {"start": flatten(trees[:_START]), "segment": flatten(trees[_START:]), "kinds": _by_class(kind, len(KINDS))}
    numbers = {"start_no": _START_NO / len(segment), "start_rest": _START_REST * len(segment)}
    return named, numbers


def _by_class(booster: Any, classes: int) -> Parts:
    """The trees of several classes, those of the first class first; a round is one tree for each."""
    trees = booster.dump_model()["tree_info"]
    return flatten([tree for number in range(classes) for tree in trees[number::classes]])


def _fit_parts(used: Sequence[SegmentSample]) -> Fitted:
    """The trees for the parts of a page: each candidate that is not tiny is one of a kind, or none."""
    with from_extra("train", "lightgbm"):
        import lightgbm
    rows = [sample.page.candidates.sizeable() for sample in used]
    matrix = np.concatenate([sample.matrix[chosen] for sample, chosen in zip(used, rows, strict=True)])
    kinds = np.concatenate([_part_kinds(sample)[chosen] for sample, chosen in zip(used, rows, strict=True)])
    seed = {"seed": _SEEDS[0]}
    is_part = (kinds < len(ALL_KINDS)).astype(np.float64)
    start = lightgbm.train({**_TREES, **_PART_START, **seed}, lightgbm.Dataset(matrix, is_part), _PART_START_ROUNDS)
    part = lightgbm.train({**_TREES, **_PART, **seed}, lightgbm.Dataset(matrix, kinds), _PART_ROUNDS)
    trees = {"part_start": flatten(start.dump_model()["tree_info"]), "parts": _by_class(part, len(ALL_KINDS) + 1)}
    return trees, {"part_start_no": _PART_START_NO}


def _part_kinds(sample: SegmentSample) -> npt.NDArray[np.int64]:
    """The kind of the known segment that each candidate matches best; one more than the last where there is none."""
    if not len(sample.kinds):
        return np.full(len(sample.matches), len(ALL_KINDS))
    kinds = sample.kinds[sample.matches.argmax(axis=1)]
    return np.where((sample.matches.max(axis=1) > 0) & (kinds >= 0), kinds, len(ALL_KINDS))


def _mean(boosters: Sequence[Any]) -> list[dict[str, Any]]:
    """The trees of several sums, whose sum is the mean of these."""
    trees = [tree for booster in boosters for tree in booster.dump_model()["tree_info"]]
    for tree in trees:
        waiting = [tree["tree_structure"]]
        while waiting:
            node = waiting.pop()
            if "leaf_value" in node:
                node["leaf_value"] /= len(boosters)
            else:
                waiting += [node["left_child"], node["right_child"]]
    return trees


def _kinds(samples: Sequence[SegmentSample]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The rows of the candidates that match a segment of a known kind, and these kinds."""
    rows, kinds = [], []
    first = 0
    for sample in samples:
        known = (sample.kinds >= 0) & (sample.kinds < len(KINDS))
        matches = sample.matches[:, known]
        chosen = np.flatnonzero(matches.max(axis=1, initial=0) > 0)
        rows.append(chosen + first)
        kinds.append(sample.kinds[known][matches[chosen].argmax(axis=1)] if len(chosen) else np.zeros(0, np.int64))
        first += len(sample.matches)
    return np.concatenate(rows), np.concatenate(kinds)


def _cuts(samples: Sequence[SegmentSample], models: dict[int, SegmenterModel]) -> dict[int | None, float]:
    """The best threshold for the pages of each fold by the pages of the others, and for None by all.

    Every version of a page has the same weight, and its score comes from the model without its fold.
    """
    samples = _of_sort(samples, complete=False)
    scores = np.zeros((len(samples), len(_CUTS)))
    for row, sample in enumerate(samples):
        chances = models[sample.fold].scores(sample.page)
        for column, cut in enumerate(_CUTS.tolist()):
            selected, _ = select(sample.page.candidates, chances, cut)
            scores[row, column] = page_score(sample.matches[selected])
    folds = np.array([sample.fold for sample in samples])
    best: dict[int | None, float] = {None: _best_cut(scores)}
    for fold in models:
        best[fold] = _best_cut(scores[folds != fold] if (folds != fold).any() else scores)
    return best


def _part_cuts(samples: Sequence[SegmentSample], models: dict[int, SegmenterModel]) -> dict[int | None, float]:
    """As `_cuts`, of the threshold for parts: by F of the kinds over all parts of all pages."""
    samples = _of_sort(samples, complete=True)
    counts = np.zeros((len(samples), len(_PART_CUTS), 2))
    for row, sample in enumerate(samples):
        model, page = models[sample.fold], sample.page
        chances = model.judge(page)[1]
        kinds = chances.argmax(axis=1).astype(np.int32)
        for column, cut in enumerate(_PART_CUTS.tolist()):
            taken = select_parts(page.candidates, kinds, chances.sum(axis=1), cut)
            counts[row, column] = (_right_parts(sample, kinds, taken), taken.sum() + len(sample.kinds))
    folds = np.array([sample.fold for sample in samples])

    def best(chosen: npt.NDArray[np.bool_]) -> float:
        hits, all_parts = counts[chosen].sum(axis=0).T
        return float(_PART_CUTS[(2 * hits / np.maximum(all_parts, 1)).argmax()])

    found: dict[int | None, float] = {None: best(np.ones(len(folds), bool))}
    for fold in models:
        found[fold] = best(folds != fold if (folds != fold).any() else np.ones(len(folds), bool))
    return found


def _right_parts(sample: SegmentSample, kinds: npt.NDArray[np.int32], taken: npt.NDArray[np.bool_]) -> int:
    """The number of parts that match a known segment of their kind."""
    hits = 0
    for kind in np.unique(kinds[taken]).tolist():
        matches = sample.matches[taken & (kinds == kind)][:, sample.kinds == kind]
        hits += round(page_score(matches) * sum(matches.shape) / 2) if matches.size else 0
    return hits


def _best_cut(scores: Floats) -> float:
    """The threshold with the best smoothed mean: the mean is flat, and its peak is chance."""
    means = np.pad(scores.mean(axis=0), 2, mode="edge")
    return float(_CUTS[np.convolve(means, np.ones(5) / 5, "valid").argmax()])


def page_score(matches: npt.NDArray[np.int8]) -> float:
    """F of segments whose texts nearly match, from the matches of selected segments (rows) and known ones (columns).

    As in `webstrata.evaluation.metrics.fuzzy_matching`: equal texts are paired first, then as many others as possible.

    >>> page_score(np.array([[2, 1], [0, 1], [0, 0]], np.int8))
    0.8
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import maximum_bipartite_matching

    taken, known = matches.shape
    if not taken or not known:
        return float(taken == known)
    hits = 0
    left, right = np.ones(taken, bool), np.ones(known, bool)
    for row, column in np.argwhere(matches == EXACT).tolist():
        if left[row] and right[column]:
            left[row] = right[column] = False
            hits += 1
    rest = csr_matrix(matches[left][:, right] > 0)
    if rest.nnz:
        hits += int((maximum_bipartite_matching(rest, perm_type="column") >= 0).sum())
    return float(2 * hits / (taken + known))
