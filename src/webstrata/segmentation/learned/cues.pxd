# cython: language_level=3
from libc.stdint cimport int32_t

from webstrata.segmentation.learned.candidates cimport Candidates

cdef int32_t landmark(Candidates self, Py_ssize_t i) noexcept nogil
cdef int32_t kind_by_cues(Candidates self, Py_ssize_t i, float* chance) noexcept nogil
cdef int32_t words(Candidates self, Py_ssize_t i) noexcept nogil
cdef double link_density(Candidates self, int32_t start, int32_t stop) noexcept nogil
cdef int32_t title_of(Candidates self) noexcept nogil
