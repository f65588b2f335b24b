# cython: language_level=3
"""SIMD within a register: eight bytes of the source as one number, whose lowest byte is the first (little-endian)."""

from libc.stdint cimport uint64_t, uint8_t
from libc.string cimport memcpy

cdef extern from *:
    """
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    #error "webstrata reads eight bytes as a little-endian number and does not support big-endian processors"
    #endif
    #if defined(__GNUC__)
    #define lowest_bit(set) __builtin_ctzll(set)
    #else
    static int lowest_bit(unsigned long long set) { int n = 0; while (!(set >> n & 1)) n++; return n; }
    #endif
    """
    int lowest_bit(uint64_t set) noexcept nogil


cdef inline uint64_t eight_at(const uint8_t* place) noexcept nogil:
    # memcpy is how C spells an unaligned load.
    cdef uint64_t eight
    memcpy(&eight, place, 8)
    return eight


cdef inline bint is_ascii(uint64_t eight) noexcept nogil:
    return not eight & <uint64_t>0x8080808080808080


cdef inline uint64_t below(uint64_t eight, uint8_t limit) noexcept nogil:
    """A set whose lowest bit is the highest of the first byte that is smaller; those above it may be wrong."""
    return eight - limit * <uint64_t>0x0101010101010101 & ~eight & <uint64_t>0x8080808080808080


cdef inline uint64_t equal(uint64_t eight, uint8_t byte) noexcept nogil:
    """A set whose lowest bit is the highest of the first such byte; those above it may be wrong."""
    return below(eight ^ byte * <uint64_t>0x0101010101010101, 1)


cdef inline int first_of(uint64_t found) noexcept nogil:
    """The place of the first byte of such a set; 8 when it is empty."""
    return lowest_bit(found) >> 3 if found else 8


cdef inline uint64_t others(uint64_t eight, uint8_t byte) noexcept nogil:
    """The highest bit of each byte that is not this one of ASCII."""
    cdef uint64_t apart = eight ^ byte * <uint64_t>0x0101010101010101
    return (apart & <uint64_t>0x7F7F7F7F7F7F7F7F) + <uint64_t>0x7F7F7F7F7F7F7F7F | apart


cdef inline int leading_space(uint64_t eight) noexcept nogil:
    """How many of the bytes come before one that is no space, tab or end of a line."""
    return first_of(others(eight, 32) & others(eight, 9) & others(eight, 10) & others(eight, 13)
                    & <uint64_t>0x8080808080808080)


cdef inline uint64_t _some_bytes(const uint8_t* place, Py_ssize_t size) noexcept nogil:
    cdef uint64_t eight = 0
    memcpy(&eight, place, size)
    return eight


cdef inline uint64_t small_name(const uint8_t* name, Py_ssize_t size, Py_ssize_t readable) noexcept nogil:
    """A name of one to eight bytes as a number, its letters in lower case; `readable` bytes may be read.

    Bytes other than letters may change as well, to another byte of 32 to 63 or of 96 to 127.
    """
    # A copy of variable size goes through memory, eight bytes go into a register.
    cdef uint64_t eight = eight_at(name) if readable >= 8 else _some_bytes(name, size)
    return (eight | <uint64_t>0x2020202020202020) & ~<uint64_t>0 >> (64 - 8 * size)
