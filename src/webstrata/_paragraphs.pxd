# cython: language_level=3
"""Ends between two blocks: nothing, a line, an item, or a paragraph."""

from libc.stdint cimport uint8_t

from webstrata._scan.rows cimport Table

# In the order of strength; `webstrata.paragraphs` names them too.
cdef enum:
    WITHIN = 0
    LINE = 1
    ITEM = 2
    PARAGRAPH = 3

cdef void fill_ends(const Table* blocks, const void* text, int kind, uint8_t* out) noexcept nogil
