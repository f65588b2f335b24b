# Included in scan.pyx: the scan is one translation unit, so that the compiler inlines across its parts.
#
# Tags and their attributes (the standard's 13.2.5.8 and 13.2.5.32 to 13.2.5.40).

cdef inline bint starts_with(const uint8_t* source, Py_ssize_t position, Py_ssize_t length,
                             const char* text, Py_ssize_t size) noexcept nogil:
    return position + size <= length and same_name(source + position, <const uint8_t*>text, size)


cdef inline Py_ssize_t _next_attribute(const uint8_t* source, Py_ssize_t position, Py_ssize_t length,
                                       Attribute* attribute) noexcept nogil:
    """The next attribute of a tag at or after `position`.

    Returns where to go on; the length of the name is zero when the tag has ended (just before the returned position),
    and the result is -1 when the source ended first.
    """
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
        elif unlikely(position >= length):
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
    if unlikely(c != EQUALS):
        while is_space(source[position]):
            position += 1
        if source[position] != EQUALS:
            return position
    position += 1
    c = source[position]
    if unlikely(c != DOUBLE_QUOTE):
        while is_space(source[position]):
            position += 1
        c = source[position]
    if likely(c == DOUBLE_QUOTE or c == SINGLE_QUOTE):
        attribute.value_start = position + 1
        position = find(source, c, position + 1, length)
        attribute.value_stop = position
        return position + 1 if likely(position < length) else -1
    attribute.value_start = position
    while True:
        c = source[position]
        if is_space(c) or c == GREATER or (c == 0 and position >= length):
            break
        position += 1
    attribute.value_stop = position
    return position if position < length else -1


cdef Py_ssize_t next_attribute(const uint8_t* source, Py_ssize_t position, Py_ssize_t length,
                               Attribute* attribute) noexcept nogil:
    """The same for other modules; here it is inlined."""
    return _next_attribute(source, position, length, attribute)


cdef inline uint8_t tag_of(const uint8_t* name, Py_ssize_t size, Py_ssize_t readable) noexcept nogil:
    """The number of a tag name in any case; OTHER when it has none. `readable` bytes may be read from `name` on."""
    cdef uint64_t low, high = 0
    cdef const Name* entry
    cdef uint32_t place
    if size <= 8:
        low = small_name(name, size, readable)
    elif size <= 15:
        low, high = small_name(name, 8, readable), small_name(name + 8, size - 8, readable - 8)
    else:
        return OTHER
    place = place_of(low, high)
    while True:
        entry = &NAMES[place]
        if entry.low == low and entry.high == high:
            # A control character may have become the figure of h1 to h6.
            return entry.tag if name[size - 1] >= 0x20 else OTHER
        if entry.tag == 0:
            return OTHER
        place = (place + 1) & (PLACES - 1)


cdef inline bint _style_hides(const uint8_t* source, Py_ssize_t position, Py_ssize_t stop) noexcept nogil:
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


# Names of attributes as `small_name` gives them.
cdef extern from *:
    """
    #define REL_NAME 0x6c6572u
    #define HREF_NAME 0x66657268u
    #define NAME_NAME 0x656d616eu
    #define STYLE_NAME 0x656c797473u
    #define HIDDEN_NAME 0x6e6564646968u
    """
    const uint64_t REL_NAME, HREF_NAME, NAME_NAME, STYLE_NAME, HIDDEN_NAME


cdef inline bint _hides(const uint8_t* source, const Attribute* attribute) noexcept nogil:
    """Whether an attribute hides its element: hidden, aria-hidden=true, or an inline style."""
    cdef Py_ssize_t size = attribute.name_stop - attribute.name_start
    if size == 5:
        return _style_hides(source, attribute.value_start, attribute.value_stop)
    return size == 6 or (same_name(source + attribute.name_start, b"aria-hidden", 11)
                         and attribute.value_stop - attribute.value_start == 4
                         and same_name(source + attribute.value_start, b"true", 4))


cdef inline uint8_t _notes(const uint8_t* source, Py_ssize_t length, const Attribute* attribute) noexcept nogil:
    """What an attribute says of its element. Names are hard to predict, so there are few branches."""
    cdef Py_ssize_t start = attribute.name_start, size = attribute.name_stop - start
    cdef uint64_t name
    if size > 8:
        return HIDES if size == 11 and _hides(source, attribute) else 0
    name = small_name(source + start, size, length - start)
    if unlikely(name == STYLE_NAME or name == HIDDEN_NAME):
        return HIDES if _hides(source, attribute) else 0
    return <uint8_t>(LEADS * (name == HREF_NAME) | NAMED * (name == NAME_NAME) | IS_RELATED * (name == REL_NAME))


cdef inline bint _tag(Tokenizer* self, Token* token, Py_ssize_t start, Py_ssize_t name) noexcept nogil:
    """Read the tag at `start` whose name begins at `name`. False when the source ends inside it."""
    cdef const uint8_t* source = self.source
    cdef Py_ssize_t position = skip_name(source, name, self.length)
    cdef Attribute attribute
    cdef bint opens = source[start + 1] != SLASH
    cdef uint8_t c = source[position]
    while unlikely(not ends_name(c)) and (c != 0 or position < self.length):
        position += 1
        c = source[position]
    token.kind = START_TAG if opens else END_TAG
    token.start = <int32_t>start
    token.name_stop = <int32_t>position
    token.tag = tag_of(source + name, position - name, self.length - name)
    token.notes = 0
    token.self_closing = False
    if c == GREATER:
        position += 1
    else:
        while True:
            position = _next_attribute(source, position, self.length, &attribute)
            if unlikely(position < 0):
                self.position = self.length
                return False
            if attribute.name_stop == attribute.name_start:
                break
            token.notes |= _notes(source, self.length, &attribute)
        token.self_closing = attribute.self_closing
    token.stop = <int32_t>position
    self.position = position
    if opens:
        self.last_name = source + name
        self.last_size = token.name_stop - name
    return True
