# cython: language_level=3
"""What the names of elements and the first words of short paragraphs say."""

from libc.stdint cimport int32_t, uint8_t

from webstrata.extraction.learned.outline cimport Outline
from webstrata.extraction.learned.paragraph cimport Paragraph

# What an element is called, or one around it.
cdef enum:
    UNDER_COMMENT = 1
    UNDER_CAPTION = 2
    UNDER_SIDE = 4

cdef void read_names(Outline page, uint8_t* under, int32_t title) noexcept nogil
cdef bint ends_text(Outline page, const Paragraph* paragraph) noexcept nogil
