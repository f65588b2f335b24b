# cython: language_level=3
"""Weights of words, by their hashes."""

from libc.stdint cimport uint32_t

from webstrata.extract._outline cimport Outline

cdef class Vocabulary:
    cdef const uint32_t[::1] slots
    cdef const float[:, ::1] weights
    cdef uint32_t mask

cdef inline const float* find(const uint32_t* slots, const float* weights, Py_ssize_t width, uint32_t mask,
                              uint32_t hash) noexcept nogil:
    """The weights of a word, NULL when it is not known."""
    cdef uint32_t place = hash * <uint32_t>2654435769 & mask
    while slots[place]:
        if slots[place] == hash:
            return weights + place * width
        place = (place + 1) & mask
    return NULL


cdef bint fill_sums(Vocabulary words, Outline page, float* out, Py_ssize_t width) noexcept nogil
cdef void add_page_sums(Vocabulary words, Outline page, float* out) noexcept nogil
