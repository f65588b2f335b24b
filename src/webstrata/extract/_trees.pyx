# cython: language_level=3
"""Boosted trees from plain arrays: their sum for each row of a matrix.

All trees lie in one array of nodes. The two children of a node are neighbours, and a leaf is its own child, so a step
has no branch: ``node = child[node] + (value > threshold[node])``. A node is eight bytes, because the nodes of all
trees should stay in the cache, and sixteen rows are walked at a time, because one walk alone waits for memory.
"""

from libc.stdint cimport int32_t, uint16_t

import numpy as np

cdef enum:
    TOGETHER = 16

cdef packed struct Node:
    float threshold
    uint16_t feature
    uint16_t child           # the left one, counted from the root; the right one follows


cdef class Trees:
    """A sum of trees.

    Parameters
    ----------
    roots : the node that each tree begins with; its other nodes follow
    depths : how many steps each tree needs at most
    feature, threshold, child : of the nodes; a row goes left where its feature is at most the threshold, and a leaf is
        its own child, with a threshold that nothing passes
    value : of the leaves
    """

    cdef Node[::1] nodes
    cdef const float[::1] values
    cdef const int32_t[::1] roots
    cdef const int32_t[::1] depths
    cdef readonly Py_ssize_t width

    def __init__(self, roots, depths, feature, threshold, child, value):
        self.roots = roots = np.ascontiguousarray(roots, np.int32)
        self.depths = np.ascontiguousarray(depths, np.int32)
        self.values = np.ascontiguousarray(value, np.float32)
        feature, threshold, child = np.asarray(feature), np.asarray(threshold, np.float32), np.asarray(child)
        count = len(feature)
        if len(depths) != len(roots) or not len(threshold) == len(child) == len(value) == count:
            raise ValueError("these nodes make no trees")
        root = np.zeros(count, np.int64)
        root[roots] = roots
        root = np.maximum.accumulate(root)
        end = np.append(roots[1:], count)[np.searchsorted(roots, root)] if count else root
        leaf = child == np.arange(count)
        fits = (root <= child) & (child + ~leaf < end) & (child - root < 2**16) & (feature >= 0) & (feature < 2**16)
        if not (fits & (~leaf | np.isposinf(threshold))).all():
            raise ValueError("these nodes make no trees")
        nodes = np.empty(count, np.dtype([("threshold", "f4"), ("feature", "u2"), ("child", "u2")]))
        nodes["threshold"], nodes["feature"], nodes["child"] = threshold, feature, child - root
        self.nodes = nodes
        self.width = int(feature.max()) + 1 if count else 0

    def __len__(self):
        return self.roots.shape[0]

    def sums(self, const float[:, ::1] rows, Py_ssize_t start=0, stop=None):
        """The sum of the trees, or of those from `start` to `stop`, for each row."""
        cdef Py_ssize_t n = rows.shape[0], count = self.roots.shape[0]
        cdef Py_ssize_t end = count if stop is None else min(<Py_ssize_t>stop, count)
        result = np.zeros(n, np.float64)
        cdef double[::1] out = result
        if rows.shape[1] < self.width:
            raise ValueError(f"the trees need {self.width} features, not {rows.shape[1]}")
        if n and 0 <= start < end:
            with nogil:
                _sum(&self.nodes[0], &self.values[0], &self.roots[start], &self.depths[start], end - start,
                     &rows[0, 0], rows.shape[1], n, &out[0])
        return result


cdef inline void _walk(const Node* tree, int depth, const float* row, Py_ssize_t width, Py_ssize_t count,
                       uint16_t* at) noexcept nogil:
    cdef const Node* node
    cdef Py_ssize_t k
    cdef int step
    for k in range(count):
        at[k] = 0
    for step in range(depth):
        for k in range(count):
            node = tree + at[k]
            at[k] = node.child + (row[k * width + node.feature] > node.threshold)


cdef void _sum(const Node* nodes, const float* values, const int32_t* roots, const int32_t* depths, Py_ssize_t trees,
               const float* rows, Py_ssize_t width, Py_ssize_t n, double* out) noexcept nogil:
    cdef Py_ssize_t first = 0, tree, k, count
    cdef uint16_t[TOGETHER] at
    while first < n:
        count = min(<Py_ssize_t>TOGETHER, n - first)
        for tree in range(trees):
            # A constant count lets the compiler unroll the walk.
            if count == TOGETHER:
                _walk(nodes + roots[tree], depths[tree], rows + first * width, width, TOGETHER, at)
            else:
                _walk(nodes + roots[tree], depths[tree], rows + first * width, width, count, at)
            for k in range(count):
                out[first + k] += values[roots[tree] + at[k]]
        first += TOGETHER
