# cython: language_level=3
"""The features of the second pass: the scores that the first one gave around each paragraph."""

from libc.stdint cimport int32_t

from webstrata.extraction.learned.likelihood cimport PageScores, WeightedScore
from webstrata.extraction.learned.page_features cimport PageFeatures

# Where the current paragraph is among the others.
cdef struct ContextPlace:
    Py_ssize_t paragraph
    WeightedScore own
    int32_t heading          # the last one, this paragraph included; -1 for none
    int level                # of that heading
    float[7] heading_score   # of the headings above the paragraph, by level
    int32_t section_end
    int32_t since            # the last paragraph before with a score over the threshold
    int32_t until            # the next one

cdef void begin_context(ContextPlace* here) noexcept nogil
cdef void fill_context(PageFeatures page, const double* score, const PageScores* scores, ContextPlace* here, Py_ssize_t first,
                       Py_ssize_t stop, float* out, Py_ssize_t width) noexcept nogil
