# cython: language_level=3
"""The candidates for segments: the elements of a page, where those with the same visible text are one candidate."""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t

cdef enum:
    NONE = -1

# The tags that say what a candidate is.
cdef enum:
    MARKS = 15
    MARK_HEADER = 1 << 0
    MARK_NAV = 1 << 1
    MARK_MAIN = 1 << 2
    MARK_ASIDE = 1 << 3
    MARK_FOOTER = 1 << 4
    MARK_ARTICLE = 1 << 5
    MARK_SECTION = 1 << 6
    MARK_FORM = 1 << 7
    MARK_SEARCH = 1 << 8
    MARK_TABLE = 1 << 9
    MARK_FIGURE = 1 << 10
    MARK_CAPTION = 1 << 11
    MARK_DIALOG = 1 << 12
    MARK_H1 = 1 << 13
    MARK_VIDEO = 1 << 14

# Running sums over the visible blocks of the page.
cdef struct Texts:
    int32_t blocks
    int32_t chars
    int32_t words
    int32_t link_words
    int32_t lines
    int32_t wrapped_words
    int32_t headings
    int32_t long_blocks
    int32_t digits
    int32_t capitals
    int32_t stops
    int32_t commas

# Running sums over the elements in document order.
cdef struct Tags:
    int32_t links
    int32_t images
    int32_t media
    int32_t controls
    int32_t headings
    int32_t lists
    int32_t items
    int32_t paragraphs
    int32_t tables
    int32_t cells
    int32_t divisions
    int32_t breaks
    int32_t others

cdef struct Candidate:
    int32_t top              # its outermost element
    int32_t low              # its innermost element
    int32_t merged           # the number of its elements
    int32_t start            # its first visible block
    int32_t stop             # just after its last one
    int32_t end_row          # just after the last element of its subtree
    int32_t deepest          # depth of the deepest element inside
    int32_t up               # the candidate around it; NONE for the first
    int32_t level            # the number of candidates around it
    int32_t children
    int32_t first_child
    int32_t ordinal          # its number among its siblings
    int32_t before           # the sibling before and the one after; NONE where there is none
    int32_t after
    int32_t last_child
    int32_t largest_child    # the two children with the most characters
    int32_t second_child
    int32_t small_children   # children with less than a tenth of its characters
    uint32_t names           # the groups of words in the classes, ids and roles of its elements, as bits
    uint32_t names_above     # the same of all candidates around it
    uint32_t marks           # which tags its elements have
    uint32_t marks_above     # the same of all candidates around it

cdef class Candidates:
    cdef readonly Py_ssize_t count
    cdef Py_ssize_t elements
    cdef Candidate* row
    cdef Texts* texts        # one more than blocks
    cdef Tags* tags          # one more than elements
    cdef object page         # keeps the columns alive
    cdef const uint8_t* source
    cdef const int32_t* source_start
    cdef const int32_t* open_stop
    cdef const uint8_t* tag
    cdef const int16_t* depth
    cdef const uint8_t* block_flags
    cdef uint8_t unseen      # the flag of blocks that do not count: HIDDEN, or 0 where the page shows nothing

cdef inline int32_t chars(Candidates self, Py_ssize_t i) noexcept nogil:
    return self.texts[self.row[i].stop].chars - self.texts[self.row[i].start].chars
