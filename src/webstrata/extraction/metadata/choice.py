"""The choice between the candidates for a field, and how sure it is, by a model that is learned from labelled pages.

The model is a sum of boosted trees for each field. The trees read which sources name a candidate and what it is like,
and give the chance that it is right; a logistic curve, fitted on hosts outside of the training, calibrates it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import exp
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from webstrata._array_checks import ArrayCheck, ArrayChecks
from webstrata.errors import InputError
from webstrata.extraction.metadata.bylines import AUTHOR_FEATURES, AUTHOR_SOURCES
from webstrata.extraction.metadata.datelines import DATE_FEATURES, DATE_SOURCES
from webstrata.extraction.metadata.titles import TITLE_FEATURES, TITLE_SOURCES
from webstrata.models.files import Arrays, check, load_model, save_arrays, tree_checks, trees_of
from webstrata.models.trees import Trees

__all__ = ["COLUMNS", "CURVE", "FieldModel", "MetadataModel", "shipped"]

VERSION = 1
#: The columns of the matrix of the candidates for each field.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "title": (*TITLE_SOURCES, *TITLE_FEATURES),
    "author": (*AUTHOR_SOURCES, *AUTHOR_FEATURES),
    "date": (*DATE_SOURCES, *DATE_FEATURES),
}
#: The numbers of a field beside its trees: of the logistic curve, and the least confidence of an answer.
CURVE = ("slope", "offset", "least")


@dataclass(frozen=True, slots=True)
class FieldModel:
    """The trees of a field and its logistic curve."""

    trees: Trees
    slope: float
    offset: float
    least: float

    def best(self, rows: npt.ArrayLike) -> tuple[int, float]:
        """The index of the candidate that is most likely right, and the chance that it is."""
        sums = self.trees.sums(np.array(rows, np.float32))
        index = int(sums.argmax())
        return index, 1 / (1 + exp(-max(-50.0, min(50.0, self.slope * float(sums[index]) + self.offset))))


class MetadataModel:
    """The models of the fields, from the arrays of a file."""

    def __init__(self, arrays: Arrays) -> None:
        self._arrays = dict(arrays)
        check(arrays, _checks(), command="webstrata train --metadata")
        if int(arrays["version"]) != VERSION:
            raise InputError(f"the model has version {int(arrays['version'])}, not {VERSION}: train it again")
        for field, names in COLUMNS.items():
            if tuple(arrays[f"{field}_columns"].tolist()) != names:
                raise InputError(f"the model was trained on other columns of {field}: train it again")
        self.fields = {
            field: FieldModel(trees_of(arrays, field), *map(float, arrays[f"{field}_curve"])) for field in COLUMNS
        }

    def __reduce__(self) -> tuple[Any, ...]:
        return MetadataModel, (self._arrays,)

    @classmethod
    def load(cls, file: str | Path | IO[bytes]) -> MetadataModel:
        """The model of a file."""
        return load_model(cls, file)

    def save(self, file: str | Path) -> None:
        """Write the model to a file."""
        save_arrays(file, self._arrays)


def _checks() -> ArrayChecks:
    checks: dict[str, ArrayCheck] = {"version": ArrayCheck(("i",), ())}
    for field, names in COLUMNS.items():
        checks[f"{field}_columns"] = ArrayCheck(("U",), (len(names),))
        checks[f"{field}_curve"] = ArrayCheck(("f",), (len(CURVE),))
        checks.update(tree_checks(field))
    return checks


@cache
def shipped() -> MetadataModel:
    """The model that comes with webstrata."""
    return MetadataModel.load(Path(__file__).with_name("model.npz"))
