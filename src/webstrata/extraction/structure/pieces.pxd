# cython: language_level=3
"""Pieces of a paragraph, with their marks, links and images."""

from libc.stdint cimport int32_t, uint8_t, uint16_t

from webstrata.extraction.structure.buffer cimport Buffer

# The marks of a piece, as bits; the last two are pieces without text.
cdef enum:
    CODE_MARK = 1
    STRONG_MARK = 2
    EMPHASIS_MARK = 4
    DELETED_MARK = 8
    SUBSCRIPT_MARK = 16
    SUPERSCRIPT_MARK = 32
    HIGHLIGHT_MARK = 64
    BREAK = 128
    IMAGE = 256

cdef enum:
    A_SPACE = -1             # the start of a piece that is a space and has no place in the text

cdef struct Piece:
    int32_t marks
    int32_t link             # the row of the link that it belongs to, or -1
    int32_t image            # the row of an image, or -1
    Py_ssize_t start         # of its text
    Py_ssize_t stop

cdef uint16_t mark_of(uint8_t tag) noexcept nogil
cdef int put_tags(Buffer* out, int32_t marks, bint closing) except -1
