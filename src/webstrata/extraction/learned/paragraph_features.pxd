# cython: language_level=3
"""The paragraphs of a page and what is counted in each of them."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from webstrata.extraction.learned.word_hashes cimport Hashes

cdef enum:
    TITLE_SLOTS = 256

cdef struct ParagraphFeatures:
    int32_t first_block
    int32_t end_block
    int32_t element          # of its first block
    int32_t owner            # the nearest element of the first block that is not inline
    int32_t words
    int32_t link_words
    int32_t lines
    int32_t word_chars       # letters and digits
    int32_t stops            # full stops, question and exclamation marks, colons
    int32_t commas
    int32_t digits
    int32_t capital_words
    int32_t symbols          # currency signs, bars, copyright signs and the like
    int32_t sentence_ends
    int32_t title_words      # words that are in the title too
    uint32_t first_char
    uint32_t last_char
    uint64_t text_hash
    int32_t first_word       # first_word:end_word are its first words in the hashes of the page's text
    int32_t end_word
    uint8_t heading
    uint8_t hidden
    uint8_t preformatted
    uint8_t is_long
    int32_t text             # the group of lookalikes with the same text
    int32_t copy             # how many of them come before this one
    int32_t path_class       # the group with the same path of tags and classes
    int32_t path_tags        # the group with the same path of tags

cdef Py_ssize_t cut_paragraphs(ParagraphFeatures* paragraphs, const uint8_t* ends, const uint8_t* flags,
                               Py_ssize_t blocks, const int32_t* element, const uint8_t* tag, const int32_t* parent) noexcept nogil
cdef int32_t hash_title(str text, uint32_t* slots)
cdef bint read_text(ParagraphFeatures* paragraph, Py_ssize_t count, Hashes* found, const void* text, int kind,
                    const int32_t* starts, const int32_t* stops, const uint32_t* title) noexcept nogil
