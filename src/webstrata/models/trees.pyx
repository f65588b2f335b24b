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

import numpy as np

cdef extern from *:
    """
    enum { TOGETHER = 16, LEAVES = 32 };
    #if defined(_MSC_VER)
    #define restrict __restrict
    #endif

    /* For one feature of 16 rows: intersect what they can reach with the leaves of each node that they go right at. */
    static void go_right_by_one(const float *restrict x, float most, const float *threshold, const uint16_t *tree,
                                const uint32_t *leaves, Py_ssize_t count, uint32_t *restrict reach)
    {
        Py_ssize_t k, row;
        for (k = 0; k < count && threshold[k] < most; k++) {
            uint32_t *now = reach + TOGETHER * tree[k], set = leaves[k];
            float limit = threshold[k];
            /* A loop that is still one can become vectors; one that was unrolled cannot. */
            #if defined(__GNUC__)
            #pragma GCC unroll 1
            #endif
            for (row = 0; row < TOGETHER; row++)
                now[row] &= x[row] > limit ? set : 0xffffffffu;
        }
    }

    #if defined(__x86_64__) && defined(__GNUC__)
    #include <immintrin.h>
    __attribute__((target("avx2")))
    static void go_right_by_eight(const float *x, float most, const float *threshold, const uint16_t *tree,
                                  const uint32_t *leaves, Py_ssize_t count, uint32_t *reach)
    {
        __m256 low = _mm256_loadu_ps(x), high = _mm256_loadu_ps(x + 8);
        Py_ssize_t k;
        for (k = 0; k < count && threshold[k] < most; k++) {
            __m256 limit = _mm256_set1_ps(threshold[k]), set = _mm256_castsi256_ps(_mm256_set1_epi32(leaves[k]));
            float *now = (float *)(reach + TOGETHER * tree[k]);
            __m256 stays = _mm256_or_ps(_mm256_cmp_ps(low, limit, _CMP_NGT_UQ), set);
            _mm256_storeu_ps(now, _mm256_and_ps(_mm256_loadu_ps(now), stays));
            stays = _mm256_or_ps(_mm256_cmp_ps(high, limit, _CMP_NGT_UQ), set);
            _mm256_storeu_ps(now + 8, _mm256_and_ps(_mm256_loadu_ps(now + 8), stays));
        }
    }
    #define go_right (__builtin_cpu_supports("avx2") ? go_right_by_eight : go_right_by_one)
    #else
    #define go_right go_right_by_one
    #endif
    """
    enum:
        TOGETHER
        LEAVES
    void go_right(const float* x, float most, const float* threshold, const uint16_t* tree, const uint32_t* leaves,
                  Py_ssize_t count, uint32_t* reach) noexcept nogil

cdef extern from *:
    """
    /* Where no bit is set, as can happen with a damaged model, the last leaf is taken. */
    #if defined(__GNUC__)
    #define lowest_bit(set) __builtin_ctz((set) | 0x80000000u)
    #else
    static int lowest_bit(uint32_t set) { int n = 0; while (n < 31 && !(set >> n & 1)) n++; return n; }
    #endif
    """
    int lowest_bit(uint32_t set) noexcept nogil

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
        feature, tree = np.asarray(feature, np.int64), np.asarray(tree, np.int64)
        self.threshold = threshold = np.ascontiguousarray(threshold, np.float32)
        self.leaves = np.ascontiguousarray(leaves, np.uint32)
        self.value = value = np.ascontiguousarray(value, np.float32)
        if not (len(feature) == len(threshold) == len(tree) == len(leaves)):
            raise ValueError("a node needs a feature, a threshold, a tree and its leaves")
        if value.shape[1:] != (LEAVES,):
            raise ValueError(f"a tree needs the values of {LEAVES} leaves")
        order = np.lexsort((threshold, feature))
        if not (feature[order] == feature).all() or not (threshold[order] == threshold).all():
            raise ValueError("the nodes are not sorted by feature and threshold")
        if len(tree) and not 0 <= tree.min() <= tree.max() < min(len(value), 2**16):
            raise ValueError("a node belongs to a tree that has no values")
        if len(feature) and feature[0] < 0:
            raise ValueError("a node asks for a feature before the first")
        self.tree = tree.astype(np.uint16)
        used, start = np.unique(feature, return_index=True)
        self.used, self.start = used.astype(np.int32), np.append(start, len(feature)).astype(np.int32)
        self.width = int(feature[len(feature) - 1]) + 1 if len(feature) else 0

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
    cdef uint32_t* reach = <uint32_t*>malloc((trees.value.shape[0] + 1) * TOGETHER * sizeof(uint32_t))
    if reach == NULL:
        return False
    while first < count:
        _add(trees, matrix, width, rows + first, min(<Py_ssize_t>TOGETHER, count - first), reach, out)
        first += TOGETHER
    free(reach)
    return True


cdef void _add(Trees self, const float* matrix, Py_ssize_t width, const int32_t* rows, Py_ssize_t count,
               uint32_t* reach, double* out) noexcept nogil:
    """The same for up to 16 rows; `reach` has room for as many sets of leaves a tree."""
    cdef Py_ssize_t feature, row, tree, start, trees = self.value.shape[0]
    cdef float[TOGETHER] x
    cdef float[4] best           # four maxima side by side: a single one would be a chain of dependent steps
    cdef float most
    cdef const float* at[TOGETHER]
    cdef uint32_t left
    cdef double[TOGETHER] sums
    memset(reach, 0xff, trees * TOGETHER * sizeof(uint32_t))
    for row in range(TOGETHER):
        at[row] = matrix + rows[min(row, count - 1)] * width
    for feature in range(self.used.shape[0]):
        start = self.start[feature]
        for row in range(TOGETHER):
            x[row] = at[row][self.used[feature]]
        for row in range(4):
            best[row] = max(max(x[row], x[row + 4]), max(x[row + 8], x[row + 12]))
        most = max(max(best[0], best[1]), max(best[2], best[3]))
        go_right(x, most, &self.threshold[start], &self.tree[start], &self.leaves[start],
                 self.start[feature + 1] - start, reach)
    for row in range(TOGETHER):
        sums[row] = 0
    for tree in range(trees):
        for row in range(TOGETHER):
            left = reach[TOGETHER * tree + row]
            sums[row] += self.value[tree, lowest_bit(left)]
    for row in range(count):
        out[rows[row]] += sums[row]
