# Included in scan.pyx: the scan is one translation unit, so that the compiler inlines across its parts.
#
# Tags in the parts of a table (the standard's 13.2.6.4.9 to 13.2.6.4.14).

cdef inline void clear_to(Builder* self, const Token* token, Mode mode) noexcept nogil:
    """Clear the stack back to the element that set this table mode, or to what fences it."""
    while self.depth > 1 and not top(self).traits & TABLE_SCOPE:
        if mode == IN_TABLE_BODY and (top(self).tag == TBODY or top(self).tag == THEAD or top(self).tag == TFOOT):
            return
        if mode == IN_ROW and top(self).tag == TR:
            return
        pop(self, token.start)


cdef inline bint start_in_table(Builder* self, const Token* token, Mode mode) noexcept nogil:
    """Start tags in a table, its sections and its rows. False when the token must be looked at again."""
    cdef uint8_t tag = token.tag
    if not TRAITS[tag] & TABLE_PART:
        if tag == TABLE:
            return not close_tag(self, token, TABLE, IN_TABLE_SCOPE)
        if tag == FORM:
            if self.form < 0 and not self.open_count[TEMPLATE]:
                self.form = insert(self, token, FORM).element
                pop(self, token.stop)
            return True
        return start_in_body(self, token)
    if mode == IN_ROW:
        clear_to(self, token, IN_ROW)
        if tag != TD and tag != TH:
            pop(self, token.start)
            return False
        insert(self, token, tag).mode = IN_CELL
        return True
    if mode == IN_TABLE_BODY:
        clear_to(self, token, IN_TABLE_BODY)
        if tag == TR:
            insert(self, token, TR).mode = IN_ROW
            return True
        if tag == TD or tag == TH:
            imply(self, token, TR).mode = IN_ROW
            return False
        pop(self, token.start)
        return False
    clear_to(self, token, IN_TABLE)
    if tag == CAPTION:
        insert(self, token, CAPTION).mode = IN_CAPTION
    elif tag == COLGROUP:
        insert(self, token, COLGROUP).mode = IN_COLUMN_GROUP
    elif tag == COL:
        imply(self, token, COLGROUP).mode = IN_COLUMN_GROUP
        return False
    elif tag == TD or tag == TH or tag == TR:
        imply(self, token, TBODY).mode = IN_TABLE_BODY
        return False
    else:
        insert(self, token, tag).mode = IN_TABLE_BODY
    return True


cdef inline bint end_in_table(Builder* self, const Token* token, Mode mode) noexcept nogil:
    """End tags in the parts of a table. False when the token must be looked at again."""
    cdef uint8_t tag = token.tag
    cdef int index
    if tag != TABLE and not TRAITS[tag] & TABLE_PART:
        if mode == IN_COLUMN_GROUP:
            pop(self, token.start)
            return False
        end_in_body(self, token)
        return True
    if mode == IN_COLUMN_GROUP:
        if tag == COL:
            return True
        pop(self, token.stop if tag == COLGROUP else token.start)
        return tag == COLGROUP
    index = find_open(self, tag, IN_TABLE_SCOPE)
    if index < 0 or tag == COL or tag == COLGROUP:
        return True
    if (mode == IN_CAPTION) != (tag == CAPTION) and tag != TABLE:
        return True                  # only the caption's own end tag, or the table's, ends a caption
    if mode != IN_CELL and (tag == TD or tag == TH):
        return True
    pop_through(self, index, token, True)
    return True
