"""Spark gives the rows that local processes give."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hostile import Hostile
from warcs import PACKINGS, info, page_record

from webstrata.crawls import Extract, Job, Limits, find_inputs
from webstrata.errors import InputError


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    """Two archives of good, bad and hostile pages."""
    folder = tmp_path_factory.mktemp("crawl")
    limits = Limits(seconds=1)
    for name in "ab":
        parts = [
            page_record(f"http://{name}/{i}", f"<title>{i}</title><p>Seite {i} für uns.".encode()) for i in range(40)
        ]
        parts[10:10] = [info(), page_record("http://x/", b"<p>@KILL@"), page_record("http://x/", b"", status="500 No")]
        parts[20:20] = [page_record("http://x/", b"<p>@SPIN@"), page_record("http://x/", b"<p>short", longer=-4)]
        (folder / f"{name}.warc.gz").write_bytes(b"".join(map(PACKINGS[".warc.gz"], parts)))
    inputs = tuple(find_inputs([str(folder / "a.warc.gz"), str(folder / "b.warc.gz")]))
    return Job(inputs=inputs, step=Hostile(limits=limits), output=folder / "local", limits=limits, rejected=True)


def rows_of(folder: Path) -> list[dict[str, Any]]:
    rows = [row for path in folder.glob("*.parquet") for row in pq.ParquetFile(path).read().to_pylist()]
    return sorted(rows, key=lambda row: (row["file"], row["record"]))


def rejected_of(folder: Path) -> list[dict[str, Any]]:
    files = [path for path in (folder / "_rejected").iterdir() if path.name.startswith("part")]
    rows = [json.loads(line) for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    return sorted(rows, key=lambda row: (row["file"], row["record"]))


def test_local_and_spark_give_the_same_rows(spark: Any, job: Job, tmp_path: Path) -> None:
    from webstrata.crawls.running.spark import run_job

    summary = run_job(job, output=str(tmp_path / "spark"))
    assert summary == job.run(jobs=2)
    assert summary.records == 90
    assert summary.written == 80
    assert summary.rejected == {
        "HTTP error": 2, "broken record": 2, "crashed": 2, "not a response": 2, "timed out": 2,
    }  # fmt: skip
    assert rows_of(tmp_path / "spark") == rows_of(Path(job.output))
    assert rejected_of(tmp_path / "spark") == rejected_of(Path(job.output))
    with pytest.raises(InputError, match="cannot be written"):
        run_job(job, output=str(tmp_path / "spark"))


def test_a_step_maps_over_any_frame(spark: Any) -> None:
    from webstrata.crawls.running.spark import map_step

    frame = spark.createDataFrame(
        [
            ("http://a/", bytearray(b"<p>one")),
            ("http://b/", bytearray(b"<p>@KILL@")),
            ("http://c/", bytearray(b"<p>two")),
        ],
        "url string, html binary",
    ).coalesce(1)
    rows = map_step(frame, Hostile()).select("url", "text", "reason").collect()
    assert {tuple(row) for row in rows} == {
        ("http://a/", "one", None), ("http://b/", None, "crashed"), ("http://c/", "two", None),
    }  # fmt: skip


def test_what_spark_cannot_do(spark: Any, tmp_path: Path) -> None:
    from webstrata.crawls.running.spark import run_job

    step = Extract(algorithm="keep-all")
    with pytest.raises(InputError, match="use --engine local"):
        run_job(Job(inputs=tuple(find_inputs(["-"])), step=step, output=tmp_path / "out"))


@pytest.mark.usefixtures("spark")
def test_the_cluster_of_the_environment_counts() -> None:
    """Without a running Java, pyspark's configuration is empty, and a cluster would be ignored."""
    code = "from webstrata.crawls.running.spark import session; print(session().sparkContext.master)"
    chosen = {**os.environ, "PYSPARK_SUBMIT_ARGS": "--master local[3] pyspark-shell"}
    run = subprocess.run([sys.executable, "-c", code], env=chosen, capture_output=True, text=True, timeout=300)
    assert run.stdout.split() == ["local[3]"], run.stderr
