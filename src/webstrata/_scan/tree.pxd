# cython: language_level=3
"""Tree construction: which elements open and close at a token (the standard's 13.2.6)."""

from webstrata._scan.rows cimport Builder
from webstrata._scan.tokenizer cimport Token

cdef void on_start_tag(Builder* self, const Token* token) noexcept nogil
cdef void on_end_tag(Builder* self, const Token* token) noexcept nogil
cdef void on_characters(Builder* self, const Token* token) noexcept nogil
cdef void on_end(Builder* self) noexcept nogil
