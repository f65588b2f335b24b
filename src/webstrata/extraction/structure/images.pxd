# cython: language_level=3
"""Where an image is: the best of the addresses that a page gives for it."""

from libc.stdint cimport int32_t, uint8_t, int16_t

from webstrata._urls cimport PlainResolver

cdef class Images:
    cdef bytes source
    cdef PlainResolver resolver
    cdef const uint8_t[::1] tag, flags
    cdef const int32_t[::1] parent, first_block, end_block, source_start, open_stop
    cdef const int16_t[::1] depth

    cpdef tuple image(self, Py_ssize_t row)
    cdef list _attributes(self, Py_ssize_t row)
    cdef str _best(self, Py_ssize_t row, list attributes)
    cdef list _sets(self, Py_ssize_t row, list attributes)
    cdef bint _stands_in(self, Py_ssize_t row, list attributes) except -1
    cdef bint _is_beside(self, Py_ssize_t row, Py_ssize_t other) noexcept nogil
