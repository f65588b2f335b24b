# cython: language_level=3
"""Features of the first pass: the ancestors of a paragraph, what looks like it, and the tags that enclose it."""

from libc.stdint cimport int32_t

from webstrata.extraction.learned.page_features cimport PageFeatures
from webstrata.models.features cimport FeatureRow

cdef enum:
    LEVELS = 5                   # ancestors, counted where the number of paragraphs grows
    TOPS = 3                     # and from the root down
    SUBTREES = LEVELS + TOPS + 2
    SUBTREE_FEATURES = 13

# The features of an element, for the next paragraphs, most of which have the same ancestors.
cdef struct Subtree:
    int32_t element              # -2 before the first
    float[SUBTREE_FEATURES] values

cdef void put_ancestors(PageFeatures self, Py_ssize_t i, Subtree* last, FeatureRow* row) noexcept nogil
cdef void put_likeness(PageFeatures self, Py_ssize_t i, FeatureRow* row) noexcept nogil
cdef void put_tags_above(PageFeatures self, Py_ssize_t i, FeatureRow* row) noexcept nogil
