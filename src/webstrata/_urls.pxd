# cython: language_level=3
"""A fast path for plain references."""

cdef class PlainResolver:
    cdef readonly str base
    cdef readonly Py_ssize_t left         # characters of URLs that may still be written
    cdef list prefixes           # put before a reference of each form; None until computed

    cpdef str safe(self, str reference)
    cpdef bint has_room(self, str url)
    cdef str _prefix(self, int way)
