# cython: language_level=3
"""Rules that leave out paragraphs which their scores alone would keep, or that give them another kind.

Each rule is a step of `webstrata.extraction.learned.decision`; `keep_rules` defines what is prose and what is plain.
"""

from libc.stdint cimport int32_t

from webstrata.extraction.learned.element_names cimport ends_text
from webstrata.extraction.learned.keep_rules cimport find_post, is_plain, is_prose
from webstrata.extraction.learned.page_features cimport NO_ELEMENT, PageFeatures
from webstrata.extraction.learned.paragraph_features cimport ParagraphFeatures
from webstrata.extraction.learned.reasons cimport (
    BOILERPLATE, CAPTION, COMMENT, CONTENT, TITLE, UNDER_CAPTION, UNDER_COMMENT, UNDER_SIDE, WHY_ABOUT_COMMENT,
    WHY_AFTER_END, WHY_CAPTION, WHY_COMMENT, WHY_LINKS, WHY_REPEATED, WHY_SIDE, WHY_TITLE, Decision, set_kind,
)
from webstrata.extraction.learned.wholes cimport end_of_whole

cdef enum:
    # Chosen on the development pages of six data sets; none of them moves a score by more than .005.
    REPEATED_WORDS = 8           # a shorter text may be repeated on purpose
    MOSTLY_COPIED = 50           # percent of the kept words of an element; with fewer it has a text of its own
    NO_PARAGRAPH = -1
    FEW_WORDS = 25               # a page with fewer has no text
    COMMENT_WORDS = 4            # a shorter paragraph of a comment is a name, a date or a button
    FEW_RUNS = 4                 # of comments with text between them; with more, they are part of the text
    LINKS_IN_A_ROW = 6           # make a list
    SOME_PROSE = 40              # words: a page with more has text
    TITLE_REACH = 60             # paragraphs after the title in which its text is searched
    ENOUGH_BEFORE = 60           # words of prose before a heading that may end the text
    MUCH_TEXT = 500              # words; an element with more is no sidebar unless the text beside it is long too


cdef int32_t find_title(PageFeatures page) noexcept nogil:
    """The paragraph with the title of the page, by preference a heading, and the first with most of it; -1 for none."""
    cdef Py_ssize_t i
    cdef int32_t best = -1
    cdef double value, most = 0
    cdef ParagraphFeatures* paragraph
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


cdef inline bint _is_link(const ParagraphFeatures* paragraph) noexcept nogil:
    return paragraph.words > 0 and 10 * paragraph.link_words >= 9 * paragraph.words


cdef int32_t _text_under_title(PageFeatures page, const Decision* decision) noexcept nogil:
    """The smallest element around the title with some kept prose after it; NO_ELEMENT for none."""
    cdef int32_t element, words, k, title = decision.title
    if title < 0:
        return NO_ELEMENT
    element = page.paragraph[title].owner
    while element >= 0:
        words = 0
        for k in range(title, min(page.node[element].end_paragraph, title + TITLE_REACH)):
            if decision.kind[k] == CONTENT and is_prose(&page.paragraph[k]):
                words += page.paragraph[k].words
        if words >= SOME_PROSE:
            return element
        element = page.node[element].up
    return NO_ELEMENT


cdef void drop_link_lists(PageFeatures page, Decision* decision) noexcept nogil:
    """Leave out long runs of paragraphs of links only, on a page with text.

    All such runs are dropped where there are at most two words of links for one of prose. Elsewhere, if there is prose
    under the title, those outside of the smallest element with both are dropped. A page of a known type may well be a
    list: there, runs are dropped only where there are two words of prose for one of links.
    """
    cdef Py_ssize_t i, k, start = -1, first = page.count, stop = 0
    cdef int32_t prose = 0, links = 0, text = NO_ELEMENT
    cdef bint everywhere
    if not decision.type_is_known:
        text = _text_under_title(page, decision)
    if text >= 0:
        first, stop = page.node[text].first_paragraph, page.node[text].end_paragraph
    for i in range(page.count):
        if decision.kind[i] == CONTENT:
            if is_prose(&page.paragraph[i]):
                prose += page.paragraph[i].words
            elif _is_link(&page.paragraph[i]):
                links += page.paragraph[i].words
    everywhere = prose >= SOME_PROSE and (2 * links <= prose if decision.type_is_known else links <= 2 * prose)
    if not everywhere and text < 0:
        return
    for i in range(page.count + 1):
        if i < page.count and (decision.kind[i] != CONTENT or _is_link(&page.paragraph[i])):
            if start < 0:
                start = i
            continue
        if start >= 0 and i - start >= LINKS_IN_A_ROW:
            for k in range(start, i):
                if decision.kind[k] == CONTENT and (everywhere or k < first or k >= stop):
                    set_kind(decision, k, BOILERPLATE, WHY_LINKS)
        start = -1


