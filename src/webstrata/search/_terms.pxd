"""The reader of terms, and the base class of its consumers."""

from libc.stdint cimport int64_t, uint8_t, uint64_t


cdef class Sink:
    cdef uint64_t cuts
    cdef int take(self, const uint8_t* term, int length, int64_t start, int64_t stop) except -1


cdef int read_terms(str text, int64_t start, int64_t stop, Sink sink) except -1
