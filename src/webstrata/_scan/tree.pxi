# Included in scan.pyx: the scan is one translation unit, so that the compiler inlines across its parts.
#
# Tree construction: which elements open and close at a token (the standard's 13.2.6).
#
# The insertion mode selects the rules for a token: `head`, `body`, `tables` or `foreign`.
#
# Deviations from the standard, because rows are written in document order and are never moved:
#
# - content that a table cannot contain keeps its place in the source (the standard moves it before the table);
# - when a formatting element ends across a block (`<b><p>x</b>y`), the block stays inside it;
# - the end tag of a noscript closes all elements that are open inside it, as in browsers with scripts on;
# - at most `MAX_DEPTH` elements are open at the same time: a deeper one becomes a sibling of the innermost.

cdef inline bint start_html(Builder* self, const Token* token) noexcept nogil:
    """A start tag in HTML content. False when the token must be looked at again."""
    cdef Mode mode = <Mode>top(self).mode
    cdef int index
    if mode == IN_BODY:
        return start_in_body(self, token)
    if mode < IN_BODY:
        return start_before_body(self, token, mode)
    if mode == IN_COLUMN_GROUP:
        if token.tag == COL or token.tag == TEMPLATE:
            insert_metadata(self, token)
            return True
        pop(self, token.start)
        return False
    if mode == IN_CELL or mode == IN_CAPTION:
        if not TRAITS[token.tag] & TABLE_PART:
            return start_in_body(self, token)
        index = self.depth - 1
        while index > 0 and not self.open[index].traits & SCOPE:
            index -= 1
        pop_through(self, index, token, False)
        return False
    return start_in_table(self, token, mode)


cdef inline void on_start_tag(Builder* self, const Token* token) noexcept nogil:
    cdef bint done = False, foreign = is_foreign(self)
    self.skip_newline = False
    see_tag(self, token, foreign)
    if likely(not foreign and self.depth and top(self).mode == IN_BODY):
        done = start_in_body(self, token)
    while unlikely(not done) and not self.failed:
        if self.depth == 0:
            done = token.tag == HTML
            if done:
                insert(self, token, HTML)
            else:
                imply(self, token, HTML)
        elif is_foreign(self) and not (top(self).integration and not is_glyph(self, token)):
            done = start_foreign(self, token)
        else:
            done = start_html(self, token)


cdef inline bint _ends_text_element(Builder* self, const Token* token) noexcept nogil:
    """Whether an end tag closes the innermost element, whose content is plain text."""
    return top(self).tag == token.tag and (token.tag == SCRIPT or TRAITS[token.tag] & (RAW | RCDATA_TEXT))


cdef inline void on_end_tag(Builder* self, const Token* token) noexcept nogil:
    cdef Mode mode
    cdef bint done = False, foreign = is_foreign(self)
    self.skip_newline = False
    if token.tag == NOSCRIPT:
        self.stray_flags = 0
    see_tag(self, token, foreign)
    if likely(not foreign and self.depth and top(self).mode == IN_BODY) and not _ends_text_element(self, token):
        end_in_body(self, token)
        return
    while not done and not self.failed:
        if self.depth == 0:
            if token.tag != HEAD and token.tag != BODY and token.tag != HTML and token.tag != BR:
                return
            imply(self, token, HTML)
            continue
        if is_foreign(self) and end_foreign(self, token):
            return
        mode = <Mode>top(self).mode
        if _ends_text_element(self, token):
            pop(self, token.stop)
            done = True
        elif mode < IN_BODY:
            done = end_before_body(self, token, mode)
        elif mode == IN_BODY:
            end_in_body(self, token)
            done = True
        else:
            done = end_in_table(self, token, mode)


cdef inline Py_ssize_t skip_space(Builder* self, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Where white space that begins at `start` ends."""
    cdef int size = 8
    while size == 8 and start + 8 <= stop:
        size = leading_space(eight_at(self.source + start))
        start += size
    while start < stop and is_space(self.source[start]):
        start += 1
    return start


cdef inline bint is_blank(Builder* self, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    while start < stop and (is_space(self.source[start]) or self.source[start] == 0):
        start += 1
    return start == stop


cdef inline bint is_flowing(Builder* self, const Token* token) noexcept nogil:
    """Whether character data is text in the body or in a cell, where most is."""
    return (token.content == DATA_TEXT and self.depth and not self.skip_newline and top(self).space == HTML_SPACE
            and (top(self).mode == IN_BODY or top(self).mode == IN_CELL))


cdef inline void on_text(Builder* self, const Token* token) noexcept nogil:
    """Add such text; `on_characters` handles all character data."""
    cdef Py_ssize_t start = token.start, text = skip_space(self, start, token.stop)
    cdef uint8_t flags
    reconstruct(self, token)
    flags = top(self).flags
    if flags & SILENT or self.failed:
        return
    if text > start and not flags & PREFORMATTED:
        self.pending_space = True
        start = text
    if start < token.stop:
        add_text(self, start, token.stop, True, False)
    else:
        part_hidden(self)


cdef inline void on_characters(Builder* self, const Token* token) noexcept nogil:
    cdef Py_ssize_t start = token.start, text
    cdef bint foreign = is_foreign(self) and not top(self).integration
    cdef bint blank
    if self.skip_newline:
        self.skip_newline = False
        if self.source[start] == 13:
            start += 1
        if start < token.stop and self.source[start] == 10:
            start += 1
    if self.depth and top(self).tag == TITLE and token.content == RCDATA and self.title_start < 0:
        self.title_start = token.start
        self.title_stop = token.stop
    text = skip_space(self, start, token.stop)
    blank = token.content == DATA_TEXT and is_blank(self, text, token.stop)
    if token.content == DATA_TEXT or token.content >= PLAIN_TEXT:
        while not blank and not self.failed and (self.depth == 0 or top(self).mode < IN_BODY):
            open_body(self, token)
        # White space between two paragraphs reopens what the first one has closed, too; in a table it does not.
        if self.depth and top(self).mode >= IN_BODY and not foreign and not (
                blank and top(self).traits & TABLE_CONTEXT):
            if top(self).mode == IN_COLUMN_GROUP and not blank:
                pop(self, token.start)
            reconstruct(self, token)
    if self.depth == 0 or top(self).mode < IN_BODY or top(self).flags & SILENT or self.failed:
        return
    if text > start and not top(self).flags & PREFORMATTED:
        self.pending_space = True
        start = text
    add_text(self, start, token.stop, token.content == DATA_TEXT or token.content == RCDATA,
             token.content != DATA_TEXT and token.content != CDATA_SECTION or foreign)


cdef inline void on_end(Builder* self) noexcept nogil:
    """The end of the source: even an empty page has html, head and body."""
    cdef Token token
    token.start = token.stop = <int32_t>self.length
    while not self.failed and (self.depth == 0 or top(self).mode < IN_BODY):
        open_body(self, &token)
    finish(self)
