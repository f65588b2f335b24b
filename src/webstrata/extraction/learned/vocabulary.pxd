# cython: language_level=3
"""Learned weights of words, by their hashes."""

from libc.stdint cimport uint32_t

from webstrata.extraction.learned.page_features cimport PageFeatures

# The weights of the names of an element and of its ancestors.
cdef struct NameWeights:
    float total
    float nearest
    float worst
    float best

# Those of all elements, and the weight of the last heading.
cdef struct PageWeights:
    NameWeights* of
    float heading

cdef class Vocabulary:
    cdef const uint32_t[::1] slots
    cdef const float[:, ::1] weights
    cdef uint32_t mask

cdef bint begin_sums(Vocabulary words, PageFeatures page, PageWeights* weights) noexcept nogil
cdef void fill_sums(Vocabulary words, PageFeatures page, PageWeights* weights, Py_ssize_t first, Py_ssize_t stop, float* out,
                    Py_ssize_t width) noexcept nogil
cdef void end_sums(PageWeights* weights) noexcept nogil
cdef void add_page_sums(Vocabulary words, PageFeatures page, float* out) noexcept nogil
