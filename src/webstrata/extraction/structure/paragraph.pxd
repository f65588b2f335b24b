# cython: language_level=3
"""A paragraph of kept blocks as pieces."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t

from webstrata.extraction.structure.buffer cimport Buffer
from webstrata.extraction.structure.content cimport ImageChain, Image, ContentStructure, ParagraphRun
from webstrata.extraction.structure.pieces cimport Piece
from webstrata.extraction.structure.tag_reader cimport TagReader

# The types of characters in which Python stores a text.
ctypedef fused character:
    uint8_t
    uint16_t
    uint32_t

cdef struct Pieces:
    Piece* row
    Py_ssize_t count
    Py_ssize_t capacity

cdef class ParagraphPieces:
    cdef ContentStructure content
    cdef TagReader reader
    cdef int kind                # of the text of the page, as Python stores it
    cdef const void* data
    cdef const int32_t* link_row
    cdef const int32_t* link_start
    cdef const int32_t* link_stop
    cdef bint links              # whether links are written
    cdef Py_ssize_t link_count
    cdef Py_ssize_t link_at      # the first link that ends after the start of the last block
    cdef Py_ssize_t cut_at       # the first cut that ends after the start of the last block
    cdef Pieces raw              # as spans of the text of the page
    cdef Pieces pieces           # the result of `tidy`, as spans of `folded`
    cdef Buffer folded

    cdef int read(self, const ParagraphRun* run) except -1
    cdef int read_image(self, int32_t row) except -1
    cdef int drop_permalinks(self) except -1
    cdef bint _is_permalink(self, const Piece* piece) noexcept
    cdef bint _is_blank(self, Py_ssize_t place) noexcept nogil
    cdef int tidy(self) except -1
    cdef list code_ranges(self, const ParagraphRun* run)

    cdef int _add_image(self, int32_t row) except -1
    cdef int _add_images(self, ImageChain chain, bint before) except -1
    cdef int _add_between(self, Py_ssize_t last, Py_ssize_t row) except -1
    cdef int _add_block(self, Py_ssize_t row) except -1
    cdef int _add_text(self, Py_ssize_t start, Py_ssize_t stop, int32_t marks) except -1
    cdef Py_ssize_t _link_end(self, Py_ssize_t link) noexcept nogil
    cdef int32_t _marks(self, Py_ssize_t row) noexcept nogil
    cdef int _drop_links(self) except -1
    cdef int _fold(self, Py_ssize_t first, Py_ssize_t end) except -1
    cdef Py_ssize_t _fold_piece(self, const character* text, const Piece* piece, Py_ssize_t begin, bint* pending) except -2
    cdef int _add_space(self, int32_t link) except -1
    cdef bint _is_space(self, const Piece* piece) noexcept nogil
    cdef int _strip_end(self) except -1
    cdef int _trim(self) except -1
