# cython: language_level=3
"""The features of a page: its paragraphs, the elements around them, and groups of those that look alike."""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t

from webstrata._scan.columns cimport Columns
from webstrata.extraction.learned.paragraph_features cimport ParagraphFeatures
from webstrata.extraction.learned.word_hashes cimport AddressShape, Hashes

cdef enum:
    NO_ELEMENT = -1
    LONG_WORDS = 15              # a paragraph of this length, most of it without links, is long text
    HEADING_SALT = 0x68656164    # tells the words of the heading above from a paragraph's own
    ENCLOSING_TAGS = 30

# A tag whose presence above a paragraph is a feature; its bit is its index in `ENCLOSING`.
cdef struct EnclosingTag:
    const char* name
    uint8_t tag

cdef EnclosingTag[ENCLOSING_TAGS] ENCLOSING
cdef uint64_t[256] ENCLOSING_BIT     # by the number of a tag; 0 for tags that are not in `ENCLOSING`

# Paragraphs of one path or one text, or siblings of one kind.
cdef struct Lookalikes:
    uint64_t key
    int32_t count
    int32_t words
    int32_t link_words
    int32_t first
    int32_t last
    double squares           # of the words

# All such groups, in one hash table.
cdef struct LookalikeTable:
    Lookalikes* row
    Py_ssize_t count
    int32_t* slot            # the index of a row, + 1; needed only while members are added
    uint32_t mask


cdef bint allocate_lookalikes(LookalikeTable* alike, Py_ssize_t most) noexcept nogil
cdef int32_t add_lookalike(LookalikeTable* alike, uint64_t key, int32_t words, int32_t link_words,
                           int32_t number) noexcept nogil

# An element, beside the columns of the page.
cdef struct Node:
    int32_t first_paragraph
    int32_t end_paragraph
    int32_t end_row          # just after the last row of the subtree
    int32_t up               # the nearest ancestor with more paragraphs
    int32_t record           # the nearest of itself and its ancestors that is one of several alike; NO_ELEMENT for none
    int32_t outer_record     # the outermost of them
    int32_t siblings         # the group of its siblings that look alike; -1 for none
    int32_t ordinal          # its number among them
    uint32_t first_class     # the hash of the first word of its class
    int32_t first_word       # first_word:end_word are the words of its names in the hashes of names
    int32_t end_word
    uint64_t above           # which enclosing tags it and its ancestors have
    uint64_t path_tags
    uint64_t path_class

# Running sums over the paragraphs; one more than there are paragraphs.
cdef struct RunningSums:
    int32_t words
    int32_t link_words
    int32_t long_words
    int32_t long_paragraphs
    int32_t headings
    int32_t marks            # stops and commas
    int32_t digits
    int32_t short_paragraphs     # fewer than four words

cdef class PageFeatures:
    cdef Py_ssize_t count        # of the paragraphs
    cdef Py_ssize_t elements
    cdef ParagraphFeatures* paragraph
    cdef Node* node
    cdef RunningSums* sums
    cdef int32_t* images         # running count over the rows of the elements
    cdef int32_t* controls       # the same for buttons and inputs
    cdef LookalikeTable alike
    cdef Hashes text_words
    cdef Hashes name_words
    cdef Hashes page_words       # from the metadata of the page and the names of its body
    cdef int32_t title_length
    cdef AddressShape address
    # The elements of the page, and the columns of them that both passes read.
    cdef Columns columns
    cdef const uint8_t* tag
    cdef const int32_t* parent
    cdef const int16_t* depth

cdef int32_t common_ancestor(PageFeatures page, int32_t a, int32_t b) noexcept nogil
