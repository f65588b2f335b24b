"""Validation of UTF-8."""

from webstrata._scan.swar cimport eight_at, is_ascii

cdef enum:
    LONG = 1 << 20           # bytes from which the GIL is released


cdef inline bint continues(unsigned char byte) noexcept nogil:
    return (byte & 0xC0) == 0x80


cdef Py_ssize_t count(const unsigned char *p, const unsigned char *end) noexcept nogil:
    """How many bytes are not ASCII, or -1 unless all are well-formed (the Unicode standard, table 3-7)."""
    cdef Py_ssize_t others = 0
    cdef const unsigned char *start
    cdef unsigned char lead
    while p < end:
        # Most of a page is ASCII: 64 bytes a step.
        while end - p >= 64 and is_ascii(
                eight_at(p) | eight_at(p + 8) | eight_at(p + 16) | eight_at(p + 24)
                | eight_at(p + 32) | eight_at(p + 40) | eight_at(p + 48) | eight_at(p + 56)):
            p += 64
        while end - p >= 8 and is_ascii(eight_at(p)):
            p += 8
        while p < end and p[0] < 0x80:
            p += 1
        # Non-ASCII text tends to continue: stay until the next ASCII byte.
        start = p
        while p < end and p[0] >= 0x80:
            lead = p[0]
            if lead < 0xC2:  # a continuation byte, or a lead that could only start an overlong form
                return -1
            elif lead < 0xE0:
                if end - p < 2 or not continues(p[1]):
                    return -1
                p += 2
            elif lead < 0xF0:
                if end - p < 3 or not continues(p[1]) or not continues(p[2]):
                    return -1
                if (lead == 0xE0 and p[1] < 0xA0) or (lead == 0xED and p[1] > 0x9F):  # overlong; surrogate
                    return -1
                p += 3
            elif lead < 0xF5:
                if end - p < 4 or not continues(p[1]) or not continues(p[2]) or not continues(p[3]):
                    return -1
                if (lead == 0xF0 and p[1] < 0x90) or (lead == 0xF4 and p[1] > 0x8F):  # overlong; past U+10FFFF
                    return -1
                p += 4
            else:
                return -1
        others += p - start
    return others


def is_valid(bytes data not None):
    """Whether the bytes are well-formed UTF-8, exactly as `bytes.decode` decides."""
    return other_bytes(data) >= 0


def other_bytes(bytes data not None):
    """How many bytes of well-formed UTF-8 are not ASCII; -1 if the bytes are not well-formed UTF-8."""
    cdef const unsigned char *start = data
    cdef Py_ssize_t size = len(data)
    cdef Py_ssize_t others
    if size < LONG:
        return count(start, start + size)
    with nogil:
        others = count(start, start + size)
    return others
