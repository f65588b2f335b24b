# cython: language_level=3
"""The native writer of Markdown."""

from libc.stdint cimport int32_t, uint8_t

from webstrata.extraction.structure.buffer cimport Buffer
from webstrata.extraction.structure.walk cimport StructureWriter

# An open container.
cdef class MarkdownFrame:
    cdef uint8_t tag
    cdef str prefix          # of each of its lines
    cdef str outer_first     # `first` of the writer when it was opened
    cdef str marker          # of the items of a list
    cdef str list_before     # the marker of the list that ended directly before the current position, or ""
    cdef Py_ssize_t item     # the number of the next item
    cdef bint transparent    # whether it is nested too deep to be written
    cdef bint tight          # whether its next paragraph follows its first line without a blank line

# A table: rows of cells, each a range of the text of all cells, and for each column what a cell above spans.
cdef class MarkdownTable:
    cdef list rows
    cdef dict reach          # by column: the last row, and the cell
    cdef bint is_first       # whether the first kept row is the first row of the table in the page
    cdef bint has_header
    cdef Py_ssize_t width, filled, cells, headers, headers_in_row, cells_in_row

    cdef int add_row(self) except -1
    cdef int close_row(self) except -1
    cdef int add_cell(self, tuple cell, bint is_header, Py_ssize_t across, Py_ssize_t down) except -1
    cdef Py_ssize_t _fill(self, list row, Py_ssize_t budget) except -1
    cdef object _spanned(self, Py_ssize_t column)
    cdef list finished(self)

cdef class MarkdownWriter(StructureWriter):
    cdef Buffer out          # the text after the last of the parts
    cdef list parts
    cdef list frames
    cdef str first           # the prefix of the next line if items begin there, with their markers; else None
    cdef Py_ssize_t shared   # the number of frames that the last line and the next one share
    cdef Py_ssize_t nested
    cdef list origins        # those of the parts, if they are traced
    cdef bint in_heading, in_cell
    cdef MarkdownTable table
    cdef Buffer inner        # the text of the heading, or of the cells of the table, that is open
    cdef Py_ssize_t begun    # where the heading or the cell begins in it
    cdef Py_ssize_t repeated # characters of cells that were written again

    cdef str text(self)
    cdef tuple traced_text(self)
    cdef bint _begins_table(self, int32_t row) noexcept nogil
    cdef list _origins_of_code(self, int32_t row, str code, list found, list ranges)
    cdef int _put_paragraph(self, Buffer* out, str breaks, bint starts_line) except -1
    cdef int _put_line(self, Buffer* out, str written, str line, origins) except -1
    cdef int _open_callout(self, int32_t row) except -1
    cdef int _strengthen(self) except -1
    cdef int _push_frame(self, uint8_t tag, str first, str prefix, bint nests) except -1
    cdef int _pop_frame(self) except -1
    cdef int _open_list(self, uint8_t tag, int32_t row) except -1
    cdef int _open_item(self, int32_t row) except -1
    cdef int _begin_block(self, MarkdownFrame frame) except -1
    cdef int _end_block(self, MarkdownFrame frame) except -1
    cdef int _separate(self) except -1
    cdef int _add_inner(self) except -1
    cdef int _close_heading(self, uint8_t tag) except -1
    cdef int _close_cell(self, uint8_t tag, int32_t row) except -1
    cdef int _close_table(self) except -1
    cdef int _put_row(self, list row, set written) except -1
