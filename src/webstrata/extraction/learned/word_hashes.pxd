# cython: language_level=3
"""Words of texts, names and addresses as hashes (FNV-1a).

A word is hashed together with its kind, so that a class `main` and a role `main` are two words.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t, uint8_t

cdef enum:
    HASH_START = 2166136261
    PRIME = 16777619
    # The kinds of words.
    CLASS_KIND = 1
    ROLE_KIND = 2
    ITEM_KIND = 3
    LABEL_KIND = 4
    TEXT_KIND = 5
    ADDRESS_KIND = 7
    META_KIND = 8
    TYPE_KIND = 9

# A list of hashes that grows.
cdef struct Hashes:
    uint32_t* hash
    Py_ssize_t count
    Py_ssize_t capacity

# The shape of the page's own address; -1 when the page does not name it.
cdef struct AddressShape:
    int32_t depth
    int32_t hyphens          # of the last part, as what follows
    int32_t digits
    int32_t length

cdef inline uint32_t fnv(uint32_t hash, uint32_t c) noexcept nogil:
    return (hash ^ c) * <uint32_t>PRIME


cdef inline uint64_t mix(uint64_t a, uint64_t b) noexcept nogil:
    a = (a ^ b) * <uint64_t>0x9E3779B97F4A7C15
    return a ^ a >> 29


# Functions that add to a list return False when memory ran out.
cdef bint grow(Hashes* words) noexcept nogil


cdef inline bint add_hash(Hashes* words, uint32_t hash) noexcept nogil:
    if words.count == words.capacity and not grow(words):
        return False
    words.hash[words.count] = hash
    words.count += 1
    return True


cdef bint read_element(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop, Hashes* out,
                       uint32_t* first_class) noexcept nogil
cdef bint read_head(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop, uint8_t tag, Hashes* out,
                    AddressShape* address) noexcept nogil
cdef bint is_linked_data(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop) noexcept nogil
cdef bint read_linked_data(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop, Hashes* out) noexcept nogil
