"""The same folds on Spark.

`fold_frame` folds any DataFrame with ``groupBy(key).applyInArrow``. `run_fold` runs a whole `FoldJob`: it reads the
same parts in the same order as local processes do, so that the resulting rows are the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.folding.folds import Fold, Folded, FoldJob
from webstrata.crawls.folding.shuffle import partial_rows
from webstrata.crawls.running.spark import absolute, session, write_frame
from webstrata.errors import need

__all__ = ["fold_frame", "run_fold"]

# The number of the part of a row, and its place there.
_PART, _ROW = "__part", "__row"


def fold_frame(frame: Any, fold: Fold) -> Any:
    """A fold over a DataFrame that has the columns of its partial rows. Spark promises no order within a group.

    Parameters
    ----------
    frame : with the columns of the fold's ``partial``
    fold : the fold to run
    """
    return _grouped(frame, fold, ordered=False)


def run_fold(job: FoldJob, *, output: str | None = None, jobs: int | None = None) -> Folded:
    """Run a fold on Spark and write its rows.

    Parameters
    ----------
    job : its rows must be readable on every executor by their path
    output : a folder or URI that Spark can write; the job's own by default
    jobs : cores, when this machine is the cluster
    """
    need("spark", "pyspark")
    from pyspark.sql import Observation
    from pyspark.sql.functions import count, lit
    from pyspark.storagelevel import StorageLevel

    if isinstance(job.rows, Path):
        job = replace(job, rows=job.rows.absolute())
    # Persisted because it is read twice: to count the keys, and to fold.
    shuffled = _partial(session(jobs=jobs), job).persist(StorageLevel.DISK_ONLY)
    try:
        groups = shuffled.select(job.fold.key).distinct().count()
        counted = Observation("rows")
        folded = _grouped(shuffled, job.fold, ordered=True).observe(counted, count(lit(1)).alias("rows"))
        write_frame(folded, absolute(output or job.output), job.format)
    finally:
        shuffled.unpersist()
    return Folded(groups=groups, rows=int(counted.get["rows"]))


def _partial(spark: Any, job: FoldJob) -> Any:
    """The partial rows of all parts, one task for each, with their places."""
    from pyspark.sql.pandas.types import from_arrow_schema

    pa = pyarrow()
    parts, fold = job.parts, job.fold
    schema = fold.partial_schema(parts[0].schema)
    placed = pa.schema([*schema, (_PART, pa.int32()), (_ROW, pa.int64())])

    def task(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            for number in batch.column("id").to_pylist():
                rows = partial_rows(parts[number], fold).cast(schema)
                rows = rows.append_column(_PART, pa.array([number] * rows.num_rows, pa.int32()))
                yield from rows.append_column(_ROW, pa.array(range(rows.num_rows), pa.int64())).to_batches()

    return spark.range(0, len(parts), 1, len(parts)).mapInArrow(task, from_arrow_schema(placed))


def _grouped(frame: Any, fold: Fold, *, ordered: bool) -> Any:
    from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

    schema = fold.schema
    # Spark has one type for strings, and one for bytes.
    written = to_arrow_schema(from_arrow_schema(schema))

    def group(key: tuple[Any, ...], table: Any) -> Any:
        if ordered:
            table = table.sort_by([(_PART, "ascending"), (_ROW, "ascending")]).drop_columns([_PART, _ROW])
        batches = [batch for batch in fold(key[0].as_py(), iter(table.to_batches())) if batch.num_rows]
        return pyarrow().Table.from_batches(batches, schema).cast(written)

    return frame.groupBy(fold.key).applyInArrow(group, from_arrow_schema(schema))
