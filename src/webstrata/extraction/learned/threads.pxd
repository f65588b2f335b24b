# cython: language_level=3
"""Pages that are threads: there, comments are replies, and belong to the content."""

from webstrata.extraction.learned.page_features cimport PageFeatures
from webstrata.extraction.learned.reasons cimport Decision

cdef bint is_thread(PageFeatures page) noexcept nogil
cdef void keep_replies(PageFeatures page, Decision* decision) noexcept nogil
