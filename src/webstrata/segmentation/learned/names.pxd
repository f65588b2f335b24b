# cython: language_level=3
"""Groups of words in the classes, ids and roles of elements."""

from libc.stdint cimport uint8_t, uint32_t

cdef enum:
    NAMES = 18
    CUE_GROUPS = 13

# The bits of some groups, and those of the cues.
cdef enum:
    NAMED_HEAD = 1 << 0
    NAMED_FOOT = 1 << 1
    NAMED_MENU = 1 << 2
    NAMED_SIDE = 1 << 3
    NAMED_SEARCH = 1 << 7
    NAMED_COMMENT = 1 << 8
    NAMED_AD = 1 << 9
    NAMED_OVERLAY = 1 << 18
    NAMED_FORM = 1 << 19
    NAMED_SHARE = 1 << 20
    NAMED_PAGES = 1 << 21
    NAMED_RELATED = 1 << 22
    NAMED_REVIEWS = 1 << 23
    NAMED_BYLINE = 1 << 24
    NAMED_TAGS = 1 << 25
    NAMED_THREAD = 1 << 26
    NAMED_CONTENTS = 1 << 27
    NAMED_SIDEBAR = 1 << 28
    NAMED_FOOTER = 1 << 29
    NAMED_HEADER = 1 << 30

# The names of the groups, by the numbers of their bits.
cdef const char* NAME_COLUMN[NAMES]
cdef const char* CUE_COLUMN[CUE_GROUPS]

cdef uint32_t names_of(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop) noexcept nogil
