# cython: language_level=3
"""How the outline of a page is made: one way down its elements and its text, linear in the size of the page.

Attributes are read once, from the start tags of the elements that hold text.
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from webstrata._scan.rows cimport CLONED, IMPLIED
from webstrata._scan.tags cimport *
from webstrata.extraction.learned.lookalikes cimport begin, end, join, mix
from webstrata.extraction.learned.tokens cimport Tokens, read_element, read_head, read_linked_data, says_linked_data
from webstrata.extraction.learned.outline cimport LONG_WORDS, NO_ELEMENT, Node, Outline, Sums
from webstrata.extraction.learned.paragraph cimport TITLE_SLOTS, Unit, cut, read_text, title_words

cdef enum:
    MANY = 3                     # so many siblings of one kind make a list
    MOST_PAGE_TOKENS = 4096      # what a page says of itself; more is no more use

# Tags whose presence above a paragraph is a feature, bit by bit; the order is that of `ABOVE`.
ABOVE = (
    "main", "article", "section", "nav", "aside", "footer", "header", "form", "figure", "figcaption", "table", "td",
    "pre", "code", "blockquote", "ul", "ol", "li", "dl", "p", "button", "label", "details", "dialog", "noscript", "a",
    "strong", "em", "h2", "h3",
)
cdef uint64_t[256] _BIT


def _fill():
    from webstrata._scan.tags import TAGS
    for place, name in enumerate(ABOVE):
        _BIT[TAGS.index(name)] = <uint64_t>1 << place
    _BIT[B], _BIT[I] = _BIT[STRONG], _BIT[EM]


_fill()


# The columns of a page that are read but not kept.
cdef struct Columns:
    Py_ssize_t blocks
    const uint64_t* gap
    const uint8_t* block_flags
    const int32_t* element
    const int32_t* words
    const int32_t* link_words
    const int32_t* lines
    const int32_t* text_start
    const int32_t* text_stop
    const void* text
    int kind                 # the width of the text's characters
    const uint8_t* flags     # of the elements, as all that follows
    const int32_t* first_block
    const int32_t* end_block
    const int32_t* source_start
    const int32_t* open_stop
    const int32_t* source_stop
    const uint8_t* source


cdef void _sum(Outline self) noexcept nogil:
    cdef Py_ssize_t i
    cdef Unit* unit
    cdef Sums* sums
    for i in range(self.units):
        unit = &self.unit[i]
        unit.is_long = unit.words >= LONG_WORDS and 2 * unit.link_words < unit.words
        sums = &self.sums[i + 1]
        sums[0] = self.sums[i]
        sums.words += unit.words
        sums.link_words += unit.link_words
        sums.long_words += unit.words if unit.is_long else 0
        sums.long_units += unit.is_long
        sums.headings += unit.heading > 0
        sums.marks += unit.stops + unit.commas
        sums.digits += unit.digits
        sums.short_units += unit.words < 4


cdef bint _read_textless(Outline self, const Columns* page, Py_ssize_t row) noexcept nogil:
    """What an element without text says of the page; False when memory ran out."""
    cdef uint8_t tag = self.tag[row]
    cdef int32_t start = page.source_start[row], inner = page.open_stop[row], stop = page.source_stop[row]
    if self.page_tokens.count >= MOST_PAGE_TOKENS:
        return True
    if tag == META or tag == LINK:
        return read_head(&self.page_tokens, &self.address, page.source, start, inner, tag)
    if tag == SCRIPT and stop - inner > 40 and says_linked_data(page.source, start, inner):
        return read_linked_data(&self.page_tokens, page.source, inner, stop)
    return True


cdef bint _nest(Outline self, const Columns* page, const int32_t* unit_of) noexcept nogil:
    """Fill the nodes, from the root down."""
    cdef Py_ssize_t row
    cdef int32_t parent
    cdef Node* node
    cdef Node* above
    cdef Tokens* tokens
    cdef uint8_t tag
    cdef int32_t words, link_words
    cdef uint64_t key
    for row in range(self.elements - 1, -1, -1):
        node = &self.node[row]
        if node.end_row <= row:
            node.end_row = <int32_t>row + 1
        parent = self.parent[row]
        if parent >= 0 and self.node[parent].end_row < node.end_row:
            self.node[parent].end_row = node.end_row
    for row in range(self.elements):
        node = &self.node[row]
        tag = self.tag[row]
        parent = self.parent[row]
        above = &self.node[parent] if parent >= 0 else NULL
        self.images[row + 1] = self.images[row] + (tag == IMG or tag == PICTURE or tag == VIDEO)
        self.controls[row + 1] = self.controls[row] + (
            tag == INPUT or tag == BUTTON or tag == SELECT or tag == TEXTAREA)
        node.first_token = node.end_token = <int32_t>self.element_tokens.count
        node.record = node.outer_record = node.siblings = NO_ELEMENT
        if page.end_block[row] <= page.first_block[row]:
            if not _read_textless(self, page, row):
                return False
            continue
        node.first_unit = unit_of[page.first_block[row]]
        node.end_unit = unit_of[page.end_block[row] - 1] + 1
        if not page.flags[row] & (IMPLIED | CLONED):
            tokens = &self.page_tokens if tag == HTML or tag == BODY else &self.element_tokens
            if not read_element(page.source, page.source_start[row], page.open_stop[row], tokens, &node.first_class):
                return False
            if tag == HTML or tag == BODY:
                node.first_class = 0
        node.end_token = <int32_t>self.element_tokens.count
        if above == NULL:
            node.up = NO_ELEMENT
            node.above = _BIT[tag]
            continue
        if above.first_unit == node.first_unit and above.end_unit == node.end_unit:
            node.up = above.up
        else:
            node.up = parent
        node.above = above.above | _BIT[tag]
        node.path_tags = mix(above.path_tags, tag)
        node.path_class = mix(mix(above.path_class, tag), node.first_class)
        node.record, node.outer_record = above.record, above.outer_record
        if not TRAITS[tag] & INLINE and tag != P and not TRAITS[tag] & HEADING and tag != BR:
            words = self.sums[node.end_unit].words - self.sums[node.first_unit].words
            link_words = self.sums[node.end_unit].link_words - self.sums[node.first_unit].link_words
            key = mix(mix(<uint64_t>parent + 1, tag), node.first_class) | 1
            node.siblings = join(&self.groups, key, words, link_words, <int32_t>row)
            node.ordinal = self.groups.row[node.siblings].count - 1
    return True


cdef void _find_records(Outline self) noexcept nogil:
    """Whether an element is one of many is known only when all are counted."""
    cdef Py_ssize_t row
    cdef Node* node
    cdef Node* above
    for row in range(1, self.elements):
        node = &self.node[row]
        if node.end_unit <= node.first_unit or self.parent[row] < 0:
            continue
        above = &self.node[self.parent[row]]
        node.record, node.outer_record = above.record, above.outer_record
        if node.siblings >= 0 and self.groups.row[node.siblings].count >= MANY:
            node.record = <int32_t>row
            if node.outer_record < 0:
                node.outer_record = <int32_t>row


cdef inline int32_t _join_unit(Outline self, uint64_t key, uint64_t salt, Py_ssize_t i) noexcept nogil:
    """Even keys are those of units, odd ones those of elements."""
    return join(&self.groups, mix(key, salt) & ~<uint64_t>1, self.unit[i].words, self.unit[i].link_words, <int32_t>i)


cdef void _group_units(Outline self) noexcept nogil:
    cdef Py_ssize_t i
    cdef Unit* unit
    cdef Node* owner
    for i in range(self.units):
        unit = &self.unit[i]
        owner = &self.node[unit.owner]
        unit.path_class = _join_unit(self, owner.path_class, 11, i)
        unit.path_tags = _join_unit(self, owner.path_tags, 13, i)
        unit.text = _join_unit(self, unit.text_hash, 17, i)
        unit.copy = self.groups.row[unit.text].count - 1


cdef bint _make_room(Outline self, Py_ssize_t blocks) noexcept nogil:
    cdef Py_ssize_t m = self.elements
    self.unit = <Unit*>malloc(blocks * sizeof(Unit))
    self.sums = <Sums*>calloc(blocks + 1, sizeof(Sums))
    self.node = <Node*>calloc(m + 1, sizeof(Node))
    self.images = <int32_t*>calloc(m + 1, sizeof(int32_t))
    self.controls = <int32_t*>calloc(m + 1, sizeof(int32_t))
    return (begin(&self.groups, m + 3 * blocks) and self.unit != NULL and self.sums != NULL and self.node != NULL
            and self.images != NULL and self.controls != NULL)


cdef bint _survey(Outline self, const Columns* page, const uint64_t* inline, const uint32_t* title) noexcept nogil:
    """Fill an outline; False when memory ran out."""
    cdef Py_ssize_t i, k
    cdef bint fine
    cdef Unit* unit
    cdef int32_t* unit_of = <int32_t*>malloc(page.blocks * sizeof(int32_t))
    if unit_of == NULL or not _make_room(self, page.blocks):
        free(unit_of)
        return False
    self.units = cut(self.unit, page.gap, page.block_flags, page.blocks, inline, page.element, &self.tag[0],
                     &self.parent[0])
    for i in range(self.units):
        unit = &self.unit[i]
        for k in range(unit.first_block, unit.end_block):
            unit_of[k] = <int32_t>i
            unit.words += page.words[k]
            unit.link_words += page.link_words[k]
            unit.lines += page.lines[k]
    fine = read_text(self.unit, self.units, &self.unit_tokens, page.text, page.kind, page.text_start, page.text_stop,
                     title)
    if fine:
        _sum(self)
        fine = _nest(self, page, unit_of)
    if fine:
        _find_records(self)
        _group_units(self)
    free(unit_of)
    end(&self.groups)
    return fine


cdef const int32_t* _ints(const int32_t[::1] column):
    return &column[0]


cdef const uint8_t* _bytes(const uint8_t[::1] column):
    return &column[0]


def outline(page, str title, const uint64_t[::1] inline):
    """The outline of a page. `inline` is the mask of the tags that do not end a paragraph."""
    blocks, elements = page.blocks, page.elements
    cdef Outline self = Outline.__new__(Outline)
    cdef Columns columns
    cdef const uint64_t[:, ::1] gap = blocks.gap
    cdef bytes source = page.source
    cdef str text = page.text
    cdef uint32_t[TITLE_SLOTS] slots
    cdef bint fine
    self.tag, self.parent, self.depth = elements.tag, elements.parent, elements.depth
    self.elements = len(elements)
    self.address.depth = self.address.hyphens = self.address.digits = self.address.length = -1
    columns.blocks = len(blocks)
    if columns.blocks == 0:
        return self
    # The page keeps what these look into.
    columns.gap, columns.block_flags, columns.element = &gap[0, 0], _bytes(blocks.flags), _ints(blocks.element)
    columns.words, columns.link_words = _ints(blocks.words), _ints(blocks.link_words)
    columns.lines = _ints(blocks.lines)
    columns.text_start, columns.text_stop = _ints(blocks.text_start), _ints(blocks.text_stop)
    columns.flags = _bytes(elements.flags)
    columns.first_block, columns.end_block = _ints(elements.first_block), _ints(elements.end_block)
    columns.source_start, columns.open_stop = _ints(elements.source_start), _ints(elements.open_stop)
    columns.source_stop = _ints(elements.source_stop)
    columns.source = source
    columns.text, columns.kind = PyUnicode_DATA(text), PyUnicode_KIND(text)
    self.title_length = title_words(title, slots)
    with nogil:
        fine = _survey(self, &columns, &inline[0], slots)
    if not fine:
        raise MemoryError
    return self
