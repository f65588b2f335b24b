# Included in scan.pyx: the scan is one translation unit, so that the compiler inlines across its parts.
#
# The stack of open elements and the list of active formatting elements (the standard's 13.2.4).

# Insertion modes, in the order in which a page enters them. A mode belongs to an open element, and elements inside it
# inherit it, so that closing an element restores the mode.
cdef enum Mode:
    BEFORE_HEAD
    IN_HEAD
    IN_HEAD_NOSCRIPT
    AFTER_HEAD
    IN_BODY
    IN_TABLE
    IN_TABLE_BODY
    IN_ROW
    IN_CELL
    IN_CAPTION
    IN_COLUMN_GROUP

# Scopes: how far up the stack to search for an open element.
cdef enum:
    DEFAULT_SCOPE, BUTTON_SCOPE, LIST_SCOPE, IN_TABLE_SCOPE

cdef inline void close_p(Builder* self, const Token* token) noexcept nogil:
    if self.open_count[P]:
        close_tag(self, token, P, BUTTON_SCOPE)


cdef inline Open* insert(Builder* self, const Token* token, uint8_t tag) noexcept nogil:
    """Open the element of a start tag."""
    cdef Open* entry = push(self, tag, token.start, token.stop, start_flags(token))
    if entry.traits & VOID:
        pop(self, token.stop)
    elif entry.traits & MARKER and self.active_count < MAX_ACTIVE:
        self.active[self.active_count].element = -1
        self.active_count += 1
    return entry


cdef inline Open* imply(Builder* self, const Token* token, uint8_t tag) noexcept nogil:
    """Open an element whose start tag is missing."""
    return push(self, tag, token.start, token.start, IMPLIED)


cdef inline void pop_above(Builder* self, int index, const Token* token) noexcept nogil:
    """Close the elements inside the element at `index`; the token implies their end."""
    while self.depth > index + 1:
        pop(self, token.start)


cdef inline void pop_through(Builder* self, int index, const Token* token, bint ends) noexcept nogil:
    """Close the element at `index` and those inside it; `ends` if the token is its own end tag."""
    pop_above(self, index, token)
    pop(self, token.stop if ends else token.start)


cdef inline bint ends_scope(const Open* entry, int scope) noexcept nogil:
    if scope == IN_TABLE_SCOPE:
        return (entry.traits & TABLE_SCOPE) != 0
    if entry.traits & SCOPE:
        return True
    if scope == BUTTON_SCOPE:
        return entry.tag == BUTTON
    return scope == LIST_SCOPE and (entry.tag == OL or entry.tag == UL)


cdef inline int find_open(Builder* self, uint8_t tag, int scope) noexcept nogil:
    """Where the innermost open element of this tag stands on the stack; -1 when there is none in scope."""
    cdef int index = self.depth - 1
    if not self.open_count[tag]:
        return -1
    while index >= 0:
        if self.open[index].tag == tag:
            return index
        if ends_scope(&self.open[index], scope):
            return -1
        index -= 1
    return -1


cdef inline bint close_tag(Builder* self, const Token* token, uint8_t tag, int scope) noexcept nogil:
    """Close the innermost element of this tag, if one is in scope."""
    cdef int index = find_open(self, tag, scope)
    if index < 0:
        return False
    pop_through(self, index, token, token.tag == tag)
    return True


cdef inline void pop_implied(Builder* self, const Token* token, uint8_t but) noexcept nogil:
    """Generate implied end tags, but for elements of tag `but`."""
    while top(self).traits & IMPLIED_END and top(self).tag != but:
        pop(self, token.start)


cdef inline void end_template(Builder* self, const Token* token) noexcept nogil:
    cdef int index = self.depth - 1
    while index > 0 and self.open[index].tag != TEMPLATE:
        index -= 1
    if index > 0:
        pop_through(self, index, token, True)


# Formatting elements

