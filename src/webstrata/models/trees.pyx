# cython: language_level=3
"""Boosted trees from plain arrays: their sum for each row of a matrix.

No tree is walked. Each leaf of a tree is a bit, from the left; a node is the set of the leaves that a row may still
reach when it goes right. All nodes of all trees are sorted by feature and threshold, so a row goes right at the first
nodes of each feature and left at all others: the sets of the former are intersected, tree by tree, and the first leaf
that is left is the one that a walk would end in. Rows are read 16 at a time.

Reference: C. Lucchese et al., QuickScorer: a fast algorithm to rank documents with additive ensembles of regression
trees, SIGIR 2015.
"""

from libc.stdint cimport int32_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from webstrata.models.sixteen cimport LEAVES, TOGETHER, add_leaves, choose_vectors, go_right, lay_out

import numpy as np

from webstrata.models.layout import laid_out

cdef enum:
    LINE = 64                # bytes of a line of the cache, which 16 floats or sets fill: none should lie across two


def choose(int most=TOGETHER):
    """Use vectors of at most so many floats, as wide as the processor has them; returns how many they have."""
    return choose_vectors(most)


choose()

#: How many leaves a tree may have.
MOST_LEAVES = LEAVES


cdef class Trees:
    """A sum of trees.

    Parameters
    ----------
    feature, threshold, tree, leaves : of the inner nodes, by feature and then by threshold: a row goes right where its
        feature is above the threshold, and can end in one of these leaves of the tree only (bits, the leftmost lowest)
    value : of the leaves, one row a tree
    """

    def __init__(self, feature, threshold, tree, leaves, value):
        self.threshold, self.tree, self.leaves, self.value, self.used, self.start, self.width = laid_out(
            feature, threshold, tree, leaves, value, LEAVES)

    def __len__(self):
        return self.value.shape[0]

    def sums(self, const float[:, ::1] matrix):
        """The sum of the trees for each row of a matrix."""
        result = np.zeros(matrix.shape[0])
        self.add(matrix, np.arange(matrix.shape[0], dtype=np.int32), result)
        return result

    def add(self, const float[:, ::1] matrix, const int32_t[::1] rows, double[::1] out):
        """Add the sum of the trees for each of these rows of a matrix to its place in ``out``."""
        cdef Py_ssize_t i
        cdef bint fine = True
        if matrix.shape[1] < self.width:
            raise ValueError(f"the trees need {self.width} features, not {matrix.shape[1]}")
        for i in range(rows.shape[0]):
            if not 0 <= rows[i] < min(matrix.shape[0], out.shape[0]):
                raise ValueError(f"there is no row {rows[i]}")
        if rows.shape[0]:
            with nogil:
                fine = add_sums(self, &matrix[0, 0], matrix.shape[1], &rows[0], rows.shape[0], &out[0])
        if not fine:
            raise MemoryError


cdef bint add_sums(Trees trees, const float* matrix, Py_ssize_t width, const int32_t* rows, Py_ssize_t count,
                   double* out) noexcept nogil:
    """Add the sum of the trees to `out`, for each of these rows of the matrix; False when memory ran out."""
    cdef Py_ssize_t first = 0
    cdef void* room = malloc((trees.width + trees.value.shape[0] + 1) * LINE + trees.width * sizeof(float))
    cdef float* columns = <float*>((<size_t>room + LINE - 1) & ~<size_t>(LINE - 1))
    cdef uint32_t* reach = <uint32_t*>(columns + trees.width * TOGETHER)
    if room == NULL:
        return False
    while first < count:
        _add(trees, matrix, width, rows + first, min(<Py_ssize_t>TOGETHER, count - first), columns, reach, out)
        first += TOGETHER
    free(room)
    return True


cdef void _add(Trees self, const float* matrix, Py_ssize_t width, const int32_t* rows, Py_ssize_t count,
               float* columns, uint32_t* reach, double* out) noexcept nogil:
    """The same for up to 16 rows; there is room for their columns, what they reach of each tree, and a row of maxima."""
    cdef Py_ssize_t i, row, start, trees = self.value.shape[0]
    cdef float* most = <float*>(reach + trees * TOGETHER)
    cdef const float* at[TOGETHER]
    cdef double[TOGETHER] sums
    cdef int32_t feature
    for row in range(TOGETHER):
        at[row] = matrix + rows[min(row, count - 1)] * width
        sums[row] = 0
    lay_out(at, self.width, columns, most)
    memset(reach, 0xff, trees * TOGETHER * sizeof(uint32_t))
    for i in range(self.used.shape[0]):
        start, feature = self.start[i], self.used[i]
        go_right(columns + TOGETHER * feature, most[feature], &self.threshold[start], &self.tree[start],
                 &self.leaves[start], self.start[i + 1] - start, reach)
    if trees:
        add_leaves(reach, &self.value[0, 0], trees, sums)
    for row in range(count):
        out[rows[row]] += sums[row]