cdef void drop_sidebars(PageFeatures page, Decision* decision) noexcept nogil:
    """Leave out elements that are called sidebars, where there is a text outside of them."""
    cdef Py_ssize_t i
    cdef int32_t inside = 0, outside = 0
    for i in range(page.count):
        if decision.kind[i] == CONTENT:
            if decision.under[page.paragraph[i].element] & UNDER_SIDE:
                inside += page.paragraph[i].words
            else:
                outside += page.paragraph[i].words
    if inside == 0 or (inside > MUCH_TEXT and inside > 5 * outside):
        return
    if outside < FEW_WORDS and not find_post(page, decision, UNDER_COMMENT | UNDER_SIDE):
        return
    for i in range(page.count):
        if decision.kind[i] == CONTENT and decision.under[page.paragraph[i].element] & UNDER_SIDE:
            set_kind(decision, i, BOILERPLATE, WHY_SIDE)


cdef void drop_after_end(PageFeatures page, Decision* decision) noexcept nogil:
    """Leave out what follows a heading that leads elsewhere, such as "Related articles".

    Only where at least half of the kept words are prose between the title and this heading. Prose after it is kept
    where it looks like prose before it: the text continues there.
    """
    cdef Py_ssize_t i, end = -1
    cdef int32_t words = 0, prose = 0
    cdef ParagraphFeatures* paragraph
    if decision.title < 0:
        return
    for i in range(page.count):
        if decision.kind[i] == CONTENT:
            words += page.paragraph[i].words
    for i in range(page.count):
        paragraph = &page.paragraph[i]
        if (end < 0 and i > decision.title and prose >= ENOUGH_BEFORE and 2 * prose >= words
                and ends_text(page, paragraph)):
            end = i
        if decision.kind[i] != CONTENT:
            continue
        if end < 0:
            prose += paragraph.words if is_prose(paragraph) else 0
        elif not is_prose(paragraph) or page.alike.row[paragraph.path_class].first >= end:
            set_kind(decision, i, BOILERPLATE, WHY_AFTER_END)


cdef bint _are_part_of_text(PageFeatures page, const Decision* decision) noexcept nogil:
    """Whether kept text stands between elements called comments, again and again.

    Readers' comments stand together. The reference of a program calls what it says of each function a comment.
    """
    cdef Py_ssize_t i
    cdef int32_t runs = 0, between = 0, words = 0
    for i in range(page.count):
        if decision.kind[i] != CONTENT:
            continue
        if not decision.under[page.paragraph[i].element] & UNDER_COMMENT:
            words += page.paragraph[i].words
        elif runs == 0 or words:
            between += words if runs else 0
            runs += 1
            words = 0
    return runs > FEW_RUNS and between >= FEW_WORDS


cdef void separate_comments(PageFeatures page, Decision* decision) noexcept nogil:
    """Mark comments. Where the posts are all there is, as in a forum, they stay content."""
    cdef Py_ssize_t i
    cdef int32_t kept = 0, in_comments = 0
    cdef ParagraphFeatures* paragraph
    for i in range(page.count):
        if decision.kind[i] == CONTENT:
            kept += page.paragraph[i].words
            if decision.under[page.paragraph[i].element] & UNDER_COMMENT:
                in_comments += page.paragraph[i].words
    if (kept - in_comments < FEW_WORDS and in_comments > 2 * FEW_WORDS
            and not find_post(page, decision, UNDER_COMMENT)):
        return
    if _are_part_of_text(page, decision):
        return
    for i in range(page.count):
        paragraph = &page.paragraph[i]
        if not decision.under[paragraph.element] & UNDER_COMMENT:
            continue
        if decision.kind[i] == CONTENT or (is_plain(page, paragraph) and paragraph.words >= COMMENT_WORDS):
            set_kind(decision, i, COMMENT, WHY_COMMENT)
        else:
            set_kind(decision, i, BOILERPLATE, WHY_ABOUT_COMMENT)


