# cython: language_level=3
"""Words, lines and sentences: the kinds of characters."""

from libc.stdint cimport int32_t, uint8_t, uint32_t

from webstrata._scan.rows cimport Table

cdef enum:
    # Columns of a word in scripts without spaces: the 5.1 letters and one space that Kohlschütter & Nejdl 2008 §3.3
    # assume for English.
    WORD_COLUMNS = 6

# Kinds of characters.
cdef enum:
    MARK, SPACE, LETTER, UNSPACED

cdef uint8_t[256] LATIN      # of the first 256 characters


# Of characters from U+0100 on.
cdef int wide_kind(uint32_t c) noexcept nogil
cdef int wide_columns(uint32_t c) noexcept nogil


cdef inline int kind_of(uint32_t c) noexcept nogil:
    return LATIN[c] if c < 256 else wide_kind(c)


cdef inline int columns_of(uint32_t c) noexcept nogil:
    """How many columns of a terminal a character takes: two when it is wide in East Asia."""
    return 1 if c < 0x1100 else wide_columns(c)


cdef inline bint ends_word(int kind, bint unspaced, int columns) noexcept nogil:
    """Whether a character of this kind ends the word before it, which has `columns` columns."""
    return kind == SPACE or unspaced != (kind == UNSPACED) or (unspaced and columns >= WORD_COLUMNS)


cdef void fill_counts(const void* text, int kind, const Table* blocks, const Table* links, int width,
                      Table* counts) noexcept nogil
