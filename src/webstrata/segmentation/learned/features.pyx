# cython: language_level=3
"""The features of a candidate: its text, the elements inside and around it, its names, and the page.

Counts that grow with the page are cut off, so that a document longer than all in the training data is not classified by
its length.
"""

from libc.math cimport fabs, log1p
from libc.stdint cimport int32_t, uint8_t

from webstrata._scan.tags cimport *
from webstrata.models.features cimport FeatureRow, put, share
from webstrata.segmentation.learned.candidates cimport NONE, Candidate, Candidates, Tags, Texts, chars
from webstrata.segmentation.learned.names cimport NAMES, NAME_COLUMN

import numpy as np

from webstrata.errors import InputError

cdef enum:
    MANY = 40
    MANY_WORDS = 2000
    SIBLINGS = 40            # on either side that are compared with a candidate
    KINDS = 14               # of tags
    MOST_COLUMNS = 256
    HEADING_BIT = 4

# Kinds of similar tags.
cdef const char* _KIND[KINDS]
_KIND[:] = [b"other", b"division", b"section", b"table", b"row", b"cell", b"list", b"item", b"paragraph", b"heading", b"link",
            b"inline", b"form", b"body"]
cdef uint8_t[256] _kind_of


def _fill():
    for tag in range(TAG_COUNT):
        _kind_of[tag] = 11 if TRAITS[tag] & INLINE else 9 if TRAITS[tag] & HEADING else 0
    for kind, tags in enumerate((
        (), (DIV, CENTER), (SECTION, ARTICLE, ASIDE, HEADER, FOOTER, NAV, MAIN, SEARCH), (TABLE,), (TR, TBODY, THEAD, TFOOT),
        (TD, TH), (UL, OL, DL, MENU), (LI, DT, DD), (P, BLOCKQUOTE, PRE, ADDRESS), (), (A,), (SPAN, FONT),
        (FORM, FIELDSET), (BODY, HTML),
    )):
        for tag in tags:
            _kind_of[tag] = kind


_fill()


cdef inline int32_t _few(Py_ssize_t count) noexcept nogil:
    return <int32_t>min(count, <Py_ssize_t>MANY)


cdef Texts _texts(Candidates self, Py_ssize_t i) noexcept nogil:
    """The counts of a candidate's text."""
    cdef Texts found = self.texts[self.row[i].stop]
    cdef const Texts* before = &self.texts[self.row[i].start]
    found.blocks -= before.blocks
    found.chars -= before.chars
    found.words -= before.words
    found.link_words -= before.link_words
    found.lines -= before.lines
    found.wrapped_words -= before.wrapped_words
    found.headings -= before.headings
    found.long_blocks -= before.long_blocks
    found.digits -= before.digits
    found.capitals -= before.capitals
    found.stops -= before.stops
    found.commas -= before.commas
    return found


cdef Tags _tags(Candidates self, Py_ssize_t i) noexcept nogil:
    """The counts of the elements inside a candidate."""
    cdef Tags found = self.tags[self.row[i].end_row]
    cdef const Tags* before = &self.tags[self.row[i].low + 1]
    found.links -= before.links
    found.images -= before.images
    found.media -= before.media
    found.controls -= before.controls
    found.headings -= before.headings
    found.lists -= before.lists
    found.items -= before.items
    found.paragraphs -= before.paragraphs
    found.tables -= before.tables
    found.cells -= before.cells
    found.divisions -= before.divisions
    found.breaks -= before.breaks
    return found


