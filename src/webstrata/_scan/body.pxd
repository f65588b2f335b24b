# cython: language_level=3
"""Tags in the body (the standard's 13.2.6.4.7)."""

from webstrata._scan.rows cimport Builder
from webstrata._scan.tokenizer cimport Token

cdef bint start_in_body(Builder* self, const Token* token) noexcept nogil
cdef void end_in_body(Builder* self, const Token* token) noexcept nogil
