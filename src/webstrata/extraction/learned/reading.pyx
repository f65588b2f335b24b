# cython: language_level=3
"""Reading the features of a page: one pass over its elements and one over its text, linear in the size of the page.

Attributes are read once, from the start tags of the elements that hold text.
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from webstrata._paragraphs cimport fill_ends
from webstrata._scan.columns cimport Columns
from webstrata._scan.rows cimport (
    B_ELEMENT, B_FLAGS, B_TEXT_START, B_TEXT_STOP, CLONED, E_DEPTH, E_END_BLOCK, E_FIRST_BLOCK, E_FLAGS, E_OPEN_STOP,
    E_PARENT, E_SOURCE_START, E_SOURCE_STOP, E_TAG, IMPLIED, ints, octets, shorts,
)
from webstrata._scan.tags cimport *
from webstrata.extraction.learned.page_features cimport (
    ENCLOSING_BIT, LONG_WORDS, NO_ELEMENT, Node, PageFeatures, RunningSums, add_lookalike, allocate_lookalikes,
)
from webstrata.extraction.learned.paragraph_features cimport ParagraphFeatures, cut_paragraphs, hash_title, read_text
from webstrata.extraction.learned.word_hashes cimport (
    Hashes, is_linked_data, mix, read_element, read_head, read_linked_data,
)

cdef enum:
    FEWEST_RECORDS = 3           # siblings of one kind make a list
    MOST_PAGE_WORDS = 4096       # from the metadata of a page; the model has about 500 of them


cdef void _sum(PageFeatures self) noexcept nogil:
    cdef Py_ssize_t i
    cdef ParagraphFeatures* paragraph
    cdef RunningSums* sums
    for i in range(self.count):
        paragraph = &self.paragraph[i]
        paragraph.is_long = paragraph.words >= LONG_WORDS and 2 * paragraph.link_words < paragraph.words
        sums = &self.sums[i + 1]
        sums[0] = self.sums[i]
        sums.words += paragraph.words
        sums.link_words += paragraph.link_words
        sums.long_words += paragraph.words if paragraph.is_long else 0
        sums.long_paragraphs += paragraph.is_long
        sums.headings += paragraph.heading > 0
        sums.marks += paragraph.stops + paragraph.commas
        sums.digits += paragraph.digits
        sums.short_paragraphs += paragraph.words < 4


cdef bint _read_textless(PageFeatures self, const PageColumns* page, Py_ssize_t row) noexcept nogil:
    """Add the metadata in an element without text to the words of the page; False when memory ran out."""
    cdef uint8_t tag = self.tag[row]
    cdef int32_t start = page.source_start[row], inner = page.open_stop[row], stop = page.source_stop[row]
    if self.page_words.count >= MOST_PAGE_WORDS:
        return True
    if tag == META or tag == LINK:
        return read_head(page.source, start, inner, tag, &self.page_words, &self.address)
    if tag == SCRIPT and stop - inner > 40 and is_linked_data(page.source, start, inner):
        return read_linked_data(page.source, inner, stop, &self.page_words)
    return True


cdef bint _nest(PageFeatures self, const PageColumns* page, const int32_t* paragraph_of) noexcept nogil:
    """Fill the nodes, from the root down."""
    cdef Py_ssize_t row
    cdef int32_t parent
    cdef Node* node
    cdef Node* above
    cdef Hashes* names
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
        node.first_word = node.end_word = <int32_t>self.name_words.count
        node.record = node.outer_record = node.siblings = NO_ELEMENT
        if page.end_block[row] <= page.first_block[row]:
            if not _read_textless(self, page, row):
                return False
            continue
        node.first_paragraph = paragraph_of[page.first_block[row]]
        node.end_paragraph = paragraph_of[page.end_block[row] - 1] + 1
        if not page.flags[row] & (IMPLIED | CLONED):
            names = &self.page_words if tag == HTML or tag == BODY else &self.name_words
            if not read_element(page.source, page.source_start[row], page.open_stop[row], names, &node.first_class):
                return False
            if tag == HTML or tag == BODY:
                node.first_class = 0
        node.end_word = <int32_t>self.name_words.count
        if above == NULL:
            node.up = NO_ELEMENT
            node.above = ENCLOSING_BIT[tag]
            continue
        if above.first_paragraph == node.first_paragraph and above.end_paragraph == node.end_paragraph:
            node.up = above.up
        else:
            node.up = parent
        node.above = above.above | ENCLOSING_BIT[tag]
        node.path_tags = mix(above.path_tags, tag)
        node.path_class = mix(mix(above.path_class, tag), node.first_class)
        node.record, node.outer_record = above.record, above.outer_record
        if not TRAITS[tag] & INLINE and tag != P and not TRAITS[tag] & HEADING and tag != BR:
            words = self.sums[node.end_paragraph].words - self.sums[node.first_paragraph].words
            link_words = self.sums[node.end_paragraph].link_words - self.sums[node.first_paragraph].link_words
            key = mix(mix(<uint64_t>parent + 1, tag), node.first_class) | 1
            node.siblings = add_lookalike(&self.alike, key, words, link_words, <int32_t>row)
            node.ordinal = self.alike.row[node.siblings].count - 1
    return True


cdef void _find_records(PageFeatures self) noexcept nogil:
    """Mark the elements that are one of several alike, which is known only when all are counted."""
    cdef Py_ssize_t row
    cdef Node* node
    cdef Node* above
    for row in range(1, self.elements):
        node = &self.node[row]
        if node.end_paragraph <= node.first_paragraph or self.parent[row] < 0:
            continue
        above = &self.node[self.parent[row]]
        node.record, node.outer_record = above.record, above.outer_record
        if node.siblings >= 0 and self.alike.row[node.siblings].count >= FEWEST_RECORDS:
            node.record = <int32_t>row
            if node.outer_record < 0:
                node.outer_record = <int32_t>row


cdef inline int32_t _join_paragraph(PageFeatures self, uint64_t key, uint64_t salt, Py_ssize_t i) noexcept nogil:
    """Even keys are those of paragraphs, odd ones those of elements."""
    return add_lookalike(&self.alike, mix(key, salt) & ~<uint64_t>1, self.paragraph[i].words, self.paragraph[i].link_words, <int32_t>i)


cdef void _group_paragraphs(PageFeatures self) noexcept nogil:
    cdef Py_ssize_t i
    cdef ParagraphFeatures* paragraph
    cdef Node* owner
    for i in range(self.count):
        paragraph = &self.paragraph[i]
        owner = &self.node[paragraph.owner]
        paragraph.path_class = _join_paragraph(self, owner.path_class, 11, i)
        paragraph.path_tags = _join_paragraph(self, owner.path_tags, 13, i)
        paragraph.text = _join_paragraph(self, paragraph.text_hash, 17, i)
        paragraph.copy = self.alike.row[paragraph.text].count - 1


cdef bint _allocate(PageFeatures self, Py_ssize_t blocks) noexcept nogil:
    cdef Py_ssize_t m = self.elements
    self.paragraph = <ParagraphFeatures*>malloc(blocks * sizeof(ParagraphFeatures))
    self.sums = <RunningSums*>calloc(blocks + 1, sizeof(RunningSums))
    self.node = <Node*>calloc(m + 1, sizeof(Node))
    self.images = <int32_t*>calloc(m + 1, sizeof(int32_t))
    self.controls = <int32_t*>calloc(m + 1, sizeof(int32_t))
    return (allocate_lookalikes(&self.alike, m + 3 * blocks) and self.paragraph != NULL and self.sums != NULL and self.node != NULL
            and self.images != NULL and self.controls != NULL)


cdef bint fill_page(PageFeatures self, PageColumns* page) noexcept nogil:
    """Fill the features of a page; False when memory ran out."""
    cdef Py_ssize_t i, k
    cdef bint fine
    cdef ParagraphFeatures* paragraph
    cdef int32_t* paragraph_of
    cdef uint8_t* ends
    if page.blocks == 0:
        return True
    paragraph_of = <int32_t*>malloc(page.blocks * sizeof(int32_t))
    ends = <uint8_t*>malloc(page.blocks)
    if paragraph_of == NULL or ends == NULL or not _allocate(self, page.blocks):
        free(paragraph_of)
        free(ends)
        return False
    fill_ends(page.block_table, page.text, page.kind, ends)
    self.count = cut_paragraphs(self.paragraph, ends, page.block_flags, page.blocks, page.element, self.tag,
                                self.parent)
    free(ends)
    for i in range(self.count):
        paragraph = &self.paragraph[i]
        for k in range(paragraph.first_block, paragraph.end_block):
            paragraph_of[k] = <int32_t>i
            paragraph.words += page.words[k]
            paragraph.link_words += page.link_words[k]
            paragraph.lines += page.lines[k]
    fine = read_text(self.paragraph, self.count, &self.text_words, page.text, page.kind, page.text_start, page.text_stop,
                     page.title)
    if fine:
        _sum(self)
        fine = _nest(self, page, paragraph_of)
    if fine:
        _find_records(self)
        _group_paragraphs(self)
    free(paragraph_of)
    free(self.alike.slot)
    self.alike.slot = NULL
    return fine


cdef int open_page(PageFeatures self, page, PageColumns* columns) except -1:
    """Point to the columns of a page, which must stay alive while they are read."""
    cdef Columns blocks = page.blocks.columns, elements = page.elements.columns, counts = page.blocks.counts
    cdef bytes source = page.source
    cdef str text = page.text
    self.columns = elements
    self.elements = elements.table.rows
    self.tag, self.parent = octets(&elements.table, E_TAG), ints(&elements.table, E_PARENT)
    self.depth = shorts(&elements.table, E_DEPTH)
    self.address.depth = self.address.hyphens = self.address.digits = self.address.length = -1
    self.title_length = hash_title(page.title, columns.title)
    columns.words, columns.link_words = ints(&counts.table, 0), ints(&counts.table, 1)
    columns.lines = ints(&counts.table, 2)
    columns.blocks, columns.block_table = blocks.table.rows, &blocks.table
    columns.block_flags, columns.element = octets(&blocks.table, B_FLAGS), ints(&blocks.table, B_ELEMENT)
    columns.text_start, columns.text_stop = ints(&blocks.table, B_TEXT_START), ints(&blocks.table, B_TEXT_STOP)
    columns.flags = octets(&elements.table, E_FLAGS)
    columns.first_block, columns.end_block = ints(&elements.table, E_FIRST_BLOCK), ints(&elements.table, E_END_BLOCK)
    columns.source_start = ints(&elements.table, E_SOURCE_START)
    columns.open_stop = ints(&elements.table, E_OPEN_STOP)
    columns.source_stop = ints(&elements.table, E_SOURCE_STOP)
    columns.source = source
    columns.text, columns.kind = PyUnicode_DATA(text), PyUnicode_KIND(text)
    return 0


def read_page(page):
    """The features of a page."""
    cdef PageFeatures self = PageFeatures.__new__(PageFeatures)
    cdef PageColumns columns
    cdef bint fine
    open_page(self, page, &columns)
    with nogil:
        fine = fill_page(self, &columns)
    if not fine:
        raise MemoryError
    return self
