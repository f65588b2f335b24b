# cython: language_level=3
"""Groups of what looks the same: units of one path or one text, siblings of one kind. One hash table holds all."""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset


cdef bint begin(Groups* groups, Py_ssize_t most) noexcept nogil:
    """Make room for so many groups; False when there is none. `end` gives back what is needed for joining alone."""
    cdef Py_ssize_t size = 1
    while size < 2 * most:
        size *= 2
    groups.count = 0
    groups.mask = <uint32_t>(size - 1)
    groups.slot = <int32_t*>calloc(size, sizeof(int32_t))
    groups.row = <Group*>malloc(max(most, 1) * sizeof(Group))
    return groups.slot != NULL and groups.row != NULL


cdef void end(Groups* groups) noexcept nogil:
    free(groups.slot)
    groups.slot = NULL


cdef int32_t join(Groups* groups, uint64_t key, int32_t words, int32_t link_words, int32_t number) noexcept nogil:
    """Add a member to the group of this key; returns the group."""
    cdef uint32_t place = <uint32_t>(key >> 32 ^ key) & groups.mask
    cdef Group* group
    while groups.slot[place] and groups.row[groups.slot[place] - 1].key != key:
        place = (place + 1) & groups.mask
    if not groups.slot[place]:
        groups.slot[place] = <int32_t>groups.count + 1
        group = &groups.row[groups.count]
        memset(group, 0, sizeof(Group))
        group.key = key
        group.first = number
        groups.count += 1
    group = &groups.row[groups.slot[place] - 1]
    group.count += 1
    group.words += words
    group.link_words += link_words
    group.last = number
    group.squares += <double>words * words
    return groups.slot[place] - 1
