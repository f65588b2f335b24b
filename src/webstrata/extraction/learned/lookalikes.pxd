# cython: language_level=3
"""Lookalikes of what looks the same: paragraphs of one path or one text, siblings of one kind. One hash table holds all."""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

# Paragraphs, or sibling elements, that look the same.
cdef struct Lookalike:
    uint64_t key
    int32_t count
    int32_t words
    int32_t link_words
    int32_t first
    int32_t last
    double squares           # of the words

cdef struct Lookalikes:
    Lookalike* row
    Py_ssize_t count
    int32_t* slot            # the hash table: into the rows, + 1
    uint32_t mask

cdef inline uint64_t mix(uint64_t a, uint64_t b) noexcept nogil:
    a = (a ^ b) * <uint64_t>0x9E3779B97F4A7C15
    return a ^ a >> 29


cdef inline bint begin(Lookalikes* alike, Py_ssize_t most) noexcept nogil:
    """Make room for so many alike; False when there is none. `end` gives back what is needed for joining alone."""
    cdef Py_ssize_t size = 1
    while size < 2 * most:
        size *= 2
    alike.count = 0
    alike.mask = <uint32_t>(size - 1)
    alike.slot = <int32_t*>calloc(size, sizeof(int32_t))
    alike.row = <Lookalike*>malloc(max(most, 1) * sizeof(Lookalike))
    return alike.slot != NULL and alike.row != NULL


cdef inline void end(Lookalikes* alike) noexcept nogil:
    free(alike.slot)
    alike.slot = NULL


cdef inline int32_t join(Lookalikes* alike, uint64_t key, int32_t words, int32_t link_words, int32_t number) noexcept nogil:
    """Add a member to the group of this key; returns the group."""
    cdef uint32_t place = <uint32_t>(key >> 32 ^ key) & alike.mask
    cdef Lookalike* group
    while alike.slot[place] and alike.row[alike.slot[place] - 1].key != key:
        place = (place + 1) & alike.mask
    if not alike.slot[place]:
        alike.slot[place] = <int32_t>alike.count + 1
        group = &alike.row[alike.count]
        memset(group, 0, sizeof(Lookalike))
        group.key = key
        group.first = number
        alike.count += 1
    group = &alike.row[alike.slot[place] - 1]
    group.count += 1
    group.words += words
    group.link_words += link_words
    group.last = number
    group.squares += <double>words * words
    return alike.slot[place] - 1
