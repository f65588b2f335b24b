# cython: language_level=3
"""Boosted trees from plain arrays: their sum for each row of a matrix."""

from libc.stdint cimport int32_t, uint16_t, uint32_t

cdef class Trees:
    cdef const float[::1] threshold
    cdef const uint16_t[::1] tree
    cdef const uint32_t[::1] leaves
    cdef const float[:, ::1] value
    cdef const int32_t[::1] used
    cdef const int32_t[::1] start
    cdef readonly Py_ssize_t width

cdef bint add_sums(Trees trees, const float* matrix, Py_ssize_t width, const int32_t* rows, Py_ssize_t count,
                   double* out, Py_ssize_t classes=*) noexcept nogil
