"""Training of the choice between candidates for title, author and date, from pages with known fields.

Each candidate of a page is a row, which is right or wrong. Trees learn the chance from which sources name it and what
it is like. Folds are by host. The logistic curve and the least confidence of an answer are fitted on the answers of
models without the fold of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from webstrata.errors import from_extra
from webstrata.evaluation.datasets.base import Item
from webstrata.evaluation.metrics.fields import same_field
from webstrata.extraction.metadata.candidates import FieldCandidates
from webstrata.extraction.metadata.choice import COLUMNS, VERSION, MetadataModel
from webstrata.extraction.metadata.deciding import candidates_of
from webstrata.extraction.metadata.reader import Metadata
from webstrata.models.files import flatten, trees_of
from webstrata.page import parse

__all__ = ["FieldSample", "TrainedMetadata", "reliability", "samples_of", "train_metadata", "write_metadata_card"]

Floats = npt.NDArray[np.float64]

_TREES = {
    "objective": "binary",
    "learning_rate": 0.05,
    "min_data_in_leaf": 15,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 3.0,
    "num_threads": 1,
    "deterministic": True,
    "force_row_wise": True,
    "boost_from_average": False,
    "seed": 1,
    "verbosity": -1,
}
_ROUNDS, _LEAVES = 300, 12
# Columns that can only speak for a candidate, and those that can only speak against it.
_FOR = {
    *("h1 in title", "h1", "og:title", "JSON-LD headline"),
    *("JSON-LD datePublished", "meta published", "meta of papers", "itemprop", "time of publication"),
}
_AGAINST = {"names the site", "ends with the site", "has a separator"}
# The weight of a page where nobody noted the field. Pages of shops and services have no author; of a date, which
# programs write into many of them, nothing is known.
_UNKNOWN = {"title": 0.0, "author": 1.0, "date": 0.0}
# The share of answers that are to be right. A title is always given: a page has one.
_RIGHT = {"title": 0.0, "date": 0.955}
# The share of pages without a known author that may get one all the same.
_FALSE_AUTHORS = 1 / 5
# Sources of the day of publication that a page declares, and sources of the last change.
_DECLARED_DATES = ("JSON-LD datePublished", "meta published", "meta of papers")
_CHANGES = ("JSON-LD dateModified", "meta modified", "time of a change", "marked as changed", "changed in a script")
# The limits of the ranges of confidence in the card.
_RANGES = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 1.01)


@dataclass(frozen=True, eq=False)
class FieldSample:
    """The candidates for a field of a page, and which of them are right.

    Attributes
    ----------
    source, fold : of the page
    field : its name
    rows : the matrix of the candidates
    right : whether each is right
    is_known : whether the data has the field of this page, and for a date not that of the last change
    weight : of the page
    """

    source: str
    fold: int
    field: str
    rows: npt.NDArray[np.float32]
    right: npt.NDArray[np.bool_]
    is_known: bool
    weight: float = 1.0


@dataclass(frozen=True, eq=False)
class TrainedMetadata:
    """The model of all samples, and for each fold the model trained without it."""

    model: MetadataModel
    without: dict[int, MetadataModel]


def samples_of(item: Item, source: str, weight: float = 1.0) -> list[FieldSample]:
    """The samples of a page: one for each field that has candidates.

    The choice of a title is learned with the URL and without it, because not every page is read with its URL. Pages
    that come without a URL are left out: their titles are those of a reader view, with the name of the site.
    """
    given = item.inputs["html"]
    found = _samples(item, given.url, source, weight, tuple(COLUMNS))
    if given.url is None:
        return [sample for sample in found if sample.field == "date"]
    return found + _samples(item, None, source, weight, ("title",))


def _samples(item: Item, url: str | None, source: str, weight: float, fields: Sequence[str]) -> list[FieldSample]:
    given = item.inputs["html"]
    page = Metadata(parse(given.html, url=url))
    samples = []
    for field in fields:
        gold = item.gold.fields.get(field)
        found, rows = candidates_of(field, page.sources, page.circumstances)
        right = [gold is not None and same_field(field, gold, one.value) for one in found]
        is_known = gold is not None and not (field == "date" and _notes_the_change(found, right))
        if rows:
            matrix = np.array(rows, np.float32)
            samples.append(FieldSample(source, given.fold or 0, field, matrix, np.array(right), is_known, weight))
    return samples


def _notes_the_change(found: FieldCandidates, right: Sequence[bool]) -> bool:
    """Whether the day that somebody noted is that of the last change, though the page declares one of publication."""
    named = [set(found.names(one.sources)) for one in found]
    noted = [sources for sources, is_right in zip(named, right, strict=True) if is_right]
    others = [sources for sources, is_right in zip(named, right, strict=True) if not is_right]
    return bool(noted) and noted[0].issubset(_CHANGES) and any(not one.isdisjoint(_DECLARED_DATES) for one in others)


def train_metadata(
    samples: Sequence[FieldSample], *, progress: Callable[[str], None] = lambda message: None
) -> TrainedMetadata:
    """Learn models from samples: one from all, and one without each fold."""
    folds = sorted({sample.fold for sample in samples})
    arrays: dict[int | None, dict[str, Any]] = {fold: {"version": np.array(VERSION)} for fold in (*folds, None)}
    for field, columns in COLUMNS.items():
        of = [sample for sample in samples if sample.field == field]
        for fold in (*folds, None):
            progress(f"{field}, " + ("all pages" if fold is None else f"without fold {fold}"))
            trees = _fit(field, [sample for sample in of if sample.fold != fold])
            arrays[fold].update({f"{field}_{name}": array for name, array in trees.items()})
        for fold in (*folds, None):
            # The curve of a model without a fold is fitted on the other folds.
            others = [sample for sample in of if sample.fold != fold]
            curve = _curve(field, others, {name: arrays[name] for name in folds})
            arrays[fold][f"{field}_curve"] = np.array(curve, np.float64)
            arrays[fold][f"{field}_columns"] = np.array(columns)
    models = {fold: MetadataModel(parts) for fold, parts in arrays.items()}
    return TrainedMetadata(models.pop(None), {fold: model for fold, model in models.items() if fold is not None})


def _weight(sample: FieldSample) -> float:
    return sample.weight * (1.0 if sample.is_known else _UNKNOWN[sample.field])


def _fit(field: str, samples: Sequence[FieldSample]) -> dict[str, npt.NDArray[Any]]:
    with from_extra("train", "lightgbm"):
        import lightgbm
    samples = [sample for sample in samples if _weight(sample)]
    rows = np.concatenate([sample.rows for sample in samples])
    right = np.concatenate([sample.right for sample in samples])
    weights = np.concatenate([np.full(len(sample.right), _weight(sample)) for sample in samples])
    slopes = [int(name in _FOR) - int(name in _AGAINST) for name in COLUMNS[field]]
    parameters = {**_TREES, "num_leaves": _LEAVES, "monotone_constraints": slopes}
    booster = lightgbm.train(parameters, lightgbm.Dataset(rows, right.astype(float), weight=weights), _ROUNDS)
    return flatten(booster.dump_model()["tree_info"])


def _curve(field: str, samples: Sequence[FieldSample], arrays: Mapping[int, Mapping[str, Any]]) -> list[float]:
    """The numbers of `CURVE`, from the best candidates by the models without the fold of each page."""
    from sklearn.linear_model import LogisticRegression

    trees = {fold: trees_of(parts, field) for fold, parts in arrays.items()}
    sums = [trees[sample.fold].sums(sample.rows) for sample in samples]
    is_known = np.array([sample.is_known for sample in samples])
    best = np.array([one.max() for one in sums])
    right = np.array([sample.right[one.argmax()] for sample, one in zip(samples, sums, strict=True)])[is_known]
    weight = np.array([sample.weight for sample in samples])[is_known]
    if right.all() or not right.any():
        return [1.0, 0.0, 0.0]
    # The chance is that for a page that has the field.
    fitted = LogisticRegression(C=1e6).fit(best[is_known][:, None], right, weight)
    slope, offset = float(fitted.coef_[0, 0]), float(fitted.intercept_[0])
    chances = 1 / (1 + np.exp(-(slope * best + offset)))
    if field == "author":
        least = float(np.quantile(chances[~is_known], 1 - _FALSE_AUTHORS)) if not is_known.all() else 0.0
    else:
        least = _least(chances[is_known], right, _RIGHT[field])
    return [slope, offset, least]


def _least(chances: Floats, right: npt.NDArray[np.bool_], wanted: float) -> float:
    """The lowest chance from which on this share of answers is right."""
    order = np.argsort(-chances)
    shares = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    enough = np.flatnonzero(shares >= wanted)
    return float(chances[order[enough[-1]]]) if len(enough) and enough[-1] + 1 < len(order) else 0.0


def reliability(samples: Sequence[FieldSample], trained: TrainedMetadata, field: str) -> list[tuple[float, float, int]]:
    """For ranges of confidence the mean confidence, the share of right answers, and the number of pages.

    Each page is read by the model without its fold. Pages whose field is unknown are left out.
    """
    found = []
    for sample in samples:
        if sample.field == field and sample.is_known:
            index, chance = trained.without[sample.fold].fields[field].best(sample.rows)
            found.append((chance, bool(sample.right[index])))
    table = []
    for low, high in pairwise(_RANGES):
        inside = [(chance, right) for chance, right in found if low <= chance < high]
        if inside:
            chances, rights = zip(*inside, strict=True)
            table.append((float(np.mean(chances)), float(np.mean(rights)), len(inside)))
    return table


def write_metadata_card(samples: Sequence[FieldSample], trained: TrainedMetadata, *, credit: str) -> str:
    """The card of the model as Markdown: its data, and how reliable its confidence is."""
    lines = ["# Model card: choice of title, author and date", "", f"Data: {credit}", ""]
    lines += [
        "Method: boosted trees over the candidates for each field, and a logistic curve. Five folds by host; each page",
        "is read by the model without its fold.",
    ]
    for field in COLUMNS:
        lines += ["", f"## {field}", "", "| confidence | right | pages |", "| --- | --- | --- |"]
        lines += [
            f"| {mean:.3f} | {right:.3f} | {count} |" for mean, right, count in reliability(samples, trained, field)
        ]
    return "\n".join([*lines, ""])
