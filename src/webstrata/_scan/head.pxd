# cython: language_level=3
"""What comes before the body: the DOCTYPE, the head and what it may hold."""

from webstrata._scan.rows cimport Builder
from webstrata._scan.stack cimport Mode
from webstrata._scan.tokenizer cimport Content, Token

cdef void insert_text_element(Builder* self, const Token* token, Content content) noexcept nogil
cdef void insert_metadata(Builder* self, const Token* token) noexcept nogil
cdef bint start_before_body(Builder* self, const Token* token, Mode mode) noexcept nogil
cdef bint end_before_body(Builder* self, const Token* token, Mode mode) noexcept nogil
cdef void open_body(Builder* self, const Token* token) noexcept nogil
cdef void on_doctype(Builder* self, const Token* token) noexcept nogil
