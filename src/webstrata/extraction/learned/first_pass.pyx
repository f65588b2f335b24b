# cython: language_level=3
"""What the first pass of the learned extractor sees of each paragraph.

The names and the values are written in one order, part by part; `FEATURES` counts on it, and a test compares both.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from webstrata._scan.tags cimport *
from webstrata.extraction.learned.lookalikes cimport Group
from webstrata.extraction.learned.outline cimport LONG_WORDS, Node, Outline, Sums
from webstrata.extraction.learned.row cimport Row, put, share
from webstrata.extraction.learned.surroundings cimport put_ancestors, put_likeness, put_tags_above
from webstrata.extraction.learned.paragraph cimport Unit

from webstrata.extraction.learned.surroundings import ANCESTORS, LIKENESS
from webstrata.extraction.learned.build import ABOVE

cdef int _li = ABOVE.index("li")

cdef enum:
    FAR = 99                 # the distance to what is not there


# The page

_PAGE = ["page words", "page units", "page link density", "page long share", "page long units", "page headings",
         "page images", "page controls", "page mains", "page articles", "page tables", "page list items",
         "page paragraphs", "page short share", "page digits", "title words", "address depth", "address hyphens",
         "address digits", "address length", "page largest group", "page largest group link density",
         "page largest record", "page hidden words", "page h1s", "page pres", "page forms", "page words an image"]


cdef void _page(Outline self, Row* row) noexcept nogil:
    cdef Sums* total = &self.sums[self.units]
    cdef int32_t[TAG_COUNT] count
    cdef Py_ssize_t i
    cdef int32_t hidden = 0, largest = -1, record = -1, paragraph_words = 0, item_words = 0
    cdef Node* node
    cdef Group* group
    for i in range(TAG_COUNT):
        count[i] = 0
    for i in range(self.elements):
        count[self.tag[i]] += 1
        node = &self.node[i]
        if node.siblings >= 0 and self.groups.row[node.siblings].count >= 3:
            if record < 0 or self.groups.row[node.siblings].words > self.groups.row[record].words:
                record = node.siblings
    for i in range(self.units):
        hidden += self.unit[i].words if self.unit[i].hidden else 0
        if self.tag[self.unit[i].owner] == P:
            paragraph_words += self.unit[i].words
        if self.node[self.unit[i].owner].above >> _li & 1:
            item_words += self.unit[i].words
        if self.groups.row[self.unit[i].path_class].count >= 3:
            if largest < 0 or self.groups.row[self.unit[i].path_class].words > self.groups.row[largest].words:
                largest = self.unit[i].path_class
    put(row, total.words)
    put(row, self.units)
    put(row, share(total.link_words, total.words))
    put(row, share(total.long_words, total.words))
    put(row, total.long_units)
    put(row, total.headings)
    put(row, self.images[self.elements])
    put(row, self.controls[self.elements])
    put(row, count[MAIN])
    put(row, count[ARTICLE])
    put(row, count[TABLE])
    put(row, share(item_words, total.words))
    put(row, share(paragraph_words, total.words))
    put(row, share(total.short_units, self.units))
    put(row, share(total.digits, total.words))
    put(row, self.title_length)
    put(row, self.address.depth)
    put(row, self.address.hyphens)
    put(row, self.address.digits)
    put(row, self.address.length)
    put(row, share(self.groups.row[largest].words, total.words) if largest >= 0 else 0)
    put(row, share(self.groups.row[largest].link_words, self.groups.row[largest].words) if largest >= 0 else 0)
    put(row, share(self.groups.row[record].words, total.words) if record >= 0 else 0)
    put(row, share(hidden, total.words))
    put(row, count[H1])
    put(row, count[PRE])
    put(row, count[FORM])
    put(row, share(total.words, self.images[self.elements] + 1))


# The paragraph itself

_OWN = ["words", "link words", "link density", "chars", "word length", "stops a word", "commas a word", "digits a word",
        "capital share", "symbols", "sentence ends", "ends sentence", "ends colon", "starts upper", "starts digit",
        "heading", "hidden", "preformatted", "blocks", "title share", "of title", "text copies",
        "copies before", "words a line", "depth", "owner tag", "element tag", "in links"]


cdef void _own(Outline self, const Unit* unit, Row* row) noexcept nogil:
    cdef uint32_t last = unit.last_char
    put(row, unit.words)
    put(row, unit.link_words)
    put(row, share(unit.link_words, unit.words))
    put(row, unit.chars)
    put(row, share(unit.word_chars, unit.words))
    put(row, share(unit.stops, unit.words))
    put(row, share(unit.commas, unit.words))
    put(row, share(unit.digits, unit.word_chars))
    put(row, share(unit.capital_words, unit.words))
    put(row, unit.symbols)
    put(row, unit.sentence_ends)
    put(row, last == 46 or last == 33 or last == 63 or last == 0x3002 or last == 34 or last == 0x201D)
    put(row, last == 58)
    put(row, 65 <= unit.first_char <= 90)
    put(row, 48 <= unit.first_char <= 57)
    put(row, unit.heading)
    put(row, unit.hidden)
    put(row, unit.preformatted)
    put(row, unit.end_block - unit.first_block)
    put(row, share(unit.title_words, unit.words))
    put(row, share(unit.title_words, self.title_length))
    put(row, self.groups.row[unit.text].count)
    put(row, unit.copy)
    put(row, share(unit.words, unit.lines))
    put(row, self.depth[unit.owner])
    put(row, self.tag[unit.owner])
    put(row, self.tag[unit.element])
    put(row, unit.link_words == unit.words and unit.words > 0)


# Its place in the page

_PLACE = ["unit", "unit share", "words before", "words before share", "long before", "long after", "long words before",
          "since heading", "until heading", "heading above", "words since heading", "since h1", "since title",
          "since long", "until long", "last long words", "next long words", "long words within 5",
          "long words within 15", "common depth before", "common depth after"]


cdef int32_t _common(Outline self, int32_t a, int32_t b) noexcept nogil:
    """How deep the nearest common ancestor of two elements is."""
    while a != b:
        if a > b:
            a = self.parent[a]
        else:
            b = self.parent[b]
    return self.depth[a] if a >= 0 else -1


cdef void _place(Outline self, Py_ssize_t i, const Marks* marks, Row* row) noexcept nogil:
    cdef Sums* total = &self.sums[self.units]
    cdef Sums* here = &self.sums[i]
    cdef const Unit* unit = &self.unit[i]
    cdef Py_ssize_t k
    put(row, i)
    put(row, share(i, self.units))
    put(row, here.words)
    put(row, share(here.words, total.words))
    put(row, share(here.long_units, total.long_units))
    put(row, total.long_units - self.sums[i + 1].long_units)
    put(row, here.long_words)
    put(row, i - marks.heading if marks.heading >= 0 else FAR)
    put(row, marks.next_heading - i if marks.next_heading < self.units else FAR)
    put(row, self.unit[marks.heading].heading if marks.heading >= 0 else 0)
    put(row, here.words - self.sums[marks.heading + 1].words if marks.heading >= 0 else -1)
    put(row, i - marks.h1 if marks.h1 >= 0 else -FAR)
    put(row, i - marks.title if marks.title >= 0 else -FAR)
    put(row, i - marks.long_before if marks.long_before >= 0 else FAR)
    put(row, marks.long_after - i if marks.long_after < self.units else FAR)
    put(row, self.unit[marks.long_before].words if marks.long_before >= 0 else 0)
    put(row, self.unit[marks.long_after].words if marks.long_after < self.units else 0)
    put(row, self.sums[min(i + 6, self.units)].long_words - self.sums[max(i - 5, 0)].long_words)
    put(row, self.sums[min(i + 16, self.units)].long_words - self.sums[max(i - 15, 0)].long_words)
    put(row, _common(self, unit.owner, self.unit[i - 1].owner) if i > 0 else -1)
    put(row, _common(self, unit.owner, self.unit[i + 1].owner) if i + 1 < self.units else -1)


# Its neighbours

_NEIGHBOURS = [f"{what} {offset:+d}" for offset in (-1, 1) for what in ("words", "link density", "heading", "same path")
               ] + [
    f"{what} within {width}" for width in (3, 10, 30) for what in ("words", "link density", "short share")]


cdef void _window(Outline self, Py_ssize_t i, Py_ssize_t width, Row* row) noexcept nogil:
    cdef Py_ssize_t start = max(i - width, 0), stop = min(i + width + 1, self.units)
    cdef int32_t words = self.sums[stop].words - self.sums[start].words
    put(row, words)
    put(row, share(self.sums[stop].link_words - self.sums[start].link_words, words))
    put(row, share(self.sums[stop].short_units - self.sums[start].short_units, stop - start))


cdef void _neighbours(Outline self, Py_ssize_t i, Row* row) noexcept nogil:
    cdef const Unit* other
    cdef Py_ssize_t k
    for k in range(i - 1, i + 2):
        if k == i:
            continue
        if 0 <= k < self.units:
            other = &self.unit[k]
            put(row, other.words)
            put(row, share(other.link_words, other.words))
            put(row, other.heading)
            put(row, other.path_class == self.unit[i].path_class)
        else:
            put(row, -1)
            put(row, -1)
            put(row, -1)
            put(row, 0)
    _window(self, i, 3, row)
    _window(self, i, 10, row)
    _window(self, i, 30, row)


#: What each column of `features` is.
FEATURES = (*_PAGE, *_OWN, *_PLACE, *_NEIGHBOURS, *ANCESTORS, *LIKENESS, *(f"in {tag}" for tag in ABOVE))


cdef void begin_features(Outline self, Marks* marks) noexcept nogil:
    """Make ready to fill rows, from the first on."""
    cdef Py_ssize_t i
    cdef int32_t best = 0
    cdef Unit* unit
    cdef Row row
    marks.heading = marks.next_heading = marks.h1 = marks.title = marks.long_before = marks.long_after = -1
    for i in range(self.units):
        unit = &self.unit[i]
        if marks.h1 < 0 and unit.heading == 1:
            marks.h1 = <int32_t>i
        # The title is the first paragraph that shares the most words with it, and more than half of its own.
        if unit.title_words > best and 2 * unit.title_words > unit.words and 3 * unit.title_words >= self.title_length:
            best = unit.title_words
            marks.title = <int32_t>i
    row.at = marks.page
    _page(self, &row)


cdef void _advance(Outline self, Py_ssize_t i, Marks* marks) noexcept nogil:
    """Bring the marks up to a unit, from the one before."""
    if i and self.unit[i - 1].heading:
        marks.heading = <int32_t>i - 1
    if i and self.unit[i - 1].is_long:
        marks.long_before = <int32_t>i - 1
    if marks.next_heading <= i:
        marks.next_heading = <int32_t>i + 1
        while marks.next_heading < self.units and not self.unit[marks.next_heading].heading:
            marks.next_heading += 1
    if marks.long_after <= i:
        marks.long_after = <int32_t>i + 1
        while marks.long_after < self.units and not self.unit[marks.long_after].is_long:
            marks.long_after += 1


cdef void fill_features(Outline self, Marks* marks, Py_ssize_t first, Py_ssize_t stop, float* out,
                        Py_ssize_t width) noexcept nogil:
    """Fill the first columns of a matrix, whose rows have this width, for the units that come next."""
    cdef Py_ssize_t i
    cdef Row row
    for i in range(first, stop):
        _advance(self, i, marks)
        row.at = out + (i - first) * width
        memcpy(row.at, marks.page, PAGE_FEATURES * sizeof(float))
        row.at += PAGE_FEATURES
        _own(self, &self.unit[i], &row)
        _place(self, i, marks, &row)
        _neighbours(self, i, &row)
        put_ancestors(self, i, &row)
        put_likeness(self, i, &row)
        put_tags_above(self, &self.unit[i], &row)


if len(_PAGE) != PAGE_FEATURES:
    raise AssertionError("PAGE_FEATURES does not count the names of _PAGE")


def features(Outline self, float[:, ::1] out):
    """Fill the first columns of a matrix, one row a paragraph, with the features of `FEATURES`."""
    cdef Marks marks
    if out.shape[0] != self.units or out.shape[1] < len(FEATURES):
        raise ValueError("the matrix does not fit the page")
    if self.units:
        with nogil:
            begin_features(self, &marks)
            fill_features(self, &marks, 0, self.units, &out[0, 0], out.shape[1])
