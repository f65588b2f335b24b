# cython: language_level=3
"""Character references, and the text of character data and attribute values."""

from libc.stdint cimport uint8_t, uint32_t

cdef struct Reference:
    Py_ssize_t stop          # just after the reference
    uint32_t first           # its one or two characters; `first` is 0 when the ampersand is only itself
    uint32_t second

cdef int prepare() except -1

cdef void read_reference(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop, bint in_attribute,
                         Reference* reference) noexcept nogil

cdef str attribute_value(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop)

# Write one character as UTF-8; returns how many bytes it took.
cdef int encode(uint32_t c, uint8_t* out) noexcept nogil
