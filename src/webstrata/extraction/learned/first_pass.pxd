# cython: language_level=3
"""What the first pass of the learned extractor sees of each paragraph."""

from libc.stdint cimport int32_t

from webstrata.extraction.learned.first_pass_around cimport SUBTREES, Subtree
from webstrata.extraction.learned.outline cimport Outline

cdef enum:
    PAGE_ROOM = 40               # at least the number of features of the page, which are the same in all rows

# Where the reading of the paragraphs has come to, and what was seen of the page.
cdef struct Marks:
    int32_t heading              # the last one before; -1 for none
    int32_t next_heading         # the number of paragraphs for none, as with `long_after`
    int32_t h1
    int32_t title
    int32_t long_before
    int32_t long_after
    Py_ssize_t page_features
    float[PAGE_ROOM] page
    Subtree[SUBTREES] subtree    # of the ancestors of the last paragraph

cdef void begin_features(Outline page, Marks* marks) noexcept nogil
cdef void fill_features(Outline page, Marks* marks, Py_ssize_t first, Py_ssize_t stop, float* out,
                        Py_ssize_t width) noexcept nogil
