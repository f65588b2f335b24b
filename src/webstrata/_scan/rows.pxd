# cython: language_level=3
"""The tables that the scan fills: their columns, their flags, and access to a column."""

from libc.stdint cimport int16_t, int32_t, uint8_t

cdef enum:
    GAP_WORDS = 3            # machine words of a set of tags
    COLUMNS = 10

# Columns of the elements, the blocks and the links.
cdef enum:
    E_TAG, E_FLAGS, E_PARENT, E_DEPTH, E_FIRST_BLOCK, E_END_BLOCK, E_SOURCE_START, E_OPEN_STOP, E_SOURCE_STOP
cdef enum:
    B_SOURCE_START, B_SOURCE_STOP, B_TEXT_START, B_TEXT_STOP, B_ELEMENT, B_FLAGS, B_GAP
cdef enum:
    L_ELEMENT, L_TEXT_START, L_TEXT_STOP

# Flags of elements and blocks.
cdef enum:
    HIDDEN = 1               # not shown: the hidden attribute, an inline style, aria-hidden, noscript
    PREFORMATTED = 2         # of blocks: white space is kept
    IMPLIED = 4              # of elements: no start tag in the source
    CLONED = 8               # of elements: a formatting element that was opened again
    TARGET = 16              # of elements: an <a> that has a name and leads nowhere
    RELATED = 32             # of elements: has a rel
    SILENT = 128             # while open: no text of the page

cdef struct Table:
    Py_ssize_t rows
    Py_ssize_t capacity
    void* column[COLUMNS]
    Py_ssize_t width[COLUMNS]    # bytes a row; 0 after the last column

cdef inline int32_t* ints(Table* table, int column) noexcept nogil:
    return <int32_t*>table.column[column]

cdef inline int16_t* shorts(Table* table, int column) noexcept nogil:
    return <int16_t*>table.column[column]

cdef inline uint8_t* octets(Table* table, int column) noexcept nogil:
    return <uint8_t*>table.column[column]
