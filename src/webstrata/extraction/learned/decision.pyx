# cython: language_level=3
"""What each paragraph is taken for, from the scores of the passes: content, title, comment, caption or boilerplate.

The scores speak of paragraphs one by one; here the page is looked at as a whole. What stands inside a kept region stays
unless something speaks against it, what is inside an element that is called a comment is one, and where the scores
find nothing on a page that has text, simple rules decide.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free

from webstrata._scan.tags cimport TABLE
from webstrata.extraction.learned.holes cimport (
    BOILERPLATE, CAPTION, COMMENT, CONTENT, TITLE, WHY_ABOUT_COMMENT, WHY_AFTER_END, WHY_CAPTION, WHY_COMMENT, WHY_LINKS,
    WHY_REPEATED, WHY_SIDE, WHY_TITLE, Work, fill_holes, is_plain, keep_table_heads,
)
from webstrata.extraction.learned.kept cimport (
    LONG_PARAGRAPH, find_post, is_prose, keep_alike, keep_lead, keep_plain,
)
from webstrata.extraction.learned.named cimport UNDER_CAPTION, UNDER_COMMENT, UNDER_SIDE, ends_text, read_names
from webstrata.extraction.learned.outline cimport ENCLOSING_BIT, NO_ELEMENT, Node, Outline
from webstrata.extraction.learned.paragraph cimport Paragraph

import numpy as np

#: Why, by number.
REASONS = (
    "boilerplate",
    "boilerplate by what is around it",
    "content by what is around it",
    "content",
    "said before",
    "in a comment",
    "about a comment",
    "inside of kept text",
    "the title",
    "a caption",
    "kept by simple rules, for nothing on the page looks like an article",
    "a list of links beside the text",
    "between the title and the comments",
    "in a table",
    "the head of a kept table",
    "after the end of the text",
    "in a sidebar",
    "between the title and the text",
    "prose like what is kept",
)

cdef enum:
    REPEATED_WORDS = 8           # a shorter text may well be meant each time
    # These were chosen on the development pages of six data sets; none of them moves a score by more than .005.
    FEW_WORDS = 25               # with fewer, there is no text
    COMMENT_WORDS = 4            # a shorter paragraph of a comment is a name, a date or a button
    LINKS_IN_A_ROW = 6           # make a list
    SOME_PROSE = 40              # words: a page has text
    ENOUGH_BEFORE = 60           # words of prose before what may be the end of the text
    MUCH_TEXT = 500              # words that are no sidebar, whatever they are in


cdef int32_t _find_title(Outline page) noexcept nogil:
    """The paragraph that says the page's title: a heading if one does, and the first that says most of it; -1 for none."""
    cdef Py_ssize_t i
    cdef int32_t best = -1
    cdef double value, most = 0
    cdef Paragraph* paragraph
    for i in range(page.count):
        paragraph = &page.paragraph[i]
        if paragraph.hidden or paragraph.words == 0 or 2 * paragraph.title_words <= paragraph.words:
            continue
        if 3 * paragraph.title_words < page.title_length:
            continue
        value = paragraph.title_words * (1.5 if paragraph.heading == 1 else 1.2 if paragraph.heading else 1.0)
        if paragraph.link_words * 2 > paragraph.words and not paragraph.heading:
            value *= 0.5
        if value > most:
            most = value
            best = <int32_t>i
    return best


cdef inline bint _is_link(const Paragraph* paragraph) noexcept nogil:
    return paragraph.words > 0 and 10 * paragraph.link_words >= 9 * paragraph.words


cdef int32_t _text_under(Outline page, const Work* work, int32_t title) noexcept nogil:
    """The smallest element around the title that has some kept prose; NO_ELEMENT for none."""
    cdef int32_t element, words, k
    if title < 0:
        return NO_ELEMENT
    element = page.paragraph[title].owner
    while element >= 0:
        words = 0
        for k in range(title, min(page.node[element].end_paragraph, title + 60)):
            if work.kind[k] == CONTENT and is_prose(&page.paragraph[k]):
                words += page.paragraph[k].words
        if words >= SOME_PROSE:
            return element
        element = page.node[element].up
    return NO_ELEMENT


