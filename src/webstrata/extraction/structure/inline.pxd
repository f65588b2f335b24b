# cython: language_level=3
"""The pieces of a paragraph as Markdown."""

from webstrata.extraction.structure.buffer cimport Buffer
from webstrata.extraction.structure.paragraph cimport ParagraphPieces

cdef int put_inline(ParagraphPieces paragraph, Buffer* out, str breaks, bint starts_line) except -1
cdef str code_span(str text)
