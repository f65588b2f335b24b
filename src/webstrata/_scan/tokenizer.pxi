# Included in scan.pyx: the scan is one translation unit, so that the compiler inlines across its parts.
#
# The tokenizer of the HTML standard (13.2.5) over UTF-8 bytes, as spans of the source.
#
# A token is a span and a kind; names, attributes and character data are decoded on demand (references.pyx,
# attributes.pyx). The tokenizer never looks back and never copies, so its time is linear for any bytes.
#
# Out of scope: the parts of a DOCTYPE, the text of comments, and the names of parse errors.

cdef inline Py_ssize_t _comment_stop(const uint8_t* source, Py_ssize_t start, Py_ssize_t length) noexcept nogil:
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


cdef inline bint _declaration(Tokenizer* self, Token* token, Py_ssize_t start) noexcept nogil:
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


cdef inline Py_ssize_t _script_stop(Tokenizer* self) noexcept nogil:
    """The end of script data: before its end tag, unless that is in a comment that opened a script itself."""
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


cdef inline Py_ssize_t _text_stop(Tokenizer* self) noexcept nogil:
    """Where the character data at the current position ends."""
    cdef const uint8_t* source = self.source
    cdef Py_ssize_t length = self.length
    cdef Py_ssize_t position = self.position
    if likely(self.content == DATA_TEXT):
        position = find(source, LESS, position, length)
        while position < length and unlikely(not _starts_markup(source, position, length)):
            position = find(source, LESS, position + 1, length)
        return position
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
    while position < length and not _end_tag_at(self, position):
        position = find(source, LESS, position + 1, length)
    return position


cdef inline bint _text(Tokenizer* self, Token* token) noexcept nogil:
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


cdef inline void _next_token(Tokenizer* self, Token* token) noexcept nogil:
    """Read the next token, whatever it is."""
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


cdef inline void next_token(Tokenizer* self, Token* token) noexcept nogil:
    """Read the next token into `token`.

    The tree builder sets `content` after a start tag whose content is not markup; an end tag sets it back.
    """
    cdef const uint8_t* source = self.source
    cdef Py_ssize_t position = self.position
    # Nearly all tokens are these: a tag, or text outside of scripts and the like.
    if likely(self.content == DATA_TEXT and position < self.length):
        if source[position] != LESS:
            _text(self, token)
            return
        if is_letter(source[position + 1]):
            if likely(_tag(self, token, position, position + 1)):
                return
        elif source[position + 1] == SLASH and is_letter(source[position + 2]):
            if likely(_tag(self, token, position, position + 2)):
                return
    _next_token(self, token)
