# Included in scan.pyx: the scan is one translation unit, so that the compiler inlines across its parts.
#
# The growing tables, and the rows of elements; blocks.pxi writes the rows of blocks.

cdef enum:
    MAX_DEPTH = 512          # open elements; Blink flattens deeper trees at the same depth
    MAX_TREE_DEPTH = 1024    # of the rows
    MAX_ACTIVE = 1024        # active formatting elements and markers

cdef enum Space:
    HTML_SPACE
    SVG_SPACE
    MATH_SPACE

cdef struct Open:
    int32_t element
    int32_t text_start           # characters of the text before the element
    int32_t active_start         # number of active formatting elements before it
    int32_t link                 # row of the links, for <a>
    uint32_t traits
    uint8_t tag
    uint8_t space
    uint8_t mode
    uint8_t flags                # inherited flags of the element's text
    uint8_t heading              # level of the enclosing heading, or 0
    bint integration             # foreign, but its content is HTML again

cdef struct Active:
    int32_t element              # -1 for a marker
    int32_t source_start
    int32_t open_stop
    uint8_t tag
    uint8_t flags
    bint is_open

cdef struct Builder:
    const uint8_t* source
    Py_ssize_t length
    bint failed                  # out of memory
    Table elements
    Table blocks
    Table links
    # The text, UTF-8. Characters are counted as code points.
    uint8_t* text
    Py_ssize_t text_size
    Py_ssize_t text_capacity
    int32_t text_chars
    # The open block, and the state since the last one.
    bint in_block
    uint8_t block_flags
    int32_t block_chars          # characters of the text up to the last one that is not white space
    int32_t block_source_stop
    bint pending_space
    uint8_t stray_flags          # HIDDEN inside a noscript of the head that its content has closed
    int separator                # 0 nothing, 1 a space, 2 a line break
    uint64_t inline_names        # of the innermost open custom elements, whether they began within a line, as bits
    uint64_t gap[GAP_WORDS]
    # Open elements.
    int depth
    int open_count[256]
    int active_count
    Py_ssize_t clones_left
    # What the tree builder remembers.
    int32_t head
    int32_t form
    int32_t title_start          # of the first title's text; -1 when there is none
    int32_t title_stop
    bint quirks
    bint skip_newline            # the first line break of a pre or textarea is not text
    Content next_content         # the next state of the tokenizer
    # The stacks, whose entries are written before they are read. What stands above starts as zeros.
    Open open[MAX_DEPTH]
    Active active[MAX_ACTIVE]


cdef inline Open* top(Builder* self) noexcept nogil:
    return &self.open[self.depth - 1]


# Tables

cdef inline bint _grow(Table* table, Py_ssize_t capacity) noexcept nogil:
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


cdef inline bint make_room(Builder* self, Table* table) noexcept nogil:
    """Whether there is room for one more row."""
    if table.rows < table.capacity:
        return True
    if _grow(table, table.capacity * 2):
        return True
    self.failed = True
    return False


cdef inline void _lay_out(Table* table, Py_ssize_t first, Py_ssize_t second, Py_ssize_t others, int count) noexcept nogil:
    cdef int i
    for i in range(count):
        table.width[i] = others
    table.width[0] = first
    table.width[1] = second


cdef inline bint start_builder(Builder* self, const uint8_t* source, Py_ssize_t length) noexcept nogil:
    """Make the builder ready for a source. False when there is no memory."""
    memset(self, 0, <uint8_t*>&self.open - <uint8_t*>self)
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


cdef inline void release(Builder* self) noexcept nogil:
    cdef int i
    for i in range(COLUMNS):
        free(self.elements.column[i])
        free(self.blocks.column[i])
        free(self.links.column[i])
    free(self.text)


# Elements

cdef inline void _set_parent(Table* table, Py_ssize_t row, int32_t parent) noexcept nogil:
    """Hang a row below its parent, or beside it where the tree is too deep.

    Elements that were taken off the stack early still are ancestors, so the tree may be deeper than the stack.
    """
    if shorts(table, E_DEPTH)[parent] == MAX_TREE_DEPTH:
        parent = ints(table, E_PARENT)[parent]
    ints(table, E_PARENT)[row] = parent
    shorts(table, E_DEPTH)[row] = shorts(table, E_DEPTH)[parent] + 1


cdef inline uint8_t start_flags(const Token* token) noexcept nogil:
    """The flags of the element that a start tag opens."""
    cdef uint8_t flags = (HIDDEN if token.notes & HIDES else 0) | (RELATED if token.notes & IS_RELATED else 0)
    return flags | (TARGET if token.tag == A and token.notes & (NAMED | LEADS) == NAMED else 0)


cdef inline Open* push(Builder* self, uint8_t tag, int32_t source_start, int32_t open_stop, uint8_t flags) noexcept nogil:
    """Open an element inside the innermost open one and write its row."""
    cdef Table* table = &self.elements
    cdef Open* parent
    cdef Open* entry
    cdef Py_ssize_t row = table.rows
    if self.depth == MAX_DEPTH:
        pop(self, source_start)
    entry = &self.open[self.depth]
    if not make_room(self, table):
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
    if tag == A and not flags & TARGET and make_room(self, &self.links):
        entry.link = <int32_t>self.links.rows
        ints(&self.links, L_ELEMENT)[entry.link] = entry.element
        ints(&self.links, L_TEXT_START)[entry.link] = self.text_chars
        self.links.rows += 1
    table.rows += 1
    self.depth += 1
    self.open_count[tag] += 1
    return entry


cdef inline void _close(Builder* self, const Open* entry, Py_ssize_t source_stop) noexcept nogil:
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


cdef inline void pop(Builder* self, Py_ssize_t source_stop) noexcept nogil:
    """Close the innermost open element, which ends at `source_stop`."""
    cdef Open* entry
    if self.depth == 0:
        return
    self.depth -= 1
    entry = &self.open[self.depth]
    _close(self, entry, source_stop)
    if entry.traits & MARKER:
        self.active_count = min(self.active_count, entry.active_start)


cdef inline void forget(Builder* self, int index, Py_ssize_t source_stop) noexcept nogil:
    """Take an element off the stack while elements inside it stay open."""
    _close(self, &self.open[index], source_stop)
    memmove(&self.open[index], &self.open[index + 1], (self.depth - index - 1) * sizeof(Open))
    self.depth -= 1


cdef inline void end_block(Builder* self) noexcept nogil:
    """Complete the row of the open block, if there is one."""
    cdef Py_ssize_t row = self.blocks.rows - 1
    if self.in_block:
        ints(&self.blocks, B_TEXT_STOP)[row] = self.block_chars
        ints(&self.blocks, B_SOURCE_STOP)[row] = self.block_source_stop
        self.in_block = False


cdef inline void finish(Builder* self) noexcept nogil:
    """Close what is open, and let each element reach from its first child to the end of its last."""
    cdef Table* table = &self.elements
    cdef int32_t* parent
    cdef int32_t* first
    cdef int32_t* end
    cdef int32_t* stop
    cdef Py_ssize_t row
    while self.depth:
        pop(self, self.length)
    end_block(self)
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
