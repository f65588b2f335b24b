# cython: language_level=3
"""The walk over the structure of the content."""

from libc.stdint cimport int32_t, uint8_t

from webstrata.extraction.structure.content cimport ContentStructure, ParagraphRun
from webstrata.extraction.structure.paragraph cimport ParagraphPieces
from webstrata.extraction.structure.tag_reader cimport TagReader

cdef enum:
    LEFT_OUT = -2            # the row of an element that the page left out, and that the writer adds

cdef struct OpenContainer:
    int32_t container        # LEFT_OUT if the page left it out
    uint8_t tag

cdef class StructureWriter:
    cdef ContentStructure content
    cdef ParagraphPieces paragraph
    cdef object page
    cdef TagReader reader
    cdef OpenContainer* opened
    cdef Py_ssize_t depth, capacity

    cdef int walk(self) except -1
    cdef int on_open(self, uint8_t tag, int32_t row) except -1
    cdef int on_close(self, uint8_t tag, int32_t row) except -1
    cdef int on_run(self) except -1
    cdef int on_code(self, int32_t row, str code, list ranges) except -1
    cdef int on_rule(self) except -1
    cdef int on_note(self, str label) except -1

    cdef int32_t _row(self, int32_t container) noexcept nogil
    cdef int _push(self, int32_t container, uint8_t tag) except -1
    cdef int _close_to(self, int32_t container) except -1
    cdef int _make_ready(self, int32_t container, uint8_t tag) except -1
    cdef Py_ssize_t _points_before(self, Py_ssize_t block, Py_ssize_t row, Py_ssize_t end) except -1
    cdef Py_ssize_t _begin_note(self, const ParagraphRun* run, Py_ssize_t point) except -1
    cdef int _point(self, Py_ssize_t row) except -1
    cdef int _write_run(self, Py_ssize_t number) except -1
