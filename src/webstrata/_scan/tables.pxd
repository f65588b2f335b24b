# cython: language_level=3
"""Tags in the parts of a table (the standard's 13.2.6.4.9 to 13.2.6.4.14)."""

from webstrata._scan.rows cimport Builder
from webstrata._scan.stack cimport Mode
from webstrata._scan.tokenizer cimport Token

cdef bint start_in_table(Builder* self, const Token* token, Mode mode) noexcept nogil
cdef bint end_in_table(Builder* self, const Token* token, Mode mode) noexcept nogil
