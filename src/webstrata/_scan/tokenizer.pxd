# cython: language_level=3
"""Tokens of HTML, and the states of the tokenizer. The code is in tokenizer.pxi and start_tags.pxi."""

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

# What the attributes of a start tag say.
cdef enum:
    HIDES = 1            # the element is hidden
    LEADS = 2            # it has an href
    NAMED = 4            # it has a name
    IS_RELATED = 8       # it has a rel

cdef struct Token:
    TokenKind kind
    Content content      # of CHARACTERS: which references and NULs it may hold
    int32_t start        # of the token, or of the character data
    int32_t stop
    int32_t name_stop    # of a tag: its name is source[start + 1 or start + 2:name_stop]
    uint8_t tag
    uint8_t notes        # of a start tag: what its attributes say
    bint self_closing

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
