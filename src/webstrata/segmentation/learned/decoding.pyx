# cython: language_level=3
"""Which candidates become segments: by falling score, without those that are nearly the same as a taken one.

How far down depends on the page. Where a page is unlike those that were learned from, all scores are low, yet people
mark about as many segments on it; so the threshold follows the best scores of the page. By how much, by how many of
them, and from which share of the text on a candidate is no part of the page were chosen by the mean F over several ways
to deal the Kreuzer pages out to folds; all three matter little near these values.
"""

from libc.math cimport exp, log
from libc.stdint cimport int32_t, uint8_t

from webstrata.segmentation.learned.candidates cimport Candidates, chars

import numpy as np

from webstrata.errors import InputError

cdef enum:
    # So many candidates around and inside one are looked at. Each is larger than the next, so that in less than 50 a
    # text of any sense has grown by half; pages that are made to be slow could have thousands.
    NEAR = 50
    # The threshold follows the mean log-odds of so many, the best that are not nearly the same.
    BEST = 8

# The share of their rise and fall that it goes along with.
cdef double FOLLOWS = 0.8
# Down to these log-odds. A page whose best are worse has no parts that people would mark, such as a page that is one long
# list: then it may be a segment as a whole.
cdef double UNLIKELY = -1.5
# Log-odds beyond are not told apart.
cdef double SURE = 20.0


cdef inline bint _nearly_same(Candidates self, Py_ssize_t inner, Py_ssize_t outer) noexcept nogil:
    """Whether two candidates, one in the other, share more than two thirds of the longer."""
    return 3 * <long long>chars(self, inner) > 2 * <long long>chars(self, outer)


cdef inline bint _is_all(Candidates self, Py_ssize_t i) noexcept nogil:
    """Whether a candidate has nearly all the text of the page, and is no part of it."""
    return 50 * <long long>chars(self, i) > 49 * <long long>chars(self, 0)


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


cdef inline double _log_odds(double chance) noexcept nogil:
    return max(min(log(chance / (1 - chance)), SURE), -SURE) if 0 < chance < 1 else SURE if chance > 0 else -SURE


def take(Candidates self, const double[::1] score, double cut):
    """The candidates that are taken, in document order, and their levels: 1, or one more than that of the one around.

    Parameters
    ----------
    score : the chance of each candidate, from 0 to 1. What scores the same is taken in document order
    cut : the log-odds of the threshold on a page whose best candidates are as likely as not. A lower one takes all that
        a higher one takes, and more; any takes one candidate at least

    What has nearly all the text of a page is left out where anything else is likely.
    """
    cdef Py_ssize_t i, k = 0, among = 0, best = 0
    cdef double total = 0, threshold = 0
    cdef bint parts = False
    if score.shape[0] != self.count:
        raise InputError(f"there are {self.count} candidates and {score.shape[0]} scores")
    cdef const long long[::1] order = np.argsort(-np.asarray(score), kind="stable").astype(np.int64)
    mark, level = np.zeros(self.count + 1, np.uint8), np.zeros(self.count + 1, np.int32)
    cdef uint8_t[::1] taken = mark
    cdef int32_t[::1] depth = level
    with nogil:
        for i in range(self.count):
            if not _is_all(self, order[i]):
                parts = _log_odds(score[order[i]]) >= UNLIKELY
                break
        while k < self.count and among < BEST:
            if not (parts and _is_all(self, order[k])) and not _is_double(self, order[k], &taken[0]):
                taken[order[k]] = True
                best = order[k] if among == 0 else best
                total += _log_odds(score[order[k]])
                among += 1
            k += 1
        if among:
            threshold = min(1 / (1 + exp(-cut - FOLLOWS * max(total / among, UNLIKELY))), score[best])
        # Of the best some may lie below. What was left out because of those scores no more than they do.
        for i in range(k):
            if score[order[i]] < threshold:
                taken[order[i]] = False
        while k < self.count and score[order[k]] >= threshold:
            if not (parts and _is_all(self, order[k])) and not _is_double(self, order[k], &taken[0]):
                taken[order[k]] = True
            k += 1
        # What is around comes before what is inside.
        for i in range(self.count):
            depth[i] = (depth[self.row[i].up] if self.row[i].up >= 0 else 0) + taken[i]
    rows = np.flatnonzero(mark).astype(np.int32)
    return rows, level[rows]
