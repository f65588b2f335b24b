# cython: language_level=3
"""Rules for hidden text, and against silent losses on pages that are mostly prose."""

from webstrata.extraction.learned.page_features cimport PageFeatures
from webstrata.extraction.learned.reasons cimport Decision

cdef void drop_hidden(PageFeatures page, Decision* decision) noexcept nogil
cdef void keep_lost_prose(PageFeatures page, Decision* decision) noexcept nogil
cdef void mark_lost_prose(PageFeatures page, Decision* decision) noexcept nogil
