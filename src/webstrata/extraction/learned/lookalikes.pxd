# cython: language_level=3
"""Lookalikes of what looks the same: paragraphs of one path or one text, siblings of one kind."""

from libc.stdint cimport int32_t, uint32_t, uint64_t

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

cdef bint begin(Lookalikes* alike, Py_ssize_t most) noexcept nogil
cdef void end(Lookalikes* alike) noexcept nogil
cdef int32_t join(Lookalikes* alike, uint64_t key, int32_t words, int32_t link_words, int32_t number) noexcept nogil

cdef inline uint64_t mix(uint64_t a, uint64_t b) noexcept nogil:
    a = (a ^ b) * <uint64_t>0x9E3779B97F4A7C15
    return a ^ a >> 29
