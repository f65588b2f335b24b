# cython: language_level=3
"""Paragraphs of a page, and what their ancestors are: the columns that both passes of the learned extractor read."""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t

from webstrata._scan.columns cimport Columns
from webstrata.extraction.learned.lookalikes cimport Lookalikes
from webstrata.extraction.learned.attribute_words cimport Address, Hashes
from webstrata.extraction.learned.paragraph cimport Paragraph

cdef enum:
    NO_ELEMENT = -1
    LONG_WORDS = 15          # a paragraph of so many words, most of them no links, is long text
    HEADING_SALT = 0x68656164    # tells the words of the heading above from a paragraph's own

    ENCLOSING_TAGS = 30

# A tag whose presence above a paragraph is a feature: its bit is that of its place in `ENCLOSING`.
cdef struct EnclosingTag:
    const char* name
    uint8_t tag

cdef EnclosingTag[ENCLOSING_TAGS] ENCLOSING
cdef uint64_t[256] ENCLOSING_BIT     # by the number of a tag; 0 where it is no feature

# Per element, beside the columns of the page.
cdef struct Node:
    int32_t first_paragraph
    int32_t end_paragraph
    int32_t end_row          # just after the last row of the subtree
    int32_t up               # nearest ancestor with more paragraphs
    int32_t record           # nearest ancestor or self that is one of several like it; NO_ELEMENT for none
    int32_t outer_record     # outermost such
    int32_t siblings         # group of the siblings like it; -1 for none
    int32_t ordinal          # its number among them
    uint32_t first_class     # hash of the first word of its class
    int32_t first_word      # into the words of their names
    int32_t end_word
    uint64_t above           # which tags of interest enclose it, itself included
    uint64_t path_tags
    uint64_t path_class

# Running sums over the paragraphs; one entry more than there are paragraphs.
cdef struct Sums:
    int32_t words
    int32_t link_words
    int32_t long_words
    int32_t long_paragraphs
    int32_t headings
    int32_t marks            # stops and commas
    int32_t digits
    int32_t short_paragraphs      # fewer than four words

cdef class Outline:
    cdef Py_ssize_t count
    cdef Py_ssize_t elements
    cdef Paragraph* paragraph    # as many as `count`
    cdef Node* node
    cdef Sums* sums
    cdef int32_t* images     # running count over the rows of the elements
    cdef int32_t* controls   # the same for buttons and inputs
    cdef Lookalikes alike
    cdef Hashes text_words
    cdef Hashes name_words
    cdef Hashes page_words
    cdef int32_t title_length
    # The elements of the page, and those of their columns that the passes read again.
    cdef Columns columns
    cdef const uint8_t* tag
    cdef const int32_t* parent
    cdef const int16_t* depth
    cdef Address address
