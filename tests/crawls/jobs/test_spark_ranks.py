"""Spark gives the ranks that one machine gives."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from webstrata.errors import InputError
from webstrata.links import GaussSeidel, Partitioned, Surfer, build_graph


@pytest.mark.usefixtures("spark")
def test_ranks_are_the_same(tmp_path: Path) -> None:
    from webstrata.crawls.jobs.spark_ranks import SparkPartitioned

    rng = np.random.default_rng(3)
    urls = [f"http://h{page % 11}.org/{page:03}" for page in range(300)]
    graph = build_graph(urls, *rng.integers(0, 300, (2, 1500)), content=rng.integers(0, 2, 1500))
    surfer, jumps = Surfer(internal=0.7), rng.random((300, 2))
    local = Partitioned(partitions=3, alpha=0.5, tolerance=1e-12, surfer=surfer)(graph, jumps)
    there = SparkPartitioned(
        partitions=3, alpha=0.5, tolerance=1e-12, surfer=surfer, folder=str(tmp_path / "parts"), jobs=2
    )(graph, jumps)
    exact = GaussSeidel(alpha=0.5, tolerance=1e-14, surfer=surfer)(graph, jumps)
    assert there.converged
    assert len(there.residuals) == len(local.residuals)
    assert np.abs(there.ranks - local.ranks).max() < 1e-15
    assert np.abs(there.ranks - exact.ranks).max() < 1e-10


def test_a_folder_is_wanted() -> None:
    from webstrata.crawls.jobs.spark_ranks import SparkPartitioned

    with pytest.raises(InputError, match="folder"):
        SparkPartitioned()
