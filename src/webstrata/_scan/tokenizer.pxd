# cython: language_level=3
"""The tokenizer of the HTML standard (13.2.5) over UTF-8 bytes, as spans of the source."""

from libc.stdint cimport int32_t, uint8_t

cdef enum TokenKind:
    END_OF_FILE
    CHARACTERS
    START_TAG
    END_TAG
    DOCTYPE
    COMMENT              # and everything that the standard turns into a comment

# How the tokenizer reads text: the standard's initial states.
cdef enum Content:
    DATA_TEXT
    RCDATA
    RAWTEXT
    SCRIPT_DATA
    PLAIN_TEXT
    CDATA_SECTION

cdef struct Token:
    TokenKind kind
    Content content      # of CHARACTERS: which references and NULs it may hold
    int32_t start        # of the token, or of the character data
    int32_t stop
    int32_t name_stop    # of a tag: its name is source[start + 1 or start + 2:name_stop]
    uint8_t tag
    bint self_closing
    bint hides           # has an attribute that hides the element
    bint leads           # has an href
    bint named           # has a name
    bint related         # has a rel

cdef struct Tokenizer:
    const uint8_t* source    # followed by a NUL byte, as Python's bytes are
    Py_ssize_t length
    Py_ssize_t position
    Content content
    const uint8_t* last_name # of the last start tag: its end tag ends RCDATA, RAWTEXT and scripts
    Py_ssize_t last_size
    bint foreign             # CDATA sections are allowed here

cdef struct Attribute:
    Py_ssize_t name_start
    Py_ssize_t name_stop
    Py_ssize_t value_start
    Py_ssize_t value_stop
    bint self_closing        # the tag ended with a slash

cdef void next_token(Tokenizer* self, Token* token) noexcept nogil

# The next attribute of a tag at or after `position`. Returns where to go on; the length of the name is zero when
# the tag has ended (just before the returned position), and the result is -1 when the source ended first.
cdef Py_ssize_t next_attribute(const uint8_t* source, Py_ssize_t position, Py_ssize_t length,
                               Attribute* attribute) noexcept nogil

cdef inline bint is_space(uint8_t c) noexcept nogil:
    # The bits of tab, line feed, form feed, carriage return and space.
    return c <= 32 and (<unsigned long long>0x100003600 >> c) & 1

cdef inline bint is_letter(uint8_t c) noexcept nogil:
    return 97 <= (c | 0x20) <= 122

cdef inline bint same_name(const uint8_t* a, const uint8_t* b, Py_ssize_t length) noexcept nogil:
    """Whether two names are equal but for the case of ASCII letters."""
    cdef Py_ssize_t i
    cdef uint8_t x, y
    for i in range(length):
        x, y = a[i], b[i]
        if x != y and not ((x ^ y) == 0x20 and is_letter(x)):
            return False
    return True
