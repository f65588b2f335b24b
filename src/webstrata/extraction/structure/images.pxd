# cython: language_level=3
"""The URL of an image: the best of its candidates."""

from libc.stdint cimport int32_t, uint8_t, int16_t

from webstrata._scan.columns cimport Columns
from webstrata._urls cimport PlainResolver

cdef class Images:
    cdef bytes source
    cdef PlainResolver resolver
    cdef Columns elements
    cdef Py_ssize_t count
    cdef const uint8_t* tag
    cdef const uint8_t* flags
    cdef const int32_t* parent
    cdef const int16_t* depth
    cdef const int32_t* first_block
    cdef const int32_t* end_block
    cdef const int32_t* source_start
    cdef const int32_t* open_stop

    cpdef tuple image(self, Py_ssize_t row)
    cdef list _attributes(self, Py_ssize_t row)
    cdef str _best(self, Py_ssize_t row, list attributes)
    cdef list _sets(self, Py_ssize_t row, list attributes)
    cdef Py_ssize_t _noscript(self, Py_ssize_t row) noexcept nogil
    cdef bint _is_replacement(self, Py_ssize_t row, Py_ssize_t around, list attributes) except -1
    cdef bint _is_beside(self, Py_ssize_t row, Py_ssize_t other) noexcept nogil
