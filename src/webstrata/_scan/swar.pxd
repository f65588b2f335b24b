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
    """A bit set whose lowest bit marks the first smaller byte (its highest bit); higher bits may be wrong."""
    return eight - limit * <uint64_t>0x0101010101010101 & ~eight & <uint64_t>0x8080808080808080


cdef inline uint64_t equal(uint64_t eight, uint8_t byte) noexcept nogil:
    """A bit set whose lowest bit marks the first such byte (its highest bit); higher bits may be wrong."""
    return below(eight ^ byte * <uint64_t>0x0101010101010101, 1)


cdef inline int first_of(uint64_t found) noexcept nogil:
    """The index of the first byte in such a set; 8 if it is empty."""
    return lowest_bit(found) >> 3 if found else 8


cdef inline uint64_t others(uint64_t eight, uint8_t byte) noexcept nogil:
    """The highest bit of each byte that differs from an ASCII byte."""
    cdef uint64_t apart = eight ^ byte * <uint64_t>0x0101010101010101
    return (apart & <uint64_t>0x7F7F7F7F7F7F7F7F) + <uint64_t>0x7F7F7F7F7F7F7F7F | apart


cdef inline int leading_space(uint64_t eight) noexcept nogil:
    """The number of spaces, tabs and line ends at the beginning."""
    return first_of(others(eight, 32) & others(eight, 9) & others(eight, 10) & others(eight, 13)
                    & <uint64_t>0x8080808080808080)


cdef inline uint64_t _some_bytes(const uint8_t* place, Py_ssize_t size) noexcept nogil:
    cdef uint64_t eight = 0
    memcpy(&eight, place, size)
    return eight


# A name of one to eight bytes as a number, its letters in lower case; `readable` bytes may be read. Other bytes may
# change as well, to another byte of 32 to 63 or of 96 to 127.
cdef inline uint64_t small_name(const uint8_t* name, Py_ssize_t size, Py_ssize_t readable) noexcept nogil:
    # A copy of variable size goes through memory, eight bytes go into a register.
    cdef uint64_t eight = eight_at(name) if readable >= 8 else _some_bytes(name, size)
    return (eight | <uint64_t>0x2020202020202020) & ~<uint64_t>0 >> (64 - 8 * size)
