# cython: language_level=3
"""The features of the first pass: of a paragraph, its place, its neighbours and the page.

Counts that grow with the page are cut off at `MANY`, `MANY_PARAGRAPHS` and `MANY_WORDS`; otherwise a document longer than
all in the training data would be classified by its length. `surroundings` has the features of the ancestors and of
paragraphs that look alike.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from webstrata._scan.tags cimport *
from webstrata.extraction.learned.page_features cimport ENCLOSING_BIT, Lookalikes, Node, PageFeatures, RunningSums, common_ancestor
from webstrata.models.features cimport MANY, MANY_PARAGRAPHS, MANY_WORDS, FeatureRow, put, share
from webstrata.extraction.learned.surroundings cimport SUBTREES, put_ancestors, put_likeness, put_tags_above
from webstrata.extraction.learned.paragraph_features cimport ParagraphFeatures

from webstrata.errors import InputError

cdef enum:
    FAR = 99                 # the distance where there is no such paragraph
    MOST_FEATURES = 512


cdef inline Py_ssize_t near(Py_ssize_t distance) noexcept nogil:
    """A distance in paragraphs, cut off at MANY."""
    return max(min(distance, <Py_ssize_t>MANY), -<Py_ssize_t>MANY)


# The page


cdef void _page(PageFeatures self, FeatureRow* row) noexcept nogil:
    cdef RunningSums* total = &self.sums[self.count]
    cdef int32_t[TAG_COUNT] count
    cdef Py_ssize_t i
    cdef int32_t hidden = 0, largest = -1, record = -1, paragraph_words = 0, item_words = 0
    cdef Node* node
    cdef Lookalikes* group
    for i in range(TAG_COUNT):
        count[i] = 0
    for i in range(self.elements):
        count[self.tag[i]] += 1
        node = &self.node[i]
        if node.siblings >= 0 and self.alike.row[node.siblings].count >= 3:
            if record < 0 or self.alike.row[node.siblings].words > self.alike.row[record].words:
                record = node.siblings
    for i in range(self.count):
        hidden += self.paragraph[i].words if self.paragraph[i].hidden else 0
        if self.tag[self.paragraph[i].owner] == P:
            paragraph_words += self.paragraph[i].words
        if self.node[self.paragraph[i].owner].above & ENCLOSING_BIT[LI]:
            item_words += self.paragraph[i].words
        if self.alike.row[self.paragraph[i].path_class].count >= 3:
            if largest < 0 or self.alike.row[self.paragraph[i].path_class].words > self.alike.row[largest].words:
                largest = self.paragraph[i].path_class
    put(row, b"page words", min(total.words, MANY_WORDS))
    put(row, b"page paragraphs", min(self.count, MANY_PARAGRAPHS))
    put(row, b"page link density", share(total.link_words, total.words))
    put(row, b"page long share", share(total.long_words, total.words))
    put(row, b"page long paragraphs", min(total.long_paragraphs, MANY))
    put(row, b"page headings", min(total.headings, MANY))
    put(row, b"page images", min(self.images[self.elements], MANY))
    put(row, b"page controls", min(self.controls[self.elements], MANY))
    put(row, b"page mains", count[MAIN])
    put(row, b"page articles", min(count[ARTICLE], MANY))
    put(row, b"page tables", min(count[TABLE], MANY))
    put(row, b"page item share", share(item_words, total.words))
    put(row, b"page p share", share(paragraph_words, total.words))
    put(row, b"page short share", share(total.short_paragraphs, self.count))
    put(row, b"page digits", share(total.digits, total.words))
    put(row, b"title words", self.title_length)
    put(row, b"address depth", self.address.depth)
    put(row, b"address hyphens", self.address.hyphens)
    put(row, b"address digits", self.address.digits)
    put(row, b"address length", self.address.length)
    put(row, b"page largest group", share(self.alike.row[largest].words, total.words) if largest >= 0 else 0)
    put(row, b"page largest group link density",
        share(self.alike.row[largest].link_words, self.alike.row[largest].words) if largest >= 0 else 0)
    put(row, b"page largest record", share(self.alike.row[record].words, total.words) if record >= 0 else 0)
    put(row, b"page hidden words", share(hidden, total.words))
    put(row, b"page h1s", count[H1])
    put(row, b"page pres", min(count[PRE], MANY))
    put(row, b"page forms", count[FORM])
    put(row, b"page words an image", min(share(total.words, self.images[self.elements] + 1), MANY_WORDS))


# The paragraph itself


cdef void _own(PageFeatures self, const ParagraphFeatures* paragraph, FeatureRow* row) noexcept nogil:
    cdef uint32_t last = paragraph.last_char
    put(row, b"words", min(paragraph.words, MANY_WORDS))
    put(row, b"link words", min(paragraph.link_words, MANY_WORDS))
    put(row, b"link density", share(paragraph.link_words, paragraph.words))
    put(row, b"word length", share(paragraph.word_chars, paragraph.words))
    put(row, b"stops a word", share(paragraph.stops, paragraph.words))
    put(row, b"commas a word", share(paragraph.commas, paragraph.words))
    put(row, b"digits a word", share(paragraph.digits, paragraph.word_chars))
    put(row, b"capital share", share(paragraph.capital_words, paragraph.words))
    put(row, b"symbols", min(paragraph.symbols, MANY))
    put(row, b"sentence ends", min(paragraph.sentence_ends, MANY))
    put(row, b"ends sentence", last == 46 or last == 33 or last == 63 or last == 0x3002 or last == 34 or last == 0x201D)
    put(row, b"ends colon", last == 58)
    put(row, b"starts upper", 65 <= paragraph.first_char <= 90)
    put(row, b"starts digit", 48 <= paragraph.first_char <= 57)
    put(row, b"heading", paragraph.heading)
    put(row, b"hidden", paragraph.hidden)
    put(row, b"preformatted", paragraph.preformatted)
    put(row, b"blocks", min(paragraph.end_block - paragraph.first_block, MANY))
    put(row, b"title share", share(paragraph.title_words, paragraph.words))
    put(row, b"of title", share(paragraph.title_words, self.title_length))
    put(row, b"text copies", min(self.alike.row[paragraph.text].count, MANY))
    put(row, b"copies before", min(paragraph.copy, MANY))
    put(row, b"words a line", share(paragraph.words, paragraph.lines))
    put(row, b"depth", self.depth[paragraph.owner])
    put(row, b"owner tag", self.tag[paragraph.owner])
    put(row, b"element tag", self.tag[paragraph.element])
    put(row, b"in links", paragraph.link_words == paragraph.words and paragraph.words > 0)


# Its place in the page


cdef int32_t _common_depth(PageFeatures self, Py_ssize_t i, Py_ssize_t k) noexcept nogil:
    """The depth of the nearest common ancestor of two paragraphs; -1 where there is no second one."""
    if not 0 <= k < self.count:
        return -1
    return self.depth[common_ancestor(self, self.paragraph[i].owner, self.paragraph[k].owner)]


cdef void _place(PageFeatures self, Py_ssize_t i, const Landmarks* marks, FeatureRow* row) noexcept nogil:
    cdef RunningSums* total = &self.sums[self.count]
    cdef RunningSums* here = &self.sums[i]
    put(row, b"paragraphs before", min(i, MANY))
    put(row, b"paragraph share", share(i, self.count))
    put(row, b"words before", min(here.words, MANY_WORDS))
    put(row, b"words before share", share(here.words, total.words))
    put(row, b"long before", share(here.long_paragraphs, total.long_paragraphs))
    put(row, b"long after", min(total.long_paragraphs - self.sums[i + 1].long_paragraphs, MANY))
    put(row, b"long words before", min(here.long_words, MANY_WORDS))
    put(row, b"since heading", near(i - marks.heading) if marks.heading >= 0 else FAR)
    put(row, b"until heading", near(marks.next_heading - i) if marks.next_heading < self.count else FAR)
    put(row, b"heading above", self.paragraph[marks.heading].heading if marks.heading >= 0 else 0)
    put(row, b"words since heading",
        min(here.words - self.sums[marks.heading + 1].words, MANY_WORDS) if marks.heading >= 0 else -1)
    put(row, b"since h1", near(i - marks.h1) if marks.h1 >= 0 else -FAR)
    put(row, b"since title", near(i - marks.title) if marks.title >= 0 else -FAR)
    put(row, b"since long", near(i - marks.long_before) if marks.long_before >= 0 else FAR)
    put(row, b"until long", near(marks.long_after - i) if marks.long_after < self.count else FAR)
    put(row, b"last long words",
        min(self.paragraph[marks.long_before].words, MANY_WORDS) if marks.long_before >= 0 else 0)
    put(row, b"next long words",
        min(self.paragraph[marks.long_after].words, MANY_WORDS) if marks.long_after < self.count else 0)
    put(row, b"long words within 5",
        min(self.sums[min(i + 6, self.count)].long_words - self.sums[max(i - 5, 0)].long_words, MANY_WORDS))
    put(row, b"long words within 15",
        min(self.sums[min(i + 16, self.count)].long_words - self.sums[max(i - 15, 0)].long_words, MANY_WORDS))
    put(row, b"common depth before", _common_depth(self, i, i - 1))
    put(row, b"common depth after", _common_depth(self, i, i + 1))


# Its neighbours


cdef void _neighbour(PageFeatures self, Py_ssize_t i, Py_ssize_t k, FeatureRow* row) noexcept nogil:
    cdef bint there = 0 <= k < self.count
    cdef const ParagraphFeatures* other = &self.paragraph[k if there else i]
    put(row, b"words", min(other.words, MANY_WORDS) if there else -1)
    put(row, b"link density", share(other.link_words, other.words) if there else -1)
    put(row, b"heading", other.heading if there else -1)
    put(row, b"same path", there and other.path_class == self.paragraph[i].path_class)


cdef void _window(PageFeatures self, Py_ssize_t i, Py_ssize_t width, FeatureRow* row) noexcept nogil:
    cdef Py_ssize_t start = max(i - width, 0), stop = min(i + width + 1, self.count)
    cdef int32_t words = self.sums[stop].words - self.sums[start].words
    put(row, b"words", min(words, MANY_WORDS))
    put(row, b"link density", share(self.sums[stop].link_words - self.sums[start].link_words, words))
    put(row, b"short share", share(self.sums[stop].short_paragraphs - self.sums[start].short_paragraphs, stop - start))


cdef void _neighbours(PageFeatures self, Py_ssize_t i, FeatureRow* row) noexcept nogil:
    row.of = b"previous"
    _neighbour(self, i, i - 1, row)
    row.of = b"next"
    _neighbour(self, i, i + 1, row)
    row.of = b"3 around"
    _window(self, i, 3, row)
    row.of = b"10 around"
    _window(self, i, 10, row)
    row.of = b"30 around"
    _window(self, i, 30, row)
    row.of = b""


cdef void begin_features(PageFeatures self, Landmarks* marks) noexcept nogil:
    """Set the landmarks before the first row is filled."""
    cdef Py_ssize_t i
    cdef int32_t best = 0
    cdef ParagraphFeatures* paragraph
    cdef FeatureRow row
    marks.heading = marks.next_heading = marks.h1 = marks.title = marks.long_before = marks.long_after = -1
    for i in range(self.count):
        paragraph = &self.paragraph[i]
        if marks.h1 < 0 and paragraph.heading == 1:
            marks.h1 = <int32_t>i
        # The first paragraph with the most words of the title, which are more than half of its own.
        if (paragraph.title_words > best and 2 * paragraph.title_words > paragraph.words
                and 3 * paragraph.title_words >= self.title_length):
            best = paragraph.title_words
            marks.title = <int32_t>i
    for i in range(SUBTREES):
        marks.subtree[i].element = -2
    row.at, row.names, row.of = marks.page, NULL, b""
    _page(self, &row)
    marks.page_features = row.at - marks.page


cdef void _advance(PageFeatures self, Py_ssize_t i, Landmarks* marks) noexcept nogil:
    """Move the landmarks from the paragraph before to this one."""
    if i and self.paragraph[i - 1].heading:
        marks.heading = <int32_t>i - 1
    if i and self.paragraph[i - 1].is_long:
        marks.long_before = <int32_t>i - 1
    if marks.next_heading <= i:
        marks.next_heading = <int32_t>i + 1
        while marks.next_heading < self.count and not self.paragraph[marks.next_heading].heading:
            marks.next_heading += 1
    if marks.long_after <= i:
        marks.long_after = <int32_t>i + 1
        while marks.long_after < self.count and not self.paragraph[marks.long_after].is_long:
            marks.long_after += 1


cdef void _fill(PageFeatures self, Landmarks* marks, Py_ssize_t i, FeatureRow* row) noexcept nogil:
    """Fill a row but for the features of the page."""
    _advance(self, i, marks)
    _own(self, &self.paragraph[i], row)
    _place(self, i, marks, row)
    _neighbours(self, i, row)
    put_ancestors(self, i, marks.subtree, row)
    put_likeness(self, i, row)
    put_tags_above(self, i, row)


cdef void fill_features(PageFeatures self, Landmarks* marks, Py_ssize_t first, Py_ssize_t stop, float* out,
                        Py_ssize_t width) noexcept nogil:
    """Fill the first columns of a matrix with rows of this width, for the next paragraphs."""
    cdef Py_ssize_t i
    cdef FeatureRow row
    row.names, row.of = NULL, b""
    for i in range(first, stop):
        row.at = out + (i - first) * width
        memcpy(row.at, marks.page, marks.page_features * sizeof(float))
        row.at += marks.page_features
        _fill(self, marks, i, &row)


def feature_names(PageFeatures page):
    """The names of the columns that `features` fills, in their order; from any page with a paragraph."""
    names = []
    cdef Landmarks marks
    cdef float[MOST_FEATURES] values
    cdef FeatureRow row
    if not page.count:
        raise InputError("a page without text has no features to name")
    begin_features(page, &marks)
    row.at, row.names, row.of = values, <void*>names, b""
    _page(page, &row)
    _fill(page, &marks, 0, &row)
    if len(names) > MOST_FEATURES or marks.page_features > MOST_PAGE_FEATURES:
        raise AssertionError("MOST_FEATURES or MOST_PAGE_FEATURES is too small")
    return tuple(names)


def features(PageFeatures page, float[:, ::1] out, Py_ssize_t count):
    """Fill the first `count` columns of a matrix, one row per paragraph; `count` is the number of `feature_names`."""
    cdef Landmarks marks
    if out.shape[0] != page.count or out.shape[1] < count:
        raise InputError(f"the matrix is {out.shape[0]} by {out.shape[1]}, not {page.count} by {count} or wider")
    if page.count:
        with nogil:
            begin_features(page, &marks)
            fill_features(page, &marks, 0, page.count, &out[0, 0], out.shape[1])
