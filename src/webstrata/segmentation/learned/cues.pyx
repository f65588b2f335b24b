# cython: language_level=3
"""What a candidate is, as far as its tags and the words in its classes, ids and roles show it.

The chances are the shares of right kinds among the marked pages of the training half of ``marked-pages``, rounded.
"""

from libc.stdint cimport int32_t, uint32_t

from webstrata.segmentation.learned.candidates cimport (
    MARK_ARTICLE, MARK_ASIDE, MARK_CAPTION, MARK_DIALOG, MARK_FIGURE, MARK_FOOTER, MARK_FORM, MARK_H1, MARK_HEADER,
    MARK_MAIN, MARK_NAV, MARK_SEARCH, MARK_SECTION, MARK_TABLE, MARK_VIDEO, NONE, Candidate, Candidates,
)
from webstrata.segmentation.learned.kinds cimport (
    K_AD, K_ARTICLE, K_COMMENTS, K_CONTENT, K_FOOTER, K_FORM, K_HEADER, K_IMAGE, K_LINKLIST, K_MENU, K_OVERLAY, K_SEARCHBAR,
    K_SIDEBAR, K_TABLE, K_VIDEO, UNKNOWN,
)
from webstrata.segmentation.learned.names cimport (
    NAMED_AD, NAMED_COMMENT, NAMED_CONTENTS, NAMED_FOOTER, NAMED_FORM, NAMED_HEADER, NAMED_MENU, NAMED_OVERLAY,
    NAMED_PAGES, NAMED_RELATED, NAMED_REVIEWS, NAMED_SEARCH, NAMED_SIDEBAR, NAMED_TAGS,
)


cdef int32_t words(Candidates self, Py_ssize_t i) noexcept nogil:
    """The words of a candidate."""
    return self.texts[self.row[i].stop].words - self.texts[self.row[i].start].words


cdef double link_density(Candidates self, int32_t start, int32_t stop) noexcept nogil:
    """The share of linked words of a range of blocks."""
    cdef int32_t all_words = self.texts[stop].words - self.texts[start].words
    return <double>(self.texts[stop].link_words - self.texts[start].link_words) / all_words if all_words else 0


cdef inline int32_t _controls(Candidates self, Py_ssize_t i) noexcept nogil:
    return self.tags[self.row[i].end_row].controls - self.tags[self.row[i].top].controls


cdef inline int32_t _cells(Candidates self, Py_ssize_t i) noexcept nogil:
    return self.tags[self.row[i].end_row].cells - self.tags[self.row[i].top].cells


cdef inline int32_t _links(Candidates self, Py_ssize_t i) noexcept nogil:
    return self.tags[self.row[i].end_row].links - self.tags[self.row[i].top].links


cdef bint _is_overlay(Candidates self, Py_ssize_t i) noexcept nogil:
    """A dialog, or a notice about cookies: at most a quarter of the page, and no article."""
    cdef const Candidate* own = &self.row[i]
    return ((own.marks & MARK_DIALOG or own.names & NAMED_OVERLAY)
            and not (own.marks | own.marks_above) & (MARK_MAIN | MARK_ARTICLE | MARK_NAV)
            and 4 * words(self, i) <= words(self, 0))


cdef int32_t landmark(Candidates self, Py_ssize_t i) noexcept nogil:
    """The kind of a part of the whole page, by its tag or its name; UNKNOWN for other candidates."""
    cdef const Candidate* own = &self.row[i]
    cdef uint32_t inside = own.marks | own.marks_above
    cdef int32_t page = words(self, 0), before = self.texts[own.start].words, own_words = words(self, i)
    if own.up < 0:
        return UNKNOWN
    if _is_overlay(self, i):
        return K_OVERLAY
    if own.marks & MARK_MAIN:
        return K_CONTENT
    if own.marks_above & MARK_ARTICLE or own.marks & MARK_ARTICLE:
        return UNKNOWN
    if own.marks & MARK_ASIDE or (own.names & NAMED_SIDEBAR and own.start > 0 and 2 * own_words < page):
        return K_SIDEBAR
    if inside & (MARK_MAIN | MARK_SECTION):
        return UNKNOWN
    if own.marks & MARK_FOOTER:
        return K_FOOTER
    if own.marks & MARK_HEADER:
        return K_HEADER
    if own.marks & MARK_NAV:
        return K_MENU
    if own.names & NAMED_FOOTER and 2 * before > page and 2 * own_words < page:
        return K_FOOTER
    if (own.names & NAMED_HEADER and 5 * before < page and 2 * own_words < page
            and 2 * link_density(self, own.start, own.stop) > 1):
        return K_HEADER
    return UNKNOWN


cdef int32_t kind_by_cues(Candidates self, Py_ssize_t i, float* chance) noexcept nogil:
    """The kind that tags and names show, with its chance; UNKNOWN where they show none."""
    cdef const Candidate* own = &self.row[i]
    cdef int32_t kind = landmark(self, i), own_words = words(self, i), page = words(self, 0)
    chance[0] = 0.9
    if kind != UNKNOWN:
        return kind
    if 10 * own_words > 9 * page:
        return UNKNOWN
    if own.marks & MARK_SEARCH or (own.names & NAMED_SEARCH and own_words <= 30 and _controls(self, i)):
        return K_SEARCHBAR
    if own.marks & MARK_NAV:
        return K_MENU
    if (own.names & (NAMED_COMMENT | NAMED_REVIEWS) and not own.names_above & (NAMED_COMMENT | NAMED_REVIEWS)
            and own_words >= 12):
        return K_COMMENTS
    if own.marks & MARK_TABLE and _cells(self, i) >= 6 and 2 * link_density(self, own.start, own.stop) < 1:
        return K_TABLE
    if own.marks & (MARK_FIGURE | MARK_CAPTION):
        return K_IMAGE if own_words <= 80 else UNKNOWN
    if own.marks & MARK_VIDEO:
        return K_VIDEO
    chance[0] = 0.7
    if own.marks & MARK_ARTICLE and not own.marks_above & MARK_ARTICLE and 4 * own_words > page:
        return K_ARTICLE
    if (own.marks & MARK_FORM or own.names & NAMED_FORM) and own_words <= 200 and _controls(self, i):
        return K_FORM
    if own.names & NAMED_AD and own_words <= 60:
        return K_AD
    if own.names & (NAMED_PAGES | NAMED_CONTENTS) and link_density(self, own.start, own.stop) > 0.4:
        return K_MENU
    if own.names & NAMED_MENU and link_density(self, own.start, own.stop) > 0.7 and _links(self, i) > 1:
        return K_MENU
    if own.names & (NAMED_RELATED | NAMED_TAGS) and link_density(self, own.start, own.stop) > 0.4 and _links(self, i) > 1:
        return K_LINKLIST
    return UNKNOWN


cdef int32_t title_of(Candidates self) noexcept nogil:
    """The first h1, or the first outside of a page header if there are several; NONE if there is none."""
    cdef Py_ssize_t i
    cdef int32_t first = NONE
    for i in range(self.count):
        if self.row[i].marks & MARK_H1 and words(self, i):
            if link_density(self, self.row[i].start, self.row[i].stop) < 1:
                return <int32_t>i
            if first == NONE:
                first = <int32_t>i
    return first
