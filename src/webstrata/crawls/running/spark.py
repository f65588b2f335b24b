"""The same steps under the same guard on Spark.

`map_step` maps a step over any DataFrame of records; `run_job` runs a whole `Job`, one task for each input. A task
reads its input itself, so pages never pass through the Java side, and runs the step in a killable child of its own: a
page that kills a process fails neither the task nor the job.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from webstrata.crawls.reading.reader import Reader
from webstrata.crawls.reading.records import KEPT, REASONS
from webstrata.crawls.running.guard import Guard
from webstrata.crawls.running.job import Job, Summary
from webstrata.crawls.running.shards import OUT, output_schema
from webstrata.crawls.running.steps import CrawlStep
from webstrata.errors import InputError, from_extra, need
from webstrata.workers.limits import Limits

__all__ = ["absolute", "map_step", "run_job", "session", "write_frame"]

# Rows of one Arrow batch on its way to Python. Spark's default of 10,000 would be gigabytes of HTML.
_BATCH_ROWS = 64


def session(*, jobs: int | None = None) -> Any:
    """The running Spark session, or a new one: on this machine with ``jobs`` cores, or where spark-submit says."""
    with from_extra("spark", "pyspark"):
        from pyspark import SparkConf, SparkContext
        from pyspark.sql import SparkSession
    # By default Spark uses the first python3 of the path, which may lack our packages.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("webstrata")
    # Before Java runs, a configuration knows nothing of spark-submit, of its environment variable or of its files.
    SparkContext._ensure_initialized()
    if jobs and SparkConf().get("spark.master", "local").startswith("local"):
        builder = builder.master(f"local[{jobs}]")
    return builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", _BATCH_ROWS).getOrCreate()


def map_step(frame: Any, step: CrawlStep, *, limits: Limits | None = None) -> Any:
    """A step over a DataFrame of records. Columns of `record_schema` that it lacks are null.

    Parameters
    ----------
    frame : with a column ``html`` (binary) and any of the others
    step : the step to run
    limits : of time and memory for a page
    """
    need("spark", "pyspark")
    from pyspark.sql.functions import lit
    from pyspark.sql.pandas.types import from_arrow_schema

    from webstrata.crawls.reading.records import record_schema

    records = from_arrow_schema(record_schema())
    for column in records.fields:
        if column.name not in frame.columns:
            frame = frame.withColumn(column.name, lit(None).cast(column.dataType))
    guard = Guard(step=step, limits=limits or Limits())

    def task(batches: Iterator[Any]) -> Iterator[Any]:
        return guard(batches)

    return frame.select(*records.names).mapInArrow(task, from_arrow_schema(step.schema))


def run_job(job: Job, *, output: str | None = None, jobs: int | None = None) -> Summary:
    """Run a job on Spark and write its rows as Parquet or JSON lines.

    Parameters
    ----------
    job : its inputs must be readable on every executor, by path or by URI
    output : a folder or URI that Spark can write; the job's own by default
    jobs : cores, when this machine is the cluster
    """
    need("spark", "pyspark")
    from pyspark.sql.functions import col
    from pyspark.storagelevel import StorageLevel

    target = absolute(output or job.output)
    if job.format == "txt" or any(item.kind == "stdin" for item in job.inputs):
        raise InputError("Spark reads files and writes Parquet or JSON lines: use --engine local for pipes and text")
    rows = _rows(session(jobs=jobs), job)
    if job.rejected:
        rows = rows.persist(StorageLevel.DISK_ONLY)
    counts, observed = _observed(rows)
    names = output_schema(job.step.schema).names
    write_frame(observed.where(col("reason").isNull()).select(*names), target, job.format)
    if job.rejected:
        write_frame(rows.where(col("reason").isNotNull()).select(*KEPT), f"{target}/_rejected", "jsonl")
        rows.unpersist()
    summary = Summary.of(Counter(counts.get))
    if "://" not in target:
        text = json.dumps(summary.as_dict(), indent=1, ensure_ascii=False)
        (Path(target) / "_summary.json").write_text(text + "\n", encoding="utf-8")
    return summary


def absolute(output: str | Path) -> str:
    """A path or an address whatever the working directory of the process that uses it."""
    return str(output) if "://" in str(output) else os.path.abspath(output)


def _rows(spark: Any, job: Job) -> Any:
    """All rows of a job, the rejected ones too: one task for each input."""
    from pyspark.sql.pandas.types import from_arrow_schema

    inputs, limits = [item.within(os.getcwd()) for item in job.inputs], job.limits
    guard = Guard(step=job.step, limits=limits)

    def task(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            for number in batch.column("id").to_pylist():
                yield from guard(iter(Reader(inputs[number], limits=limits)))

    numbers = spark.range(0, len(inputs), 1, len(inputs))
    return numbers.mapInArrow(task, from_arrow_schema(job.step.schema))


def _observed(rows: Any) -> tuple[Any, Any]:
    """The rows, counted by reason when they are computed."""
    from pyspark.sql import Observation
    from pyspark.sql.functions import coalesce, col, count, lit, when

    counts = Observation("reasons")
    reason = coalesce(col("reason"), lit(OUT))
    known = (OUT, *REASONS)
    columns = [count(when(reason == name, 1)).alias(name) for name in known]
    # Other reasons of a step are counted together, so that the sum is right.
    other = count(when(~reason.isin(*known), 1)).alias("other")
    return counts, rows.observe(counts, *columns, other)


def write_frame(frame: Any, target: str, kind: str) -> None:
    """Write a new folder; Spark refuses one that exists."""
    from pyspark.errors import AnalysisException

    try:
        if kind == "parquet":
            frame.write.option("compression", "zstd").parquet(target)
        else:
            frame.write.option("ignoreNullFields", "false").json(target)
    except AnalysisException as error:
        raise InputError(f"{target} cannot be written: {error}") from error
