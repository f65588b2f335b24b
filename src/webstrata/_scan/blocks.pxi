# Included in scan.pyx: the scan is one translation unit, so that the compiler inlines across its parts.
#
# The text of the page and the rows of its blocks.

cdef inline bint _is_of_word(uint8_t byte) noexcept nogil:
    """Whether a byte may belong to a word: a letter or a digit of ASCII, or a part of any other character."""
    return 48 <= byte <= 57 or 97 <= (byte | 0x20) <= 122 or byte >= 0x80


cdef inline bint _goes_on(Builder* self, const Token* token) noexcept nogil:
    """Whether a custom element, whose name has a hyphen, begins or ends within a line.

    It begins within a line that has text, and ends there if it began so or if text follows, but never between two words
    without a space. Elements inside of it may end the line nevertheless.
    """
    cdef const uint8_t* at = self.source + token.stop
    cdef bint within = self.inline_names & 1
    cdef bint touches = (self.text_size > 0 and self.separator == 0 and not self.pending_space
                         and _is_of_word(self.text[self.text_size - 1]))
    if token.kind == START_TAG:
        within = self.text_size > 0 and self.separator < 2 and not (touches and (at[0] == 60 or _is_of_word(at[0])))
        self.inline_names = self.inline_names << 1 | within
        return within
    self.inline_names >>= 1
    if touches and _is_of_word(at[0]):
        return False
    while at[0] == 32 or 9 <= at[0] <= 13:
        at += 1
    return within or not (at[0] == 60 or at[0] == 0)


cdef inline void see_tag(Builder* self, const Token* token, bint foreign) noexcept nogil:
    """Note a tag of the source: it ends the block, unless it is an <a>, and belongs to the gap."""
    cdef uint8_t tag = OTHER if foreign and token.tag == A else token.tag
    cdef uint32_t traits = TRAITS[tag]
    self.gap[tag >> 6] |= <uint64_t>1 << (tag & 63)
    if tag == A:
        return
    end_block(self)
    if foreign or traits & BOXED:
        self.separator = max(self.separator, 1)
    elif not traits & INLINE or (tag == OTHER and memchr(
            self.source + token.start, 45, token.name_stop - token.start) != NULL and not _goes_on(self, token)):
        self.separator = 2


cdef inline bint _begin_block(Builder* self, Py_ssize_t source_start) noexcept nogil:
    """Write what separates the text from the block before, and the row of a new block."""
    cdef Table* table = &self.blocks
    cdef Open* entry = top(self)
    cdef Py_ssize_t row = table.rows
    cdef uint64_t* gap
    cdef int i
    if not make_room(self, table):
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


cdef inline void _add_space(Builder* self, uint32_t c) noexcept nogil:
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


cdef inline bint _add_character(Builder* self, uint32_t c, Py_ssize_t source_start, Py_ssize_t source_stop) noexcept nogil:
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


cdef inline bint _reserve(Builder* self, Py_ssize_t size) noexcept nogil:
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


cdef inline bint _are_plain(uint64_t eight, uint64_t spaces) noexcept nogil:
    """Whether eight bytes can be copied: ASCII, no reference, no control character, no two spaces in a row.

    `spaces` has the highest bit of each byte that is one, if all are ASCII.
    """
    cdef uint64_t high = 0x8080808080808080
    cdef uint64_t odd
    # With all high bits clear, adding 0x7F sets that of every byte that is not zero, and adding 0x60 that of every
    # byte from 0x20 on.
    odd = ~((eight ^ <uint64_t>0x2626262626262626) + <uint64_t>0x7F7F7F7F7F7F7F7F)
    odd |= ~(eight + <uint64_t>0x6060606060606060) | eight
    return not (odd & high | spaces & spaces << 8)


cdef inline int _copy_eight(const uint8_t* source, uint8_t* out, Py_ssize_t left) noexcept nogil:
    """Copy up to `left` of eight plain bytes; returns how many, 0 if they are not plain.

    A space at the end is left for what comes after it to be seen; one at the beginning comes after no space.
    """
    cdef uint64_t eight, spaces
    memcpy(&eight, source, 8)
    if left < 8:
        # What does not count becomes letters.
        eight = eight & ~(~<uint64_t>0 << 8 * left) | <uint64_t>0x7878787878787878 << 8 * left
    spaces = ~((eight ^ <uint64_t>0x2020202020202020) + <uint64_t>0x7F7F7F7F7F7F7F7F) & <uint64_t>0x8080808080808080
    if not _are_plain(eight, spaces):
        return 0
    left = min(left, 8)
    memcpy(out, &eight, 8)
    return <int>left - (spaces >> (8 * left - 1) & 1)


cdef inline Py_ssize_t _copy_run(Builder* self, Py_ssize_t position, Py_ssize_t stop) noexcept nogil:
    """Copy plain characters and single spaces at `position`; returns where they end.

    The first of them is no space, and there is room for eight bytes more than they have.
    """
    cdef const uint8_t* source = self.source
    cdef const uint8_t* kinds = BYTE_KINDS
    cdef uint8_t* out = self.text + self.text_size
    cdef Py_ssize_t begin = position
    cdef Py_ssize_t continued = 0
    cdef int copied
    cdef uint8_t kind
    while position < stop:
        if position + 8 <= self.length:
            copied = _copy_eight(source + position, out + position - begin, stop - position)
            if copied:
                position += copied
                continue
        kind = kinds[source[position]]
        if kind == CONTINUATION:
            continued += 1
        elif kind != PLAIN and kind != LEAD and not (
                source[position] == 32 and position + 1 < stop and kinds[source[position + 1]] == PLAIN):
            break
        out[position - begin] = source[position]
        position += 1
    self.text_size += position - begin
    self.text_chars += <int32_t>(position - begin - continued)
    self.block_chars = self.text_chars
    self.block_source_stop = <int32_t>position
    return position


cdef inline Py_ssize_t _add_reference(Builder* self, Py_ssize_t position, Py_ssize_t stop) noexcept nogil:
    cdef Reference reference
    read_reference(self.source, position, stop, False, &reference)
    if not reference.first:
        _add_character(self, 38, position, position + 1)
    else:
        _add_character(self, reference.first, position, reference.stop)
        if reference.second:
            _add_character(self, reference.second, position, reference.stop)
    return reference.stop


cdef inline void part_hidden(Builder* self) noexcept nogil:
    """End the block where text comes that is hidden, or shown, other than that of the block."""
    if self.in_block and self.block_flags != top(self).flags | self.stray_flags:
        end_block(self)


cdef inline void add_text(
        Builder* self, Py_ssize_t start, Py_ssize_t stop, bint references, bint replace_nul) noexcept nogil:
    """Add the character data source[start:stop] to the text of the innermost open element."""
    cdef const uint8_t* source = self.source
    cdef const uint8_t* kinds = BYTE_KINDS
    cdef Py_ssize_t position = start
    cdef uint8_t c, kind
    cdef int size
    cdef bint folds = not top(self).flags & PREFORMATTED
    # A NUL may become three bytes; two more for a separator and a pending space.
    if not _reserve(self, 3 * (stop - start) + 8):
        return
    part_hidden(self)
    while position < stop:
        c = source[position]
        kind = kinds[c]
        if kind == WHITE and folds:
            self.pending_space = True
            position += 1
            while position < stop and kinds[source[position]] == WHITE:
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
