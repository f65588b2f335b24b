# cython: language_level=3
"""Balls around pages, without the GIL: exact ones, and estimates of their sizes; `webstrata.links.harmonic` explains."""

from libc.math cimport ldexp, log
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

cdef extern from *:
    """
    #include <stdint.h>

    /* The larger of each two registers; returns whether one of the first row grew. Compilers vectorise the loop. */
    static inline int merge(uint8_t *row, const uint8_t *other, int64_t count)
    {
        uint8_t grown = 0;
        for (int64_t i = 0; i < count; i++) {
            const uint8_t larger = row[i] > other[i] ? row[i] : other[i];
            grown |= larger ^ row[i];
            row[i] = larger;
        }
        return grown != 0;
    }
    """
    bint merge(uint8_t* row, const uint8_t* other, int64_t count) noexcept nogil


def exact(const int64_t[::1] start, const uint32_t[::1] source, int64_t first, int64_t stop, double[::1] score):
    """Write the harmonic centralities of the pages from first to stop: a breadth-first search back from each.

    Parameters
    ----------
    start, source : the links by target
    score : of each page
    """
    import numpy as np

    cdef int64_t pages = start.shape[0] - 1
    # The search that reached each page last, by its page, and the pages in the order in which they were reached.
    cdef int64_t[::1] seen = np.full(pages, -1, np.int64)
    cdef uint32_t[::1] queue = np.empty(max(pages, 1), np.uint32)
    cdef int64_t page, head, tail, level, e
    cdef uint32_t near
    cdef double distance, total
    with nogil:
        for page in range(first, stop):
            seen[page] = page
            queue[0] = <uint32_t>page
            head, tail, distance, total = 0, 1, 0, 0
            while head < tail:
                level = tail
                distance += 1
                while head < level:
                    for e in range(start[queue[head]], start[queue[head] + 1]):
                        near = source[e]
                        if seen[near] != page:
                            seen[near] = page
                            queue[tail] = near
                            tail += 1
                    head += 1
                total += (tail - level) / distance
            score[page] = total


cdef inline uint64_t _mixed(uint64_t value) noexcept nogil:
    """The finalizer of SplitMix64."""
    value = (value ^ (value >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    value = (value ^ (value >> 27)) * <uint64_t>0x94D049BB133111EB
    return value ^ (value >> 31)


def begin(uint8_t[:, ::1] rows, uint64_t seed):
    """Write the counter of each page alone: a HyperLogLog row, whose length is a power of two."""
    cdef int64_t page, count = rows.shape[1]
    cdef uint64_t value
    cdef uint8_t zeros
    with nogil:
        for page in range(rows.shape[0]):
            memset(&rows[page, 0], 0, count)
            value = _mixed((<uint64_t>page + 1) * <uint64_t>0x9E3779B97F4A7C15 + _mixed(seed))
            # The low bits choose the register, and the position of the first one in the rest is its value.
            zeros = 1
            while zeros < 48 and not (value >> (63 - zeros + 1)) & 1:
                zeros += 1
            rows[page, <int64_t>(value & <uint64_t>(count - 1))] = zeros


cdef double _size(const uint8_t* row, int64_t count) noexcept nogil:
    """The size that a row of registers stands for: HyperLogLog, and linear counting for small sets."""
    cdef int64_t i, empty = 0
    cdef double total = 0, found
    cdef double scale = 0.7213 / (1 + 1.079 / count)
    for i in range(count):
        total += ldexp(1.0, -<int>row[i])
        empty += row[i] == 0
    found = scale * count * count / total
    if found <= 2.5 * count and empty:
        return count * log(<double>count / empty)
    return found


def sizes(const uint8_t[:, ::1] rows, double[::1] size):
    """Write the size of each row."""
    cdef int64_t page
    with nogil:
        for page in range(rows.shape[0]):
            size[page] = _size(&rows[page, 0], rows.shape[1])


def grow(
    const int64_t[::1] start, const uint32_t[::1] source, const uint8_t[:, ::1] before, uint8_t[:, ::1] after,
    const uint8_t[::1] grew, uint8_t[::1] grows, double distance, double[::1] size, double[::1] score, int64_t first,
    int64_t stop):
    """Grow the balls of the pages from first to stop by one link; returns what was added to all scores.

    Parameters
    ----------
    start, source : the links by target
    before, after : the counters of all balls; those of the second argument are written
    grew, grows : whether each ball grew in the last round, and in this one
    distance : the number of the round
    size, score : of each page, its ball and its centrality, changed in place
    """
    cdef int64_t page, e, count = before.shape[1]
    cdef double found, added = 0
    cdef bint grown
    with nogil:
        for page in range(first, stop):
            memcpy(&after[page, 0], &before[page, 0], count)
            grown = False
            for e in range(start[page], start[page + 1]):
                if grew[source[e]]:
                    grown |= merge(&after[page, 0], &before[source[e], 0], count)
            grows[page] = grown
            if grown:
                found = _size(&after[page, 0], count)
                if found > size[page]:
                    score[page] += (found - size[page]) / distance
                    added += (found - size[page]) / distance
                    size[page] = found
    return added
