# cython: language_level=3
"""Words of classes, ids, roles and of what a page says of itself, as hashes."""

from libc.stdint cimport int32_t, uint8_t, uint32_t

cdef enum:
    HASH_START = 2166136261
    PRIME = 16777619
    CLASS_KIND = 1

cdef struct Hashes:
    uint32_t* hash
    Py_ssize_t count
    Py_ssize_t capacity

# What the page's own address looks like; -1 when it does not say one.
cdef struct Address:
    int32_t depth
    int32_t hyphens          # of the last part
    int32_t digits
    int32_t length

cdef inline uint32_t fnv(uint32_t hash, uint32_t c) noexcept nogil:
    return (hash ^ c) * <uint32_t>PRIME

# These return False when memory is out.
cdef bint add_hash(Hashes* words, uint32_t hash) noexcept nogil
cdef bint read_element(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop, Hashes* out,
                       uint32_t* first_class) noexcept nogil
cdef bint read_head(Hashes* out, Address* address, const uint8_t* source, Py_ssize_t start, Py_ssize_t stop,
                    uint8_t tag) noexcept nogil
cdef bint read_linked_data(Hashes* out, const uint8_t* source, Py_ssize_t start, Py_ssize_t stop) noexcept nogil

cdef bint says_linked_data(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop) noexcept nogil
