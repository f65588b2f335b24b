# cython: language_level=3
"""Rules for hidden text, and against silent losses on pages that are mostly prose.

Each rule is a step of `webstrata.extraction.learned.decision`; `keep_rules` defines what is prose and what is plain.
"""

from libc.stdint cimport int32_t, uint8_t

from webstrata.extraction.learned.keep_rules cimport is_plain, is_prose
from webstrata.extraction.learned.page_features cimport PageFeatures
from webstrata.extraction.learned.reasons cimport (
    BOILERPLATE, CONTENT, UNDER_COMMENT, UNDER_SIDE, WHY_AFTER_END, WHY_HIDDEN, WHY_LOST, WHY_LOSS_AVOIDED,
    WHY_REPEATED, WHY_SIDE, Decision, set_kind,
)

cdef enum:
    # Of 1,770 labelled pages, three have so much prose of which so little is kept. On one of them the simple answer is
    # better, on two the model; on a page of the Python manual with 11 % kept, the simple answer is right.
    MUCH_PROSE = 200             # words
    PAGE_OF_PROSE = 90           # percent of the shown words that are prose, from which the simple answer may be taken
    NEARLY_LOST = 25             # percent of the prose that is kept, up to which it is taken
    # 60 of these pages are marked, with a mean F1 of 0.7 where others have 0.93. The simple answer is worse there.
    MOSTLY_PROSE = 50            # percent of the shown words, from which a loss is marked
    LOST = 50                    # percent of the prose that is kept, up to which it is marked


cdef struct ProseCounts:
    int32_t shown            # words of the page
    int32_t prose            # words of prose outside of comments, of sidebars, and of what follows the text
    int32_t kept             # of the prose


cdef bint _counts_as_prose(PageFeatures page, const Decision* decision, Py_ssize_t i) noexcept nogil:
    cdef uint8_t reason = decision.reason[i]
    return (is_prose(&page.paragraph[i]) and is_plain(page, &page.paragraph[i])
            and not decision.under[page.paragraph[i].element] & (UNDER_COMMENT | UNDER_SIDE)
            and reason != WHY_AFTER_END and reason != WHY_SIDE and reason != WHY_REPEATED)


cdef ProseCounts _count(PageFeatures page, const Decision* decision) noexcept nogil:
    cdef Py_ssize_t i
    cdef ProseCounts counts
    counts.shown = counts.prose = counts.kept = 0
    for i in range(page.count):
        if page.paragraph[i].hidden:
            continue
        counts.shown += page.paragraph[i].words
        if _counts_as_prose(page, decision, i):
            counts.prose += page.paragraph[i].words
            counts.kept += page.paragraph[i].words if decision.kind[i] != BOILERPLATE else 0
    return counts


cdef void drop_hidden(PageFeatures page, Decision* decision) noexcept nogil:
    """Leave out the hidden paragraphs that the caller names."""
    cdef Py_ssize_t i
    if decision.hidden == NULL:
        return
    for i in range(page.count):
        if decision.hidden[i]:
            set_kind(decision, i, BOILERPLATE, WHY_HIDDEN)


cdef void keep_lost_prose(PageFeatures page, Decision* decision) noexcept nogil:
    """Keep all prose of a page that is nearly all prose, if hardly any of it was kept."""
    cdef Py_ssize_t i
    cdef ProseCounts counts = _count(page, decision)
    if counts.prose < MUCH_PROSE or 100 * <double>counts.prose < PAGE_OF_PROSE * <double>counts.shown or (
            100 * <double>counts.kept > NEARLY_LOST * <double>counts.prose):
        return
    for i in range(page.count):
        if decision.kind[i] == BOILERPLATE and _counts_as_prose(page, decision, i):
            set_kind(decision, i, CONTENT, WHY_LOSS_AVOIDED)


cdef void mark_lost_prose(PageFeatures page, Decision* decision) noexcept nogil:
    """Give the prose that is left out a reason of its own, if most of the page is prose and most of that is left out."""
    cdef Py_ssize_t i
    cdef ProseCounts counts = _count(page, decision)
    if counts.prose < MUCH_PROSE or 100 * <double>counts.prose < MOSTLY_PROSE * <double>counts.shown or (
            100 * <double>counts.kept > LOST * <double>counts.prose):
        return
    for i in range(page.count):
        if decision.kind[i] == BOILERPLATE and _counts_as_prose(page, decision, i):
            decision.reason[i] = WHY_LOST