cdef inline void reconstruct(Builder* self, const Token* token) noexcept nogil:
    """Reopen the active formatting elements that something else has closed."""
    cdef int index = self.active_count - 1
    cdef Active* entry
    if index < 0 or self.active[index].element < 0 or self.active[index].is_open:
        return
    while index > 0 and self.active[index - 1].element >= 0 and not self.active[index - 1].is_open:
        index -= 1
    while index < self.active_count and self.clones_left > 0 and self.depth < MAX_DEPTH - 1:
        entry = &self.active[index]
        entry.element = push(self, entry.tag, entry.source_start, entry.open_stop, entry.flags | CLONED).element
        entry.is_open = True
        self.clones_left -= 1
        index += 1


cdef inline void drop_active(Builder* self, int index) noexcept nogil:
    memmove(&self.active[index], &self.active[index + 1], (self.active_count - index - 1) * sizeof(Active))
    self.active_count -= 1


cdef inline void insert_formatting(Builder* self, const Token* token) noexcept nogil:
    """Open a formatting element and make it active; of equal ones the last three count (Noah's Ark clause)."""
    cdef Open* opened = insert(self, token, token.tag)
    cdef Active* entry
    cdef int index = self.active_count - 1
    cdef int equal = 0, earliest = -1
    cdef int32_t size = token.stop - token.start
    while index >= 0 and self.active[index].element >= 0:
        entry = &self.active[index]
        if entry.tag == token.tag and entry.open_stop - entry.source_start == size and memcmp(
                self.source + entry.source_start, self.source + token.start, size) == 0:
            equal += 1
            earliest = index
        index -= 1
    if equal >= 3:
        drop_active(self, earliest)
    if self.active_count >= MAX_ACTIVE - MAX_DEPTH:
        return                       # the rest of the list is for markers
    entry = &self.active[self.active_count]
    entry.element = opened.element
    entry.source_start = token.start
    entry.open_stop = token.stop
    entry.tag = token.tag
    entry.flags = start_flags(token)
    entry.is_open = True
    self.active_count += 1


cdef inline int find_active(Builder* self, uint8_t tag) noexcept nogil:
    """The last active formatting element of this tag since the last marker, or -1."""
    cdef int index = self.active_count - 1
    while index >= 0 and self.active[index].element >= 0:
        if self.active[index].tag == tag:
            return index
        index -= 1
    return -1


cdef inline bint matches(Builder* self, const Open* entry, const Token* token) noexcept nogil:
    """Whether an end tag has the name of an open element."""
    cdef int32_t name
    cdef int32_t size
    cdef uint8_t c
    if entry.tag != OTHER:
        return entry.tag == token.tag
    if token.tag != OTHER and entry.space == HTML_SPACE:
        return False
    name = ints(&self.elements, E_SOURCE_START)[entry.element] + 1
    size = token.name_stop - token.start - 2
    if not name + size < self.length:
        return False
    c = self.source[name + size]
    return (is_space(c) or c == 47 or c == 62) and same_name(self.source + name, self.source + token.start + 2, size)


cdef inline void end_any(Builder* self, const Token* token) noexcept nogil:
    """Any other end tag: the innermost element of that name, if no special element is open inside it."""
    cdef int index = self.depth - 1
    if token.tag != OTHER and not self.open_count[token.tag]:
        return
    while index > 0:
        if matches(self, &self.open[index], token):
            pop_through(self, index, token, True)
            return
        if self.open[index].traits & SPECIAL:
            return
        index -= 1


cdef inline void end_formatting(Builder* self, const Token* token, uint8_t tag) noexcept nogil:
    """What the adoption agency does, without moving rows: see the module's docstring."""
    cdef int active = find_active(self, tag)
    cdef int index, inner
    if active < 0:
        end_any(self, token)
        return
    if not self.active[active].is_open:
        drop_active(self, active)
        return
    index = self.depth - 1
    inner = -1
    while index >= 0 and self.open[index].element != self.active[active].element:
        if self.open[index].traits & SCOPE:
            return
        if self.open[index].traits & SPECIAL:
            inner = index
        index -= 1
    drop_active(self, active)
    if index < 0:
        return
    if inner < 0:
        pop_through(self, index, token, token.kind == END_TAG)
    else:
        forget(self, index, token.stop)
