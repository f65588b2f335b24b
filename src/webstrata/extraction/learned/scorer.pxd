# cython: language_level=3
"""The scores of a page's paragraphs."""

from webstrata.extraction.learned.outline cimport Outline
from webstrata.extraction.learned.vocabulary cimport Vocabulary
from webstrata.models.trees cimport Trees

# What a page looks like by its own words.
cdef struct PageType:
    int likeliest            # the number of the type
    bint tells               # whether it has any words that are known

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

cdef bint score(Scorer self, Outline page, double* first, double* second, PageType* told) noexcept nogil
