# cython: language_level=3
"""The attributes of a tag, one after the other, as spans of the source (the standard's 13.2.5.32 to 13.2.5.40)."""

from libc.stdint cimport uint64_t, uint8_t
from libc.string cimport memchr

from webstrata._scan.eight cimport below, eight_at, equal, first_of

cdef extern from *:
    # What nearly every page does, for the compiler: Cython has these for itself.
    bint likely(bint condition) noexcept nogil
    bint unlikely(bint condition) noexcept nogil

cdef enum:
    LESS = 60, GREATER = 62, SLASH = 47, BANG = 33, QUESTION = 63, DASH = 45
    EQUALS = 61, DOUBLE_QUOTE = 34, SINGLE_QUOTE = 39

cdef struct Attribute:
    Py_ssize_t name_start
    Py_ssize_t name_stop
    Py_ssize_t value_start
    Py_ssize_t value_stop
    bint self_closing        # the tag ended with a slash


cdef inline bint is_space(uint8_t c) noexcept nogil:
    # The bits of tab, line feed, form feed, carriage return and space.
    return c <= 32 and (<unsigned long long>0x100003600 >> c) & 1


cdef inline bint is_letter(uint8_t c) noexcept nogil:
    return 97 <= (c | 0x20) <= 122


cdef inline bint same_name(const uint8_t* a, const uint8_t* b, Py_ssize_t length) noexcept nogil:
    """Whether two names are equal but for the case of ASCII letters."""
    cdef Py_ssize_t i
    cdef uint8_t x, y
    for i in range(length):
        x, y = a[i], b[i]
        if x != y and not ((x ^ y) == 0x20 and is_letter(x)):
            return False
    return True


cdef inline Py_ssize_t find(const uint8_t* source, uint8_t byte, Py_ssize_t start, Py_ssize_t length) noexcept nogil:
    """Where `byte` comes next, or `length`."""
    cdef const void* found
    if unlikely(start >= length):
        return length
    found = memchr(source + start, byte, length - start)
    return length if found == NULL else <const uint8_t*>found - source


cdef inline bint ends_name(uint8_t c) noexcept nogil:
    return is_space(c) or c == SLASH or c == GREATER


cdef inline Py_ssize_t skip_name(const uint8_t* source, Py_ssize_t position, Py_ssize_t length) noexcept nogil:
    """Skip up to eight bytes of a name; what comes then may go on with it."""
    cdef uint64_t eight
    if unlikely(position + 8 > length):
        return position
    eight = eight_at(source + position)
    return position + first_of(below(eight, 33) | equal(eight, SLASH) | equal(eight, GREATER) | equal(eight, EQUALS))


cdef inline Py_ssize_t next_attribute(const uint8_t* source, Py_ssize_t position, Py_ssize_t length,
                                      Attribute* attribute) noexcept nogil:
    """The next attribute of a tag at or after `position`.

    Returns where to go on; the length of the name is zero when the tag has ended (just before the returned position),
    and the result is -1 when the source ended first.
    """
    cdef uint8_t c
    attribute.self_closing = False
    attribute.name_start = attribute.name_stop = attribute.value_start = attribute.value_stop = position
    while True:
        c = source[position]
        if is_space(c):
            position += 1
        elif c == SLASH:
            position += 1
            attribute.self_closing = source[position] == GREATER
        elif c == GREATER:
            return position + 1
        elif unlikely(position >= length):
            return -1
        else:
            break
    attribute.name_start = position
    # An equals sign may begin a name.
    position = skip_name(source, position + 1, length)
    while True:
        c = source[position]
        if ends_name(c) or c == EQUALS or (c == 0 and position >= length):
            break
        position += 1
    attribute.name_stop = attribute.value_start = attribute.value_stop = position
    if unlikely(c != EQUALS):
        while is_space(source[position]):
            position += 1
        if source[position] != EQUALS:
            return position
    position += 1
    c = source[position]
    if unlikely(c != DOUBLE_QUOTE):
        while is_space(source[position]):
            position += 1
        c = source[position]
    if likely(c == DOUBLE_QUOTE or c == SINGLE_QUOTE):
        attribute.value_start = position + 1
        position = find(source, c, position + 1, length)
        attribute.value_stop = position
        return position + 1 if likely(position < length) else -1
    attribute.value_start = position
    while True:
        c = source[position]
        if is_space(c) or c == GREATER or (c == 0 and position >= length):
            break
        position += 1
    attribute.value_stop = position
    return position if position < length else -1
