# cython: language_level=3
"""Paragraphs of a page, and what their ancestors are: the columns that both passes of the learned extractor read."""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t

from webstrata.extract._names cimport Address, Tokens

cdef enum:
    NO_ELEMENT = -1
    LONG_WORDS = 15          # a paragraph of so many words, most of them no links, is long text
    HEADING_SALT = 0x68656164    # tells the words of the heading above from a paragraph's own

# One paragraph: a run of blocks that only inline tags part.
cdef struct Unit:
    int32_t first_block
    int32_t end_block
    int32_t element          # of its first block
    int32_t owner            # the same, inline elements looked through
    int32_t words
    int32_t link_words
    int32_t lines
    int32_t chars
    int32_t word_chars
    int32_t stops            # full stops, question and exclamation marks, colons
    int32_t commas
    int32_t digits
    int32_t capital_words
    int32_t symbols          # currency signs, bars, copyright signs and the like
    int32_t sentence_ends
    int32_t title_words      # words that the title has as well
    uint32_t first_char
    uint32_t last_char
    uint32_t text_hash
    int32_t first_token      # into the tokens of the units
    int32_t end_token
    uint8_t heading
    uint8_t hidden
    uint8_t preformatted
    uint8_t is_long
    int32_t text_copies      # units with the same text
    int32_t path_class       # units of the same path and classes: into the groups
    int32_t path_tags        # units of the same path of tags: into the groups

# Paragraphs, or sibling elements, that look the same.
cdef struct Group:
    uint64_t key
    int32_t count
    int32_t words
    int32_t link_words
    int32_t first
    int32_t last
    double squares           # of the words

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
    cdef Group* group
    cdef Py_ssize_t groups
    cdef Tokens unit_tokens
    cdef Tokens element_tokens
    cdef Tokens page_tokens
    cdef int32_t title_length
    # Columns of the page that the passes read again, kept alive by the outline.
    cdef const uint8_t[::1] tag
    cdef const int32_t[::1] parent
    cdef const int16_t[::1] depth
    cdef Address address
