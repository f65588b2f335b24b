# cython: language_level=3
"""SVG and MathML inside HTML (the standard's 13.2.6.5)."""

from libc.stdint cimport uint8_t

from webstrata._scan.rows cimport HTML_SPACE, Builder, top
from webstrata._scan.tokenizer cimport Token, same_name

cdef bint is_glyph(Builder* self, const Token* token) noexcept nogil
cdef bint start_foreign(Builder* self, const Token* token) noexcept nogil
cdef bint end_foreign(Builder* self, const Token* token) noexcept nogil

cdef inline bint is_foreign(Builder* self) noexcept nogil:
    """Whether the innermost open element is SVG or MathML."""
    return self.depth > 0 and top(self).space != HTML_SPACE

cdef inline bint is_named(Builder* self, const Token* token, const char* name, Py_ssize_t size) noexcept nogil:
    return token.name_stop - token.start - 1 == size and same_name(
        self.source + token.start + 1, <const uint8_t*>name, size)
