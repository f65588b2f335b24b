# cython: language_level=3
"""What the second pass of the learned extractor sees."""

from libc.stdint cimport int32_t

from webstrata.extraction.learned.likelihood cimport WeightedScore, PageScores
from webstrata.extraction.learned.outline cimport Outline

# Where the reading of the paragraphs has come to.
cdef struct Place:
    Py_ssize_t paragraph
    WeightedScore own
    int32_t heading          # the last one, this paragraph included; -1 for none
    int level                # of that heading
    float[7] outline         # scores of the headings that the paragraph stands under, by level
    int32_t section_end
    int32_t since            # the last paragraph before that is over the threshold
    int32_t until            # the next one

cdef void begin_context(Place* here) noexcept nogil
cdef void fill_context(Outline page, const double* score, const PageScores* whole, Place* here, Py_ssize_t first,
                       Py_ssize_t stop, float* out, Py_ssize_t width) noexcept nogil
