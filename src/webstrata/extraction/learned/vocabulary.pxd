# cython: language_level=3
"""Weights of words, by their hashes."""

from libc.stdint cimport uint32_t

from webstrata.extraction.learned.outline cimport Outline

cdef enum:
    SPREAD = 2654435769          # times this, hashes that are close lie apart

# What the names of an element and of those above it weigh.
cdef struct Chain:
    float total
    float nearest
    float worst
    float best

# The same of all elements, and the weight of the last heading.
cdef struct Chains:
    Chain* of
    float heading

cdef class Vocabulary:
    cdef const uint32_t[::1] slots
    cdef const float[:, ::1] weights
    cdef uint32_t mask

cdef inline const float* find(const uint32_t* slots, const float* weights, Py_ssize_t width, uint32_t mask,
                              uint32_t hash) noexcept nogil:
    """The weights of a word, NULL when it is not known."""
    cdef uint32_t place = hash * <uint32_t>SPREAD & mask
    while slots[place]:
        if slots[place] == hash:
            return weights + place * width
        place = (place + 1) & mask
    return NULL


cdef bint begin_sums(Vocabulary words, Outline page, Chains* chains) noexcept nogil
cdef void fill_sums(Vocabulary words, Outline page, Chains* chains, Py_ssize_t first, Py_ssize_t stop, float* out,
                    Py_ssize_t width) noexcept nogil
cdef void end_sums(Chains* chains) noexcept nogil
cdef void add_page_sums(Vocabulary words, Outline page, float* out) noexcept nogil
