# cython: language_level=3
"""Rules that keep paragraphs which their scores alone would leave out."""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from webstrata._scan.tags cimport ASIDE, BUTTON, DIALOG, FOOTER, FORM, NAV
from webstrata.extraction.learned.page_features cimport ENCLOSING_BIT, PageFeatures
from webstrata.extraction.learned.paragraph_features cimport ParagraphFeatures
from webstrata.extraction.learned.reasons cimport Decision

cdef enum:
    LONG_PARAGRAPH = 10          # words


cdef inline bint is_prose(const ParagraphFeatures* paragraph) noexcept nogil:
    return paragraph.words >= LONG_PARAGRAPH and 3 * paragraph.link_words < paragraph.words


cdef inline uint64_t asides() noexcept nogil:
    return (ENCLOSING_BIT[NAV] | ENCLOSING_BIT[ASIDE] | ENCLOSING_BIT[FOOTER] | ENCLOSING_BIT[FORM]
            | ENCLOSING_BIT[BUTTON] | ENCLOSING_BIT[DIALOG])


cdef inline bint is_plain(PageFeatures page, const ParagraphFeatures* paragraph) noexcept nogil:
    return (not paragraph.hidden and 2 * paragraph.link_words <= paragraph.words
            and not page.node[paragraph.element].above & asides())


cdef bint find_post(PageFeatures page, Decision* decision, uint8_t until) noexcept nogil
cdef void keep_without_scores(PageFeatures page, Decision* decision) noexcept nogil
cdef void keep_lookalikes(PageFeatures page, Decision* decision) noexcept nogil
cdef void keep_lead(PageFeatures page, Decision* decision) noexcept nogil
cdef void keep_between(PageFeatures page, Decision* decision) noexcept nogil
