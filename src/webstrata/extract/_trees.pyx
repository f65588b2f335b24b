# cython: language_level=3
"""Boosted trees from plain arrays: their sum for each row of a matrix.

All trees lie in one array of nodes. The two children of a node are neighbours, and a leaf is its own child, so a step
has no branch: ``node = child[node] + (value > threshold[node])``. Rows are walked eight at a time, because one walk
alone spends its time waiting for memory.
"""

from libc.stdint cimport int32_t

import numpy as np

cdef enum:
    TOGETHER = 8

cdef struct Node:
    float threshold
    int32_t feature
    int32_t child            # the left one; the right one follows
    float value              # of a leaf


cdef class Trees:
    """A sum of trees.

    Parameters
    ----------
    roots : the node that each tree begins with
    depths : how many steps each tree needs at most
    feature, threshold, child, value : of the nodes; a row goes left where its feature is at most the threshold
    """

    cdef object _nodes
    cdef Node[::1] nodes
    cdef const int32_t[::1] roots
    cdef const int32_t[::1] depths
    cdef readonly Py_ssize_t width

    def __init__(self, roots, depths, feature, threshold, child, value):
        self.roots = np.ascontiguousarray(roots, np.int32)
        self.depths = np.ascontiguousarray(depths, np.int32)
        count = len(feature)
        nodes = np.empty(count, np.dtype([("threshold", "f4"), ("feature", "i4"), ("child", "i4"), ("value", "f4")]))
        nodes["threshold"], nodes["feature"], nodes["child"], nodes["value"] = threshold, feature, child, value
        leaf = nodes["child"] == np.arange(count)
        last = np.where(leaf, nodes["child"], nodes["child"] + 1)
        if count and (nodes["child"].min() < 0 or last.max() >= count or not np.isinf(nodes["threshold"][leaf]).all()):
            raise ValueError("these nodes make no trees")
        if len(roots) and (np.min(roots) < 0 or np.max(roots) >= count):
            raise ValueError("these nodes make no trees")
        self._nodes = nodes
        self.nodes = nodes
        self.width = int(nodes["feature"].max()) + 1 if count else 0

    def __len__(self):
        return self.roots.shape[0]

    def sums(self, const float[:, ::1] rows):
        """The sum of the trees for each row."""
        cdef Py_ssize_t n = rows.shape[0]
        result = np.zeros(n, np.float64)
        cdef double[::1] out = result
        if rows.shape[1] < self.width:
            raise ValueError(f"the trees need {self.width} features, not {rows.shape[1]}")
        if n and self.roots.shape[0]:
            with nogil:
                _sum(&self.nodes[0], &self.roots[0], &self.depths[0], self.roots.shape[0], &rows[0, 0],
                     rows.shape[1], n, &out[0])
        return result


cdef void _sum(const Node* nodes, const int32_t* roots, const int32_t* depths, Py_ssize_t trees, const float* rows,
               Py_ssize_t width, Py_ssize_t n, double* out) noexcept nogil:
    cdef Py_ssize_t first, tree, k, count
    cdef int32_t[TOGETHER] at
    cdef const float* row
    cdef const Node* node
    cdef int step
    first = 0
    while first < n:
        count = min(<Py_ssize_t>TOGETHER, n - first)
        row = rows + first * width
        for tree in range(trees):
            for k in range(TOGETHER):
                at[k] = roots[tree]
            if count == TOGETHER:
                for step in range(depths[tree]):
                    for k in range(TOGETHER):
                        node = nodes + at[k]
                        at[k] = node.child + (row[k * width + node.feature] > node.threshold)
            else:
                for step in range(depths[tree]):
                    for k in range(count):
                        node = nodes + at[k]
                        at[k] = node.child + (row[k * width + node.feature] > node.threshold)
            for k in range(count):
                out[first + k] += nodes[at[k]].value
        first += TOGETHER
