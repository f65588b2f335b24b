# cython: language_level=3
"""The paragraphs that are judged one by one."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from webstrata.extraction.learned.attribute_words cimport Hashes

cdef enum:
    TITLE_SLOTS = 256
    WORD_KIND = 5                # tells the hashes of words of texts from those of names

# One paragraph.
cdef struct Paragraph:
    int32_t first_block
    int32_t end_block
    int32_t element          # of its first block
    int32_t owner            # the same, inline elements looked through
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
    int32_t title_words      # words that the title has as well
    uint32_t first_char
    uint32_t last_char
    uint64_t text_hash
    int32_t first_word      # into the words of the texts
    int32_t end_word
    uint8_t heading
    uint8_t hidden
    uint8_t preformatted
    uint8_t is_long
    int32_t text             # paragraphs with the same text: into the lookalikes
    int32_t copy             # how many of them come before this one
    int32_t path_class       # paragraphs of the same path and classes: into the lookalikes
    int32_t path_tags        # paragraphs of the same path of tags: into the lookalikes

cdef Py_ssize_t cut(Paragraph* paragraphs, const uint8_t* ends, const uint8_t* flags, Py_ssize_t blocks,
                    const int32_t* element, const uint8_t* tag, const int32_t* parent) noexcept nogil
cdef int32_t title_words(str text, uint32_t* slots)
cdef bint read_text(Paragraph* paragraph, Py_ssize_t count, Hashes* found, const void* text, int kind,
                    const int32_t* starts, const int32_t* stops, const uint32_t* title) noexcept nogil
