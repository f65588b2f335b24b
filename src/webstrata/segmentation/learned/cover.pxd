# cython: language_level=3
"""Parts of a page: ranges of blocks with their kinds."""

from libc.stdint cimport int32_t

cdef struct Part:
    int32_t start
    int32_t stop
    int32_t of               # the candidate with this text; NONE for a run of siblings
    int32_t up               # the candidate around a run
    int32_t level
    int32_t kind
    float chance             # that it is of this kind
    bint extra               # people would not mark it
