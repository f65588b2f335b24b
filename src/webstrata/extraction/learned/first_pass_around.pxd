# cython: language_level=3
"""What the first pass of the learned extractor sees around a paragraph."""

from webstrata.extraction.learned.outline cimport Outline
from webstrata.models.columns cimport Row
from webstrata.extraction.learned.paragraph cimport Paragraph

cdef void put_ancestors(Outline self, Py_ssize_t i, Row* row) noexcept nogil
cdef void put_likeness(Outline self, Py_ssize_t i, Row* row) noexcept nogil
cdef void put_tags_above(Outline self, const Paragraph* paragraph, Row* row) noexcept nogil
