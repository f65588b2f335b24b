# cython: language_level=3
"""The stack of open elements and the list of active formatting elements (the standard's 13.2.4)."""

from libc.stdint cimport uint8_t

from webstrata._scan.rows cimport Builder, Open
from webstrata._scan.tags cimport P
from webstrata._scan.tokenizer cimport Token

# Insertion modes, in the order in which a page goes through them. A mode belongs to an open element and is inherited
# by what is opened inside it, so that closing an element brings the mode back by itself.
cdef enum Mode:
    BEFORE_HEAD
    IN_HEAD
    IN_HEAD_NOSCRIPT
    AFTER_HEAD
    IN_BODY
    IN_TABLE
    IN_TABLE_BODY
    IN_ROW
    IN_CELL
    IN_CAPTION
    IN_COLUMN_GROUP

# Scopes: how far up an open element is looked for.
cdef enum:
    DEFAULT_SCOPE, BUTTON_SCOPE, LIST_SCOPE, IN_TABLE_SCOPE

cdef Open* insert(Builder* self, const Token* token, uint8_t tag) noexcept nogil
cdef Open* imply(Builder* self, const Token* token, uint8_t tag) noexcept nogil
cdef void pop_through(Builder* self, int index, const Token* token, bint ends) noexcept nogil
cdef int find_open(Builder* self, uint8_t tag, int scope) noexcept nogil
cdef bint close_tag(Builder* self, const Token* token, uint8_t tag, int scope) noexcept nogil
cdef void pop_implied(Builder* self, const Token* token, uint8_t but) noexcept nogil
cdef bint matches(Builder* self, const Open* entry, const Token* token) noexcept nogil
cdef void end_any(Builder* self, const Token* token) noexcept nogil
cdef void end_template(Builder* self, const Token* token) noexcept nogil

cdef void reconstruct(Builder* self, const Token* token) noexcept nogil
cdef void insert_formatting(Builder* self, const Token* token) noexcept nogil
cdef int find_active(Builder* self, uint8_t tag) noexcept nogil
cdef void end_formatting(Builder* self, const Token* token, uint8_t tag) noexcept nogil

cdef inline void close_p(Builder* self, const Token* token) noexcept nogil:
    if self.open_count[P]:
        close_tag(self, token, P, BUTTON_SCOPE)
