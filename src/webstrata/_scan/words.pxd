# cython: language_level=3
"""Words and lines of blocks."""

from libc.stdint cimport int32_t

cdef struct Spans:
    const int32_t* start
    const int32_t* stop
    Py_ssize_t count

cdef struct Counts:
    int32_t* words
    int32_t* link_words
    int32_t* lines
    int32_t* wrapped_words

cdef void count(str text, Spans blocks, Spans links, int width, Counts out)
