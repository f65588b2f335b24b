# cython: language_level=3
"""Paragraphs: how blocks make them, and what their characters say."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from webstrata.extraction.learned.tokens cimport Tokens

cdef enum:
    TITLE_SLOTS = 256

# One paragraph: a run of blocks that only inline tags part.
cdef struct Unit:
    int32_t first_block
    int32_t end_block
    int32_t element          # of its first block
    int32_t owner            # the same, inline elements looked through
    int32_t words
    int32_t link_words
    int32_t lines
    int32_t chars
    int32_t word_chars
    int32_t stops            # full stops, question and exclamation marks, colons
    int32_t commas
    int32_t digits
    int32_t capital_words
    int32_t symbols          # currency signs, bars, copyright signs and the like
    int32_t sentence_ends
    int32_t title_words      # words that the title has as well
    uint32_t first_char
    uint32_t last_char
    uint64_t text_hash
    int32_t first_token      # into the tokens of the units
    int32_t end_token
    uint8_t heading
    uint8_t hidden
    uint8_t preformatted
    uint8_t is_long
    int32_t text             # units with the same text: into the groups
    int32_t copy             # how many of them come before this one
    int32_t path_class       # units of the same path and classes: into the groups
    int32_t path_tags        # units of the same path of tags: into the groups

cdef Py_ssize_t cut(Unit* units, const uint64_t* gap, const uint8_t* flags, Py_ssize_t blocks, const uint64_t* inline,
                    const int32_t* element, const uint8_t* tag, const int32_t* parent) noexcept nogil
cdef int32_t title_words(str text, uint32_t* slots)
cdef bint read_text(Unit* unit, Py_ssize_t units, Tokens* tokens, const void* text, int kind, const int32_t* starts,
                    const int32_t* stops, const uint32_t* title) noexcept nogil
