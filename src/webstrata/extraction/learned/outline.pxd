# cython: language_level=3
"""Paragraphs of a page, and what their ancestors are: the columns that both passes of the learned extractor read."""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t

from webstrata.extraction.learned.lookalikes cimport Groups
from webstrata.extraction.learned.tokens cimport Address, Tokens
from webstrata.extraction.learned.paragraph cimport Unit

cdef enum:
    NO_ELEMENT = -1
    LONG_WORDS = 15          # a paragraph of so many words, most of them no links, is long text
    HEADING_SALT = 0x68656164    # tells the words of the heading above from a paragraph's own

# Per element, beside the columns of the page.
cdef struct Node:
    int32_t first_unit
    int32_t end_unit
    int32_t end_row          # just after the last row of the subtree
    int32_t up               # nearest ancestor with more units
    int32_t record           # nearest ancestor or self that is one of several like it; NO_ELEMENT for none
    int32_t outer_record     # outermost such
    int32_t siblings         # group of the siblings like it; -1 for none
    int32_t ordinal          # its number among them
    uint32_t first_class     # hash of the first word of its class
    int32_t first_token      # into the tokens of the elements
    int32_t end_token
    uint64_t above           # which tags of interest enclose it, itself included
    uint64_t path_tags
    uint64_t path_class

# Running sums over the units; one entry more than there are units.
cdef struct Sums:
    int32_t words
    int32_t link_words
    int32_t long_words
    int32_t long_units
    int32_t headings
    int32_t marks            # stops and commas
    int32_t digits
    int32_t short_units      # fewer than four words

cdef class Outline:
    cdef Py_ssize_t units
    cdef Py_ssize_t elements
    cdef Unit* unit
    cdef Node* node
    cdef Sums* sums
    cdef int32_t* images     # running count over the rows of the elements
    cdef int32_t* controls   # the same for buttons and inputs
    cdef Groups groups
    cdef Tokens unit_tokens
    cdef Tokens element_tokens
    cdef Tokens page_tokens
    cdef int32_t title_length
    # Columns of the page that the passes read again, kept alive by the outline.
    cdef const uint8_t[::1] tag
    cdef const int32_t[::1] parent
    cdef const int16_t[::1] depth
    cdef Address address
