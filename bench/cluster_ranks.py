"""PageRank on a Spark standalone cluster of processes beside one machine: time, and the largest difference of ranks.

    python bench/cluster_ranks.py [--links 10000000] [--workers 2] [--memory 4g] [--store]

The graph is generated (`web_graph.py`). The cluster is a master and workers on this machine, each a process.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/kits"))

from spark_cluster import SparkCluster

from results import store
from web_graph import web_graph
from webstrata.crawls.jobs.spark_ranks import SparkPartitioned
from webstrata.links import GaussSeidel, Partitioned

PARTITIONS = 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--links", type=int, default=10_000_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--memory", default="4g", help="of each worker")
    parser.add_argument("--store", action="store_true", help="write the results to docs/benchmarks.json")
    options = parser.parse_args()
    graph = web_graph(options.links)
    print(graph, flush=True)
    exact = GaussSeidel(tolerance=1e-13)(graph).ranks
    local = Partitioned(partitions=PARTITIONS, tolerance=1e-12)(graph)
    with tempfile.TemporaryDirectory() as name, SparkCluster(Path(name), workers=options.workers,
                                                            memory=options.memory) as cluster:  # fmt: skip
        # Executors are processes of this machine, so that the installed package is there.
        settings = f"--conf spark.executor.memory={options.memory} --conf spark.driver.memory=2g"
        settings += f" --conf spark.ui.enabled=false --conf spark.executorEnv.PYTHONPATH={os.pathsep.join(sys.path)}"
        os.environ["PYSPARK_SUBMIT_ARGS"] = f"--master {cluster.address} {settings} pyspark-shell"
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        started = time.perf_counter()
        rank = SparkPartitioned(partitions=PARTITIONS, tolerance=1e-12, folder=f"{name}/parts")
        there = rank(graph)
        took = time.perf_counter() - started
        print(f"{there.reason} on {cluster.address} with {options.workers} workers, {took:.0f} s by the clock")
        from webstrata.crawls.running.spark import session

        session().stop()
    beside = {"the same partitions on one machine": local.ranks, "Gauss-Seidel": exact}
    rows = [(name, f"{np.abs(there.ranks - ranks).max():.1e}") for name, ranks in beside.items()]
    for name, gap in rows:
        print(f"largest difference of a rank from {name}: {gap}")
    if options.store:
        about = f"{graph.pages:,} pages, {len(graph.out_target):,} links, {PARTITIONS} partitions,"
        about += f" {options.workers} workers: {there.reason}"
        store("cluster-ranks", about, ["ranks of the cluster beside", "largest difference"], rows)


if __name__ == "__main__":
    main()
