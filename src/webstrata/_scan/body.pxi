# Included in scan.pyx: the scan is one translation unit, so that the compiler inlines across its parts.
#
# Tags in the body (the standard's 13.2.6.4.7).

# Start tags

cdef inline void start_list_item(Builder* self, const Token* token) noexcept nogil:
    """li, dd and dt end the open item of their list, through everything but a special element."""
    cdef int index = self.depth - 1
    cdef Open* entry
    while index >= 0:
        entry = &self.open[index]
        if (entry.tag == LI) if token.tag == LI else (entry.tag == DD or entry.tag == DT):
            pop_through(self, index, token, False)
            break
        if entry.traits & SPECIAL and entry.tag != ADDRESS and entry.tag != DIV and entry.tag != P:
            break
        index -= 1
    close_p(self, token)
    insert(self, token, token.tag)


cdef inline void start_block(Builder* self, const Token* token) noexcept nogil:
    """Start tags that end an open paragraph."""
    cdef uint8_t tag = token.tag
    if tag == LI or tag == DD or tag == DT:
        start_list_item(self, token)
        return
    if tag == FORM and self.form >= 0 and not self.open_count[TEMPLATE]:
        return
    close_p(self, token)
    if TRAITS[tag] & HEADING and top(self).traits & HEADING:
        pop(self, token.start)
    if tag == XMP:
        reconstruct(self, token)
        insert_text_element(self, token, RAWTEXT)
        return
    if tag == PLAINTEXT:
        insert_text_element(self, token, PLAIN_TEXT)
        return
    insert(self, token, tag)
    if tag == FORM and not self.open_count[TEMPLATE]:
        self.form = top(self).element
    self.skip_newline = tag == PRE or tag == LISTING


cdef inline void start_phrase(Builder* self, const Token* token) noexcept nogil:
    """Start tags that reopen the active formatting elements first."""
    cdef uint8_t tag = token.tag
    cdef int index
    if tag == A:
        index = find_active(self, A)
        if index >= 0:
            end_formatting(self, token, A)
    elif tag == BUTTON:
        close_tag(self, token, BUTTON, DEFAULT_SCOPE)
    elif tag == SELECT and close_tag(self, token, SELECT, DEFAULT_SCOPE):
        return
    elif tag == OPTION or tag == OPTGROUP:
        if top(self).tag == OPTION:
            pop(self, token.start)
        if tag == OPTGROUP and top(self).tag == OPTGROUP:
            pop(self, token.start)
    elif tag == INPUT or tag == KEYGEN:
        close_tag(self, token, SELECT, DEFAULT_SCOPE)
    elif tag == OTHER and is_named(self, token, b"image", 5):
        tag = IMG                    # as every browser does
    reconstruct(self, token)
    if tag == NOBR and find_open(self, NOBR, DEFAULT_SCOPE) >= 0:
        end_formatting(self, token, NOBR)
        reconstruct(self, token)
    if TRAITS[tag] & FORMATTING:
        insert_formatting(self, token)
    elif tag == SVG or tag == MATH:
        insert(self, token, tag).space = SVG_SPACE if tag == SVG else MATH_SPACE
        if token.self_closing:
            pop(self, token.stop)
    else:
        insert(self, token, tag)


cdef inline bint start_in_body(Builder* self, const Token* token) noexcept nogil:
    cdef uint8_t tag = token.tag
    cdef uint32_t traits = TRAITS[tag]
    if traits & METADATA:
        insert_metadata(self, token)
    elif traits & CLOSES_P:
        start_block(self, token)
    elif traits & RECONSTRUCTS:
        start_phrase(self, token)
    elif tag == TABLE:
        if not self.quirks:
            close_p(self, token)
        insert(self, token, TABLE).mode = IN_TABLE
    elif tag == TEXTAREA:
        close_tag(self, token, SELECT, DEFAULT_SCOPE)
        insert_text_element(self, token, RCDATA)
        self.skip_newline = True
    elif traits & RAW:
        insert_text_element(self, token, RAWTEXT)
    elif tag == RB or tag == RTC or tag == RP or tag == RT:
        if find_open(self, RUBY, DEFAULT_SCOPE) >= 0:
            pop_implied(self, token, RTC if tag == RP or tag == RT else OTHER)
        insert(self, token, tag)
    elif traits & TABLE_PART or tag == HTML or tag == HEAD or tag == BODY or tag == FRAMESET:
        return True
    elif tag == FRAME and not self.open_count[FRAMESET]:
        return True
    else:
        insert(self, token, tag)
    return True


# End tags

cdef inline void end_form(Builder* self, const Token* token) noexcept nogil:
    cdef int index
    if self.open_count[TEMPLATE]:
        close_tag(self, token, FORM, DEFAULT_SCOPE)
        return
    self.form = -1
    index = find_open(self, FORM, DEFAULT_SCOPE)
    if index < 0:
        return
    pop_implied(self, token, OTHER)
    if index == self.depth - 1:
        pop(self, token.stop)
    elif index < self.depth:
        forget(self, index, token.stop)


cdef inline void end_heading(Builder* self, const Token* token) noexcept nogil:
    """The end tag of a heading ends whichever heading is open."""
    cdef int index = self.depth - 1
    while index >= 0 and not self.open[index].traits & (SCOPE | HEADING):
        index -= 1
    if index >= 0 and self.open[index].traits & HEADING:
        pop_through(self, index, token, True)


cdef inline void end_in_body(Builder* self, const Token* token) noexcept nogil:
    cdef uint8_t tag = token.tag
    cdef uint32_t traits = TRAITS[tag]
    cdef int index
    if tag == BODY or tag == HTML or tag == HEAD or traits & TABLE_PART:
        return                       # what follows </body> and </html> still belongs to the body
    if tag == P:
        if not close_tag(self, token, P, BUTTON_SCOPE):
            push(self, P, token.start, token.start, IMPLIED)
            pop(self, token.stop)
    elif tag == BR:
        reconstruct(self, token)
        push(self, BR, token.start, token.start, IMPLIED)
        pop(self, token.stop)
    elif tag == FORM:
        end_form(self, token)
    elif tag == LI:
        close_tag(self, token, LI, LIST_SCOPE)
    elif traits & HEADING:
        end_heading(self, token)
    elif traits & FORMATTING:
        if top(self).tag == tag and find_active(self, tag) < 0:
            pop(self, token.stop)
        else:
            end_formatting(self, token, tag)
    elif tag == TEMPLATE:
        end_template(self, token)
    elif traits & BLOCK_END or tag == DD or tag == DT:
        close_tag(self, token, tag, DEFAULT_SCOPE)
    else:
        end_any(self, token)
