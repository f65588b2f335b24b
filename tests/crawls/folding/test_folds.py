"""Folds: every row of a key in one group, the same files every time, on processes and on Spark."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from folding import Longest, Stopped, WordCount, slow_fold
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.crawls import Folded, FoldJob
from webstrata.crawls.folding.shuffle import find_row_groups, key_bucket
from webstrata.errors import InputError, WorkerError

pytestmark = pytest.mark.slow


def write_rows(folder: Path, *, count: int = 500, files: int = 3) -> list[dict[str, Any]]:
    """Texts of some hosts, one of them null, in Parquet files of several row groups."""
    chance = random.Random(3)
    words = "strata of pages are read one by one ä 日本 and none is lost".split()
    rows = [
        {
            "host": chance.choice(["a.example", "b.example", "ü.example", "c.example", None]),
            "text": " ".join(chance.choices(words, k=chance.randrange(1, 12))),
        }
        for _ in range(count)
    ]
    folder.mkdir()
    schema = pa.schema([("host", pa.string()), ("text", pa.string())])
    for number in range(files):
        table = pa.Table.from_pylist(rows[number * count // files : (number + 1) * count // files], schema)
        pq.write_table(table, folder / f"part-{number:05}.parquet", row_group_size=40)
    pq.write_table(pa.Table.from_pylist([], schema), folder / "part-99999.parquet")
    (folder / "_summary.json").write_text("{}")
    return rows


def rows_of(folder: Path) -> list[dict[str, Any]]:
    files = sorted(folder.glob("part-*.parquet"))
    return [row for path in files for row in pq.ParquetFile(path).read().to_pylist()]


def files_of(output: Path) -> dict[str, bytes]:
    paths = (path for path in output.rglob("*") if path.is_file() and path.name != "lock")
    return {str(path.relative_to(output)): path.read_bytes() for path in paths}


def test_words_are_counted_once_whatever_the_parts(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows")
    for size, buckets in ((1, 64), (2**20, 64), (2**20, 1)):
        output = tmp_path / f"{size}-{buckets}"
        job = FoldJob(rows=tmp_path / "rows", fold=WordCount(), output=output, part_bytes=size, buckets=buckets)
        folded = job.run(jobs=2)
        found = {row["word"]: row["count"] for row in rows_of(output)}
        assert found == Counter(word for row in rows for word in row["text"].split())
        assert folded == Folded(groups=len(found), rows=len(found))


def test_a_group_has_all_its_rows_in_their_order(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows")
    FoldJob(rows=tmp_path / "rows", fold=Longest(), output=tmp_path / "out", part_bytes=1).run(jobs=2)
    found = {row["host"]: (row["rows"], row["text"]) for row in rows_of(tmp_path / "out")}
    expected = {}
    for host in {row["host"] for row in rows}:
        texts = [row["text"] for row in rows if row["host"] == host]
        expected[host] = (len(texts), max(texts, key=len))
    assert found == expected
    assert None in found


def test_the_number_of_processes_changes_no_byte(tmp_path: Path) -> None:
    write_rows(tmp_path / "rows")
    outputs = []
    for jobs in (1, 2):
        output = tmp_path / str(jobs)
        FoldJob(rows=tmp_path / "rows", fold=Longest(), output=output, part_bytes=1, format="jsonl").run(jobs=jobs)
        outputs.append(files_of(output))
    assert outputs[0] == outputs[1]
    assert not any("shuffled" in name for name in outputs[0])


@settings(max_examples=30, deadline=None)
@given(keys=st.lists(st.one_of(st.none(), st.text(max_size=3)), max_size=40), buckets=st.integers(1, 9))
def test_a_shuffle_loses_and_doubles_nothing(
    keys: list[str | None], buckets: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    from webstrata.crawls.folding.shuffle import key_groups, shuffle_part

    keys = [None if key is None else key.encode("utf-8", "replace").decode() for key in keys]
    folder = tmp_path_factory.mktemp("shuffle")
    table = pa.table({"host": pa.array(keys, pa.string()), "text": pa.array(range(len(keys)), pa.int64())})
    pq.write_table(table, folder / "a.parquet", row_group_size=7)
    parts = find_row_groups(folder, 1)
    files = [folder / f"{number}.arrow" for number in range(len(parts))]
    for part, path in zip(parts, files, strict=True):
        with path.open("wb") as stream:
            shuffle_part(part, Longest(), buckets, stream)
    found: dict[str | None, list[int]] = {}
    for bucket in range(buckets):
        for key, batches in key_groups(files, bucket, "host"):
            assert key not in found
            assert key_bucket(key, buckets) == bucket
            found[key] = [number for batch in batches for number in batch.column("text").to_pylist()]
    expected: dict[str | None, list[int]] = {}
    for number, key in enumerate(keys):
        expected.setdefault(key, []).append(number)
    assert found == expected


def test_killed_at_random_moments(tmp_path: Path, kills: int) -> None:
    write_rows(tmp_path / "rows", count=1200)
    output = tmp_path / "out"
    chance = random.Random()
    for kill in range(kills):
        process = start_slowly(tmp_path / "rows", output, jobs=1 + kill % 2)
        time.sleep(chance.uniform(0.1, 1.0))
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL) if kill % 3 else process.kill()
        process.wait()
    assert start_slowly(tmp_path / "rows", output).wait() == 0
    slow_fold(str(tmp_path / "rows"), str(tmp_path / "calm")).run(jobs=2)
    assert files_of(output) == files_of(tmp_path / "calm")


def start_slowly(rows: Path, output: Path, *, jobs: int = 2) -> subprocess.Popen[bytes]:
    call = f"folding.fold_slowly({str(rows)!r}, {str(output)!r}, {jobs})"
    code = f"import sys; sys.path[:0] = {sys.path!r}; import folding; {call}"
    return subprocess.Popen([sys.executable, "-c", code], start_new_session=True)


def test_resume_takes_what_is_there(tmp_path: Path) -> None:
    write_rows(tmp_path / "rows")
    job = FoldJob(rows=tmp_path / "rows", fold=WordCount(), output=tmp_path / "out", buckets=4)
    told: list[float] = []
    folded = job.run(jobs=1, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    with pytest.raises(InputError, match="holds an earlier run: add --resume"):
        job.run(jobs=1)
    before = files_of(tmp_path / "out")
    assert job.run(jobs=1, resume=True) == folded
    (tmp_path / "out/_summary.json").unlink()
    assert job.run(jobs=1, resume=True) == folded
    assert files_of(tmp_path / "out") == before
    assert json.loads((tmp_path / "out/_summary.json").read_text()) == {"groups": folded.groups, "rows": folded.rows}
    with pytest.raises(InputError, match=r"differs: .*; buckets was "):
        FoldJob(rows=tmp_path / "rows", fold=Longest(), output=tmp_path / "out").run(resume=True)


def test_what_cannot_be_folded_is_told(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no Parquet files"):
        FoldJob(rows=tmp_path / "empty", fold=Longest(), output=tmp_path / "a").run()
    pq.write_table(pa.table({"text": ["x"]}), tmp_path / "empty/a.parquet")
    with pytest.raises(InputError, match="no column host to fold by, only text"):
        FoldJob(rows=tmp_path / "empty", fold=Longest(), output=tmp_path / "b").run(jobs=1)
    (tmp_path / "empty/b.parquet").write_bytes(b"no Parquet")
    with pytest.raises(InputError, match="is no Parquet file"):
        FoldJob(rows=tmp_path / "empty", fold=Longest(), output=tmp_path / "c").run()
    with pytest.raises(InputError, match="choose parquet or jsonl"):
        FoldJob(rows=tmp_path, fold=Longest(), output=tmp_path, format="txt")


def test_local_and_spark_give_the_same_rows(spark: Any, tmp_path: Path) -> None:
    from webstrata.crawls.folding.spark import fold_frame, run_fold

    rows = write_rows(tmp_path / "rows")
    for name, fold in (("words", WordCount()), ("longest", Longest())):
        job = FoldJob(rows=tmp_path / "rows", fold=fold, output=tmp_path / name, part_bytes=1)
        assert run_fold(job, output=str(tmp_path / f"spark-{name}")) == job.run(jobs=2)
        assert sorted(map(repr, rows_of(tmp_path / f"spark-{name}"))) == sorted(map(repr, rows_of(tmp_path / name)))
    frame = spark.createDataFrame([(row["host"], row["text"]) for row in rows], "host string, text string")
    sizes = {row["host"]: row["rows"] for row in fold_frame(frame, Longest()).collect()}
    assert sizes == dict(Counter(row["host"] for row in rows))


def test_a_process_that_is_stopped_does_not_hang_the_fold(tmp_path: Path) -> None:
    write_rows(tmp_path / "rows")
    with pytest.raises(WorkerError, match="finished work is kept: resume the run"):
        FoldJob(rows=tmp_path / "rows", fold=Stopped(), output=tmp_path / "out").run(jobs=1)
