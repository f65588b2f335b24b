# cython: language_level=3
"""Groups of words in the classes, ids and roles of elements."""

from libc.stdint cimport uint8_t, uint32_t

cdef enum:
    NAMES = 18

# The names of the groups, by the numbers of their bits.
cdef const char* NAME_COLUMN[NAMES]

cdef uint32_t names_of(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop) noexcept nogil
