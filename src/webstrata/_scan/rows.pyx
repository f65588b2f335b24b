# cython: language_level=3
"""The two tables while they grow, the text of the page, and the stack of open elements.

The tree builder says which elements open and close and which character data is text; this module writes the rows.
"""

from libc.stdlib cimport free, realloc
from libc.string cimport memchr, memmove, memset

from webstrata._scan.references cimport Reference, encode, read_reference
from webstrata._scan.tags cimport (
    A, BOXED, FORMATTING, H1, HEADING, HIDDEN_TEXT, INLINE, KEEPS_SPACE, MARKER, NO_TEXT, OTHER, TRAITS,
)
from webstrata._scan.tokenizer cimport Token

# What a byte of character data is.
cdef enum:
    PLAIN, WHITE, AMPERSAND, NUL, LEAD, LEAD_MAYBE_WHITE, CONTINUATION

cdef uint8_t[256] _KIND


def _fill():
    cdef int c
    for c in range(256):
        _KIND[c] = PLAIN if c < 0x80 else CONTINUATION if c < 0xC0 else LEAD
    for c in b" \t\n\r\f":
        _KIND[c] = WHITE
    _KIND[38] = AMPERSAND
    _KIND[0] = NUL
    for c in (0xC2, 0xE1, 0xE2, 0xE3):
        _KIND[c] = LEAD_MAYBE_WHITE


_fill()


# Tables

cdef bint _grow(Table* table, Py_ssize_t capacity) noexcept nogil:
    cdef int i
    cdef void* column
    for i in range(COLUMNS):
        if table.width[i]:
            column = realloc(table.column[i], capacity * table.width[i])
            if column == NULL:
                return False
            table.column[i] = column
    table.capacity = capacity
    return True


cdef inline bint _make_room(Builder* self, Table* table) noexcept nogil:
    """Whether there is room for one more row."""
    if table.rows < table.capacity:
        return True
    if _grow(table, table.capacity * 2):
        return True
    self.failed = True
    return False


cdef void _lay_out(Table* table, Py_ssize_t first, Py_ssize_t second, Py_ssize_t others, int count) noexcept nogil:
    cdef int i
    for i in range(count):
        table.width[i] = others
    table.width[0] = first
    table.width[1] = second