cdef void _drop_link_lists(Outline page, Work* work, int32_t title) noexcept nogil:
    """Drop long runs of paragraphs that are nothing but links, where the page has text.

    That is, all where there are at most two words of links for one of prose; others, where there is prose under the
    title, outside of the smallest element that holds both. A page that says of itself what it is may well be a list:
    there, runs are dropped only where the words of prose are twice those of links.
    """
    cdef Py_ssize_t i, k, start = -1
    cdef int32_t prose = 0, links = 0, text = NO_ELEMENT if work.tells else _text_under(page, work, title)
    cdef Py_ssize_t first = page.count, stop = 0
    cdef bint fewer
    if text >= 0:
        first, stop = page.node[text].first_paragraph, page.node[text].end_paragraph
    for i in range(page.count):
        if work.kind[i] == CONTENT:
            if is_prose(&page.paragraph[i]):
                prose += page.paragraph[i].words
            elif _is_link(&page.paragraph[i]):
                links += page.paragraph[i].words
    fewer = prose >= SOME_PROSE and (2 * links <= prose if work.tells else links <= 2 * prose)
    if not fewer and text < 0:
        return
    for i in range(page.count + 1):
        if i < page.count and (work.kind[i] != CONTENT or _is_link(&page.paragraph[i])):
            if start < 0:
                start = i
            continue
        if start >= 0 and i - start >= LINKS_IN_A_ROW:
            for k in range(start, i):
                if work.kind[k] == CONTENT and (fewer or k < first or k >= stop):
                    work.kind[k] = BOILERPLATE
                    work.reason[k] = WHY_LINKS
        start = -1


cdef void _drop_sides(Outline page, Work* work, int32_t title) noexcept nogil:
    """Leave out what is in elements that are called sidebars, where there is a text outside of them."""
    cdef Py_ssize_t i
    cdef int32_t inside = 0, outside = 0
    for i in range(page.count):
        if work.kind[i] == CONTENT:
            if work.under[page.paragraph[i].element] & UNDER_SIDE:
                inside += page.paragraph[i].words
            else:
                outside += page.paragraph[i].words
    if inside == 0 or (inside > MUCH_TEXT and inside > 5 * outside):
        return
    if outside < FEW_WORDS and not find_post(page, work, title, UNDER_COMMENT | UNDER_SIDE):
        return
    for i in range(page.count):
        if work.kind[i] == CONTENT and work.under[page.paragraph[i].element] & UNDER_SIDE:
            work.kind[i] = BOILERPLATE
            work.reason[i] = WHY_SIDE


cdef void _drop_after_end(Outline page, Work* work, int32_t title) noexcept nogil:
    """Leave out what follows a heading that leads elsewhere, such as "Related articles".

    That is where at least half of what was kept is prose between the title and this heading. Prose after it stays that
    looks as what came before it does: the text goes on there.
    """
    cdef Py_ssize_t i, end = -1
    cdef int32_t words = 0, prose = 0
    cdef Paragraph* paragraph
    if title < 0:
        return
    for i in range(page.count):
        if work.kind[i] == CONTENT:
            words += page.paragraph[i].words
    for i in range(page.count):
        paragraph = &page.paragraph[i]
        if end < 0 and i > title and prose >= ENOUGH_BEFORE and 2 * prose >= words and ends_text(page, paragraph):
            end = i
        if work.kind[i] != CONTENT:
            continue
        if end < 0:
            prose += paragraph.words if is_prose(paragraph) else 0
        elif not is_prose(paragraph) or page.alike.row[paragraph.path_class].first >= end:
            work.kind[i] = BOILERPLATE
            work.reason[i] = WHY_AFTER_END


cdef void _part_comments(Outline page, Work* work, int32_t title) noexcept nogil:
    """Tell comments from content. Where the posts are all that there is, as on a forum, they are the content."""
    cdef Py_ssize_t i
    cdef int32_t kept = 0, in_comments = 0
    cdef Paragraph* paragraph
    for i in range(page.count):
        if work.kind[i] == CONTENT:
            kept += page.paragraph[i].words
            if work.under[page.paragraph[i].element] & UNDER_COMMENT:
                in_comments += page.paragraph[i].words
    if kept - in_comments < FEW_WORDS and in_comments > 2 * FEW_WORDS and not find_post(page, work, title, UNDER_COMMENT):
        return
    for i in range(page.count):
        paragraph = &page.paragraph[i]
        if not work.under[paragraph.element] & UNDER_COMMENT:
            continue
        if work.kind[i] == CONTENT or (is_plain(page, paragraph) and paragraph.words >= COMMENT_WORDS):
            work.kind[i] = COMMENT
            work.reason[i] = WHY_COMMENT
        else:
            work.kind[i] = BOILERPLATE
            work.reason[i] = WHY_ABOUT_COMMENT


