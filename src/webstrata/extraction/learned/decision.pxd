# cython: language_level=3
"""What each paragraph is taken for."""

from libc.stdint cimport uint8_t

from webstrata.extraction.learned.outline cimport Outline

cdef bint take(Outline page, const double* first, const double* score, double threshold, bint tells, bint deduplicate,
               uint8_t* kind, uint8_t* reason) noexcept nogil
