# cython: language_level=3
"""Reads start tags for the writers."""

from libc.stdint cimport int32_t, uint8_t

from webstrata._urls cimport PlainResolver
from webstrata.extraction.structure.images cimport Images

cdef class TagReader:
    cdef object page
    cdef PlainResolver resolver
    cdef Images images
    cdef bytes source
    cdef const int32_t* source_start     # of the elements; columns owned by the page
    cdef const int32_t* open_stop
    cdef dict formulas, embeds, hrefs, shown, languages

    cdef str href(self, int32_t row)
    cdef str href_to_write(self, int32_t row)
    cdef object image(self, int32_t row)
    cdef Py_ssize_t number(self, int32_t row, bytes name, Py_ssize_t default, Py_ssize_t most) except -1
    cdef str code_language(self, int32_t row)
