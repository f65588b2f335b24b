# cython: language_level=3
"""Finding the candidates of a page: one pass over its elements and one over its text, linear in the size of the page.

A candidate is an element with visible text. Elements with the same range of visible text are nested, and are one
candidate with an outermost and an innermost element. A link inside of a block is no candidate: a segment is a range of
blocks.
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from webstrata._scan.columns cimport Columns
from webstrata._scan.rows cimport (
    B_FLAGS, B_TEXT_START, B_TEXT_STOP, CLONED, E_DEPTH, E_END_BLOCK, E_FIRST_BLOCK, E_FLAGS, E_OPEN_STOP, E_PARENT,
    E_SOURCE_START, E_TAG, HIDDEN, IMPLIED, L_ELEMENT, L_TEXT_START, L_TEXT_STOP, Table, ints, octets, shorts,
)
from webstrata._scan.tags cimport *
from webstrata.segmentation.learned.names cimport names_of

import numpy as np

from webstrata._scan.tags import TAGS

cdef enum:
    LONG_WORDS = 12          # a block with fewer words may be a label
    HEADING_BIT = 4          # the lowest bit of the level of a heading in the flags of a block


# By the number of a tag, the index of its count in `Tags`; the last one counts all others.
cdef uint8_t[256] _COUNTED_AS
# By the number of a tag, its bit in the marks of a candidate.
cdef uint32_t[256] _MARK_OF


def _fill():
    kinds = (
        "a", "img picture svg", "object embed iframe video audio canvas", "input button select textarea",
        "h1 h2 h3 h4 h5 h6", "ul ol dl", "li dt dd", "p", "table", "td th", "div section article", "br hr",
    )
    memset(_COUNTED_AS, len(kinds), sizeof(_COUNTED_AS))
    for number, names in enumerate(kinds):
        for name in names.split():
            _COUNTED_AS[TAGS.index(name)] = number


    for tag, mark in ((HEADER, MARK_HEADER), (NAV, MARK_NAV), (MAIN, MARK_MAIN), (ASIDE, MARK_ASIDE), (FOOTER, MARK_FOOTER),
                      (ARTICLE, MARK_ARTICLE), (SECTION, MARK_SECTION), (FORM, MARK_FORM), (SEARCH, MARK_SEARCH),
                      (TABLE, MARK_TABLE), (FIGURE, MARK_FIGURE), (FIGCAPTION, MARK_CAPTION),
                      (DIALOG, MARK_DIALOG), (H1, MARK_H1), (VIDEO, MARK_VIDEO)):
        _MARK_OF[tag] = mark


_fill()


cdef class Candidates:
    """The candidates of a page in document order: an outer one comes before those inside of it.

    Where a page shows no word at all, such as before its scripts have run, hidden blocks count as shown.

    >>> from webstrata.page import parse
    >>> found = Candidates(parse("<div><div><p>one</div></div><p>two"))
    >>> found.ranges().tolist(), found.elements_of().tolist()
    ([[0, 2], [0, 1], [1, 2]], [[0, 1], [3, 5], [6, 6]])
    """

    def __init__(self, page):
        cdef Columns block_columns = page.blocks.columns, counts = page.blocks.counts, link_columns = page.blocks.links
        cdef Columns element_columns = page.elements.columns
        cdef Table* blocks = &block_columns.table
        cdef Table* elements = &element_columns.table
        cdef const int32_t* first_block = ints(elements, E_FIRST_BLOCK)
        cdef const int32_t* end_block = ints(elements, E_END_BLOCK)
        cdef const uint8_t* flags = octets(elements, E_FLAGS)
        cdef const int32_t* source_start = ints(elements, E_SOURCE_START)
        cdef const int32_t* open_stop = ints(elements, E_OPEN_STOP)
        cdef const int32_t* words = ints(&counts.table, 0)
        cdef const int32_t* link_words = ints(&counts.table, 1)
        cdef const int32_t* lines = ints(&counts.table, 2)
        cdef const int32_t* wrapped_words = ints(&counts.table, 3)
        cdef const int32_t* text_start = ints(blocks, B_TEXT_START)
        cdef const int32_t* text_stop = ints(blocks, B_TEXT_STOP)
        cdef const int32_t* link = ints(&link_columns.table, L_ELEMENT)
        cdef const int32_t* link_start = ints(&link_columns.table, L_TEXT_START)
        cdef const int32_t* link_stop = ints(&link_columns.table, L_TEXT_STOP)
        cdef Py_ssize_t n = blocks.rows, m = elements.rows, i
        cdef str text = page.text
        cdef bytes source = page.source
        cdef const uint8_t* start_tags = source
        cdef const void* data = PyUnicode_DATA(text)
        cdef int kind = PyUnicode_KIND(text)
        cdef Texts* sums
        self.page = page
        self.tag, self.depth = octets(elements, E_TAG), shorts(elements, E_DEPTH)
        self.block_flags = octets(blocks, B_FLAGS)
        self.elements = m
        self.source, self.source_start, self.open_stop = start_tags, source_start, open_stop
        self.texts = <Texts*>calloc(n + 1, sizeof(Texts))
        self.tags = <Tags*>calloc(m + 1, sizeof(Tags))
        self.row = <Candidate*>malloc((m + 1) * sizeof(Candidate))
        cdef int32_t* next_shown = <int32_t*>malloc((n + 1) * sizeof(int32_t))
        cdef int32_t* last_shown = <int32_t*>malloc((n + 1) * sizeof(int32_t))
        cdef int32_t* of = <int32_t*>malloc((m + 1) * sizeof(int32_t))
        cdef uint8_t* is_whole = <uint8_t*>calloc(m + 1, sizeof(uint8_t))
        try:
            if (self.texts == NULL or self.tags == NULL or self.row == NULL or next_shown == NULL
                    or last_shown == NULL or of == NULL or is_whole == NULL):
                raise MemoryError
            with nogil:
                self.unseen = HIDDEN if _shows_words(self.block_flags, words, n) else 0
                for i in range(n):
                    sums = &self.texts[i + 1]
                    sums[0] = self.texts[i]
                    if self.block_flags[i] & self.unseen:
                        continue
                    sums.blocks += 1
                    sums.words += words[i]
                    sums.link_words += link_words[i]
                    sums.lines += lines[i]
                    sums.wrapped_words += wrapped_words[i]
                    sums.chars += text_stop[i] - text_start[i]
                    sums.headings += self.block_flags[i] >> HEADING_BIT > 0
                    sums.long_blocks += words[i] >= LONG_WORDS
                    if kind == 1:
                        _count_letters(<const uint8_t*>data, text_start[i], text_stop[i], sums)
                    elif kind == 2:
                        _count_letters(<const uint16_t*>data, text_start[i], text_stop[i], sums)
                    else:
                        _count_letters(<const uint32_t*>data, text_start[i], text_stop[i], sums)
                _mark_shown(self.block_flags, self.unseen, n, next_shown, last_shown)
                for i in range(m):
                    self.tags[i + 1] = self.tags[i]
                    (<int32_t*>&self.tags[i + 1])[_COUNTED_AS[self.tag[i]]] += 1
                for i in range(link_columns.table.rows):
                    is_whole[link[i]] = (
                        first_block[link[i]] < end_block[link[i]]
                        and link_start[i] <= text_start[first_block[link[i]]]
                        and link_stop[i] >= text_stop[end_block[link[i]] - 1])
                self.count = _find(self, ints(elements, E_PARENT), first_block, end_block, next_shown, last_shown,
                                   is_whole, of)
                for i in range(m):
                    if of[i] >= 0:
                        self.row[of[i]].marks |= _MARK_OF[self.tag[i]]
                    if of[i] >= 0 and not flags[i] & (IMPLIED | CLONED) and _has_useful_name(self.tag[i]):
                        self.row[of[i]].names |= names_of(start_tags, source_start[i], open_stop[i])
                _relate(self)
        finally:
            free(next_shown)
            free(last_shown)
            free(of)
            free(is_whole)

    def __dealloc__(self):
        free(self.texts)
        free(self.tags)
        free(self.row)

    def __len__(self):
        return self.count

    @property
    def shows_nothing(self):
        """Whether the page shows no word, so that hidden blocks are candidates."""
        return self.unseen == 0

    def ranges(self):
        """The first block of each candidate, and the one after its last."""
        cdef Py_ssize_t i
        found = np.empty((self.count, 2), np.int32)
        cdef int32_t[:, ::1] out = found
        for i in range(self.count):
            out[i, 0], out[i, 1] = self.row[i].start, self.row[i].stop
        return found

    def elements_of(self):
        """The outermost and the innermost element of each candidate."""
        cdef Py_ssize_t i
        found = np.empty((self.count, 2), np.int32)
        cdef int32_t[:, ::1] out = found
        for i in range(self.count):
            out[i, 0], out[i, 1] = self.row[i].top, self.row[i].low
        return found

    def sizeable(self):
        """The numbers of the candidates that are not tiny.

        A tiny one has no other inside, does not begin with a heading, and has less than 0.3 % of the characters of the
        page. Tiny ones are more than half of the candidates of a long page, and hardly ever a segment.
        """
        cdef Py_ssize_t i, count = 0
        cdef Candidate* own
        found = np.empty(self.count, np.int32)
        cdef int32_t[::1] out = found
        for i in range(self.count):
            own = &self.row[i]
            if (own.children or 1000 * <long long>chars(self, i) >= 3 * <long long>chars(self, 0)
                    or self.block_flags[own.start] >> HEADING_BIT):
                out[count] = <int32_t>i
                count += 1
        return found[:count]


ctypedef fused Letter:
    const uint8_t
    const uint16_t
    const uint32_t


cdef void _count_letters(Letter* text, int32_t start, int32_t stop, Texts* sums) noexcept nogil:
    # Without branches, so that compilers can vectorise the loop.
    cdef int32_t at, capitals = 0, digits = 0, stops = 0, commas = 0
    cdef uint32_t c
    for at in range(start, stop):
        c = text[at]
        capitals += c - 65 < 26
        digits += c - 48 < 10
        stops += (c == 46) | (c == 33) | (c == 63)
        commas += c == 44
    sums.capitals += capitals
    sums.digits += digits
    sums.stops += stops
    sums.commas += commas


cdef bint _shows_words(const uint8_t* flags, const int32_t* words, Py_ssize_t n) noexcept nogil:
    """Whether a page shows a word, or has none at all."""
    cdef Py_ssize_t i
    cdef bint hidden = False
    for i in range(n):
        if words[i] and not flags[i] & HIDDEN:
            return True
        hidden |= words[i] > 0
    return not hidden


cdef inline bint _has_useful_name(uint8_t tag) noexcept nogil:
    """The names of other elements add little, and reading them would take longer than all the rest."""
    return not TRAITS[tag] & INLINE and tag != LI and tag != P and tag != TR


cdef void _mark_shown(const uint8_t* flags, uint8_t unseen, Py_ssize_t n, int32_t* next_shown,
                      int32_t* last_shown) noexcept nogil:
    """For each boundary between blocks, the next visible block, and the end of the last visible one before."""
    cdef Py_ssize_t i
    last_shown[0] = 0
    for i in range(n):
        last_shown[i + 1] = last_shown[i] if flags[i] & unseen else <int32_t>i + 1
    next_shown[n] = <int32_t>n
    for i in range(n - 1, -1, -1):
        next_shown[i] = next_shown[i + 1] if flags[i] & unseen else <int32_t>i


cdef Py_ssize_t _find(Candidates self, const int32_t* parent, const int32_t* first_block, const int32_t* end_block,
                      const int32_t* next_shown, const int32_t* last_shown, const uint8_t* is_whole,
                      int32_t* of) noexcept nogil:
    """Make the candidates; returns their number.

    `of` gets the candidate of each element, or -2 minus that of the nearest element around it.
    """
    cdef Py_ssize_t row, count = 0
    cdef int32_t start, stop, up
    cdef Candidate* found
    for row in range(self.elements):
        up = NONE
        if parent[row] >= 0:
            up = of[parent[row]] if of[parent[row]] >= 0 else -2 - of[parent[row]]
        start, stop = next_shown[first_block[row]], last_shown[end_block[row]]
        if stop <= start or (self.tag[row] == A and not is_whole[row]):
            of[row] = -2 - up
            continue
        if up >= 0 and self.row[up].start == start and self.row[up].stop == stop:
            of[row] = up
            self.row[up].low = <int32_t>row
            self.row[up].merged += 1
            continue
        if count and self.row[count - 1].start == start and self.row[count - 1].stop == stop:
            of[row] = <int32_t>count - 1     # a block continues in a formatting element that was opened again
            continue
        of[row] = <int32_t>count
        found = &self.row[count]
        found.top = found.low = <int32_t>row
        found.merged = 1
        found.start, found.stop = start, stop
        found.up = up
        found.level = self.row[up].level + 1 if up >= 0 else 0
        found.names = found.names_above = found.marks = found.marks_above = 0
        found.children = found.small_children = 0
        found.first_child = found.last_child = found.largest_child = found.second_child = NONE
        found.before = found.after = NONE
        found.ordinal = 0
        found.deepest = self.depth[row]
        found.end_row = <int32_t>row + 1
        count += 1
    # From the last element to the first, since inner ones come later.
    for row in range(self.elements - 1, -1, -1):
        up = of[row] if of[row] >= 0 else -2 - of[row]
        if up >= 0:
            found = &self.row[up]
            found.end_row = max(found.end_row, <int32_t>row + 1)
            found.deepest = max(found.deepest, <int32_t>self.depth[row])
    for row in range(count - 1, 0, -1):
        up = self.row[row].up
        if up >= 0:
            self.row[up].end_row = max(self.row[up].end_row, self.row[row].end_row)
            self.row[up].deepest = max(self.row[up].deepest, self.row[row].deepest)
    return count


cdef void _relate(Candidates self) noexcept nogil:
    """Link parents, children and siblings."""
    cdef Py_ssize_t i
    cdef Candidate* own
    cdef Candidate* above
    cdef int32_t size
    for i in range(self.count):
        own = &self.row[i]
        if own.up < 0:
            continue
        above = &self.row[own.up]
        own.names_above = above.names_above | above.names
        own.marks_above = above.marks_above | above.marks
        own.ordinal = above.children
        above.children += 1
        own.before = above.last_child
        if above.last_child >= 0:
            self.row[above.last_child].after = <int32_t>i
        else:
            above.first_child = <int32_t>i
        above.last_child = <int32_t>i
        size = chars(self, i)
        above.small_children += 10 * size < chars(self, own.up)
        if above.largest_child < 0 or size > chars(self, above.largest_child):
            above.second_child = above.largest_child
            above.largest_child = <int32_t>i
        elif above.second_child < 0 or size > chars(self, above.second_child):
            above.second_child = <int32_t>i
