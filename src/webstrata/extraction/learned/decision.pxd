# cython: language_level=3
"""The kind of each paragraph and the reason for it."""

from libc.stdint cimport uint8_t, uint32_t

from webstrata.extraction.learned.page_features cimport PageFeatures

cdef uint32_t step_bits(steps) except? 0
cdef bint fill_kinds(PageFeatures page, const double* first, const double* score, double threshold, bint type_is_known,
                     uint32_t steps, const uint8_t* hidden, uint8_t* kind, uint8_t* reason) noexcept nogil
