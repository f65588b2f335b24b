"""The three clusterings of Weninger & Hsu 2008. k-means and EM are those of scikit-learn, imported on demand."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import numpy as np

from webstrata.errors import from_extra
from webstrata.text import Column

__all__ = ["as_densities", "em", "farthest_first", "k_means"]

# The least deviation of a cluster, as in Weka: a cluster of equal points has none.
_LEAST_DEVIATION = 1e-6


def farthest_first(points: Column, clusters: int) -> Column:
    """Each centre is the point farthest from all centres before it (Hochbaum and Shmoys 1985).

    Deviation: the first centre is the point nearest to the origin, not a random one, so the result is deterministic.

    >>> farthest_first(np.array([[0.0], [0.1], [1.0], [2.0], [2.1]]), 3).tolist()
    [0, 0, 2, 1, 1]
    """
    distance = np.full(len(points), np.inf)
    label = np.zeros(len(points), np.int64)
    centre = int(np.argmin(np.linalg.norm(points, axis=1)))
    for cluster in range(clusters):
        from_centre = np.linalg.norm(points - points[centre], axis=1)
        nearer = from_centre < distance
        label[nearer] = cluster
        distance = np.minimum(distance, from_centre)
        centre = int(np.argmax(distance))
    return label


def k_means(points: Column, clusters: int) -> Column:
    """k-means with k-means++ initialisation: the best of ten runs with a fixed random state."""
    with from_extra("eval", "scikit-learn"):
        from sklearn.cluster import KMeans
    with _threads().limit(limits=1):
        label: Column = KMeans(clusters, n_init=10, random_state=0).fit_predict(points)
    return label


@cache
def _threads() -> Any:
    """What limits the threads of scikit-learn. Threads that wait for one another in a loop take most of the time of so
    few points where processors are busy."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def em(points: Column, clusters: int) -> Column:
    """Expectation maximisation of a mixture of normal distributions with independent dimensions.

    It stops after 100 iterations, as in Weka, converged or not.
    """
    with from_extra("eval", "scikit-learn"):
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.mixture import GaussianMixture
    mixture = GaussianMixture(clusters, covariance_type="diag", random_state=0, max_iter=100)
    with warnings.catch_warnings(), _threads().limit(limits=1):
        warnings.simplefilter("ignore", ConvergenceWarning)
        label: Column = mixture.fit_predict(points)
    return label


def as_densities(points: Column, label: Column) -> Column:
    """Fit a normal distribution with independent dimensions to each cluster; assign each point to the likeliest one.

    >>> points = np.array([[0.0], [0.1], [0.2], [0.3], [5.0], [9.0]])
    >>> as_densities(points, np.array([0, 0, 0, 1, 1, 1])).tolist()
    [0, 0, 0, 0, 1, 1]
    """
    found = np.unique(label)
    likelihood = np.empty((len(points), len(found)))
    for column, cluster in enumerate(found):
        members = points[label == cluster]
        deviation = np.maximum(members.std(axis=0), _LEAST_DEVIATION)
        scores = -0.5 * ((points - members.mean(axis=0)) / deviation) ** 2 - np.log(deviation)
        likelihood[:, column] = np.log(len(members) / len(points)) + scores.sum(axis=1)
    chosen: Column = found[np.argmax(likelihood, axis=1)]
    return chosen
