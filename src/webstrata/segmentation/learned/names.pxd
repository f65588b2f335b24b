# cython: language_level=3
"""What the names that authors give to elements say of them."""

from libc.stdint cimport uint8_t, uint32_t

cdef enum:
    NAMES = 18

# One bit for each group of words, and the group's name as a column.
cdef const char* NAME_COLUMN[NAMES]

cdef uint32_t names_of(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop) noexcept nogil
