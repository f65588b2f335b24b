# Included in scan.pyx: the scan is one translation unit, so that the compiler inlines across its parts.
#
# What comes before the body: the DOCTYPE, the head and what it may hold.

cdef inline void insert_text_element(Builder* self, const Token* token, Content content) noexcept nogil:
    insert(self, token, token.tag)
    self.next_content = content


cdef inline void insert_metadata(Builder* self, const Token* token) noexcept nogil:
    """The start tags that the head may hold, wherever they stand."""
    if token.tag == SCRIPT:
        insert_text_element(self, token, SCRIPT_DATA)
    elif token.tag == TITLE:
        insert_text_element(self, token, RCDATA)
    elif token.tag == STYLE or token.tag == NOFRAMES:
        insert_text_element(self, token, RAWTEXT)
    elif token.tag == TEMPLATE:
        insert(self, token, TEMPLATE).mode = IN_BODY
    else:
        insert(self, token, token.tag)


cdef inline bint start_before_body(Builder* self, const Token* token, Mode mode) noexcept nogil:
    """Start tags up to the body. False when the token must be looked at again."""
    cdef uint8_t tag = token.tag
    cdef int32_t row
    if mode == BEFORE_HEAD:
        if tag == HTML:
            return True
        self.head = (insert(self, token, HEAD) if tag == HEAD else imply(self, token, HEAD)).element
        top(self).mode = IN_HEAD
        return tag == HEAD
    if tag == HTML or tag == HEAD:
        return True
    if mode == IN_HEAD_NOSCRIPT:
        if TRAITS[tag] & METADATA and tag != SCRIPT and tag != TEMPLATE and tag != TITLE and tag != BASE:
            insert_metadata(self, token)
            return True
        if tag == NOSCRIPT:
            return True
        close_head_noscript(self, token)
        return False
    if mode == IN_HEAD:
        if TRAITS[tag] & METADATA:
            insert_metadata(self, token)
            return True
        if tag == NOSCRIPT:
            insert(self, token, NOSCRIPT).mode = IN_HEAD_NOSCRIPT
            return True
        end_head(self, token.start)
        return False
    if TRAITS[tag] & METADATA:                                   # after the head: it goes into the head all the same
        row = <int32_t>self.elements.rows
        insert_metadata(self, token)
        ints(&self.elements, E_PARENT)[row] = self.head
        shorts(&self.elements, E_DEPTH)[row] += 1
        return True
    if tag == BODY or tag == FRAMESET:
        insert(self, token, tag).mode = IN_BODY
    else:
        imply(self, token, BODY).mode = IN_BODY
    return tag == BODY or tag == FRAMESET


cdef inline void close_head_noscript(Builder* self, const Token* token) noexcept nogil:
    """Content that the head cannot hold ends a noscript there; up to the end tag it is still not shown."""
    pop(self, token.start)
    self.stray_flags = HIDDEN


cdef inline void end_head(Builder* self, Py_ssize_t source_stop) noexcept nogil:
    while self.depth > 1:
        pop(self, source_stop)
    self.open[0].mode = AFTER_HEAD


cdef inline bint end_before_body(Builder* self, const Token* token, Mode mode) noexcept nogil:
    """End tags up to the body. False when the token must be looked at again."""
    cdef uint8_t tag = token.tag
    if mode == IN_HEAD_NOSCRIPT and tag == NOSCRIPT:
        pop(self, token.stop)
        return True
    if mode == IN_HEAD and tag == HEAD:
        end_head(self, token.stop)
        return True
    if tag == TEMPLATE:
        end_template(self, token)
        return True
    if tag != BODY and tag != HTML and tag != BR:
        return True
    if mode == IN_HEAD_NOSCRIPT:
        if tag == BR:
            close_head_noscript(self, token)
        return tag != BR
    if mode == IN_HEAD:
        end_head(self, token.start)
    elif mode == BEFORE_HEAD:
        self.head = imply(self, token, HEAD).element
        top(self).mode = IN_HEAD
    else:
        imply(self, token, BODY).mode = IN_BODY
    return False


cdef inline void open_body(Builder* self, const Token* token) noexcept nogil:
    """One step towards an open body."""
    if self.depth == 0:
        imply(self, token, HTML)
    elif top(self).mode == BEFORE_HEAD:
        self.head = imply(self, token, HEAD).element
        top(self).mode = IN_HEAD
    elif top(self).mode == IN_HEAD_NOSCRIPT:
        close_head_noscript(self, token)
    elif top(self).mode == IN_HEAD:
        end_head(self, token.start)
    else:
        imply(self, token, BODY).mode = IN_BODY


# Quirks

cdef inline int32_t next_quote(Builder* self, int32_t position, int32_t stop) noexcept nogil:
    while position < stop and self.source[position] != 34 and self.source[position] != 39:
        position += 1
    return position


cdef inline bint begins(Builder* self, int32_t position, int32_t stop, const char* text) noexcept nogil:
    cdef Py_ssize_t size = strlen(text)
    return position + size <= stop and same_name(self.source + position, <const uint8_t*>text, size)


cdef inline void on_doctype(Builder* self, const Token* token) noexcept nogil:
    """Whether the page asks for quirks mode, in which a table does not end a paragraph."""
    cdef int32_t stop = token.stop
    cdef int32_t position = token.start + 9
    cdef int32_t public
    cdef bint has_system
    cdef int i
    cdef (const char*)[12] quirky = [
        b"-//w3c//dtd html 3", b"-//w3c//dtd html 4.0 frameset//", b"-//w3c//dtd html 4.0 transitional//",
        b"-//ietf//", b"-//w3c//dtd html experimental", b"-//w3c//dtd w3 html", b"-//w3o//dtd w3 html",
        b"-//netscape comm", b"-//microsoft//dtd internet explorer", b"-//softquad", b"-//webtechs//dtd mozilla html",
        b"-/w3c/dtd html 4.0 transitional/en",
    ]
    if self.depth:
        return
    while position < stop and is_space(self.source[position]):
        position += 1
    self.quirks = not begins(self, position, stop, b"html")
    public = next_quote(self, position, stop)
    if public == stop or not begins(self, public + 1, stop, b"-/"):
        return
    has_system = next_quote(self, next_quote(self, public + 1, stop) + 1, stop) < stop
    for i in range(12):
        if begins(self, public + 1, stop, quirky[i]):
            self.quirks = True
    if not has_system and (begins(self, public + 1, stop, b"-//w3c//dtd html 4.01 transitional//")
                           or begins(self, public + 1, stop, b"-//w3c//dtd html 4.01 frameset//")):
        self.quirks = True
