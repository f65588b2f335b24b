# cython: language_level=3
"""The features of a candidate."""

from libc.stdint cimport int32_t

from webstrata.models.features cimport FeatureRow
from webstrata.segmentation.learned.candidates cimport Candidates

cdef void check_rows(Candidates self, const int32_t[::1] chosen, float[:, ::1] out, Py_ssize_t columns) except *
cdef void put_features(Candidates self, Py_ssize_t i, FeatureRow* row) noexcept nogil
