"""Scores as rows, one for each page, input and metric, in Parquet files: ``scores/<dataset>/<algorithm>.parquet``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from webstrata.errors import InputError, from_extra
from webstrata.evaluation.answers.files import file_name
from webstrata.files import NewFile, readable

__all__ = ["Row", "read_scores", "write_scores"]


@dataclass(frozen=True, slots=True)
class Row:
    """One score of one answer.

    ``value`` is F, or the single number of a metric; 1 is best, 0 is worst. ``retrieved``, ``hits`` and ``relevant``
    are counts of segments or words, NaN for metrics without counts. ``unmapped`` texts were not found in the page.
    """

    dataset: str
    page: str
    group: str
    input: str
    algorithm: str
    metric: str
    value: float
    precision: float
    recall: float
    hits: float
    retrieved: float
    relevant: float
    status: str
    seconds: float
    unmapped: int


def write_scores(rows: Sequence[Row], folder: Path, dataset: str, algorithm: str) -> Path:
    """Write the rows of one algorithm on one data set, replacing old ones."""
    arrow, parquet = _arrow()
    path = folder / "scores" / file_name(dataset) / f"{file_name(algorithm)}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    columns = {field.name: [getattr(row, field.name) for row in rows] for field in fields(Row)}
    with NewFile(path) as file:
        parquet.write_table(arrow.table(columns), file.stream)
    return path


def read_scores(folder: Path) -> list[Row]:
    """All rows below a folder, data sets and algorithms in the order of their names."""
    _, parquet = _arrow()
    paths = sorted((folder / "scores").glob("*/*.parquet"))
    if not paths:
        raise InputError(f"no scores in {folder}: run webstrata evaluate first")
    found: list[Row] = []
    for path in paths:
        with readable(path, "score the answers again with `webstrata evaluate`"):
            found += [Row(**row) for row in parquet.read_table(path).to_pylist()]
    return found


def _arrow() -> tuple[Any, Any]:
    with from_extra("eval", "pyarrow"):
        import pyarrow
        import pyarrow.parquet
    return pyarrow, pyarrow.parquet
