# cython: language_level=3
"""Words, lines and sentences: what a character is to them."""

from libc.stdint cimport int32_t, uint8_t, uint32_t

from webstrata._scan.rows cimport Table

cdef extern from "Python.h":
    bint Py_UNICODE_ISALNUM(Py_UCS4 c) nogil
    bint Py_UNICODE_ISSPACE(Py_UCS4 c) nogil

cdef enum:
    # Of scripts without spaces between words: the 5.1 letters and the space that Kohlschütter & Nejdl 2008 §3.3 reckons
    # with for English.
    WORD_COLUMNS = 6

# What a character is to the counting of words.
cdef enum:
    MARK, SPACE, LETTER, UNSPACED

cdef uint8_t[256] LATIN      # of the first 256 characters


cdef inline bint _is_unspaced(uint32_t c) noexcept nogil:
    """Letters of scripts that put no space between words."""
    if c < 0x0E00:
        return False
    return (0x4E00 <= c <= 0x9FFF                                   # Han
            or (0x3041 <= c <= 0x312F and c != 0x30A0 and c != 0x30FB)   # Kana, Bopomofo
            or 0x3400 <= c <= 0x4DBF or 0x20000 <= c <= 0x323AF or 0xF900 <= c <= 0xFAFF
            or c == 0x3005 or c == 0x3007 or 0x2E80 <= c <= 0x2FDF or 0x31F0 <= c <= 0x31FF or 0xFF66 <= c <= 0xFF9D
            or (0x0E01 <= c <= 0x0FBC and c != 0x0E3F)              # Thai, Lao, Tibetan
            or 0x1000 <= c <= 0x109F or 0x1780 <= c <= 0x17DD       # Myanmar, Khmer
            or 0x1950 <= c <= 0x19DF or 0x1A20 <= c <= 0x1AAF)      # Tai Le, New Tai Lue, Tai Tham


cdef inline int kind_of(uint32_t c) noexcept nogil:
    if c < 256:
        return LATIN[c]
    if _is_unspaced(c):
        return UNSPACED
    if Py_UNICODE_ISALNUM(c):
        return LETTER
    return SPACE if Py_UNICODE_ISSPACE(c) else MARK


cdef inline int columns_of(uint32_t c) noexcept nogil:
    """How many columns of a terminal a character takes: two when it is wide in East Asia."""
    if c < 0x1100:
        return 1
    return 2 if (c <= 0x115F or 0x2E80 <= c <= 0x303E or 0x3041 <= c <= 0xA4CF or 0xAC00 <= c <= 0xD7A3
                 or 0xF900 <= c <= 0xFAFF or 0xFE30 <= c <= 0xFE4F or 0xFF01 <= c <= 0xFF60 or 0xFFE0 <= c <= 0xFFE6
                 or 0x1F300 <= c <= 0x1F64F or 0x1F900 <= c <= 0x1F9FF or 0x20000 <= c <= 0x3FFFD) else 1


cdef inline bint ends_word(int kind, bint unspaced, int columns) noexcept nogil:
    """Whether a character of this kind ends the word before it, of so many columns, in a script without spaces or not."""
    return kind == SPACE or unspaced != (kind == UNSPACED) or (unspaced and columns >= WORD_COLUMNS)


cdef void fill_counts(const void* text, int kind, const Table* blocks, const Table* links, int width,
                      Table* counts) noexcept nogil