cdef void _put_text(Candidates self, Py_ssize_t i, const Texts* own, FeatureRow* row) noexcept nogil:
    cdef const Texts* page = &self.texts[self.row[0].stop]
    cdef const Texts* before = &self.texts[self.row[i].start]
    cdef uint8_t first = self.block_flags[self.row[i].start]
    put(row, b"share of characters", share(own.chars, page.chars))
    put(row, b"share of words", share(own.words, page.words))
    put(row, b"share of link words", share(own.link_words, page.link_words))
    put(row, b"share of lines", share(own.lines, page.lines))
    put(row, b"share of blocks", share(own.blocks, page.blocks))
    put(row, b"words", min(own.words, MANY_WORDS))
    put(row, b"lines", min(own.lines, 300))
    put(row, b"blocks", min(own.blocks, 300))
    put(row, b"link density", share(own.link_words, own.words))
    put(row, b"text density", share(own.wrapped_words, own.lines))
    put(row, b"words a block", share(own.words, own.blocks))
    put(row, b"long blocks", _few(own.long_blocks))
    put(row, b"share of long blocks", share(own.long_blocks, own.blocks))
    put(row, b"heading blocks", _few(own.headings))
    put(row, b"level of the first heading", first >> HEADING_BIT)
    put(row, b"digits", share(own.digits, own.chars))
    put(row, b"capitals", share(own.capitals, own.chars))
    put(row, b"stops a word", share(own.stops, own.words))
    put(row, b"commas a word", share(own.commas, own.words))
    put(row, b"text before", share(before.chars, page.chars))
    put(row, b"text after", share(page.chars - before.chars - own.chars, page.chars))
    put(row, b"words before", min(before.words, MANY_WORDS))
    put(row, b"words after", min(page.words - before.words - own.words, MANY_WORDS))


cdef void _put_inside(Candidates self, Py_ssize_t i, const Texts* text, FeatureRow* row) noexcept nogil:
    cdef const Candidate* own = &self.row[i]
    cdef Tags tags = _tags(self, i)
    cdef const Tags* page = &self.tags[self.elements]
    cdef int32_t elements = own.end_row - own.low
    put(row, b"elements", min(elements, 500))
    put(row, b"share of elements", share(elements, self.elements))
    put(row, b"words an element", share(text.words, elements))
    put(row, b"height", own.deepest - self.depth[own.low])
    put(row, b"links", _few(tags.links))
    put(row, b"share of links", share(tags.links, page.links))
    put(row, b"words a link", share(text.link_words, tags.links))
    put(row, b"links a block", share(tags.links, text.blocks))
    put(row, b"images", _few(tags.images))
    put(row, b"share of images", share(tags.images, page.images))
    put(row, b"images a block", share(tags.images, text.blocks))
    put(row, b"media", _few(tags.media))
    put(row, b"controls", _few(tags.controls))
    put(row, b"share of controls", share(tags.controls, page.controls))
    put(row, b"headings", _few(tags.headings))
    put(row, b"share of headings", share(tags.headings, page.headings))
    put(row, b"lists", _few(tags.lists))
    put(row, b"items", _few(tags.items))
    put(row, b"paragraphs", _few(tags.paragraphs))
    put(row, b"share of paragraphs", share(tags.paragraphs, page.paragraphs))
    put(row, b"tables", _few(tags.tables))
    put(row, b"cells", _few(tags.cells))
    put(row, b"divisions", _few(tags.divisions))
    put(row, b"divisions an element", share(tags.divisions, elements))
    put(row, b"breaks", _few(tags.breaks))


cdef void _put_kind(const char* of, uint8_t tag, FeatureRow* row) noexcept nogil:
    cdef int k
    row.of = of
    for k in range(KINDS):
        put(row, _KIND[k], _kind_of[tag] == k)
    row.of = b""


cdef void _put_children(Candidates self, Py_ssize_t i, FeatureRow* row) noexcept nogil:
    cdef const Candidate* own = &self.row[i]
    cdef int32_t size = chars(self, i), child = own.first_child, covered = 0, linked = 0
    cdef int32_t[KINDS] count
    cdef int k, commonest = 0, headed = 0
    cdef Texts text
    for k in range(KINDS):
        count[k] = 0
    while child >= 0:
        count[_kind_of[self.tag[self.row[child].top]]] += 1
        covered += chars(self, child)
        text = _texts(self, child)
        linked += 2 * text.link_words > text.words
        headed += self.block_flags[self.row[child].start] >> HEADING_BIT > 0
        child = self.row[child].after
    for k in range(KINDS):
        if count[k] > count[commonest]:
            commonest = k
    put(row, b"children", _few(own.children))
    put(row, b"share of the largest child", share(chars(self, own.largest_child), size) if own.children else 0)
    put(row, b"share of the second child", share(chars(self, own.second_child), size) if own.children > 1 else 0)
    put(row, b"share of small children", share(own.small_children, own.children))
    put(row, b"small children", _few(own.small_children))
    put(row, b"characters outside of children", share(size - covered, size))
    put(row, b"share of link children", share(linked, own.children))
    put(row, b"share of headed children", share(headed, own.children))
    put(row, b"share of the commonest children", share(count[commonest], own.children))
    row.of = b"the commonest children"
    for k in range(KINDS):
        put(row, _KIND[k], own.children > 0 and commonest == k)
    row.of = b""


