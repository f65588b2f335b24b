# Included in scan.pyx: the scan is one translation unit, so that the compiler inlines across its parts.
#
# UTF-8 whose characters were counted, as a string. Python takes longer: it does not know how wide a string will be.

cdef extern from "Python.h":
    str PyUnicode_New(Py_ssize_t size, Py_UCS4 highest)

# The units of Python's strings: the narrowest that all characters of a string fit into.
ctypedef fused Unit:
    uint8_t
    uint16_t
    uint32_t


cdef inline uint64_t _spread(uint64_t four) noexcept nogil:
    """Four bytes with a zero after each."""
    four = (four | four << 16) & <uint64_t>0x0000FFFF0000FFFF
    return (four | four << 8) & <uint64_t>0x00FF00FF00FF00FF


cdef inline bint _write(const uint8_t* text, Py_ssize_t size, Unit* out, Py_ssize_t room) noexcept nogil:
    """Write `count` units, one for each character. False if the text has a different number of characters."""
    cdef Py_ssize_t at = 0, n = 0, length
    cdef uint64_t eight
    cdef uint32_t c
    cdef int i
    while True:
        while at + 8 <= size and n + 8 <= room and is_ascii(eight_at(text + at)):
            if Unit is uint8_t:
                memcpy(out + n, text + at, 8)
            elif Unit is uint16_t:
                eight = _spread(eight_at(text + at) & <uint64_t>0xFFFFFFFF)
                memcpy(out + n, &eight, 8)
                eight = _spread(eight_at(text + at) >> 32)
                memcpy(out + n + 4, &eight, 8)
            else:
                for i in range(8):
                    out[n + i] = text[at + i]
            at, n = at + 8, n + 8
        if at == size or n == room:
            return at == size and n == room
        c = text[at]
        length = 1 if c < 0x80 else 2 if c < 0xE0 else 3 if c < 0xF0 else 4
        if at + length > size:
            return False
        if length == 2:
            c = (c & 0x1F) << 6 | (text[at + 1] & 0x3F)
        elif length == 3:
            c = (c & 0x0F) << 12 | <uint32_t>(text[at + 1] & 0x3F) << 6 | (text[at + 2] & 0x3F)
        elif length == 4:
            c = ((c & 0x07) << 18 | <uint32_t>(text[at + 1] & 0x3F) << 12 | <uint32_t>(text[at + 2] & 0x3F) << 6
                 | (text[at + 3] & 0x3F))
        out[n] = <Unit>c
        at, n = at + length, n + 1


cdef inline str decoded(const uint8_t* text, Py_ssize_t size, Py_ssize_t characters):
    """Well-formed UTF-8 with a known number of characters, as a string."""
    cdef uint8_t highest = 0     # byte: that of the highest character, since those that go on with one are lower
    cdef Py_ssize_t at
    cdef str found
    cdef bint fits
    if size == 0:
        return ""
    at = 0
    while characters != size and at < size:
        if at + 8 <= size and is_ascii(eight_at(text + at)):
            at += 8
            continue
        highest = max(highest, text[at])
        at += 1
    found = PyUnicode_New(
        characters, 0x7F if highest < 0x80 else 0xFF if highest < 0xC4 else 0xFFFF if highest < 0xF0 else 0x10FFFF)
    if characters == size:
        memcpy(PyUnicode_DATA(found), text, size)
        return found
    if highest < 0xC4:
        fits = _write(text, size, <uint8_t*>PyUnicode_DATA(found), characters)
    elif highest < 0xF0:
        fits = _write(text, size, <uint16_t*>PyUnicode_DATA(found), characters)
    else:
        fits = _write(text, size, <uint32_t*>PyUnicode_DATA(found), characters)
    return found if fits else PyUnicode_DecodeUTF8(<const char*>text, size, "replace")