cdef void _leave_out_repeats(Outline page, Work* work, int32_t* said) noexcept nogil:
    """Of paragraphs that say the same at some length, keep the first.

    What is said again beside it, in an element of the same kind, is meant, as a chorus is; what pages carry twice for
    different screens stands elsewhere. `said` has room for a number by text, and is zero.
    """
    cdef int32_t i, before
    cdef Paragraph* paragraph
    for i in range(<int32_t>page.count):
        paragraph = &page.paragraph[i]
        if work.kind[i] == BOILERPLATE or paragraph.words < REPEATED_WORDS:
            continue
        before = said[paragraph.text] - 1
        said[paragraph.text] = i + 1
        if before >= 0 and (paragraph.path_class != page.paragraph[before].path_class
                            or page.parent[paragraph.owner] != page.parent[page.paragraph[before].owner]):
            work.kind[i] = BOILERPLATE
            work.reason[i] = WHY_REPEATED


cdef void _decide(Outline page, Work* work, int32_t* room, const double* first, bint deduplicate) noexcept nogil:
    cdef Py_ssize_t i
    cdef bint any_kept = False
    cdef int32_t title = _find_title(page)
    read_names(page, work.under, title)
    for i in range(page.count):
        work.kind[i] = CONTENT if work.score[i] >= work.threshold else BOILERPLATE
        work.reason[i] = 2 * work.kind[i] + (first[i] >= work.threshold)
        any_kept = any_kept or work.kind[i] == CONTENT
    if not any_kept:
        keep_plain(page, work, LONG_PARAGRAPH) or keep_plain(page, work, 1)
    _drop_link_lists(page, work, title)
    _drop_sides(page, work, title)
    _drop_after_end(page, work, title)
    keep_alike(page, work, room, room + page.alike.count)
    keep_lead(page, work, title)
    fill_holes(page, work)
    keep_table_heads(page, work)
    _part_comments(page, work, title)
    for i in range(page.count):
        if work.kind[i] == CONTENT and work.under[page.paragraph[i].element] & UNDER_CAPTION:
            work.kind[i] = CAPTION
            work.reason[i] = WHY_CAPTION
    if deduplicate:
        _leave_out_repeats(page, work, room + 2 * page.alike.count)
    if title >= 0 and work.kind[title] != COMMENT:
        work.kind[title] = TITLE
        work.reason[title] = WHY_TITLE


def decide(Outline page, const double[::1] first, const double[::1] score, double threshold, *, bint tells=False,
           bint deduplicate=True):
    """What each paragraph is taken for, and why: numbers of `webstrata.extraction.base.Kind` and into `REASONS`.

    Parameters
    ----------
    first, score : the chances of content after the first pass and after the second
    threshold : the chance from which a paragraph is content
    tells : whether the page says of itself what it is, in words that the model knows
    deduplicate : leave out what was said before, word for word
    """
    cdef Py_ssize_t n = page.count
    cdef bint fine = True
    if first.shape[0] != n or score.shape[0] != n:
        raise ValueError(f"there are {n} paragraphs, {first.shape[0]} and {score.shape[0]} scores")
    kinds, reasons = np.zeros(n, np.uint8), np.zeros(n, np.uint8)
    cdef uint8_t[::1] kind = kinds
    cdef uint8_t[::1] reason = reasons
    if n:
        with nogil:
            fine = take(page, &first[0], &score[0], threshold, tells, deduplicate, &kind[0], &reason[0])
    if not fine:
        raise MemoryError
    return kinds, reasons


cdef bint take(Outline page, const double* first, const double* score, double threshold, bint tells, bint deduplicate,
               uint8_t* kind, uint8_t* reason) noexcept nogil:
    """Fill in what each paragraph is taken for, and why, as `decide` does; False when memory ran out."""
    cdef Work work
    cdef int32_t* room
    cdef bint fine
    if page.count == 0:
        return True
    room = <int32_t*>calloc(3 * page.alike.count + 1, sizeof(int32_t))
    work.under = <uint8_t*>calloc(page.elements + 1, 1)
    work.kind, work.reason, work.score = kind, reason, score
    work.threshold, work.tells = threshold, tells
    fine = work.under != NULL and room != NULL
    if fine:
        _decide(page, &work, room, first, deduplicate)
    free(work.under)
    free(room)
    return fine
