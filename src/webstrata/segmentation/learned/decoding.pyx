# cython: language_level=3
"""Selecting the candidates that become segments: by falling score, without near duplicates of selected ones.

The threshold depends on the page. On a page unlike those of the training data all scores are low, yet people mark about
as many segments on it; so the threshold follows the best scores of the page. FOLLOWS, BEST and the share of the text in
`_is_all` were chosen by the mean F over several assignments of the Kreuzer pages to folds; the result changes little
near these values.
"""

from libc.math cimport exp, log
from libc.stdint cimport int32_t, uint8_t

from webstrata.segmentation.learned.candidates cimport Candidates, chars

import numpy as np

from webstrata.errors import InputError

cdef enum:
    # Candidates around and inside one that are compared with it. Each is larger than the next, so that a normal text
    # has grown by half within 50; hostile pages could nest thousands.
    NEAR = 50
    # The threshold follows the mean log-odds of this number of the best candidates, near duplicates excluded.
    BEST = 8

# The factor on this mean.
cdef double FOLLOWS = 0.8
# The least value of this mean. A page whose best candidates are below it has no parts that people would mark, such as a
# page that is one long list: the whole page may be a segment then.
cdef double UNLIKELY = -1.5
# Log-odds are cut off here.
cdef double SURE = 20.0


cdef inline bint _nearly_same(Candidates self, Py_ssize_t inner, Py_ssize_t outer) noexcept nogil:
    """Whether the inner of two candidates has more than two thirds of the characters of the outer one."""
    return 3 * <long long>chars(self, inner) > 2 * <long long>chars(self, outer)


cdef inline bint _is_all(Candidates self, Py_ssize_t i) noexcept nogil:
    """Whether a candidate has nearly all the text of the page."""
    return 50 * <long long>chars(self, i) > 49 * <long long>chars(self, 0)


cdef bint _is_near_duplicate(Candidates self, Py_ssize_t i, const uint8_t* selected) noexcept nogil:
    """Whether a near duplicate was selected before, around or inside."""
    cdef int32_t other = self.row[i].up
    cdef int step
    for step in range(NEAR):
        if other < 0 or not _nearly_same(self, i, other):
            break
        if selected[other]:
            return True
        other = self.row[other].up
    # At most one child has more than half of the text.
    other = self.row[i].largest_child
    for step in range(NEAR):
        if other < 0 or not _nearly_same(self, other, i):
            break
        if selected[other]:
            return True
        other = self.row[other].largest_child
    return False


cdef inline double _log_odds(double chance) noexcept nogil:
    return max(min(log(chance / (1 - chance)), SURE), -SURE) if 0 < chance < 1 else SURE if chance > 0 else -SURE


def select(Candidates self, const double[::1] score, double cut):
    """The candidates to select, in document order, and their levels: 1, or one more than that of the one around.

    Parameters
    ----------
    score : the chance of each candidate, from 0 to 1. Candidates with equal scores are selected in document order
    cut : the log-odds of the threshold on a page whose best candidates have an even chance. A lower cut selects all
        candidates of a higher one; any cut selects at least one

    A candidate with nearly all the text of the page is left out where any other is likely.
    """
    cdef Py_ssize_t i, k = 0, among = 0, best = 0
    cdef double total = 0, threshold = 0
    cdef bint parts = False
    if score.shape[0] != self.count:
        raise InputError(f"there are {self.count} candidates and {score.shape[0]} scores")
    cdef const long long[::1] order = np.argsort(-np.asarray(score), kind="stable").astype(np.int64)
    mark, level = np.zeros(self.count + 1, np.uint8), np.zeros(self.count + 1, np.int32)
    cdef uint8_t[::1] selected = mark
    cdef int32_t[::1] depth = level
    with nogil:
        for i in range(self.count):
            if not _is_all(self, order[i]):
                parts = _log_odds(score[order[i]]) >= UNLIKELY
                break
        while k < self.count and among < BEST:
            if not (parts and _is_all(self, order[k])) and not _is_near_duplicate(self, order[k], &selected[0]):
                selected[order[k]] = True
                best = order[k] if among == 0 else best
                total += _log_odds(score[order[k]])
                among += 1
            k += 1
        if among:
            threshold = min(1 / (1 + exp(-cut - FOLLOWS * max(total / among, UNLIKELY))), score[best])
        # Some of the best may be below the threshold. Their near duplicates are too.
        for i in range(k):
            if score[order[i]] < threshold:
                selected[order[i]] = False
        while k < self.count and score[order[k]] >= threshold:
            if not (parts and _is_all(self, order[k])) and not _is_near_duplicate(self, order[k], &selected[0]):
                selected[order[k]] = True
            k += 1
        # Outer candidates come before inner ones.
        for i in range(self.count):
            depth[i] = (depth[self.row[i].up] if self.row[i].up >= 0 else 0) + selected[i]
    rows = np.flatnonzero(mark).astype(np.int32)
    return rows, level[rows]


cdef bint _has_same_kind(Candidates self, Py_ssize_t i, const int32_t[::1] kind, const uint8_t[::1] selected) noexcept nogil:
    """Whether a near duplicate of the same kind was selected before, around or inside."""
    cdef int32_t other = self.row[i].up
    cdef int step
    for step in range(NEAR):
        if other < 0 or not _nearly_same(self, i, other):
            break
        if selected[other] and kind[other] == kind[i]:
            return True
        other = self.row[other].up
    other = self.row[i].largest_child
    for step in range(NEAR):
        if other < 0 or not _nearly_same(self, other, i):
            break
        if selected[other] and kind[other] == kind[i]:
            return True
        other = self.row[other].largest_child
    return False


def select_parts(Candidates self, const int32_t[::1] kind, const double[::1] chance, double cut):
    """Which candidates become parts: those with a chance of ``cut`` or more, by falling chance, without near duplicates of
    one kind.

    Parameters
    ----------
    kind : the likeliest kind of each candidate
    chance : the chance that it is a part of any kind
    """
    cdef Py_ssize_t k
    if kind.shape[0] != self.count or chance.shape[0] != self.count:
        raise InputError(f"there are {self.count} candidates, {kind.shape[0]} kinds and {chance.shape[0]} chances")
    cdef const long long[::1] order = np.argsort(-np.asarray(chance), kind="stable").astype(np.int64)
    mark = np.zeros(self.count, np.uint8)
    cdef uint8_t[::1] selected = mark
    with nogil:
        for k in range(self.count):
            if chance[order[k]] < cut:
                break
            selected[order[k]] = not _has_same_kind(self, order[k], kind, selected)
    return mark.astype(bool)
