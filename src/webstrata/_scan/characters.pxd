# cython: language_level=3
"""Characters of tags, and names that are compared without regard to case."""

from libc.stdint cimport uint64_t, uint8_t
from libc.string cimport memchr

from webstrata._scan.swar cimport below, eight_at, equal, first_of

cdef extern from *:
    # Branch hints for the compiler; Cython defines them.
    bint likely(bint condition) noexcept nogil
    bint unlikely(bint condition) noexcept nogil

cdef enum:
    LESS = 60, GREATER = 62, SLASH = 47, BANG = 33, QUESTION = 63, DASH = 45
    EQUALS = 61, DOUBLE_QUOTE = 34, SINGLE_QUOTE = 39


cdef inline bint is_space(uint8_t c) noexcept nogil:
    # The bits of tab, line feed, form feed, carriage return and space.
    return c <= 32 and (<unsigned long long>0x100003600 >> c) & 1


cdef inline bint is_letter(uint8_t c) noexcept nogil:
    return 97 <= (c | 0x20) <= 122


# Whether two names are equal except for the case of ASCII letters.
cdef inline bint same_name(const uint8_t* a, const uint8_t* b, Py_ssize_t length) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(length):
        if a[i] != b[i] and not ((a[i] ^ b[i]) == 0x20 and is_letter(a[i])):
            return False
    return True


# The position of the next `byte`, or `length`.
cdef inline Py_ssize_t find(const uint8_t* source, uint8_t byte, Py_ssize_t start, Py_ssize_t length) noexcept nogil:
    cdef const void* found
    if unlikely(start >= length):
        return length
    found = memchr(source + start, byte, length - start)
    return length if found == NULL else <const uint8_t*>found - source


cdef inline bint ends_name(uint8_t c) noexcept nogil:
    return is_space(c) or c == SLASH or c == GREATER


# Skip up to eight bytes of a name, which may be longer.
cdef inline Py_ssize_t skip_name(const uint8_t* source, Py_ssize_t position, Py_ssize_t length) noexcept nogil:
    cdef uint64_t eight
    if unlikely(position + 8 > length):
        return position
    eight = eight_at(source + position)
    return position + first_of(below(eight, 33) | equal(eight, SLASH) | equal(eight, GREATER) | equal(eight, EQUALS))
