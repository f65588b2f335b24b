# cython: language_level=3
"""Rules that keep paragraphs which their scores alone would leave out.

Each rule is a step of `webstrata.extraction.learned.decision`. A paragraph is *prose* when it is long and has few links;
it is *plain* when it is shown, has few links, and is not in an element such as ``nav`` or ``footer``.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from webstrata._scan.tags cimport BLOCKQUOTE, DL, FIGCAPTION, LI, PRE, TABLE
from webstrata.extraction.learned.page_features cimport ENCLOSING_BIT, Node, PageFeatures, common_ancestor
from webstrata.extraction.learned.paragraph_features cimport ParagraphFeatures
from webstrata.extraction.learned.reasons cimport (
    BOILERPLATE, CONTENT, WHY_AFTER_END, WHY_ALIKE, WHY_INSIDE, WHY_LEAD, WHY_NOT_AROUND, WHY_POST, WHY_RULES, WHY_SIDE,
    Decision, set_kind,
)

cdef enum:
    # Chosen on the development pages of six data sets; none of them moves a score by more than .005, but for the lead,
    # which is .015 on CleanPortalEval.
    SHORT_POST = 10              # words of prose between a title and the comments on it
    LEAD_WORDS = 18              # a shorter paragraph is the author, the date or a note
    LEAD_REACH = 10              # paragraphs after the title in which the lead is searched
    MUCH_PROSE = 100             # words of kept prose from which prose of the same look is kept too
    MOST_BETWEEN = 12            # paragraphs between two kept ones
    AROUND = 40                  # paragraphs before and after them that are counted
    KEPT_AROUND = 60             # percent of their words that must be kept
    LOW_SCORE = 30               # percent of the threshold: a list, a table or a heading stays down to this


cdef bint find_post(PageFeatures page, Decision* decision, uint8_t until) noexcept nogil:
    """Keep the prose between the title and the first element of the names `until`; returns whether there is any.

    For pages where comments or sidebars are nearly all that was kept.
    """
    cdef Py_ssize_t i, stop = decision.title + 1
    cdef int32_t words = 0
    if decision.title < 0:
        return False
    while stop < page.count and not decision.under[page.paragraph[stop].element] & until:
        stop += 1
    for i in range(decision.title + 1, stop):
        if is_prose(&page.paragraph[i]) and is_plain(page, &page.paragraph[i]):
            words += page.paragraph[i].words
    if words < SHORT_POST or stop == page.count:
        return False
    for i in range(decision.title + 1, stop):
        if decision.kind[i] == BOILERPLATE and is_prose(&page.paragraph[i]) and is_plain(page, &page.paragraph[i]):
            set_kind(decision, i, CONTENT, WHY_POST)
    return True


cdef bint _keep_plain(PageFeatures page, Decision* decision, int least) noexcept nogil:
    """Keep all plain paragraphs of at least this number of words; returns whether there are any."""
    cdef Py_ssize_t i
    cdef bint found = False
    for i in range(page.count):
        if page.paragraph[i].words >= least and is_plain(page, &page.paragraph[i]):
            set_kind(decision, i, CONTENT, WHY_RULES)
            found = True
    return found


cdef void keep_without_scores(PageFeatures page, Decision* decision) noexcept nogil:
    """Where the scores keep nothing: keep all long plain paragraphs, or all plain ones where none is long."""
    cdef Py_ssize_t i
    for i in range(page.count):
        if decision.kind[i] == CONTENT:
            return
    _keep_plain(page, decision, LONG_PARAGRAPH) or _keep_plain(page, decision, 1)


cdef void keep_lookalikes(PageFeatures page, Decision* decision) noexcept nogil:
    """Keep prose that looks like prose of which at least half is kept.

    The scores of a long text may fall towards its end.
    """
    cdef Py_ssize_t i
    cdef ParagraphFeatures* paragraph
    for i in range(page.count):
        paragraph = &page.paragraph[i]
        if is_prose(paragraph) and is_plain(page, paragraph):
            decision.prose[paragraph.path_class] += paragraph.words
            decision.kept_prose[paragraph.path_class] += paragraph.words if decision.kind[i] == CONTENT else 0
    for i in range(page.count):
        paragraph = &page.paragraph[i]
        # Up to WHY_NOT_AROUND, paragraphs are left out by their scores alone.
        if (decision.reason[i] <= WHY_NOT_AROUND and is_prose(paragraph) and is_plain(page, paragraph)
                and decision.kept_prose[paragraph.path_class] >= MUCH_PROSE
                and 2 * decision.kept_prose[paragraph.path_class] >= decision.prose[paragraph.path_class]):
            set_kind(decision, i, CONTENT, WHY_ALIKE)


cdef void keep_lead(PageFeatures page, Decision* decision) noexcept nogil:
    """Keep the prose between the title and the first kept paragraph.

    The lead is part of a text, though its element is often called a summary or a teaser.
    """
    cdef Py_ssize_t i, title = decision.title, first = title + 1
    cdef ParagraphFeatures* paragraph
    if title < 0:
        return
    while first < page.count and decision.kind[first] != CONTENT:
        first += 1
    if first == page.count:
        return
    for i in range(title + 1, min(first, title + 1 + LEAD_REACH)):
        paragraph = &page.paragraph[i]
        if (paragraph.words >= LEAD_WORDS and is_prose(paragraph) and is_plain(page, paragraph)
                and decision.reason[i] != WHY_SIDE):
            set_kind(decision, i, CONTENT, WHY_LEAD)


cdef inline uint64_t _structures() noexcept nogil:
    """The tags above a paragraph that is part of a list, a table, a quotation or code."""
    return (ENCLOSING_BIT[LI] | ENCLOSING_BIT[TABLE] | ENCLOSING_BIT[DL] | ENCLOSING_BIT[PRE]
            | ENCLOSING_BIT[BLOCKQUOTE])


cdef bint _fits_between(PageFeatures page, const Decision* decision, Py_ssize_t i) noexcept nogil:
    """Whether a paragraph is a caption, or part of a list, a table, a quotation or code, or a heading, and its score
    is not very low."""
    cdef const ParagraphFeatures* paragraph = &page.paragraph[i]
    if not is_plain(page, paragraph) or decision.reason[i] == WHY_AFTER_END or decision.reason[i] == WHY_SIDE:
        return False
    if page.node[paragraph.element].above & ENCLOSING_BIT[FIGCAPTION]:
        return True
    return 100 * decision.score[i] >= LOW_SCORE * decision.threshold and (
        paragraph.heading > 0 or (page.node[paragraph.element].above & _structures()) != 0)


cdef int32_t _words(PageFeatures page, const Decision* decision, Py_ssize_t first, Py_ssize_t stop,
                    bint kept) noexcept nogil:
    """The words of the shown paragraphs of a range; of those that are kept where `kept`."""
    cdef Py_ssize_t k
    cdef int32_t words = 0
    for k in range(first, stop):
        if not page.paragraph[k].hidden and (not kept or decision.kind[k] == CONTENT):
            words += page.paragraph[k].words
    return words


cdef void keep_between(PageFeatures page, Decision* decision) noexcept nogil:
    """Keep parts of structures between two kept paragraphs, in a region of which most is kept."""
    cdef Py_ssize_t i, k, start, stop, last = -1
    cdef Node* region
    for i in range(page.count):
        if decision.kind[i] != CONTENT:
            continue
        if last >= 0 and i - last > 1 and i - last <= MOST_BETWEEN:
            region = &page.node[common_ancestor(page, page.paragraph[last].owner, page.paragraph[i].owner)]
            start, stop = max(region.first_paragraph, last - AROUND), min(region.end_paragraph, i + AROUND)
            if KEPT_AROUND * _words(page, decision, start, stop, False) <= 100 * _words(
                    page, decision, start, stop, True):
                for k in range(last + 1, i):
                    if _fits_between(page, decision, k):
                        set_kind(decision, k, CONTENT, WHY_INSIDE)
        last = i
