# cython: language_level=3
"""What is kept though its scores do not say so: the prose before a text, prose that looks like it, and short posts.

All of it is compiled into `decision`.
"""

from libc.stdint cimport int32_t, uint8_t

from webstrata.extraction.learned.holes cimport (
    BOILERPLATE, CONTENT, WHY_ALIKE, WHY_LEAD, WHY_NOT_AROUND, WHY_POST, WHY_RULES, WHY_SIDE, Work, is_plain,
)
from webstrata.extraction.learned.outline cimport Outline
from webstrata.extraction.learned.paragraph cimport Paragraph

cdef enum:
    # These were chosen on the development pages of six data sets; none of them moves a score by more than .005, but for
    # the lead, which is .015 on CleanPortalEval.
    LONG_PARAGRAPH = 10
    SHORT_POST = 10              # words of prose between a title and the comments on it
    LEAD_WORDS = 18              # fewer are the author, the date or a note
    LEAD_REACH = 10              # paragraphs after the title in which a lead may stand
    MUCH_PROSE = 100             # words of prose that tell what the prose of a page looks like


cdef inline bint is_prose(const Paragraph* paragraph) noexcept nogil:
    return paragraph.words >= LONG_PARAGRAPH and 3 * paragraph.link_words < paragraph.words


cdef inline bint find_post(Outline page, Work* work, int32_t title, uint8_t until) noexcept nogil:
    """Where comments or sidebars are nearly all that was kept: keep the prose between the title and the first of them,
    if any."""
    cdef Py_ssize_t i, stop = title + 1
    cdef int32_t words = 0
    if title < 0:
        return False
    while stop < page.count and not work.under[page.paragraph[stop].element] & until:
        stop += 1
    for i in range(title + 1, stop):
        if is_prose(&page.paragraph[i]) and is_plain(page, &page.paragraph[i]):
            words += page.paragraph[i].words
    if words < SHORT_POST or stop == page.count:
        return False
    for i in range(title + 1, stop):
        if work.kind[i] == BOILERPLATE and is_prose(&page.paragraph[i]) and is_plain(page, &page.paragraph[i]):
            work.kind[i] = CONTENT
            work.reason[i] = WHY_POST
    return True


cdef inline void keep_lead(Outline page, Work* work, int32_t title) noexcept nogil:
    """Keep the prose between the title and the first kept paragraph: what leads into a text is part of it, though its
    element is often called a summary or a teaser."""
    cdef Py_ssize_t i, first = title + 1
    cdef Paragraph* paragraph
    if title < 0:
        return
    while first < page.count and work.kind[first] != CONTENT:
        first += 1
    if first == page.count:
        return
    for i in range(title + 1, min(first, title + 1 + LEAD_REACH)):
        paragraph = &page.paragraph[i]
        if (paragraph.words >= LEAD_WORDS and is_prose(paragraph) and is_plain(page, paragraph)
                and work.reason[i] != WHY_SIDE):
            work.kind[i] = CONTENT
            work.reason[i] = WHY_LEAD


cdef inline void keep_alike(Outline page, Work* work, int32_t* prose, int32_t* kept) noexcept nogil:
    """Keep prose that looks like prose of which at least half is kept: a text does not end within itself, though the
    scores of a long one may fall. `prose` and `kept` have room for a number of words by path and class, and are zero."""
    cdef Py_ssize_t i
    cdef Paragraph* paragraph
    for i in range(page.count):
        paragraph = &page.paragraph[i]
        if is_prose(paragraph) and is_plain(page, paragraph):
            prose[paragraph.path_class] += paragraph.words
            kept[paragraph.path_class] += paragraph.words if work.kind[i] == CONTENT else 0
    for i in range(page.count):
        paragraph = &page.paragraph[i]
        # Left out by its scores alone.
        if (work.reason[i] <= WHY_NOT_AROUND and is_prose(paragraph) and is_plain(page, paragraph)
                and kept[paragraph.path_class] >= MUCH_PROSE
                and 2 * kept[paragraph.path_class] >= prose[paragraph.path_class]):
            work.kind[i] = CONTENT
            work.reason[i] = WHY_ALIKE


cdef inline bint keep_plain(Outline page, Work* work, int least) noexcept nogil:
    """Keep all plain paragraphs of so many words; whether there are any."""
    cdef Py_ssize_t i
    cdef bint found = False
    for i in range(page.count):
        if page.paragraph[i].words >= least and is_plain(page, &page.paragraph[i]):
            work.kind[i] = CONTENT
            work.reason[i] = WHY_RULES
            found = True
    return found
