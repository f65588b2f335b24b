# cython: language_level=3
"""Which candidates become segments: by falling score, without those that are nearly the same as a taken one."""

from libc.stdint cimport int32_t, uint8_t

from webstrata.segmentation.learned.candidates cimport Candidates, chars

import numpy as np

cdef enum:
    # So many candidates around and inside one are looked at. Each is larger than the next, so that in less than 50 a
    # text of any sense has grown by half; pages that are made to be slow could have thousands.
    NEAR = 50


cdef inline bint _nearly_same(Candidates self, Py_ssize_t inner, Py_ssize_t outer) noexcept nogil:
    """Whether two candidates, one in the other, share more than two thirds of the longer."""
    return 3 * <long long>chars(self, inner) > 2 * <long long>chars(self, outer)


cdef bint _is_double(Candidates self, Py_ssize_t i, const uint8_t* taken) noexcept nogil:
    """Whether nearly the same was taken before, around or inside."""
    cdef int32_t other = self.row[i].up
    cdef int step
    for step in range(NEAR):
        if other < 0 or not _nearly_same(self, i, other):
            break
        if taken[other]:
            return True
        other = self.row[other].up
    # At most one child has more than half.
    other = self.row[i].largest_child
    for step in range(NEAR):
        if other < 0 or not _nearly_same(self, other, i):
            break
        if taken[other]:
            return True
        other = self.row[other].largest_child
    return False


def take(Candidates self, const double[::1] score, double threshold):
    """The candidates that are taken, in document order, and their levels: 1, or one more than that of the one around.

    What scores the same is taken in document order. A lower threshold takes all that a higher one takes, and more.
    """
    cdef Py_ssize_t i, k
    if score.shape[0] != self.count:
        raise ValueError(f"there are {self.count} candidates and {score.shape[0]} scores")
    likely = (np.asarray(score) >= threshold).nonzero()[0]
    cdef const long long[::1] best = likely[np.argsort(-np.asarray(score)[likely], kind="stable")].astype(np.int64)
    mark, level = np.zeros(self.count + 1, np.uint8), np.zeros(self.count + 1, np.int32)
    cdef uint8_t[::1] taken = mark
    cdef int32_t[::1] depth = level
    with nogil:
        for k in range(best.shape[0]):
            if not _is_double(self, best[k], &taken[0]):
                taken[best[k]] = True
        # What is around comes before what is inside.
        for i in range(self.count):
            depth[i] = (depth[self.row[i].up] if self.row[i].up >= 0 else 0) + taken[i]
    rows = np.flatnonzero(mark).astype(np.int32)
    return rows, level[rows]
