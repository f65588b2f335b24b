# cython: language_level=3
"""The scores of the paragraphs of a page."""

from webstrata.extraction.learned.page_features cimport PageFeatures
from webstrata.extraction.learned.vocabulary cimport Vocabulary
from webstrata.models.trees cimport Trees

# The type of a page by the words of its metadata.
cdef struct PageType:
    int likeliest            # the number of the type
    bint is_known            # whether any of these words has a weight

cdef class Scorer:
    cdef Vocabulary words
    cdef Vocabulary page_words
    cdef const float[::1] page_bias
    cdef Trees start
    cdef Trees first
    cdef Trees second
    cdef Py_ssize_t sums         # the first column of each kind, and the number of all
    cdef Py_ssize_t types
    cdef Py_ssize_t context
    cdef Py_ssize_t width

cdef bint score(Scorer self, PageFeatures page, double* first, double* second, PageType* type) noexcept nogil