cdef void separate_captions(PageFeatures page, Decision* decision) noexcept nogil:
    """Mark the captions among the content."""
    cdef Py_ssize_t i
    for i in range(page.count):
        if decision.kind[i] == CONTENT and decision.under[page.paragraph[i].element] & UNDER_CAPTION:
            set_kind(decision, i, CAPTION, WHY_CAPTION)


cdef bint _is_copy(PageFeatures page, int32_t i, int32_t before) noexcept nogil:
    """Whether a longer paragraph, whose text is that of one before it, is a copy of that.

    A sibling of the same kind is none: it is repeated on purpose, as a chorus is.
    """
    cdef ParagraphFeatures* paragraph = &page.paragraph[i]
    return before >= 0 and paragraph.words >= REPEATED_WORDS and (
        paragraph.path_class != page.paragraph[before].path_class
        or page.parent[paragraph.owner] != page.parent[page.paragraph[before].owner])


cdef void _find_copies(PageFeatures page, Decision* decision) noexcept nogil:
    """Find the copies among the kept paragraphs, and count the words of kept paragraphs and of copies."""
    cdef int32_t i, before, words
    for i in range(page.count):
        decision.original[i] = NO_PARAGRAPH
        words = 0
        if decision.kind[i] != BOILERPLATE:
            words = page.paragraph[i].words
            before = decision.last_copy[page.paragraph[i].text] - 1
            decision.last_copy[page.paragraph[i].text] = i + 1
            if _is_copy(page, i, before):
                decision.original[i] = before
        decision.words_before[i + 1] = decision.words_before[i] + words
        decision.copied_before[i + 1] = decision.copied_before[i] + (words if decision.original[i] >= 0 else 0)


cdef bint _is_second_view(PageFeatures page, const Decision* decision, int32_t i) noexcept nogil:
    """Whether a paragraph is a copy in an element that says little else: the outermost one without the original.

    A sentence that is said again in a text of its own stays, as in the reference of a class or in a reply that quotes.
    """
    cdef int32_t original = decision.original[i]
    cdef int32_t element = page.paragraph[i].owner, up = element
    cdef int32_t first, end
    if original < 0:
        return False
    while up >= 0 and not page.node[up].first_paragraph <= original < page.node[up].end_paragraph:
        element = up
        up = page.node[up].up
    if element == up:
        return True
    first, end = page.node[element].first_paragraph, page.node[element].end_paragraph
    return 100 * (decision.copied_before[end] - decision.copied_before[first]) >= MOSTLY_COPIED * (
        decision.words_before[end] - decision.words_before[first])


cdef void drop_repeats(PageFeatures page, Decision* decision) noexcept nogil:
    """Of longer paragraphs with the same text, keep the first; leave out a structure if most of its words are copies.

    Pages often have the same text twice, for wide and for narrow screens.
    """
    cdef int32_t i, start = 0, end, words, copied
    _find_copies(page, decision)
    while start < page.count:
        end = end_of_whole(page, decision, start)
        words = copied = 0
        for i in range(start, end):
            if decision.kind[i] != BOILERPLATE:
                words += page.paragraph[i].words
                copied += page.paragraph[i].words if _is_second_view(page, decision, i) else 0
        for i in range(start, end):
            if decision.kind[i] != BOILERPLATE and 2 * copied > words:
                set_kind(decision, i, BOILERPLATE, WHY_REPEATED)
        start = end


cdef void separate_title(PageFeatures page, Decision* decision) noexcept nogil:
    """Mark the title, unless it is a comment."""
    if decision.title >= 0 and decision.kind[decision.title] != COMMENT:
        set_kind(decision, decision.title, TITLE, WHY_TITLE)