cdef bint start(Builder* self, const uint8_t* source, Py_ssize_t length) noexcept nogil:
    """Make the builder ready for a source. False when there is no memory."""
    memset(self, 0, sizeof(Builder))
    self.source = source
    self.length = length
    self.head = self.form = self.title_start = -1
    self.quirks = True           # until a DOCTYPE says otherwise
    # Reopened formatting elements could outgrow the page: 16 bytes of source pay for one.
    self.clones_left = 1024 + length // 16
    _lay_out(&self.elements, 1, 1, 4, 9)
    self.elements.width[E_DEPTH] = 2
    _lay_out(&self.blocks, 4, 4, 4, 7)
    self.blocks.width[B_FLAGS] = 1
    self.blocks.width[B_GAP] = 8 * GAP_WORDS
    _lay_out(&self.links, 4, 4, 4, 3)
    # Rows for the density of tags of an ordinary page; the tables double when a page has more.
    return (_grow(&self.elements, 64 + length // 48) and _grow(&self.blocks, 64 + length // 256)
            and _grow(&self.links, 64 + length // 1024))


cdef void release(Builder* self) noexcept nogil:
    cdef int i
    for i in range(COLUMNS):
        free(self.elements.column[i])
        free(self.blocks.column[i])
        free(self.links.column[i])
    free(self.text)


# Elements

cdef void _set_parent(Table* table, Py_ssize_t row, int32_t parent) noexcept nogil:
    """Hang a row below its parent, or beside it where the tree is too deep.

    Elements that were taken off the stack early still are ancestors, so the tree may be deeper than the stack.
    """
    if shorts(table, E_DEPTH)[parent] == MAX_TREE_DEPTH:
        parent = ints(table, E_PARENT)[parent]
    ints(table, E_PARENT)[row] = parent
    shorts(table, E_DEPTH)[row] = shorts(table, E_DEPTH)[parent] + 1


cdef Open* push(Builder* self, uint8_t tag, int32_t source_start, int32_t open_stop, uint8_t flags) noexcept nogil:
    """Open an element inside the innermost open one and write its row."""
    cdef Table* table = &self.elements
    cdef Open* parent
    cdef Open* entry
    cdef Py_ssize_t row = table.rows
    if self.depth == MAX_DEPTH:
        pop(self, source_start)
    entry = &self.open[self.depth]
    if not _make_room(self, table):
        return entry
    entry.traits = TRAITS[tag]
    entry.tag = tag
    entry.space = HTML_SPACE
    entry.integration = False
    entry.flags = flags & HIDDEN
    entry.heading = entry.mode = 0
    entry.link = -1
    octets(table, E_TAG)[row] = tag
    ints(table, E_PARENT)[row] = -1
    shorts(table, E_DEPTH)[row] = 0
    if self.depth:
        parent = entry - 1
        _set_parent(table, row, parent.element)
        entry.flags |= parent.flags
        entry.heading = parent.heading
        entry.mode = parent.mode
    if entry.traits & HIDDEN_TEXT:
        entry.flags |= HIDDEN
    if entry.traits & NO_TEXT:
        entry.flags |= SILENT
    if entry.traits & KEEPS_SPACE:
        entry.flags |= PREFORMATTED
    if entry.traits & HEADING:
        entry.heading = tag - H1 + 1
    octets(table, E_FLAGS)[row] = flags | entry.flags & HIDDEN
    ints(table, E_FIRST_BLOCK)[row] = <int32_t>self.blocks.rows - self.in_block
    ints(table, E_SOURCE_START)[row] = source_start
    ints(table, E_OPEN_STOP)[row] = open_stop
    entry.element = <int32_t>row
    entry.text_start = self.text_chars
    entry.active_start = self.active_count
    if tag == A and _make_room(self, &self.links):
        entry.link = <int32_t>self.links.rows
        ints(&self.links, L_ELEMENT)[entry.link] = entry.element
        ints(&self.links, L_TEXT_START)[entry.link] = self.text_chars
        self.links.rows += 1
    table.rows += 1
    self.depth += 1
    self.open_count[tag] += 1
    return entry


cdef void _close(Builder* self, const Open* entry, Py_ssize_t source_stop) noexcept nogil:
    """Complete the row of an element that ends here."""
    cdef Table* table = &self.elements
    cdef int32_t first = ints(table, E_FIRST_BLOCK)[entry.element]
    cdef int32_t end = first
    cdef int i
    if self.text_chars > entry.text_start:
        end = <int32_t>self.blocks.rows
        # The block that was open at the start tag may have ended before any text of this element came.
        if first < end - self.in_block and ints(&self.blocks, B_TEXT_STOP)[first] <= entry.text_start:
            first += 1
    ints(table, E_FIRST_BLOCK)[entry.element] = first
    ints(table, E_END_BLOCK)[entry.element] = end
    ints(table, E_SOURCE_STOP)[entry.element] = <int32_t>source_stop
    self.open_count[entry.tag] -= 1
    if entry.link >= 0:
        ints(&self.links, L_TEXT_STOP)[entry.link] = self.text_chars
    if entry.traits & FORMATTING:
        i = self.active_count - 1
        while i >= 0 and self.active[i].element != entry.element:
            i -= 1
        if i >= 0:
            self.active[i].is_open = False


cdef void pop(Builder* self, Py_ssize_t source_stop) noexcept nogil:
    """Close the innermost open element, which ends at `source_stop`."""
    cdef Open* entry
    if self.depth == 0:
        return
    self.depth -= 1
    entry = &self.open[self.depth]
    _close(self, entry, source_stop)
    if entry.traits & MARKER:
        self.active_count = min(self.active_count, entry.active_start)


cdef void forget(Builder* self, int index, Py_ssize_t source_stop) noexcept nogil:
    """Take an element off the stack while elements inside it stay open."""
    _close(self, &self.open[index], source_stop)
    memmove(&self.open[index], &self.open[index + 1], (self.depth - index - 1) * sizeof(Open))
    self.depth -= 1


cdef void finish(Builder* self) noexcept nogil:
    """Close what is open, and let each element reach from its first child to the end of its last."""
    cdef Table* table = &self.elements
    cdef int32_t* parent
    cdef int32_t* first
    cdef int32_t* end
    cdef int32_t* stop
    cdef Py_ssize_t row
    while self.depth:
        pop(self, self.length)
    _end_block(self)
    parent = ints(table, E_PARENT)
    first = ints(table, E_FIRST_BLOCK)
    end = ints(table, E_END_BLOCK)
    stop = ints(table, E_SOURCE_STOP)
    for row in range(table.rows - 1, 0, -1):
        if end[row] > end[parent[row]]:
            end[parent[row]] = end[row]
        if stop[row] > stop[parent[row]]:
            stop[parent[row]] = stop[row]
    # An element without text may still point to the block before its parent's first.
    for row in range(1, table.rows):
        first[row] = max(first[row], first[parent[row]])
        end[row] = max(end[row], first[row])


# Blocks and text

cdef void _end_block(Builder* self) noexcept nogil:
    cdef Py_ssize_t row = self.blocks.rows - 1
    if self.in_block:
        ints(&self.blocks, B_TEXT_STOP)[row] = self.block_chars
        ints(&self.blocks, B_SOURCE_STOP)[row] = self.block_source_stop
        self.in_block = False


cdef void see_tag(Builder* self, const Token* token, bint foreign) noexcept nogil:
    """Note a tag of the source: it ends the block, unless it is an <a>, and belongs to the gap."""
    cdef uint8_t tag = OTHER if foreign and token.tag == A else token.tag
    cdef uint32_t traits = TRAITS[tag]
    self.gap[tag >> 6] |= <uint64_t>1 << (tag & 63)
    if tag == A:
        return
    _end_block(self)
    if foreign or traits & BOXED:
        self.separator = max(self.separator, 1)
    elif not traits & INLINE or (tag == OTHER and memchr(
            self.source + token.start, 45, token.name_stop - token.start) != NULL):
        self.separator = 2


cdef bint _begin_block(Builder* self, Py_ssize_t source_start) noexcept nogil:
    """Write what separates the text from the block before, and the row of a new block."""
    cdef Table* table = &self.blocks
    cdef Open* entry = top(self)
    cdef Py_ssize_t row = table.rows
    cdef uint64_t* gap
    cdef int i
    if not _make_room(self, table):
        return False
    if self.text_size and (self.separator == 2 or self.separator == 1 or self.pending_space):
        self.text[self.text_size] = 10 if self.separator == 2 else 32
        self.text_size += 1
        self.text_chars += 1
    self.separator = 0
    self.pending_space = False
    self.in_block = True
    self.block_flags = entry.flags | self.stray_flags
    octets(table, B_FLAGS)[row] = self.block_flags | <uint8_t>(entry.heading << 4)
    while entry.tag == A and entry != &self.open[0]:
        entry -= 1
    ints(table, B_ELEMENT)[row] = entry.element
    ints(table, B_SOURCE_START)[row] = <int32_t>source_start
    ints(table, B_TEXT_START)[row] = self.text_chars
    gap = <uint64_t*>table.column[B_GAP] + row * GAP_WORDS
    for i in range(GAP_WORDS):
        gap[i] = self.gap[i]
        self.gap[i] = 0
    table.rows += 1
    return True


cdef inline bint _open_text(Builder* self, Py_ssize_t source_start) noexcept nogil:
    """Make the text ready for a character that is not white space."""
    if not self.in_block:
        return _begin_block(self, source_start)
    if self.pending_space:
        self.text[self.text_size] = 32
        self.text_size += 1
        self.text_chars += 1
        self.pending_space = False
    return True


cdef inline bint _is_wide_space(uint32_t c) noexcept nogil:
    """Whether a character beyond ASCII is white space (Unicode White_Space)."""
    return (c == 0xA0 or c == 0x3000 or 0x2000 <= c <= 0x200A or c == 0x202F or c == 0x2028 or c == 0x2029
            or c == 0x205F or c == 0x85 or c == 0x1680)


cdef void _add_space(Builder* self, uint32_t c) noexcept nogil:
    """White space folds into one space, or is kept as it is where the element says so."""
    cdef bint kept = top(self).flags & PREFORMATTED
    if not kept:
        self.pending_space = True
        return
    if not self.in_block and self.separator:
        if self.text_size:
            self.text[self.text_size] = 10 if self.separator == 2 else 32
            self.text_size += 1
            self.text_chars += 1
        self.separator = 0
    self.pending_space = False
    self.text_size += encode(c, self.text + self.text_size)
    self.text_chars += 1


cdef bint _add_character(Builder* self, uint32_t c, Py_ssize_t source_start, Py_ssize_t source_stop) noexcept nogil:
    """Add one character that was not copied as plain bytes."""
    if c == 32 or 9 <= c <= 13 or _is_wide_space(c):
        _add_space(self, c)
        return True
    if not _open_text(self, source_start):
        return False
    self.text_size += encode(c, self.text + self.text_size)
    self.text_chars += 1
    self.block_chars = self.text_chars
    self.block_source_stop = <int32_t>source_stop
    return True


cdef bint _reserve(Builder* self, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t capacity = self.text_size + size
    cdef void* text
    if capacity <= self.text_capacity:
        return True
    capacity = max(capacity, 2 * self.text_capacity)
    text = realloc(self.text, capacity)
    if text == NULL:
        self.failed = True
        return False
    self.text = <uint8_t*>text
    self.text_capacity = capacity
    return True


cdef inline uint32_t _character_at(const uint8_t* at, int size) noexcept nogil:
    if size == 2:
        return (at[0] & 0x1F) << 6 | at[1] & 0x3F
    return (at[0] & 0x0F) << 12 | (at[1] & 0x3F) << 6 | at[2] & 0x3F


cdef Py_ssize_t _copy_run(Builder* self, Py_ssize_t position, Py_ssize_t stop) noexcept nogil:
    """Copy the characters at `position` that need no thought, single spaces among them; returns where they end."""
    cdef const uint8_t* source = self.source
    cdef uint8_t* out = self.text + self.text_size
    cdef Py_ssize_t begin = position
    cdef Py_ssize_t continued = 0
    cdef uint8_t kind
    while position < stop:
        kind = _KIND[source[position]]
        if kind == CONTINUATION:
            continued += 1
        elif kind != PLAIN and kind != LEAD and not (
                source[position] == 32 and position + 1 < stop and _KIND[source[position + 1]] == PLAIN):
            break
        out[position - begin] = source[position]
        position += 1
    self.text_size += position - begin
    self.text_chars += <int32_t>(position - begin - continued)
    self.block_chars = self.text_chars
    self.block_source_stop = <int32_t>position
    return position


cdef Py_ssize_t _add_reference(Builder* self, Py_ssize_t position, Py_ssize_t stop) noexcept nogil:
    cdef Reference reference
    read_reference(self.source, position, stop, False, &reference)
    if not reference.first:
        _add_character(self, 38, position, position + 1)
    else:
        _add_character(self, reference.first, position, reference.stop)
        if reference.second:
            _add_character(self, reference.second, position, reference.stop)
    return reference.stop


cdef void add_text(Builder* self, Py_ssize_t start, Py_ssize_t stop, bint references, bint replace_nul) noexcept nogil:
    """Add the character data source[start:stop] to the text of the innermost open element."""
    cdef const uint8_t* source = self.source
    cdef Py_ssize_t position = start
    cdef uint8_t c, kind
    cdef int size
    cdef bint folds = not top(self).flags & PREFORMATTED
    # A NUL may become three bytes; two more for a separator and a pending space.
    if not _reserve(self, 3 * (stop - start) + 8):
        return
    if self.in_block and self.block_flags != top(self).flags | self.stray_flags:
        _end_block(self)        # hidden and shown text are never one block
    while position < stop:
        c = source[position]
        kind = _KIND[c]
        if kind == WHITE and folds:
            self.pending_space = True
            position += 1
            while position < stop and _KIND[source[position]] == WHITE:
                position += 1
        elif kind == WHITE:
            position += 1
            if c == 13:
                c = 10
                if position < stop and source[position] == 10:
                    position += 1
            _add_space(self, c)
        elif kind == AMPERSAND and references:
            position = _add_reference(self, position, stop)
        elif kind == NUL:
            if replace_nul:
                _add_character(self, 0xFFFD, position, position + 1)
            position += 1
        elif kind == LEAD_MAYBE_WHITE or kind == AMPERSAND:
            size = 1 if kind == AMPERSAND else 2 if c == 0xC2 else 3
            _add_character(self, c if size == 1 else _character_at(source + position, size), position, position + size)
            position += size
        elif _open_text(self, position):
            position = _copy_run(self, position, stop)
        else:
            return
        if self.failed:
            return
