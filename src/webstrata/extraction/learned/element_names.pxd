# cython: language_level=3
"""Comments, captions, sidebars and ends of texts by the names of elements and the first words of short paragraphs."""

from libc.stdint cimport int32_t, uint8_t

from webstrata.extraction.learned.page_features cimport PageFeatures
from webstrata.extraction.learned.paragraph_features cimport ParagraphFeatures

cdef void read_names(PageFeatures page, uint8_t* under, int32_t title) noexcept nogil
cdef bint ends_text(PageFeatures page, const ParagraphFeatures* paragraph) noexcept nogil
