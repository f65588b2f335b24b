# cython: language_level=3
from libc.stdint cimport int32_t, uint8_t

from webstrata.segmentation.learned.candidates cimport Candidates

cdef int32_t mark_records(Candidates self, Py_ssize_t i, uint8_t* record) noexcept nogil
