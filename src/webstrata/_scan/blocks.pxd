# cython: language_level=3
"""The text of the page and the rows of its blocks."""

from webstrata._scan.rows cimport Builder
from webstrata._scan.tokenizer cimport Token

cdef void see_tag(Builder* self, const Token* token, bint foreign) noexcept nogil
cdef void add_text(Builder* self, Py_ssize_t start, Py_ssize_t stop, bint references, bint replace_nul) noexcept nogil
