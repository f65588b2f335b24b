# cython: language_level=3
"""SipHash-2-4 with 128 bits (Aumasson & Bernstein 2012) of many strings.

It is keyed: pages choose the URLs that they link to, and without the key nobody can choose two of the same hash.
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy


cdef struct SipState:
    uint64_t a, b, c, d


cdef inline uint64_t _turned(uint64_t x, int bits) noexcept nogil:
    return (x << bits) | (x >> (64 - bits))


cdef inline void _rounds(SipState* s, int count) noexcept nogil:
    cdef int i
    for i in range(count):
        s.a += s.b
        s.b = _turned(s.b, 13) ^ s.a
        s.a = _turned(s.a, 32)
        s.c += s.d
        s.d = _turned(s.d, 16) ^ s.c
        s.a += s.d
        s.d = _turned(s.d, 21) ^ s.a
        s.c += s.b
        s.b = _turned(s.b, 17) ^ s.c
        s.c = _turned(s.c, 32)


cdef inline void _take(SipState* s, uint64_t word) noexcept nogil:
    s.d ^= word
    _rounds(s, 2)
    s.a ^= word


def hash_strings(const uint8_t[::1] data, const int64_t[::1] start, uint64_t low, uint64_t high,
                 uint64_t[::1] first, uint64_t[::1] second):
    """Write the two halves of the hash of each string.

    Parameters
    ----------
    data, start : the bytes of all strings, and the offset of each and the end
    low, high : the key
    first, second : the halves
    """
    cdef int64_t row, at, stop
    cdef uint64_t word
    cdef SipState s
    cdef const uint8_t* bytes = NULL
    if data.shape[0]:
        bytes = &data[0]
    with nogil:
        for row in range(first.shape[0]):
            s.a = low ^ <uint64_t>0x736f6d6570736575
            s.b = high ^ <uint64_t>0x646f72616e646f6d ^ 0xee
            s.c = low ^ <uint64_t>0x6c7967656e657261
            s.d = high ^ <uint64_t>0x7465646279746573
            at, stop = start[row], start[row + 1]
            while at + 8 <= stop:
                memcpy(&word, bytes + at, 8)
                _take(&s, word)
                at += 8
            word = 0
            if at < stop:
                memcpy(&word, bytes + at, stop - at)
            _take(&s, word | (<uint64_t>(stop - start[row]) << 56))
            s.c ^= 0xee
            _rounds(&s, 4)
            first[row] = s.a ^ s.b ^ s.c ^ s.d
            s.b ^= 0xdd
            _rounds(&s, 4)
            second[row] = s.a ^ s.b ^ s.c ^ s.d
