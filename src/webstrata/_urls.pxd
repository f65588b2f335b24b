# cython: language_level=3
"""References that are joined with the address of a page without taking them apart."""

cdef class PlainResolver:
    cdef readonly str base
    cdef readonly Py_ssize_t left         # characters of URLs that there is room for
    cdef list prefixes           # what stands before a reference of each way; None until one is asked for

    cpdef str safe(self, str reference)
    cpdef bint has_room(self, str url)
    cdef str _prefix(self, int way)
