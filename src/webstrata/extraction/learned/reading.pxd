# cython: language_level=3
"""Reading the features of a page."""

from libc.stdint cimport int32_t, uint8_t, uint32_t

from webstrata._scan.rows cimport Table
from webstrata.extraction.learned.page_features cimport PageFeatures
from webstrata.extraction.learned.paragraph_features cimport TITLE_SLOTS

# The columns of a page that are read once. The page keeps them alive.
cdef struct PageColumns:
    uint32_t[TITLE_SLOTS] title
    # of the blocks
    Py_ssize_t blocks
    const Table* block_table
    const uint8_t* block_flags
    const int32_t* element
    const int32_t* words
    const int32_t* link_words
    const int32_t* lines
    const int32_t* text_start
    const int32_t* text_stop
    const void* text
    int kind                 # the width of the characters of the text in bytes
    # of the elements
    const uint8_t* flags
    const int32_t* first_block
    const int32_t* end_block
    const int32_t* source_start
    const int32_t* open_stop
    const int32_t* source_stop
    const uint8_t* source

cdef int open_page(PageFeatures self, page, PageColumns* columns) except -1
cdef bint fill_page(PageFeatures self, PageColumns* page) noexcept nogil
