# cython: language_level=3
"""The terms of an ascending list that are few edits from a word. All indices are checked."""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memcmp

import numpy as np

from webstrata.errors import InputError

cdef enum:
    LONGEST = 64             # letters of a word; longer ones have no neighbours
    MOST = 2                 # edits
    WIDTH = LONGEST + 1
    DEPTH = LONGEST + MOST + 2


cdef int _letters(const uint8_t* term, int64_t size, uint32_t* out, int64_t* end, int most) noexcept nogil:
    """Read at most ``most`` letters of UTF-8, and where each ends; returns their number."""
    cdef int64_t at = 0
    cdef int count = 0, length, i
    cdef uint32_t c
    while at < size and count < most:
        c = term[at]
        length = 1 if c < 0xC0 else 2 if c < 0xE0 else 3 if c < 0xF0 else 4
        if length > 1:
            c &= 0xFF >> (length + 1)
            for i in range(1, length):
                if at + i < size:
                    c = (c << 6) | (term[at + i] & 0x3F)
        at = min(at + length, size)
        out[count] = c
        end[count] = at
        count += 1
    return count


cdef int64_t _after(const uint8_t* data, const int64_t* start, int64_t place, int64_t count,
                    const uint8_t* prefix, int64_t size) noexcept nogil:
    """The first term after ``place`` that does not begin with a prefix, which the one there begins with."""
    cdef int64_t low = place, step = 1, high, middle
    while low + step < count and _begins(data, start, low + step, prefix, size):
        low += step
        step *= 2
    high = min(low + step, count)
    while low + 1 < high:
        middle = (low + high) >> 1
        if _begins(data, start, middle, prefix, size):
            low = middle
        else:
            high = middle
    return high


cdef inline bint _begins(const uint8_t* data, const int64_t* start, int64_t place, const uint8_t* prefix,
                         int64_t size) noexcept nogil:
    return start[place + 1] - start[place] >= size and memcmp(data + start[place], prefix, size) == 0


def near(const uint8_t[::1] data, const int64_t[::1] start, str word, int most):
    """The indices of the terms that are at most ``most`` edits from a word, and the edits of each.

    An edit inserts, deletes or replaces a letter, or swaps two neighbours. Terms that share their beginning share its
    row of the table of distances, and are left out together once it has no small distance.
    """
    cdef int64_t t = 0, count = start.shape[0] - 1, i
    cdef int length = <int>len(word), d, j, shared, letters, row_least, cost, value
    cdef bint pruned
    cdef uint8_t[DEPTH][WIDTH] table
    cdef uint8_t[DEPTH] least
    cdef uint32_t[LONGEST] wanted
    cdef uint32_t[DEPTH] own, before
    cdef int64_t[DEPTH] end
    cdef int known = 0                           # letters of `before` whose rows are filled
    found, edits = [], []
    if not 0 <= most <= MOST:
        raise AssertionError(f"at most {MOST} edits can be looked for, not {most}")
    if not 0 < length <= LONGEST:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    for i in range(count):
        if not 0 <= start[i] <= start[i + 1] <= data.shape[0]:
            raise InputError("the names of the index are damaged: build it again")
    for j in range(length):
        wanted[j] = <uint32_t>ord(word[j])
    for j in range(length + 1):
        table[0][j] = <uint8_t>min(j, 255)
    least[0] = 0
    while t < count:
        letters = _letters(&data[0] + start[t], start[t + 1] - start[t], own, end, length + most + 1)
        shared = 0
        while shared < known and shared < letters and own[shared] == before[shared]:
            shared += 1
        pruned = False
        for d in range(shared + 1, letters + 1):
            before[d - 1] = own[d - 1]
            table[d][0] = <uint8_t>d
            row_least = d
            for j in range(1, length + 1):
                cost = 0 if own[d - 1] == wanted[j - 1] else 1
                value = min(min(table[d - 1][j], table[d][j - 1]) + 1, table[d - 1][j - 1] + cost)
                if d > 1 and j > 1 and own[d - 1] == wanted[j - 2] and own[d - 2] == wanted[j - 1]:
                    value = min(value, table[d - 2][j - 2] + 1)
                table[d][j] = <uint8_t>value
                row_least = min(row_least, value)
            least[d] = <uint8_t>row_least
            # A swap of two letters goes on from the row before the last.
            if row_least > most and least[d - 1] >= most:
                pruned = True
                known = d - 1
                t = _after(&data[0], &start[0], t, count, &data[0] + start[t], end[d - 1])
                break
        if not pruned:
            known = letters
            if table[letters][length] <= most:
                found.append(t)
                edits.append(table[letters][length])
            t += 1
    return np.array(found, np.int64), np.array(edits, np.int64)
