# cython: language_level=3
"""How the outline of a page is made."""

from libc.stdint cimport int32_t, uint8_t, uint32_t

from webstrata._scan.columns cimport Columns
from webstrata._scan.rows cimport Table
from webstrata.extraction.learned.outline cimport Outline
from webstrata.extraction.learned.paragraph cimport TITLE_SLOTS

# What is read of a page, and not kept. The page keeps what it looks into.
cdef struct Sources:
    Py_ssize_t blocks
    const Table* block_table
    const Table* links
    Table* counts            # filled on the way where `uncounted`
    bint uncounted
    int width                # at which lines are wrapped
    uint32_t[TITLE_SLOTS] title
    const uint8_t* block_flags
    const int32_t* element
    const int32_t* words
    const int32_t* link_words
    const int32_t* lines
    const int32_t* text_start
    const int32_t* text_stop
    const void* text
    int kind                 # the width of the text's characters
    const uint8_t* flags     # of the elements, as all that follows
    const int32_t* first_block
    const int32_t* end_block
    const int32_t* source_start
    const int32_t* open_stop
    const int32_t* source_stop
    const uint8_t* source

cdef Columns look_into(Outline self, page, Sources* sources)
cdef bint build(Outline self, Sources* page) noexcept nogil
