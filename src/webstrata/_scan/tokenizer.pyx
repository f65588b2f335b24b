# cython: language_level=3
"""The tokenizer of the HTML standard (13.2.5) over UTF-8 bytes, as spans of the source.

A token is a span and a kind; names, attributes and character data are decoded only where somebody asks
(`references.pyx`). The tokenizer never looks back and never copies, so its time is linear whatever the bytes.

Out of scope: the parts of a DOCTYPE, the text of comments, and the names of parse errors.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memchr, memcpy

from webstrata._scan.eight cimport below, eight_at, equal, first_of
from webstrata._scan.tags cimport tag_of

cdef enum:
    LESS = 60, GREATER = 62, SLASH = 47, BANG = 33, QUESTION = 63, DASH = 45
    EQUALS = 61, DOUBLE_QUOTE = 34, SINGLE_QUOTE = 39
    HREF = 0x66657268, NAME = 0x656D616E    # four letters as a number, the first the lowest


cdef inline Py_ssize_t find(const uint8_t* source, uint8_t byte, Py_ssize_t start, Py_ssize_t length) noexcept nogil:
    """Where `byte` comes next, or `length`."""
    cdef const void* found
    if start >= length:
        return length
    found = memchr(source + start, byte, length - start)
    return length if found == NULL else <const uint8_t*>found - source


cdef inline bint ends_name(uint8_t c) noexcept nogil:
    return is_space(c) or c == SLASH or c == GREATER


cdef inline Py_ssize_t skip_name(const uint8_t* source, Py_ssize_t position, Py_ssize_t length) noexcept nogil:
    """Skip up to eight bytes of a name; what comes then may go on with it."""
    cdef uint64_t eight
    if position + 8 > length:
        return position
    eight = eight_at(source + position)
    return position + first_of(below(eight, 33) | equal(eight, SLASH) | equal(eight, GREATER) | equal(eight, EQUALS))


cdef inline bint starts_with(const uint8_t* source, Py_ssize_t position, Py_ssize_t length,
                             const char* text, Py_ssize_t size) noexcept nogil:
    return position + size <= length and same_name(source + position, <const uint8_t*>text, size)


cdef Py_ssize_t next_attribute(const uint8_t* source, Py_ssize_t position, Py_ssize_t length,
                               Attribute* attribute) noexcept nogil:
    cdef uint8_t c
    attribute.self_closing = False
    attribute.name_start = attribute.name_stop = attribute.value_start = attribute.value_stop = position
    while True:
        c = source[position]
        if is_space(c):
            position += 1
        elif c == SLASH:
            position += 1
            attribute.self_closing = source[position] == GREATER
        elif c == GREATER:
            return position + 1
        elif position >= length:
            return -1
        else:
            break
    attribute.name_start = position
    # An equals sign may begin a name.
    position = skip_name(source, position + 1, length)
    while True:
        c = source[position]
        if ends_name(c) or c == EQUALS or (c == 0 and position >= length):
            break
        position += 1
    attribute.name_stop = attribute.value_start = attribute.value_stop = position
    while is_space(source[position]):
        position += 1
    if source[position] != EQUALS:
        return position
    position += 1
    while is_space(source[position]):
        position += 1
    c = source[position]
    if c == DOUBLE_QUOTE or c == SINGLE_QUOTE:
        attribute.value_start = position + 1
        position = find(source, c, position + 1, length)
        attribute.value_stop = position
        return position + 1 if position < length else -1
    attribute.value_start = position
    while True:
        c = source[position]
        if is_space(c) or c == GREATER or (c == 0 and position >= length):
            break
        position += 1
    attribute.value_stop = position
    return position if position < length else -1


cdef bint _style_hides(const uint8_t* source, Py_ssize_t position, Py_ssize_t stop) noexcept nogil:
    """Whether an inline style says display:none or visibility:hidden."""
    cdef Py_ssize_t start = position
    cdef Py_ssize_t value
    while position < stop:
        if position > start and (source[position - 1] == DASH or is_letter(source[position - 1])):
            position += 1           # inside another name, such as backface-visibility
            continue
        if starts_with(source, position, stop, b"display", 7):
            value = position + 7
        elif starts_with(source, position, stop, b"visibility", 10):
            value = position + 10
        else:
            position += 1
            continue
        position = value
        while value < stop and (is_space(source[value]) or source[value] == 58):
            value += 1
        if starts_with(source, value, stop, b"none", 4) or starts_with(source, value, stop, b"hidden", 6):
            return True
    return False


cdef bint _hides(const uint8_t* source, const Attribute* attribute) noexcept nogil:
    """Whether an attribute hides its element: hidden, aria-hidden=true, or an inline style."""
    cdef const uint8_t* name = source + attribute.name_start
    cdef Py_ssize_t size = attribute.name_stop - attribute.name_start
    if size == 5:
        return same_name(name, b"style", 5) and _style_hides(source, attribute.value_start, attribute.value_stop)
    if size == 6:
        return same_name(name, b"hidden", 6)
    return (size == 11 and same_name(name, b"aria-hidden", 11)
            and attribute.value_stop - attribute.value_start == 4
            and same_name(source + attribute.value_start, b"true", 4))


cdef inline void _note(Token* token, const uint8_t* source, const Attribute* attribute) noexcept nogil:
    """Note what an attribute says of its element."""
    cdef Py_ssize_t size = attribute.name_stop - attribute.name_start
    cdef uint32_t name
    if size == 4:
        memcpy(&name, source + attribute.name_start, 4)
        name |= 0x20202020           # letters in lower case
        token.leads |= name == HREF
        token.named |= name == NAME
    elif size == 3:
        token.related |= same_name(source + attribute.name_start, b"rel", 3)
    elif size == 5 or size == 6 or size == 11:
        token.hides = token.hides or _hides(source, attribute)


cdef bint _tag(Tokenizer* self, Token* token, Py_ssize_t start, Py_ssize_t name) noexcept nogil:
    """Read the tag at `start` whose name begins at `name`. False when the source ends inside it."""
    cdef const uint8_t* source = self.source
    cdef Py_ssize_t position = skip_name(source, name, self.length)
    cdef Attribute attribute
    cdef bint opens = source[start + 1] != SLASH
    cdef uint8_t c = source[position]
    while not ends_name(c) and (c != 0 or position < self.length):
        position += 1
        c = source[position]
    token.kind = START_TAG if opens else END_TAG
    token.start = <int32_t>start
    token.name_stop = <int32_t>position
    token.tag = tag_of(source + name, position - name, self.length - name)
    token.hides = token.leads = token.named = token.related = token.self_closing = False
    if c == GREATER:
        position += 1
    else:
        while True:
            position = next_attribute(source, position, self.length, &attribute)
            if position < 0:
                self.position = self.length
                return False
            if attribute.name_stop == attribute.name_start:
                break
            if opens:
                _note(token, source, &attribute)
        token.self_closing = attribute.self_closing
    token.stop = <int32_t>position
    self.position = position
    if opens:
        self.last_name = source + name
        self.last_size = token.name_stop - name
    return True


cdef Py_ssize_t _comment_stop(const uint8_t* source, Py_ssize_t start, Py_ssize_t length) noexcept nogil:
    """Where the comment whose text begins at `start` ends: after --> or --!> or an abrupt > or ->."""
    cdef Py_ssize_t position
    if source[start] == GREATER:
        return start + 1
    if source[start] == DASH and source[start + 1] == GREATER:
        return start + 2
    position = find(source, GREATER, start, length)
    while position < length:
        if position - start >= 2 and source[position - 1] == DASH and source[position - 2] == DASH:
            break
        if (position - start >= 3 and source[position - 1] == BANG and source[position - 2] == DASH
                and source[position - 3] == DASH):
            break
        position = find(source, GREATER, position + 1, length)
    return min(position + 1, length)


cdef bint _declaration(Tokenizer* self, Token* token, Py_ssize_t start) noexcept nogil:
    """Read what begins with <! or <? or </ and is no tag. False for a CDATA section, which is text."""
    cdef const uint8_t* source = self.source
    cdef Py_ssize_t length = self.length
    token.kind = COMMENT
    token.start = <int32_t>start
    if source[start + 1] == BANG and starts_with(source, start, length, b"<!--", 4):
        self.position = _comment_stop(source, start + 4, length)
    elif self.foreign and start + 9 <= length and source[start + 2] == 91 and starts_with(
            source, start, length, b"<![CDATA[", 9) and source[start + 3] == 67:
        self.position = start + 9
        self.content = CDATA_SECTION
        return False
    else:
        if starts_with(source, start, length, b"<!doctype", 9):
            token.kind = DOCTYPE
        self.position = min(find(source, GREATER, start + 2, length) + 1, length)
    token.stop = <int32_t>self.position
    return True


cdef inline bint _starts_markup(const uint8_t* source, Py_ssize_t position, Py_ssize_t length) noexcept nogil:
    """Whether the < at `position` begins a tag or a declaration and not text."""
    cdef uint8_t c = source[position + 1]
    if is_letter(c) or c == BANG or c == QUESTION:
        return True
    return c == SLASH and position + 2 < length


cdef inline bint _end_tag_at(Tokenizer* self, Py_ssize_t position) noexcept nogil:
    """Whether the < at `position` begins the end tag that matches the last start tag."""
    cdef Py_ssize_t size = self.last_size
    return (size > 0 and self.source[position + 1] == SLASH and position + 2 + size < self.length
            and same_name(self.source + position + 2, self.last_name, size)
            and ends_name(self.source[position + 2 + size]))


cdef Py_ssize_t _script_stop(Tokenizer* self) noexcept nogil:
    """Where script data ends: before its end tag, unless that stands in a comment that itself opened a script."""
    cdef const uint8_t* source = self.source
    cdef Py_ssize_t length = self.length
    cdef Py_ssize_t position = self.position
    cdef int escaped = 0            # 1 inside <!--, 2 inside <!-- <script
    while True:
        if not escaped:
            position = find(source, LESS, position, length)
        else:
            while position < length and source[position] != LESS and source[position] != DASH:
                position += 1
        if position >= length:
            return length
        if source[position] == DASH:
            if starts_with(source, position, length, b"-->", 3):
                escaped = 0
        elif escaped == 2:
            if starts_with(source, position + 1, length, b"/script", 7) and ends_name(source[position + 8]):
                escaped = 1
        elif _end_tag_at(self, position):
            return position
        elif escaped == 1:
            if starts_with(source, position + 1, length, b"script", 6) and ends_name(source[position + 7]):
                escaped = 2
        elif starts_with(source, position, length, b"<!--", 4):
            escaped = 1
            position += 1           # so that the dashes may at once be those of -->
        position += 1


cdef Py_ssize_t _text_stop(Tokenizer* self) noexcept nogil:
    """Where the character data at the current position ends."""
    cdef const uint8_t* source = self.source
    cdef Py_ssize_t length = self.length
    cdef Py_ssize_t position = self.position
    if self.content == PLAIN_TEXT:
        return length
    if self.content == SCRIPT_DATA:
        return _script_stop(self)
    if self.content == CDATA_SECTION:
        position = find(source, 93, position, length)
        while position < length and not starts_with(source, position, length, b"]]>", 3):
            position = find(source, 93, position + 1, length)
        return position
    position = find(source, LESS, position, length)
    while position < length:
        if self.content == DATA_TEXT:
            if _starts_markup(source, position, length):
                break
        elif _end_tag_at(self, position):
            break
        position = find(source, LESS, position + 1, length)
    return position


cdef bint _text(Tokenizer* self, Token* token) noexcept nogil:
    """Read character data. False when there is none before the next markup."""
    cdef Py_ssize_t start = self.position
    cdef Py_ssize_t stop = _text_stop(self)
    token.kind = CHARACTERS
    token.content = self.content
    token.start = <int32_t>start
    token.stop = <int32_t>stop
    self.position = stop
    if self.content == CDATA_SECTION:
        self.position = min(stop + 3, self.length)
        self.content = DATA_TEXT
    return stop > start


cdef void next_token(Tokenizer* self, Token* token) noexcept nogil:
    """Read the next token into `token`.

    The tree builder sets `content` after a start tag whose content is not markup; an end tag sets it back.
    """
    cdef const uint8_t* source = self.source
    cdef Py_ssize_t position
    while self.position < self.length:
        position = self.position
        if source[position] != LESS or self.content >= SCRIPT_DATA or (
                self.content == DATA_TEXT and not _starts_markup(source, position, self.length)):
            if _text(self, token):
                return
            position = self.position
            if position >= self.length or self.content == DATA_TEXT:
                continue
        elif self.content != DATA_TEXT and not _end_tag_at(self, position):
            if _text(self, token):
                return
            position = self.position
        # Here stands markup, or the end tag of RCDATA, RAWTEXT or a script.
        self.content = DATA_TEXT
        if is_letter(source[position + 1]):
            if _tag(self, token, position, position + 1):
                return
        elif source[position + 1] == SLASH and is_letter(source[position + 2]):
            if _tag(self, token, position, position + 2):
                return
        elif source[position + 1] == SLASH and source[position + 2] == GREATER:
            self.position = position + 3
        elif _declaration(self, token, position):
            return
    token.kind = END_OF_FILE
    token.start = token.stop = <int32_t>self.length
