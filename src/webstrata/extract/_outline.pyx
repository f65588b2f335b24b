# cython: language_level=3
"""Paragraphs of a page, and what their ancestors are: the columns that both passes of the learned extractor read.

A *unit* is a paragraph: a run of blocks that only inline tags part. Everything here is linear in the size of the page
and runs without the GIL; attributes are read once, from the start tags of elements that hold text.
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from webstrata._scan.rows cimport CLONED, HIDDEN, IMPLIED, PREFORMATTED
from webstrata._scan.tags cimport *
from webstrata._scan.tokenizer cimport is_letter
from webstrata.extract._names cimport (
    CLASS_KIND, SEED, add_token, fnv, read_element, read_head, read_linked_data, says_linked_data,
)

import numpy as np

cdef extern from "Python.h":
    bint Py_UNICODE_ISALNUM(Py_UCS4 c) nogil
    bint Py_UNICODE_ISUPPER(Py_UCS4 c) nogil
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 c) nogil

ctypedef fused character:
    uint8_t
    uint16_t
    uint32_t

cdef enum:
    WORD_KIND = 5
    MAX_UNIT_TOKENS = 8          # first words of a unit; enough to know a headline or a label
    SHORT_WORDS = 6              # units up to this length give pairs of words as well ("read more")
    TITLE_SLOTS = 256
    MANY = 3                     # so many siblings of one kind make a list

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


cdef inline uint64_t _mix(uint64_t a, uint64_t b) noexcept nogil:
    a = (a ^ b) * <uint64_t>0x9E3779B97F4A7C15
    return a ^ a >> 29


# Text

cdef inline bint _is_symbol(uint32_t c) noexcept nogil:
    """Signs of prices, rights, paths and lists: $ > | £ ¥ © · » • › → €."""
    return (c == 36 or c == 62 or c == 124 or c == 0xA3 or c == 0xA5 or c == 0xA9 or c == 0xB7 or c == 0xBB
            or c == 0x2022 or c == 0x203A or c == 0x2192 or c == 0x20AC)


cdef bint _read_text(Outline self, const character* text, const int32_t* starts, const int32_t* stops,
                     const uint32_t* title) noexcept nogil:
    """Count the characters of each unit, hash its text and its first words."""
    cdef Py_ssize_t i, block
    cdef Unit* unit
    cdef int32_t at, stop
    cdef uint32_t c, low, hash, before, slot
    cdef int words, size
    cdef bint capital, alnum
    for i in range(self.units):
        unit = &self.unit[i]
        unit.first_token = <int32_t>self.unit_tokens.count
        words = 0
        before = 0
        unit.text_hash = SEED
        for block in range(unit.first_block, unit.end_block):
            at, stop = starts[block], stops[block]
            unit.chars += stop - at
            hash = SEED ^ WORD_KIND
            size = 0
            capital = False
            while at <= stop:
                c = text[at] if at < stop else 32
                if c < 128:
                    alnum = is_letter(<uint8_t>c) or 48 <= c <= 57
                    low = c | 0x20 if 65 <= c <= 90 else c
                else:
                    alnum = Py_UNICODE_ISALNUM(c)
                    low = Py_UNICODE_TOLOWER(c) if alnum else c
                if alnum:
                    if size == 0:
                        capital = 65 <= c <= 90 or (c >= 128 and Py_UNICODE_ISUPPER(c))
                    hash = fnv(hash, low)
                    size += 1
                    unit.digits += 48 <= c <= 57
                else:
                    if size:
                        unit.word_chars += size
                        unit.capital_words += capital
                        unit.text_hash = fnv(unit.text_hash, hash)
                        slot = hash & (TITLE_SLOTS - 1)
                        while title[slot]:
                            if title[slot] == hash:
                                unit.title_words += 1
                                break
                            slot = (slot + 1) & (TITLE_SLOTS - 1)
                        if words < MAX_UNIT_TOKENS:
                            if not add_token(&self.unit_tokens, hash):
                                return False
                            if before and unit.words <= SHORT_WORDS:
                                if not add_token(&self.unit_tokens, fnv(before, hash)):
                                    return False
                        words += 1
                        before = hash
                        hash = SEED ^ WORD_KIND
                        size = 0
                    if c == 46 or c == 33 or c == 63 or c == 58 or c == 0x3002 or c == 0xFF01 or c == 0xFF1F:
                        unit.stops += 1
                        if at + 1 >= stop or text[at + 1] <= 32 or c >= 0x3000:
                            unit.sentence_ends += 1
                    elif c == 44 or c == 59 or c == 0xFF0C or c == 0x3001 or c == 0x060C:
                        unit.commas += 1
                    elif _is_symbol(c):
                        unit.symbols += 1
                if c > 32 and at < stop:
                    if unit.first_char == 0:
                        unit.first_char = c
                    unit.last_char = c
                at += 1
        unit.end_token = <int32_t>self.unit_tokens.count
    return True


cdef uint32_t _title_words(Outline self, const character* text, Py_ssize_t length, uint32_t* slots) noexcept nogil:
    cdef Py_ssize_t at
    cdef uint32_t c, hash = SEED ^ WORD_KIND, slot
    cdef int size = 0
    for at in range(length + 1):
        c = text[at] if at < length else 32
        if Py_UNICODE_ISALNUM(c):
            hash = fnv(hash, Py_UNICODE_TOLOWER(c))
            size += 1
        elif size:
            if self.title_length < TITLE_SLOTS // 2:
                slot = hash & (TITLE_SLOTS - 1)
                while slots[slot] and slots[slot] != hash:
                    slot = (slot + 1) & (TITLE_SLOTS - 1)
                slots[slot] = hash
                self.title_length += 1
            hash = SEED ^ WORD_KIND
            size = 0
    return 0


# Groups of what looks the same, in one hash table

cdef struct Table:
    int32_t* slot            # into the groups, + 1
    uint32_t mask


cdef int32_t _group(Outline self, Table* table, uint64_t key, int32_t words, int32_t link_words,
                    int32_t number) noexcept nogil:
    """Add a member to the group of this key; returns the group."""
    cdef uint32_t place = <uint32_t>(key >> 32 ^ key) & table.mask
    cdef Group* group
    while table.slot[place] and self.group[table.slot[place] - 1].key != key:
        place = (place + 1) & table.mask
    if not table.slot[place]:
        table.slot[place] = <int32_t>self.groups + 1
        group = &self.group[self.groups]
        memset(group, 0, sizeof(Group))
        group.key = key
        group.first = number
        self.groups += 1
    group = &self.group[table.slot[place] - 1]
    group.count += 1
    group.words += words
    group.link_words += link_words
    group.last = number
    group.squares += <double>words * words
    return table.slot[place] - 1


def _name_hash(str name):
    """The hash of one lower-case word of a class or id."""
    cdef uint32_t hash = SEED ^ CLASS_KIND
    for byte in name.encode():
        hash = fnv(hash, byte)
    return hash


cdef class Outline:
    """The paragraphs of a page with their surroundings, held in C; `outline` makes it."""

    def __dealloc__(self):
        free(self.unit)
        free(self.node)
        free(self.sums)
        free(self.images)
        free(self.controls)
        free(self.group)
        free(self.unit_tokens.hash)
        free(self.element_tokens.hash)
        free(self.page_tokens.hash)

    def __len__(self):
        return self.units

    @property
    def first_block(self):
        """The first block of each unit; a unit ends where the next one begins."""
        result = np.empty(self.units, np.int32)
        cdef int32_t[::1] out = result
        cdef Py_ssize_t i
        for i in range(self.units):
            out[i] = self.unit[i].first_block
        return result

    @property
    def words(self):
        """How many words each unit has."""
        result = np.empty(self.units, np.int32)
        cdef int32_t[::1] out = result
        cdef Py_ssize_t i
        for i in range(self.units):
            out[i] = self.unit[i].words
        return result

    def unit_of_block(self, Py_ssize_t blocks):
        """The unit of each block."""
        result = np.empty(blocks, np.int32)
        cdef int32_t[::1] out = result
        cdef Py_ssize_t i, block
        for i in range(self.units):
            for block in range(self.unit[i].first_block, self.unit[i].end_block):
                out[block] = <int32_t>i
        return result

    def under(self, names):
        """Which units stand under an element that has one of these words in its class or id."""
        cdef Py_ssize_t i, k
        cdef int32_t parent
        hashes = {_name_hash(name) for name in names}
        inside = np.zeros(self.elements, bool)
        cdef uint8_t[::1] flag = inside.view(np.uint8)
        for i in range(self.elements):
            parent = self.parent[i]
            flag[i] = parent >= 0 and flag[parent]
            if self.units and not flag[i]:
                for k in range(self.node[i].first_token, self.node[i].end_token):
                    if self.element_tokens.hash[k] in hashes:
                        flag[i] = True
        return inside[[self.unit[i].element for i in range(self.units)]] if self.units else np.zeros(0, bool)

    def tokens(self):
        """For learning: (row starts, hashes) of the tokens of each unit, and the tokens of the page.

        The tokens of a unit are those of the elements above it, its own first words, and those of the heading above.
        """
        cdef Py_ssize_t i, k, count = 0
        cdef int32_t element, heading = -1
        cdef Unit* unit
        starts = np.zeros(self.units + 1, np.int64)
        cdef int64_t[::1] start = starts
        for i in range(self.units):
            unit = &self.unit[i]
            element = unit.element
            while element >= 0:
                count += self.node[element].end_token - self.node[element].first_token
                element = self.parent[element]
            count += unit.end_token - unit.first_token
            if heading >= 0 and not unit.heading:
                count += self.unit[heading].end_token - self.unit[heading].first_token
            if unit.heading:
                heading = <int32_t>i
            start[i + 1] = count
        hashes = np.empty(count, np.uint32)
        cdef uint32_t[::1] out = hashes
        count = 0
        heading = -1
        for i in range(self.units):
            unit = &self.unit[i]
            element = unit.element
            while element >= 0:
                for k in range(self.node[element].first_token, self.node[element].end_token):
                    out[count] = self.element_tokens.hash[k]
                    count += 1
                element = self.parent[element]
            for k in range(unit.first_token, unit.end_token):
                out[count] = self.unit_tokens.hash[k]
                count += 1
            if heading >= 0 and not unit.heading:
                for k in range(self.unit[heading].first_token, self.unit[heading].end_token):
                    out[count] = self.unit_tokens.hash[k] ^ HEADING_SALT
                    count += 1
            if unit.heading:
                heading = <int32_t>i
        page = np.array([self.page_tokens.hash[k] for k in range(self.page_tokens.count)], np.uint32)
        return starts, hashes, page


cdef bint _cut(Outline self, const uint64_t* gap, const uint8_t* flags, Py_ssize_t blocks, const uint64_t* inline,
               const int32_t* element) noexcept nogil:
    """Cut the blocks into units."""
    cdef Py_ssize_t i
    cdef Unit* unit = NULL
    cdef int32_t owner
    for i in range(blocks):
        if unit == NULL or flags[i] != flags[i - 1] or (
                gap[3 * i] & ~inline[0] | gap[3 * i + 1] & ~inline[1] | gap[3 * i + 2] & ~inline[2]):
            unit = &self.unit[self.units]
            self.units += 1
            memset(unit, 0, sizeof(Unit))
            unit.first_block = <int32_t>i
            unit.element = owner = element[i]
            while TRAITS[self.tag[owner]] & INLINE and self.parent[owner] >= 0:
                owner = self.parent[owner]
            unit.owner = owner
            unit.heading = flags[i] >> 4
            unit.hidden = (flags[i] & HIDDEN) != 0
            unit.preformatted = (flags[i] & PREFORMATTED) != 0
        unit.end_block = <int32_t>(i + 1)
    return True


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


cdef bint _nest(Outline self, Table* table, const int32_t* first_block, const int32_t* end_block, const uint8_t* flags,
                const int32_t* source_start, const int32_t* open_stop, const int32_t* source_stop,
                const uint8_t* source, const int32_t* unit_of) noexcept nogil:
    """Fill the nodes, from the root down."""
    cdef Py_ssize_t row
    cdef int32_t parent
    cdef Node* node
    cdef Node* above
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
        if end_block[row] <= first_block[row]:
            if tag == META or tag == LINK:
                if not read_head(&self.page_tokens, &self.address, source, source_start[row], open_stop[row], tag):
                    return False
            elif tag == SCRIPT and source_stop[row] - open_stop[row] > 40:
                if says_linked_data(source, source_start[row], open_stop[row]):
                    if not read_linked_data(&self.page_tokens, source, open_stop[row], source_stop[row]):
                        return False
            continue
        node.first_unit = unit_of[first_block[row]]
        node.end_unit = unit_of[end_block[row] - 1] + 1
        if not flags[row] & (IMPLIED | CLONED):
            if tag == HTML or tag == BODY:
                if not read_element(source, source_start[row], open_stop[row], &self.page_tokens, &node.first_class):
                    return False
                node.first_class = 0
            elif not read_element(source, source_start[row], open_stop[row], &self.element_tokens, &node.first_class):
                return False
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
        node.path_tags = _mix(above.path_tags, tag)
        node.path_class = _mix(_mix(above.path_class, tag), node.first_class)
        node.record, node.outer_record = above.record, above.outer_record
        if not TRAITS[tag] & INLINE and tag != P and not TRAITS[tag] & HEADING and tag != BR:
            words = self.sums[node.end_unit].words - self.sums[node.first_unit].words
            link_words = self.sums[node.end_unit].link_words - self.sums[node.first_unit].link_words
            key = _mix(_mix(<uint64_t>parent + 1, tag), node.first_class) | 1
            node.siblings = _group(self, table, key, words, link_words, <int32_t>row)
            node.ordinal = self.group[node.siblings].count - 1
    # Whether an element is one of many is known only when all are counted.
    for row in range(1, self.elements):
        node = &self.node[row]
        if node.end_unit <= node.first_unit or self.parent[row] < 0:
            continue
        above = &self.node[self.parent[row]]
        node.record, node.outer_record = above.record, above.outer_record
        if node.siblings >= 0 and self.group[node.siblings].count >= MANY:
            node.record = <int32_t>row
            if node.outer_record < 0:
                node.outer_record = <int32_t>row
    return True


cdef inline int32_t _group_unit(Outline self, Table* table, uint64_t key, uint64_t salt, Py_ssize_t i) noexcept nogil:
    """Even keys are those of units, odd ones those of elements."""
    return _group(self, table, _mix(key, salt) & ~<uint64_t>1, self.unit[i].words, self.unit[i].link_words, <int32_t>i)


cdef void _group_units(Outline self, Table* table) noexcept nogil:
    cdef Py_ssize_t i
    cdef Unit* unit
    cdef Node* owner
    for i in range(self.units):
        unit = &self.unit[i]
        owner = &self.node[unit.owner]
        unit.path_class = _group_unit(self, table, owner.path_class, 11, i)
        unit.path_tags = _group_unit(self, table, owner.path_tags, 13, i)
        unit.text_copies = _group_unit(self, table, unit.text_hash, 17, i)
    for i in range(self.units):
        self.unit[i].text_copies = self.group[self.unit[i].text_copies].count


def outline(page, str title, const uint64_t[::1] inline):
    """The outline of a page. `inline` is the mask of the tags that do not end a paragraph."""
    blocks, elements = page.blocks, page.elements
    cdef Outline self = Outline.__new__(Outline)
    cdef Py_ssize_t n = len(blocks), m = len(elements)
    cdef const uint64_t[:, ::1] gap = blocks.gap
    cdef const uint8_t[::1] block_flags = blocks.flags
    cdef const int32_t[::1] block_element = blocks.element
    cdef const int32_t[::1] words = blocks.words
    cdef const int32_t[::1] link_words = blocks.link_words
    cdef const int32_t[::1] lines = blocks.lines
    cdef const int32_t[::1] text_start = blocks.text_start
    cdef const int32_t[::1] text_stop = blocks.text_stop
    cdef const uint8_t[::1] element_flags = elements.flags
    cdef const int32_t[::1] first_block = elements.first_block
    cdef const int32_t[::1] end_block = elements.end_block
    cdef const int32_t[::1] source_start = elements.source_start
    cdef const int32_t[::1] open_stop = elements.open_stop
    cdef const int32_t[::1] source_stop = elements.source_stop
    cdef str text = page.text
    cdef bytes source_bytes = page.source
    cdef const uint8_t* source = source_bytes
    cdef int kind = PyUnicode_KIND(text), title_kind = PyUnicode_KIND(title)
    cdef void* data = PyUnicode_DATA(text)
    cdef void* title_data = PyUnicode_DATA(title)
    cdef Py_ssize_t title_size = len(title)
    cdef uint32_t[TITLE_SLOTS] slots
    cdef Table table
    cdef int32_t* unit_of
    cdef Py_ssize_t i, k, size = 1
    cdef bint fine = False
    self.tag, self.parent, self.depth = elements.tag, elements.parent, elements.depth
    self.elements = m
    self.address.depth = self.address.hyphens = self.address.digits = self.address.length = -1
    if n == 0:
        return self
    while size < 2 * (m + 3 * n):
        size *= 2
    self.unit = <Unit*>malloc(n * sizeof(Unit))
    self.node = <Node*>calloc(m + 1, sizeof(Node))
    self.sums = <Sums*>calloc(n + 1, sizeof(Sums))
    self.images = <int32_t*>calloc(m + 1, sizeof(int32_t))
    self.controls = <int32_t*>calloc(m + 1, sizeof(int32_t))
    self.group = <Group*>malloc((m + 3 * n) * sizeof(Group))
    table.slot = <int32_t*>calloc(size, sizeof(int32_t))
    table.mask = <uint32_t>(size - 1)
    unit_of = <int32_t*>malloc(n * sizeof(int32_t))
    try:
        if (self.unit == NULL or self.node == NULL or self.sums == NULL or self.images == NULL or self.controls == NULL
                or self.group == NULL or table.slot == NULL or unit_of == NULL):
            raise MemoryError
        with nogil:
            memset(slots, 0, sizeof(slots))
            if title_kind == 1:
                _title_words(self, <const uint8_t*>title_data, title_size, slots)
            elif title_kind == 2:
                _title_words(self, <const uint16_t*>title_data, title_size, slots)
            else:
                _title_words(self, <const uint32_t*>title_data, title_size, slots)
            _cut(self, &gap[0, 0], &block_flags[0], n, &inline[0], &block_element[0])
            for i in range(self.units):
                for k in range(self.unit[i].first_block, self.unit[i].end_block):
                    unit_of[k] = <int32_t>i
                    self.unit[i].words += words[k]
                    self.unit[i].link_words += link_words[k]
                    self.unit[i].lines += lines[k]
            if kind == 1:
                fine = _read_text(self, <const uint8_t*>data, &text_start[0], &text_stop[0], slots)
            elif kind == 2:
                fine = _read_text(self, <const uint16_t*>data, &text_start[0], &text_stop[0], slots)
            else:
                fine = _read_text(self, <const uint32_t*>data, &text_start[0], &text_stop[0], slots)
            _sum(self)
            if fine:
                fine = _nest(self, &table, &first_block[0], &end_block[0], &element_flags[0], &source_start[0],
                             &open_stop[0], &source_stop[0], source, unit_of)
            if fine:
                _group_units(self, &table)
        if not fine:
            raise MemoryError
    finally:
        free(table.slot)
        free(unit_of)
    return self
