# cython: language_level=3
"""Tree construction: which elements open and close at a token (the standard's 13.2.6).

An insertion mode belongs to an open element and is inherited by what is opened inside it, so that closing an element
brings the mode back by itself.

Deviations from the standard, because rows are written in document order and are never moved:

- content that a table cannot hold stays where it stands in the source (the standard moves it before the table);
- when a formatting element ends across a block (`<b><p>x</b>y`), the block stays inside it;
- the end tag of a noscript ends whatever is open inside it, as it does where scripts run;
- no more than `MAX_DEPTH` elements are open at once: a deeper one becomes the sibling of the innermost.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memcmp, memmove, strlen

from webstrata._scan.rows cimport (
    CLONED, E_DEPTH, E_OPEN_STOP, E_PARENT, E_SOURCE_START, HIDDEN, HTML_SPACE, IMPLIED, MATH_SPACE, MAX_ACTIVE,
    MAX_DEPTH, SILENT, SVG_SPACE, Active, Open, add_text, finish, forget, ints, pop, push, see_tag, shorts,
    top,
)
from webstrata._scan.tags cimport *
from webstrata._scan.tokenizer cimport (
    CDATA_SECTION, DATA_TEXT, END_TAG, PLAIN_TEXT, RAWTEXT, RCDATA, SCRIPT_DATA, Content, is_space, same_name,
)

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

cdef enum:
    DEFAULT_SCOPE, BUTTON_SCOPE, LIST_SCOPE, IN_TABLE_SCOPE


# Opening and closing

cdef Open* insert(Builder* self, const Token* token, uint8_t tag) noexcept nogil:
    """Open the element of a start tag."""
    cdef Open* entry = push(self, tag, token.start, token.stop, HIDDEN if token.hides else 0)
    if entry.traits & VOID:
        pop(self, token.stop)
    elif entry.traits & MARKER and self.active_count < MAX_ACTIVE:
        self.active[self.active_count].element = -1
        self.active_count += 1
    return entry


cdef Open* imply(Builder* self, const Token* token, uint8_t tag) noexcept nogil:
    """Open an element whose start tag is left out."""
    return push(self, tag, token.start, token.start, IMPLIED)


cdef inline void pop_above(Builder* self, int index, const Token* token) noexcept nogil:
    """Close what is open inside the element at `index`: its end is implied by the token."""
    while self.depth > index + 1:
        pop(self, token.start)


cdef inline void pop_through(Builder* self, int index, const Token* token, bint ends) noexcept nogil:
    """Close the element at `index` and what is open inside; `ends` when the token is its own end tag."""
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


cdef int find_open(Builder* self, uint8_t tag, int scope) noexcept nogil:
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


cdef bint close_tag(Builder* self, const Token* token, uint8_t tag, int scope) noexcept nogil:
    """Close the innermost element of this tag, if one is in scope."""
    cdef int index = find_open(self, tag, scope)
    if index < 0:
        return False
    pop_through(self, index, token, token.tag == tag)
    return True


cdef void pop_implied(Builder* self, const Token* token, uint8_t but) noexcept nogil:
    """Generate implied end tags, but for elements of tag `but`."""
    while top(self).traits & IMPLIED_END and top(self).tag != but:
        pop(self, token.start)


cdef inline void close_p(Builder* self, const Token* token) noexcept nogil:
    close_tag(self, token, P, BUTTON_SCOPE)


# Formatting elements

cdef void reconstruct(Builder* self, const Token* token) noexcept nogil:
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


cdef void drop_active(Builder* self, int index) noexcept nogil:
    memmove(&self.active[index], &self.active[index + 1], (self.active_count - index - 1) * sizeof(Active))
    self.active_count -= 1


cdef void insert_formatting(Builder* self, const Token* token) noexcept nogil:
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
    entry.flags = HIDDEN if token.hides else 0
    entry.is_open = True
    self.active_count += 1


cdef int find_active(Builder* self, uint8_t tag) noexcept nogil:
    """The last active formatting element of this tag since the last marker, or -1."""
    cdef int index = self.active_count - 1
    while index >= 0 and self.active[index].element >= 0:
        if self.active[index].tag == tag:
            return index
        index -= 1
    return -1


cdef void end_formatting(Builder* self, const Token* token, uint8_t tag) noexcept nogil:
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


# Start tags

cdef void insert_text_element(Builder* self, const Token* token, Content content) noexcept nogil:
    insert(self, token, token.tag)
    self.next_content = content


cdef void insert_metadata(Builder* self, const Token* token) noexcept nogil:
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


cdef bint start_before_body(Builder* self, const Token* token, Mode mode) noexcept nogil:
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


cdef void close_head_noscript(Builder* self, const Token* token) noexcept nogil:
    """Content that the head cannot hold ends a noscript there; up to the end tag it is still not shown."""
    pop(self, token.start)
    self.stray_flags = HIDDEN


cdef void end_head(Builder* self, Py_ssize_t source_stop) noexcept nogil:
    while self.depth > 1:
        pop(self, source_stop)
    self.open[0].mode = AFTER_HEAD


cdef void start_list_item(Builder* self, const Token* token) noexcept nogil:
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


cdef void start_block(Builder* self, const Token* token) noexcept nogil:
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


cdef void start_phrase(Builder* self, const Token* token) noexcept nogil:
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


cdef bint start_in_body(Builder* self, const Token* token) noexcept nogil:
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


cdef void clear_to(Builder* self, const Token* token, Mode mode) noexcept nogil:
    """Clear the stack back to the element that set this table mode, or to what fences it."""
    while self.depth > 1 and not top(self).traits & TABLE_SCOPE:
        if mode == IN_TABLE_BODY and (top(self).tag == TBODY or top(self).tag == THEAD or top(self).tag == TFOOT):
            return
        if mode == IN_ROW and top(self).tag == TR:
            return
        pop(self, token.start)


cdef bint start_in_table(Builder* self, const Token* token, Mode mode) noexcept nogil:
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


cdef bint start_html(Builder* self, const Token* token) noexcept nogil:
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


cdef void on_start_tag(Builder* self, const Token* token) noexcept nogil:
    cdef bint done = False
    self.skip_newline = False
    see_tag(self, token, is_foreign(self))
    while not done and not self.failed:
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


# Foreign content

cdef bint is_foreign(Builder* self) noexcept nogil:
    return self.depth > 0 and top(self).space != HTML_SPACE


cdef inline bint is_named(Builder* self, const Token* token, const char* name, Py_ssize_t size) noexcept nogil:
    return token.name_stop - token.start - 1 == size and same_name(
        self.source + token.start + 1, <const uint8_t*>name, size)


cdef bint is_glyph(Builder* self, const Token* token) noexcept nogil:
    return top(self).space == MATH_SPACE and (
        is_named(self, token, b"mglyph", 6) or is_named(self, token, b"malignmark", 10))


cdef bint start_foreign(Builder* self, const Token* token) noexcept nogil:
    """A start tag in SVG or MathML. False when it ends the foreign content."""
    cdef uint8_t space = top(self).space
    cdef Open* entry
    if TRAITS[token.tag] & BREAKS_OUT:
        while is_foreign(self) and not top(self).integration:
            pop(self, token.start)
        return False
    entry = push(self, OTHER, token.start, token.stop, HIDDEN if token.hides else 0)
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
        if is_named(self, token, b"annotation", 10):
            entry.flags |= HIDDEN
    if entry.integration:
        entry.traits |= SPECIAL | SCOPE
    if token.self_closing:
        pop(self, token.stop)
    return True


cdef bint end_foreign(Builder* self, const Token* token) noexcept nogil:
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


# End tags

cdef bint matches(Builder* self, const Open* entry, const Token* token) noexcept nogil:
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


cdef void end_any(Builder* self, const Token* token) noexcept nogil:
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


cdef void end_form(Builder* self, const Token* token) noexcept nogil:
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


cdef void end_heading(Builder* self, const Token* token) noexcept nogil:
    """The end tag of a heading ends whichever heading is open."""
    cdef int index = self.depth - 1
    while index >= 0 and not self.open[index].traits & (SCOPE | HEADING):
        index -= 1
    if index >= 0 and self.open[index].traits & HEADING:
        pop_through(self, index, token, True)


cdef void end_in_body(Builder* self, const Token* token) noexcept nogil:
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
        index = self.depth - 1
        while index > 0 and self.open[index].tag != TEMPLATE:
            index -= 1
        if index > 0:
            pop_through(self, index, token, True)
    elif traits & BLOCK_END or tag == DD or tag == DT:
        close_tag(self, token, tag, DEFAULT_SCOPE)
    else:
        end_any(self, token)


cdef bint end_in_table(Builder* self, const Token* token, Mode mode) noexcept nogil:
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


cdef bint end_before_body(Builder* self, const Token* token, Mode mode) noexcept nogil:
    """End tags up to the body. False when the token must be looked at again."""
    cdef uint8_t tag = token.tag
    if mode == IN_HEAD_NOSCRIPT and tag == NOSCRIPT:
        pop(self, token.stop)
        return True
    if mode == IN_HEAD and tag == HEAD:
        end_head(self, token.stop)
        return True
    if tag == TEMPLATE:
        end_in_body(self, token)
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


cdef void on_end_tag(Builder* self, const Token* token) noexcept nogil:
    cdef Mode mode
    cdef bint done = False
    self.skip_newline = False
    if token.tag == NOSCRIPT:
        self.stray_flags = 0
    see_tag(self, token, is_foreign(self))
    while not done and not self.failed:
        if self.depth == 0:
            if token.tag != HEAD and token.tag != BODY and token.tag != HTML and token.tag != BR:
                return
            imply(self, token, HTML)
            continue
        if is_foreign(self) and end_foreign(self, token):
            return
        mode = <Mode>top(self).mode
        if top(self).tag == token.tag and TRAITS[token.tag] & (RAW | RCDATA_TEXT) or (
                token.tag == SCRIPT and top(self).tag == SCRIPT):
            pop(self, token.stop)
            done = True
        elif mode < IN_BODY:
            done = end_before_body(self, token, mode)
        elif mode == IN_BODY:
            end_in_body(self, token)
            done = True
        else:
            done = end_in_table(self, token, mode)


# Text

cdef bint is_blank(Builder* self, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    while start < stop and (is_space(self.source[start]) or self.source[start] == 0):
        start += 1
    return start == stop


cdef void on_characters(Builder* self, const Token* token) noexcept nogil:
    cdef Py_ssize_t start = token.start
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
    blank = token.content == DATA_TEXT and is_blank(self, start, token.stop)
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
    add_text(self, start, token.stop, token.content == DATA_TEXT or token.content == RCDATA,
             token.content != DATA_TEXT and token.content != CDATA_SECTION or foreign)


cdef void open_body(Builder* self, const Token* token) noexcept nogil:
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


cdef void on_end(Builder* self) noexcept nogil:
    """The end of the source: even an empty page has html, head and body."""
    cdef Token token
    token.start = token.stop = <int32_t>self.length
    while not self.failed and (self.depth == 0 or top(self).mode < IN_BODY):
        open_body(self, &token)
    finish(self)


# Quirks

cdef (const char*)[12] _QUIRKY = [
    b"-//w3c//dtd html 3", b"-//w3c//dtd html 4.0 frameset//", b"-//w3c//dtd html 4.0 transitional//", b"-//ietf//",
    b"-//w3c//dtd html experimental", b"-//w3c//dtd w3 html", b"-//w3o//dtd w3 html", b"-//netscape comm",
    b"-//microsoft//dtd internet explorer", b"-//softquad", b"-//webtechs//dtd mozilla html",
    b"-/w3c/dtd html 4.0 transitional/en",
]


cdef inline int32_t next_quote(Builder* self, int32_t position, int32_t stop) noexcept nogil:
    while position < stop and self.source[position] != 34 and self.source[position] != 39:
        position += 1
    return position


cdef inline bint begins(Builder* self, int32_t position, int32_t stop, const char* text) noexcept nogil:
    cdef Py_ssize_t size = strlen(text)
    return position + size <= stop and same_name(self.source + position, <const uint8_t*>text, size)


cdef void on_doctype(Builder* self, const Token* token) noexcept nogil:
    """Whether the page asks for quirks mode, in which a table does not end a paragraph."""
    cdef int32_t stop = token.stop
    cdef int32_t position = token.start + 9
    cdef int32_t public
    cdef bint has_system
    cdef int i
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
        if begins(self, public + 1, stop, _QUIRKY[i]):
            self.quirks = True
    if not has_system and (begins(self, public + 1, stop, b"-//w3c//dtd html 4.01 transitional//")
                           or begins(self, public + 1, stop, b"-//w3c//dtd html 4.01 frameset//")):
        self.quirks = True
