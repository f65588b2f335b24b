"""The arrays of trees as native code reads them, after a look at what it must not see."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["laid_out"]


def laid_out(
    feature: npt.ArrayLike,
    threshold: npt.ArrayLike,
    tree: npt.ArrayLike,
    leaves: npt.ArrayLike,
    value: npt.ArrayLike,
    most_leaves: int,
) -> tuple[
    npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], int
]:
    """Thresholds, trees and leaves of the nodes, values of the leaves; the features that are asked for, where the nodes
    of each begin, and how many columns they need. Raises `ValueError` where the arrays do not fit together."""
    features, trees = np.asarray(feature, np.int64), np.asarray(tree, np.int64)
    thresholds = np.ascontiguousarray(threshold, np.float32)
    sets = np.ascontiguousarray(leaves, np.uint32)
    values = np.ascontiguousarray(value, np.float32)
    if not (len(features) == len(thresholds) == len(trees) == len(sets)):
        raise ValueError("a node needs a feature, a threshold, a tree and its leaves")
    if values.shape[1:] != (most_leaves,):
        raise ValueError(f"a tree needs the values of {most_leaves} leaves")
    order = np.lexsort((thresholds, features))
    if not (features[order] == features).all() or not (thresholds[order] == thresholds).all():
        raise ValueError("the nodes are not sorted by feature and threshold")
    if len(trees) and not 0 <= trees.min() <= trees.max() < min(len(values), 2**16):
        raise ValueError("a node belongs to a tree that has no values")
    if len(features) and features[0] < 0:
        raise ValueError("a node asks for a feature before the first")
    used, start = np.unique(features, return_index=True)
    starts = np.append(start, len(features)).astype(np.int32)
    width = int(features[-1]) + 1 if len(features) else 0
    return thresholds, trees.astype(np.uint16), sets, values, used.astype(np.int32), starts, width
