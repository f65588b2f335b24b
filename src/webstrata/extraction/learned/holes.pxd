# cython: language_level=3
"""What is kept inside of kept text: the holes between kept paragraphs, and the heads of tables.

Here stand also the kinds and reasons by number, and what the rules of `decision` work on. All of it is compiled into
that module.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from webstrata._scan.tags cimport (
    ASIDE, BLOCKQUOTE, BUTTON, DIALOG, DL, FIGCAPTION, FOOTER, FORM, LI, NAV, PRE, TABLE, TH, TR,
)
from webstrata.extraction.learned.outline cimport ENCLOSING_BIT, Node, Outline
from webstrata.extraction.learned.paragraph cimport Paragraph

# The numbers of `webstrata.extraction.base.Kind`.
cdef enum:
    BOILERPLATE, CONTENT, TITLE, COMMENT, CAPTION, KINDS

# The numbers of `decision.REASONS`.
cdef enum:
    WHY_NOT, WHY_NOT_AROUND, WHY_AROUND, WHY_CONTENT, WHY_REPEATED, WHY_COMMENT, WHY_ABOUT_COMMENT, WHY_INSIDE
    WHY_TITLE, WHY_CAPTION, WHY_RULES, WHY_LINKS, WHY_POST, WHY_TABLE, WHY_TABLE_HEAD
    WHY_AFTER_END, WHY_SIDE, WHY_LEAD, WHY_ALIKE

cdef enum:
    # These were chosen on the development pages of six data sets; none of them moves a score by more than .005.
    MOST_HOLE = 12               # paragraphs between two kept ones
    AROUND = 40                  # paragraphs before and after a hole that are looked at
    HOLE_SHARE = 60              # percent of their words that must be kept
    HOLE_SCORE = 30              # percent of the threshold: a list, a table or a heading stays down to this

# What the names of the elements above a paragraph say, and what was decided so far.
cdef struct Work:
    uint8_t* under           # by element: what `named` says of it
    uint8_t* kind
    uint8_t* reason
    const double* score
    double threshold
    bint tells               # whether the page says of itself what it is


cdef inline uint64_t asides() noexcept nogil:
    """The tags above a paragraph that speak against it."""
    return (ENCLOSING_BIT[NAV] | ENCLOSING_BIT[ASIDE] | ENCLOSING_BIT[FOOTER] | ENCLOSING_BIT[FORM]
            | ENCLOSING_BIT[BUTTON] | ENCLOSING_BIT[DIALOG])


cdef inline uint64_t structures() noexcept nogil:
    """The tags above a paragraph that is part of a list, a table, a quotation or code."""
    return (ENCLOSING_BIT[LI] | ENCLOSING_BIT[TABLE] | ENCLOSING_BIT[DL] | ENCLOSING_BIT[PRE]
            | ENCLOSING_BIT[BLOCKQUOTE])


cdef inline bint is_plain(Outline page, const Paragraph* paragraph) noexcept nogil:
    """Whether nothing speaks against a paragraph by itself."""
    return (not paragraph.hidden and 2 * paragraph.link_words <= paragraph.words
            and not page.node[paragraph.element].above & asides())


cdef inline bint fits_hole(Outline page, const Work* work, Py_ssize_t i) noexcept nogil:
    """Whether a paragraph between two kept ones stays: a caption does, and what is part of a list, a table, a quotation
    or code, or a heading, unless its score is very low."""
    cdef const Paragraph* paragraph = &page.paragraph[i]
    if not is_plain(page, paragraph) or work.reason[i] == WHY_AFTER_END or work.reason[i] == WHY_SIDE:
        return False
    if page.node[paragraph.element].above & ENCLOSING_BIT[FIGCAPTION]:
        return True
    return 100 * work.score[i] >= HOLE_SCORE * work.threshold and (
        paragraph.heading > 0 or (page.node[paragraph.element].above & structures()) != 0)


cdef inline void fill_holes(Outline page, Work* work) noexcept nogil:
    """Keep what stands between two kept paragraphs, in a region that is kept for the most part."""
    cdef Py_ssize_t i, k, last = -1
    cdef int32_t a, b, words, kept
    cdef Paragraph* paragraph
    for i in range(page.count):
        if work.kind[i] != CONTENT:
            continue
        if last >= 0 and i - last > 1 and i - last <= MOST_HOLE:
            a, b = page.paragraph[last].owner, page.paragraph[i].owner
            while a != b:
                if a > b:
                    a = page.parent[a]
                else:
                    b = page.parent[b]
            words = kept = 0
            for k in range(max(page.node[a].first_paragraph, last - AROUND), min(page.node[a].end_paragraph, i + AROUND)):
                if page.paragraph[k].hidden:
                    continue
                words += page.paragraph[k].words
                if work.kind[k] == CONTENT:
                    kept += page.paragraph[k].words
            if HOLE_SHARE * words <= 100 * kept:
                for k in range(last + 1, i):
                    if fits_hole(page, work, k):
                        work.kind[k] = CONTENT
                        work.reason[k] = WHY_INSIDE
        last = i


cdef inline int32_t words_between(Outline page, const Work* work, Py_ssize_t first, Py_ssize_t stop, bint kept) noexcept nogil:
    """The words of some paragraphs that are shown, or of those that are kept."""
    cdef Py_ssize_t k
    cdef int32_t words = 0
    for k in range(first, stop):
        if not page.paragraph[k].hidden and (not kept or work.kind[k] == CONTENT):
            words += page.paragraph[k].words
    return words


cdef inline void keep_table_heads(Outline page, Work* work) noexcept nogil:
    """Keep the first row of a table that is kept for the most part, if its cells are those of a header."""
    cdef Py_ssize_t i, k, row, done = -1
    cdef Node* table
    for i in range(page.elements):
        table = &page.node[i]
        # A table in a table was read with it.
        if page.tag[i] != TABLE or i < done or table.end_paragraph <= table.first_paragraph:
            continue
        done = table.end_row
        row = i + 1
        while row < done and page.tag[row] != TR:
            row += 1
        if row + 1 >= done or page.tag[row + 1] != TH:
            continue
        if 2 * words_between(page, work, table.first_paragraph, table.end_paragraph, True) < \
                words_between(page, work, table.first_paragraph, table.end_paragraph, False):
            continue
        for k in range(page.node[row].first_paragraph, page.node[row].end_paragraph):
            if work.kind[k] == BOILERPLATE and is_plain(page, &page.paragraph[k]):
                work.kind[k] = CONTENT
                work.reason[k] = WHY_TABLE_HEAD