cdef void _put_sibling(Candidates self, Py_ssize_t i, int32_t other, const char* of, FeatureRow* row) noexcept nogil:
    cdef bint there = other != NONE
    cdef Texts text = _texts(self, other if there else i)
    row.of = of
    put(row, b"size beside its own", log1p(text.chars) - log1p(chars(self, i)) if there else -20)
    put(row, b"link density", share(text.link_words, text.words) if there else -1)
    put(row, b"same tag", self.tag[self.row[other].top] == self.tag[self.row[i].top] if there else -1)
    put(row, b"heading", self.block_flags[self.row[other].start] >> HEADING_BIT if there else -1)
    row.of = b""


cdef void _put_siblings(Candidates self, Py_ssize_t i, const Texts* text, FeatureRow* row) noexcept nogil:
    cdef const Candidate* own = &self.row[i]
    cdef const Candidate* above = &self.row[own.up if own.up >= 0 else i]
    cdef int32_t size = chars(self, i), largest = own.up, other, same = 0, alike = 0, looked = 0, seen, similar = 0
    cdef double density = share(text.link_words, text.words)
    cdef Texts found
    cdef int way
    for way in range(2):
        other = own.after if way else own.before
        for seen in range(SIBLINGS):
            if other < 0:
                break
            looked += 1
            if self.tag[self.row[other].top] == self.tag[own.top]:
                same += 1
                if 2 * chars(self, other) > size and chars(self, other) < 2 * size:
                    alike += 1
            found = _texts(self, other)
            similar += fabs(share(found.link_words, found.words) - density) < 0.25
            other = self.row[other].after if way else self.row[other].before
    if own.up >= 0:
        largest = above.second_child if above.largest_child == i else above.largest_child
    put(row, b"siblings", _few(above.children - 1) if own.up >= 0 else -1)
    put(row, b"ordinal", _few(own.ordinal))
    put(row, b"siblings after", _few(above.children - 1 - own.ordinal) if own.up >= 0 else 0)
    put(row, b"share of the parent", share(size, chars(self, own.up)) if own.up >= 0 else 1)
    put(row, b"largest sibling's share of the parent",
        share(chars(self, largest), chars(self, own.up)) if own.up >= 0 and largest >= 0 else 0)
    put(row, b"share of small siblings",
        share(above.small_children - (10 * size < chars(self, own.up)), above.children - 1) if own.up >= 0 else 0)
    put(row, b"share of siblings with its tag", share(same, looked))
    put(row, b"siblings with its tag", same)
    put(row, b"siblings with its tag and size", alike)
    put(row, b"share of siblings with its link density", share(similar, looked))
    _put_sibling(self, i, own.before, b"the sibling before", row)
    _put_sibling(self, i, own.after, b"the sibling after", row)


