# cython: language_level=3
"""Alignment of two sequences of words: a longest common subsequence that prefers long runs."""

from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport calloc, free

import numpy as np

cdef enum:
    # How a cell of the table got its score, for the backtracking.
    FROM_LEFT = 0, FROM_ABOVE = 1
    CONTINUES = 4            # the match here continues one
    MATCHES = 8


def align(const int32_t[::1] left, const int32_t[::1] left_place, const int32_t[::1] right):
    """For each word of `left`, whether it is matched to one of `right`, in order.

    A match counts 1, and 2 when it continues a match of the words just before (their places in the text differ by
    one), so that runs win over single words. Time and memory grow with the product of the lengths.
    """
    cdef Py_ssize_t n = left.shape[0], m = right.shape[0], i, j
    result = np.zeros(n, np.uint8)
    cdef uint8_t[::1] out = result
    if n == 0 or m == 0:
        return result.astype(bool)
    cdef uint8_t* trace = <uint8_t*>calloc((n + 1) * (m + 1), 1)
    cdef int32_t* best = <int32_t*>calloc(m + 1, sizeof(int32_t))       # of all alignments up to the row above
    cdef int32_t* ended = <int32_t*>calloc(m + 1, sizeof(int32_t))      # of those that end with a match, 0 for none
    cdef int32_t diagonal_best, diagonal_ended, old_best, old_ended, score, value
    cdef uint8_t step
    cdef bint adjacent
    if trace == NULL or best == NULL or ended == NULL:
        free(trace)
        free(best)
        free(ended)
        raise MemoryError
    with nogil:
        for i in range(1, n + 1):
            diagonal_best = diagonal_ended = 0
            adjacent = i > 1 and left_place[i - 1] == left_place[i - 2] + 1
            for j in range(1, m + 1):
                old_best, old_ended = best[j], ended[j]
                step = FROM_ABOVE
                score = old_best
                if best[j - 1] > score:
                    score = best[j - 1]
                    step = FROM_LEFT
                value = 0
                if left[i - 1] == right[j - 1]:
                    value = diagonal_best + 1
                    if adjacent and diagonal_ended and diagonal_ended + 2 > value:
                        value = diagonal_ended + 2
                        step |= CONTINUES
                    if value >= score:
                        score = value
                        step |= MATCHES
                ended[j] = value
                best[j] = score
                trace[i * (m + 1) + j] = step
                diagonal_best, diagonal_ended = old_best, old_ended
        i, j = n, m
        adjacent = False             # whether the match after this cell continues one
        while i > 0 and j > 0:
            step = trace[i * (m + 1) + j]
            if adjacent or step & MATCHES:
                out[i - 1] = 1
                adjacent = (step & CONTINUES) != 0
                i -= 1
                j -= 1
            elif step & FROM_ABOVE:
                i -= 1
            else:
                j -= 1
    free(trace)
    free(best)
    free(ended)
    return result.astype(bool)
