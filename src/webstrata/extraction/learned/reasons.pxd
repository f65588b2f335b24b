# cython: language_level=3
"""Kinds and reasons by number, and the decision about a page that the rules edit."""

from libc.stdint cimport int32_t, uint8_t

# The numbers of `webstrata.extraction.base.Kind`.
cdef enum:
    BOILERPLATE, CONTENT, TITLE, COMMENT, CAPTION, KINDS

# The indices of `webstrata.extraction.learned.decision.REASONS`.
cdef enum:
    WHY_NOT, WHY_NOT_AROUND, WHY_AROUND, WHY_CONTENT, WHY_REPEATED, WHY_COMMENT, WHY_ABOUT_COMMENT, WHY_INSIDE
    WHY_TITLE, WHY_CAPTION, WHY_RULES, WHY_LINKS, WHY_POST, WHY_TABLE, WHY_PART
    WHY_AFTER_END, WHY_SIDE, WHY_LEAD, WHY_ALIKE, WHY_PART_LEFT_OUT, WHY_HIDDEN, WHY_REPLY, WHY_LOSS_AVOIDED, WHY_LOST

# What an element or one of its ancestors is called.
cdef enum:
    UNDER_COMMENT = 1
    UNDER_CAPTION = 2
    UNDER_SIDE = 4

# What is known and decided so far. Arrays are indexed by paragraph unless noted.
cdef struct Decision:
    uint8_t* kind
    uint8_t* reason
    const double* first      # the score of the first pass
    const double* score      # the score of the second pass
    double threshold         # the score from which a paragraph is content
    bint type_is_known       # whether the metadata of the page has words that the model knows
    const uint8_t* hidden    # the hidden paragraphs to leave out; NULL for none
    int32_t title            # the paragraph with the title of the page; -1 for none
    int32_t* whole           # the structure that the paragraph is part of; NO_ELEMENT for none
    uint8_t* under           # by element: what it or an ancestor is called
    int32_t* prose           # by group of lookalikes, as what follows; zero before the first rule
    int32_t* kept_prose
    int32_t* last_copy
    int32_t* original        # by paragraph: the earlier one with its text, if it is a copy
    int32_t* words_before    # running sums over the paragraphs, one more than there are: the words that are kept
    int32_t* copied_before   # and those of copies


cdef inline void set_kind(Decision* decision, Py_ssize_t i, uint8_t kind, uint8_t reason) noexcept nogil:
    decision.kind[i] = kind
    decision.reason[i] = reason
