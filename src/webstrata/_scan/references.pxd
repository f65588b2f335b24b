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
cpdef attribute(bytes source, Py_ssize_t start, Py_ssize_t stop, bytes name)
cpdef list some_attributes(bytes source, Py_ssize_t start, Py_ssize_t stop, tuple names)

cdef inline int encode(uint32_t c, uint8_t* out) noexcept nogil:
    """Write one character as UTF-8; returns how many bytes it took."""
    if c < 0x80:
        out[0] = <uint8_t>c
        return 1
    if c < 0x800:
        out[0] = <uint8_t>(0xC0 | c >> 6)
        out[1] = <uint8_t>(0x80 | c & 0x3F)
        return 2
    if c < 0x10000:
        out[0] = <uint8_t>(0xE0 | c >> 12)
        out[1] = <uint8_t>(0x80 | c >> 6 & 0x3F)
        out[2] = <uint8_t>(0x80 | c & 0x3F)
        return 3
    out[0] = <uint8_t>(0xF0 | c >> 18)
    out[1] = <uint8_t>(0x80 | c >> 12 & 0x3F)
    out[2] = <uint8_t>(0x80 | c >> 6 & 0x3F)
    out[3] = <uint8_t>(0x80 | c & 0x3F)
    return 4