cdef void _put_above(Candidates self, Py_ssize_t i, FeatureRow* row) noexcept nogil:
    cdef const Candidate* own = &self.row[i]
    cdef int32_t up = own.up, grand = self.row[own.up].up if own.up >= 0 else NONE
    cdef int32_t page = chars(self, 0), size = chars(self, i)
    cdef Texts text = _texts(self, up if up >= 0 else i)
    put(row, b"depth", self.depth[own.top])
    put(row, b"level", _few(own.level))
    put(row, b"merged", _few(own.merged))
    put(row, b"depth in the page", share(self.depth[own.top], self.row[0].deepest))
    row.of = b"the parent"
    put(row, b"share of characters", share(chars(self, up), page) if up >= 0 else 1)
    put(row, b"link density", share(text.link_words, text.words))
    put(row, b"headings", _few(text.headings))
    put(row, b"siblings", _few(self.row[grand].children - 1) if grand >= 0 else -1)
    put(row, b"share of small children", share(self.row[up].small_children, self.row[up].children) if up >= 0 else -1)
    row.of = b"the grandparent"
    put(row, b"share of characters", share(chars(self, grand), page) if grand >= 0 else 1)
    put(row, b"share", share(size, chars(self, grand)) if grand >= 0 else 1)
    put(row, b"children", _few(self.row[grand].children) if grand >= 0 else -1)
    row.of = b""
    if up >= 0:
        _put_kind(b"the parent", self.tag[self.row[up].low], row)
    else:
        _put_kind(b"the parent", HTML, row)


cdef void _put_names(Candidates self, Py_ssize_t i, FeatureRow* row) noexcept nogil:
    cdef int k
    row.of = b"its names"
    for k in range(NAMES):
        put(row, NAME_COLUMN[k], self.row[i].names >> k & 1)
    row.of = b"names above"
    for k in range(NAMES):
        put(row, NAME_COLUMN[k], self.row[i].names_above >> k & 1)
    row.of = b""


cdef void _put_page(Candidates self, FeatureRow* row) noexcept nogil:
    cdef const Texts* page = &self.texts[self.row[0].stop]
    cdef const Tags* tags = &self.tags[self.elements]
    row.of = b"the page"
    put(row, b"words", min(page.words, MANY_WORDS))
    put(row, b"blocks", min(page.blocks, 1000))
    put(row, b"elements", min(self.elements, 3000))
    put(row, b"candidates", min(self.count, 1000))
    put(row, b"link density", share(page.link_words, page.words))
    put(row, b"share of long blocks", share(page.long_blocks, page.blocks))
    put(row, b"headings", _few(tags.headings))
    put(row, b"paragraphs", _few(tags.paragraphs))
    put(row, b"tables", _few(tags.tables))
    put(row, b"images", _few(tags.images))
    put(row, b"depth", min(self.row[0].deepest, 40))
    row.of = b""


cdef void put_features(Candidates self, Py_ssize_t i, FeatureRow* row) noexcept nogil:
    """All columns of one candidate."""
    cdef Texts text = _texts(self, i)
    _put_text(self, i, &text, row)
    _put_inside(self, i, &text, row)
    _put_kind(b"the outermost element", self.tag[self.row[i].top], row)
    _put_kind(b"the innermost element", self.tag[self.row[i].low], row)
    _put_children(self, i, row)
    _put_siblings(self, i, &text, row)
    _put_above(self, i, row)
    _put_names(self, i, row)
    _put_page(self, row)


cdef void check_rows(Candidates self, const int32_t[::1] chosen, float[:, ::1] out, Py_ssize_t columns) except *:
    """Check that a matrix is large enough and that the candidates exist."""
    cdef Py_ssize_t i
    if out.shape[0] < chosen.shape[0] or out.shape[1] < columns:
        raise InputError(f"the matrix is {out.shape[0]} by {out.shape[1]}, not {chosen.shape[0]} by {columns}")
    for i in range(chosen.shape[0]):
        if not 0 <= chosen[i] < self.count:
            raise InputError(f"there is no candidate {chosen[i]}")


def feature_names(Candidates self):
    """The names of the columns, in their order; from any page with a candidate."""
    cdef float[MOST_COLUMNS] room
    cdef FeatureRow row
    names = []
    row.at, row.names, row.of = room, <void*>names, b""
    put_features(self, 0, &row)
    return tuple(names)


def features(Candidates self, const int32_t[::1] chosen, float[:, ::1] out, Py_ssize_t count):
    """Fill the first ``count`` columns of a matrix, one row for each of these candidates."""
    cdef Py_ssize_t i
    cdef FeatureRow row
    check_rows(self, chosen, out, count)
    row.names, row.of = NULL, b""
    with nogil:
        for i in range(chosen.shape[0]):
            row.at = &out[i, 0]
            put_features(self, chosen[i], &row)
