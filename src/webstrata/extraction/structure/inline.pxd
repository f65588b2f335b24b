# cython: language_level=3
"""The pieces of a paragraph as Markdown."""

from webstrata.extraction.structure.buffer cimport Buffer
from webstrata.extraction.structure.paragraph cimport Paragraph

cdef str inline(Paragraph paragraph, Buffer* out, str breaks, bint starts_line)
cdef str code_span(str text)
