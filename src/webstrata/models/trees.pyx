# cython: language_level=3
"""Boosted trees from plain arrays: their sum for each row of a matrix.

No tree is walked. Each leaf of a tree is a bit, numbered from the left; a node is the set of the leaves that a row can
still reach when it goes right. All nodes of all trees are sorted by feature and threshold, so a row goes right at the
first nodes of each feature and left at all others: the sets of the former are intersected, tree by tree, and the first
leaf that is left is the one in which a walk would end. Rows are read in batches of 16.

Reference: C. Lucchese et al., QuickScorer: a fast algorithm to rank documents with additive ensembles of regression
trees, SIGIR 2015.
"""

from libc.stdint cimport int32_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

import numpy as np

from webstrata.errors import InputError

cdef extern from "batch.h":
    enum:
        BATCH
        LEAVES
    void transpose(const float** rows, Py_ssize_t width, float* columns, float* largest) noexcept nogil
    void go_right(const float* columns, const float* largest, const int32_t* features, const int32_t* start,
                  Py_ssize_t count, const float* threshold, const uint16_t* tree, const uint32_t* leaves,
                  uint32_t* reached) noexcept nogil
    void add_leaves(const uint32_t* reached, const float* value, Py_ssize_t trees, double* sums) noexcept nogil

cdef enum:
    CACHE_LINE = 64          # bytes; 16 floats fill one, and are faster to read where none lies across two

#: How many leaves a tree may have.
MOST_LEAVES = LEAVES


cdef class Trees:
    """A sum of trees.

    Parameters
    ----------
    feature, threshold, tree, leaves : of the inner nodes, sorted by feature and then by threshold: a row whose feature
        is above the threshold goes right, and can end only in these leaves of the tree (bits, the leftmost lowest)
    value : of the leaves, one row per tree

    Raises `InputError` where the arrays do not fit together.
    """

    def __init__(self, feature, threshold, tree, leaves, value):
        features, trees = np.asarray(feature, np.int64), np.asarray(tree, np.int64)
        thresholds, values = np.ascontiguousarray(threshold, np.float32), np.ascontiguousarray(value, np.float32)
        sets = np.ascontiguousarray(leaves, np.uint32)
        if not len(features) == len(thresholds) == len(trees) == len(sets):
            raise InputError("a node needs a feature, a threshold, a tree and its leaves")
        if values.shape[1:] != (LEAVES,):
            raise InputError(f"a tree needs the values of {LEAVES} leaves")
        order = np.lexsort((thresholds, features))
        if not (features[order] == features).all() or not (thresholds[order] == thresholds).all():
            raise InputError("the nodes are not sorted by feature and threshold")
        if len(trees) and not 0 <= trees.min() <= trees.max() < min(len(values), 2**16):
            raise InputError("a node belongs to a tree that has no values")
        if len(features) and features[0] < 0:
            raise InputError("a node has a negative feature")
        used, start = np.unique(features, return_index=True)
        self.threshold, self.leaves, self.value = thresholds, sets, values
        self.tree, self.used = trees.astype(np.uint16), used.astype(np.int32)
        self.start = np.append(start, len(features)).astype(np.int32)
        self.width = int(features.max()) + 1 if len(features) else 0

    def __len__(self):
        return self.value.shape[0]

    def sums(self, const float[:, ::1] matrix):
        """The sum of the trees for each row of a matrix."""
        result = np.zeros(matrix.shape[0])
        self.add(matrix, np.arange(matrix.shape[0], dtype=np.int32), result)
        return result

    def class_sums(self, const float[:, ::1] matrix, int classes):
        """The sums of trees of several classes for each row of a matrix, one column a class: an equal number of trees for
        each, those of the first class first."""
        cdef Py_ssize_t count = matrix.shape[0], i
        cdef bint fine = True
        if classes < 1 or self.value.shape[0] % classes:
            raise InputError(f"{self.value.shape[0]} trees cannot be divided into {classes} classes")
        if matrix.shape[1] < self.width:
            raise InputError(f"the trees need {self.width} features, not {matrix.shape[1]}")
        found, numbers = np.zeros((classes, count)), np.arange(count, dtype=np.int32)
        cdef double[:, ::1] out = found
        cdef const int32_t[::1] rows = numbers
        if count:
            with nogil:
                fine = add_sums(self, &matrix[0, 0], matrix.shape[1], &rows[0], count, &out[0, 0], classes)
        if not fine:
            raise MemoryError
        return found.T

    def add(self, const float[:, ::1] matrix, const int32_t[::1] rows, double[::1] out):
        """Add the sum of the trees for each of these rows of a matrix to its place in ``out``."""
        cdef Py_ssize_t i
        cdef bint fine = True
        if matrix.shape[1] < self.width:
            raise InputError(f"the trees need {self.width} features, not {matrix.shape[1]}")
        for i in range(rows.shape[0]):
            if not 0 <= rows[i] < min(matrix.shape[0], out.shape[0]):
                raise InputError(f"there is no row {rows[i]}")
        if rows.shape[0]:
            with nogil:
                fine = add_sums(self, &matrix[0, 0], matrix.shape[1], &rows[0], rows.shape[0], &out[0])
        if not fine:
            raise MemoryError


cdef bint add_sums(Trees trees, const float* matrix, Py_ssize_t width, const int32_t* rows, Py_ssize_t count,
                   double* out, Py_ssize_t classes=1) noexcept nogil:
    """Add the sum of the trees to `out`, for each of these rows of the matrix; False when memory ran out.

    `out` has a row for each class, `count` numbers long if there are several.
    """
    cdef Py_ssize_t first = 0
    cdef void* memory = malloc((trees.width + trees.value.shape[0] + 1) * CACHE_LINE + trees.width * sizeof(float))
    cdef float* columns = <float*>((<size_t>memory + CACHE_LINE - 1) & ~<size_t>(CACHE_LINE - 1))
    cdef uint32_t* reached = <uint32_t*>(columns + trees.width * BATCH)
    cdef Py_ssize_t number, each = trees.value.shape[0] // classes, batch, row
    cdef double[BATCH] sums
    if memory == NULL:
        return False
    while first < count and each:
        batch = min(<Py_ssize_t>BATCH, count - first)
        _walk_batch(trees, matrix, width, rows + first, batch, columns, reached)
        for number in range(classes):
            add_leaves(reached + number * each * BATCH, &trees.value[number * each, 0], each, sums)
            for row in range(batch):
                out[number * count + rows[first + row]] += sums[row]
        first += BATCH
    free(memory)
    return True


cdef void _walk_batch(Trees self, const float* matrix, Py_ssize_t width, const int32_t* rows, Py_ssize_t count,
                      float* columns, uint32_t* reached) noexcept nogil:
    """The leaves that up to 16 rows can reach. `columns` and `reached` are buffers; a row of maxima fits behind the
    latter."""
    cdef Py_ssize_t row, trees = self.value.shape[0]
    cdef float* largest = <float*>(reached + trees * BATCH)
    cdef const float* row_of[BATCH]
    for row in range(BATCH):
        row_of[row] = matrix + rows[min(row, count - 1)] * width
    transpose(row_of, self.width, columns, largest)
    memset(reached, 0xff, trees * BATCH * sizeof(uint32_t))
    if self.used.shape[0]:
        go_right(columns, largest, &self.used[0], &self.start[0], self.used.shape[0], &self.threshold[0], &self.tree[0],
                 &self.leaves[0], reached)
