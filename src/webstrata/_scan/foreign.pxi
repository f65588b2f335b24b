# Included in scan.pyx: the scan is one translation unit, so that the compiler inlines across its parts.
#
# SVG and MathML inside HTML (the standard's 13.2.6.5).

cdef inline bint is_foreign(Builder* self) noexcept nogil:
    """Whether the innermost open element is SVG or MathML."""
    return self.depth > 0 and top(self).space != HTML_SPACE

cdef inline bint is_named(Builder* self, const Token* token, const char* name, Py_ssize_t size) noexcept nogil:
    return token.name_stop - token.start - 1 == size and same_name(
        self.source + token.start + 1, <const uint8_t*>name, size)


cdef inline bint is_glyph(Builder* self, const Token* token) noexcept nogil:
    return top(self).space == MATH_SPACE and (
        is_named(self, token, b"mglyph", 6) or is_named(self, token, b"malignmark", 10))


cdef inline bint start_foreign(Builder* self, const Token* token) noexcept nogil:
    """A start tag in SVG or MathML. False when it ends the foreign content."""
    cdef uint8_t space = top(self).space
    cdef Open* entry
    if TRAITS[token.tag] & BREAKS_OUT:
        while is_foreign(self) and not top(self).integration:
            pop(self, token.start)
        return False
    entry = push(self, OTHER, token.start, token.stop, start_flags(token))
    entry.space = space
    if token.tag == SCRIPT or token.tag == STYLE:
        entry.flags |= SILENT
    if space == SVG_SPACE:
        entry.integration = (token.tag == TITLE or is_named(self, token, b"desc", 4)
                             or is_named(self, token, b"foreignobject", 13))
        if token.tag == TITLE or is_named(self, token, b"desc", 4):
            entry.flags |= HIDDEN
    else:
        entry.integration = (is_named(self, token, b"mi", 2) or is_named(self, token, b"mo", 2)
                             or is_named(self, token, b"mn", 2) or is_named(self, token, b"ms", 2)
                             or is_named(self, token, b"mtext", 5))
        if is_named(self, token, b"annotation", 10) or is_named(self, token, b"annotation-xml", 14):
            entry.flags |= HIDDEN
    if entry.integration:
        entry.traits |= SPECIAL | SCOPE
    if token.self_closing:
        pop(self, token.stop)
    return True


cdef inline bint end_foreign(Builder* self, const Token* token) noexcept nogil:
    """An end tag in SVG or MathML. False when it is meant for HTML content around it."""
    cdef int index = self.depth - 1
    if token.tag == P or token.tag == BR:
        while is_foreign(self) and not top(self).integration:
            pop(self, token.start)
        return False
    while index > 0 and self.open[index].space != HTML_SPACE:
        if matches(self, &self.open[index], token):
            pop_through(self, index, token, True)
            return True
        index -= 1
    return False
