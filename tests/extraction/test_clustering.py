"""The clusterings of Weninger & Hsu 2008 on points whose clusters are plain."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webstrata.extraction.clustering import as_densities, em, farthest_first, k_means
from webstrata.text import Column

RANDOM = np.random.default_rng(0)
POINTS = np.concatenate([RANDOM.normal(centre, 0.02, (30, 2)) for centre in ((0, 0), (1, 0), (0.5, 1))])


@pytest.mark.parametrize("cluster", [k_means, em, farthest_first])
def test_three_clouds_are_three_clusters(cluster) -> None:  # type: ignore[no-untyped-def]
    label = cluster(POINTS, 3).reshape(3, 30)
    assert (label == label[:, :1]).all()
    assert len(set(label[:, 0].tolist())) == 3
    assert (as_densities(POINTS, label.reshape(-1)) == label.reshape(-1)).all()


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=3, max_size=30, unique=True))
def test_farthest_first_is_within_twice_the_best_radius(points: list[tuple[int, int]]) -> None:
    """The guarantee of Hochbaum and Shmoys, against every choice of three centres."""
    from itertools import combinations

    places: Column = np.array(points, float)
    distance = np.linalg.norm(places[:, None] - places[None], axis=2)
    best = min(float(distance[list(chosen)].min(axis=0).max()) for chosen in combinations(range(len(points)), 3))
    label = farthest_first(places, 3)
    # The radius of a cluster about its best member is no more than about its centre.
    radius = max(float(distance[np.ix_(label == c, label == c)].max(axis=1).min()) for c in np.unique(label))
    assert radius <= 2 * best + 1e-9


def test_density_moves_a_point_to_the_wider_cluster() -> None:
    tight, outlier, wide = [0.0, 0.01, 0.02, 0.03] * 5, [0.3], [-2.0, -1.0, 1.0, 2.0]
    points = np.array([*tight, *outlier, *wide])[:, None]
    label = np.array([0] * 21 + [1] * 4)
    assert as_densities(points, label).tolist() == [0] * 20 + [1] * 5


@pytest.mark.parametrize(("name", "cluster"), [("cluster.KMeans", k_means), ("mixture.GaussianMixture", em)])
def test_few_points_are_clustered_on_one_thread(name: str, cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine with more work than cores, threads that wait for each other took nine tenths of the time."""
    from threadpoolctl import threadpool_info

    threads: list[int] = []

    class Observed:
        def __init__(self, *_: Any, **__: Any) -> None: ...

        def fit_predict(self, points: Column) -> Column:
            threads.extend(library["num_threads"] for library in threadpool_info())
            return np.zeros(len(points), int)

    cluster(POINTS, 3)
    monkeypatch.setattr(f"sklearn.{name}", Observed)
    cluster(POINTS, 3)
    assert set(threads) == {1}


def test_k_means_finds_what_one_start_misses() -> None:
    """On a line the best three clusters are known: they are runs of the sorted points."""
    for seed in range(20):
        points = np.sort(np.random.default_rng(seed).pareto(1.2, 40))
        cuts = ((a, b) for a in range(1, 39) for b in range(a + 1, 40))
        best = min(sum(_spread(run) for run in np.split(points, cut)) for cut in cuts)
        label = k_means(points[:, None], 3)
        assert sum(_spread(points[label == number]) for number in range(3)) == pytest.approx(best), seed


def _spread(points: Column) -> float:
    return float(((points - points.mean()) ** 2).sum())
