# cython: language_level=3
"""Structures that are kept or left out as one."""

from libc.stdint cimport int32_t

from webstrata.extraction.learned.page_features cimport PageFeatures
from webstrata.extraction.learned.reasons cimport Decision

cdef bint find_wholes(PageFeatures page, Decision* decision) noexcept nogil
cdef int32_t end_of_whole(PageFeatures page, const Decision* decision, int32_t start) noexcept nogil
cdef void decide_wholes(PageFeatures page, Decision* decision) noexcept nogil
