"""A real cluster gives the rows of one machine, also when it loses workers. `make test-cluster` runs this."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import spark_cluster
from commands import webstrata
from folding import Longest, WordCount

from chains import DOCS, CrawlFolder, contents, equal, steps_of
from webstrata.crawls import Extract, FoldJob, Job, find_inputs
from webstrata.links import GaussSeidel, Partitioned, Ranks, build_graph

pytestmark = pytest.mark.filterwarnings("default")

# Files of pages; the second half of all pages is of one host.
FILES, PAGES = 24, 40
KILLS = 3
WAIT_SECONDS = 300
WORDS = "strata of pages are read one by one and none is lost between the layers of clay and sand".split()


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of pages of which one host has half."""
    folder = tmp_path_factory.mktemp("crawl")
    chance = np.random.default_rng(5)
    for file in range(FILES):
        lines = []
        for number in range(PAGES):
            host = "large.example.org" if number % 2 else f"h{chance.integers(9)}.example.org"
            text = "".join(f"<p>{' '.join(chance.choice(WORDS, 60))}.</p>" for _ in range(40))
            page = {"url": f"http://{host}/{file}/{number}", "html": f"<title>{number}</title>{text}"}
            lines.append(json.dumps(page))
        (folder / f"{file:02}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder


def job(crawl: Path, output: Path) -> Job:
    step = Extract(algorithm="learned", formats=("markdown",))
    return Job(inputs=tuple(find_inputs([str(crawl)])), step=step, output=output, rejected=True)


def rows_of(folder: Path) -> list[dict[str, Any]]:
    rows = [row for path in folder.glob("*.parquet") for row in pq.ParquetFile(path).read().to_pylist()]
    return sorted(rows, key=lambda row: (row["file"], row["record"]))


@pytest.fixture(scope="module")
def local(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rows of one machine."""
    output = tmp_path_factory.mktemp("local") / "rows"
    assert job(crawl, output).run(jobs=2).written == FILES * PAGES
    return output


def losing_workers(cluster: Any, spark: Any, group: str, work: Callable[[], Any], tasks: int) -> tuple[Any, int]:
    """The result of work on Spark in the course of which workers are killed, and how many were."""
    found: list[Any] = []
    errors: list[BaseException] = []

    def run() -> None:
        spark.sparkContext.setJobGroup(group, group)
        try:
            found.append(work())
        except BaseException as error:
            errors.append(error)

    from pyspark import InheritableThread

    thread: threading.Thread = InheritableThread(target=run)
    thread.start()
    killed, last, deadline = 0, 0, time.monotonic() + WAIT_SECONDS
    while thread.is_alive() and time.monotonic() < deadline:
        done = _done(spark, group)
        if done != last:
            last, deadline = done, time.monotonic() + WAIT_SECONDS
        if killed < KILLS and done >= (killed + 1) * tasks // (KILLS + 2):
            cluster.kill_worker()
            cluster.add_worker()
            killed += 1
        thread.join(0.05)
    assert not thread.is_alive(), f"no task ended for {WAIT_SECONDS} seconds"
    if errors:
        raise errors[0]
    return found[0], killed


def _done(spark: Any, group: str) -> int:
    """The number of tasks of the first stages of a group that have ended."""
    tracker = spark.sparkContext.statusTracker()
    stages = (stage for number in tracker.getJobIdsForGroup(group) for stage in tracker.getJobInfo(number).stageIds)
    infos = (tracker.getStageInfo(stage) for stage in stages)
    return max((info.numCompletedTasks for info in infos if info is not None), default=0)


def test_a_cluster_that_does_not_start_leaves_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark_cluster, "_START_SECONDS", -1)
    found = spark_cluster.SparkCluster(tmp_path)
    with pytest.raises(RuntimeError, match="master did not start"), found:
        pass
    log = f"{tmp_path / 'master.log'}"
    assert not [path for path in Path("/proc").glob("[0-9]*/fd/1") if _target(path) == log]


def _target(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:
        return ""


def test_executors_run_the_package_that_is_sent(spark: Any) -> None:
    def where(_: int) -> str:
        import webstrata._scan.scan as native

        return str(native.__file__)

    assert spark.sparkContext.master.startswith("spark://")
    found = set(spark.sparkContext.parallelize(range(4), 4).map(where).collect())
    assert found
    assert all("worker-" in name and name.endswith(".so") for name in found)


def test_commands_give_what_they_give_on_one_machine(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Extraction, links, sites, duplicates, statistics, search."""
    found = {}
    for engine in ("local", "spark"):
        crawl = CrawlFolder(tmp_path / engine, engine=engine).write()
        monkeypatch.chdir(crawl.folder)
        steps = steps_of(DOCS / "tasks/analysis.md")
        for step in steps:
            crawl.run(step)
        written = [step.output for step in steps if step.output]
        found[engine] = {name: contents(Path(name)) for name in written}
    for name, value in found["local"].items():
        assert equal(found["spark"][name], value), name


def test_rows_are_the_same_when_workers_are_lost(
    spark: Any, cluster: Any, crawl: Path, local: Path, tmp_path: Path
) -> None:
    from webstrata.crawls.running.spark import run_job

    output = tmp_path / "rows"
    work = job(crawl, output)
    summary, killed = losing_workers(cluster, spark, "extract", lambda: run_job(work), FILES)
    assert killed == KILLS
    assert (summary.records, summary.written) == (FILES * PAGES, FILES * PAGES)
    rows = rows_of(output)
    assert len({(row["file"], row["record"]) for row in rows}) == len(rows) == FILES * PAGES
    assert rows == rows_of(local)


@pytest.mark.parametrize("fold", [WordCount(seconds=0.3), Longest()], ids=["partial", "whole"])
def test_folds_are_the_same_when_workers_are_lost(
    fold: Any, spark: Any, cluster: Any, local: Path, tmp_path: Path
) -> None:
    """Half of the rows have one key."""
    from webstrata.crawls.folding.spark import run_fold

    rows = tmp_path / "rows"
    rows.mkdir()
    for path in sorted(local.glob("*.parquet")):
        table = pq.ParquetFile(path).read()
        host = [url.split("/")[2] for url in table.column("url").to_pylist()]
        pq.write_table(table.append_column("host", pa.array(host)), rows / path.name)
    here = FoldJob(rows=rows, fold=fold, output=tmp_path / "here")
    there = FoldJob(rows=rows, fold=fold, output=tmp_path / "there")
    expected = here.run(jobs=2)
    found, _ = losing_workers(cluster, spark, f"fold {fold!r}", lambda: run_fold(there), FILES)
    assert found == expected
    assert sorted(folded(there.output)) == sorted(folded(here.output))


def folded(folder: Path) -> Iterator[tuple[Any, ...]]:
    for path in folder.glob("*.parquet"):
        yield from (tuple(row.values()) for row in pq.ParquetFile(path).read().to_pylist())


@pytest.mark.usefixtures("spark")
def test_ranks_are_those_of_one_machine(tmp_path: Path) -> None:
    from webstrata.crawls.jobs.spark_ranks import SparkPartitioned

    chance = np.random.default_rng(3)
    urls = [f"http://h{page % 97}.org/{page:05}" for page in range(20_000)]
    graph = build_graph(urls, *(20_000 * chance.random((2, 200_000)) ** 2).astype(np.int64))
    there = SparkPartitioned(partitions=4, folder=str(tmp_path / "parts"))(graph)
    assert there.converged
    assert np.abs(there.ranks - Partitioned(partitions=4)(graph).ranks).max() < 1e-15
    assert np.abs(there.ranks - GaussSeidel(tolerance=1e-13)(graph).ranks).max() < 1e-10
    graph.save(tmp_path / "graph")
    words = ("links", "rank", str(tmp_path / "graph"), "-o", str(tmp_path / "ranks"), "--engine", "spark")
    made = webstrata(*words, "--partitions", "4")
    assert made.exit_code == 0, made.output
    assert (Ranks.open(tmp_path / "ranks").unbiased == there.ranks).all()
    assert not list(tmp_path.glob(".partitions-*"))
