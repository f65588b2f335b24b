# cython: language_level=3
"""The features of the first pass."""

from libc.stdint cimport int32_t

from webstrata.extraction.learned.surroundings cimport SUBTREES, Subtree
from webstrata.extraction.learned.page_features cimport PageFeatures

cdef enum:
    MOST_PAGE_FEATURES = 40      # the features of the page, which are the same in all rows

# Where the current paragraph is among the others, and the features of the page.
cdef struct Landmarks:
    int32_t heading              # the last one before; -1 for none
    int32_t next_heading         # the number of paragraphs for none, as for `long_after`
    int32_t h1
    int32_t title
    int32_t long_before
    int32_t long_after
    Py_ssize_t page_features
    float[MOST_PAGE_FEATURES] page
    Subtree[SUBTREES] subtree    # of the ancestors of the paragraph before

cdef void begin_features(PageFeatures page, Landmarks* marks) noexcept nogil
cdef void fill_features(PageFeatures page, Landmarks* marks, Py_ssize_t first, Py_ssize_t stop, float* out,
                        Py_ssize_t width) noexcept nogil
