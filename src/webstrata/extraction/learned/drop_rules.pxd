# cython: language_level=3
"""Rules that leave out paragraphs which their scores alone would keep, or that give them another kind."""

from libc.stdint cimport int32_t

from webstrata.extraction.learned.page_features cimport PageFeatures
from webstrata.extraction.learned.reasons cimport Decision

cdef int32_t find_title(PageFeatures page) noexcept nogil
cdef void drop_link_lists(PageFeatures page, Decision* decision) noexcept nogil
cdef void drop_sidebars(PageFeatures page, Decision* decision) noexcept nogil
cdef void drop_after_end(PageFeatures page, Decision* decision) noexcept nogil
cdef void separate_comments(PageFeatures page, Decision* decision) noexcept nogil
cdef void separate_captions(PageFeatures page, Decision* decision) noexcept nogil
cdef void drop_repeats(PageFeatures page, Decision* decision) noexcept nogil
cdef void separate_title(PageFeatures page, Decision* decision) noexcept nogil
