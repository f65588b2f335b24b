# cython: language_level=3
"""Character references, and the text of character data and attribute values.

The names come from the standard library (`html.entities.html5`) and are laid out once, at the first use, as a hash
table of C arrays, so that references are read without the interpreter.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset

from webstrata._scan.swar cimport eight_at, equal
from webstrata._scan.tokenizer cimport CDATA_SECTION, DATA_TEXT, PLAIN_TEXT, RAWTEXT, RCDATA, SCRIPT_DATA

#: The states in which the tokenizer reads text.
STATES = {
    "data": DATA_TEXT, "rcdata": RCDATA, "rawtext": RAWTEXT, "script data": SCRIPT_DATA, "plaintext": PLAIN_TEXT,
    "cdata section": CDATA_SECTION,
}

cdef enum:
    PLACES = 8192            # of the hash table; there are 2,231 names
    LONGEST = 32             # the longest name has 31 characters and a semicolon
    LONGEST_BARE = 6         # the longest name that needs no semicolon
    REPLACEMENT = 0xFFFD

cdef struct NamedReference:
    uint8_t size             # 0 marks a free place
    char text[LONGEST]
    uint32_t first
    uint32_t second

cdef NamedReference* _names = NULL

# What the standard reads numeric references in the C1 range as: windows-1252.
cdef uint32_t[32] _C1 = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
    0x017E, 0x0178,
]


cdef inline uint32_t _place(const char* text, Py_ssize_t size) noexcept nogil:
    cdef uint32_t place = 2166136261
    cdef Py_ssize_t i
    for i in range(size):
        place = (place ^ <uint8_t>text[i]) * 16777619
    return (place ^ place >> 15) & (PLACES - 1)


cdef int prepare() except -1:
    """Build the hash table of names once. Needs the GIL."""
    global _names
    cdef NamedReference* names
    cdef uint32_t place
    if _names != NULL:
        return 0
    from html.entities import html5
    names = <NamedReference*>malloc(PLACES * sizeof(NamedReference))
    if names == NULL:
        raise MemoryError
    memset(names, 0, PLACES * sizeof(NamedReference))
    for key, value in html5.items():
        text = key.encode()
        place = _place(text, len(text))
        while names[place].size != 0:
            place = (place + 1) & (PLACES - 1)
        names[place].size = len(text)
        memcpy(names[place].text, <const char*>text, len(text))
        names[place].first = ord(value[0])
        names[place].second = ord(value[1]) if len(value) > 1 else 0
    if _names == NULL:
        _names = names
    else:
        free(names)
    return 0


cdef int encode(uint32_t c, uint8_t* out) noexcept nogil:
    if c < 0x80:
        out[0] = <uint8_t>c
        return 1
    if c < 0x800:
        out[0] = <uint8_t>(0xC0 | c >> 6)
        out[1] = <uint8_t>(0x80 | c & 0x3F)
        return 2
    if c < 0x10000:
        out[0] = <uint8_t>(0xE0 | c >> 12)
        out[1] = <uint8_t>(0x80 | c >> 6 & 0x3F)
        out[2] = <uint8_t>(0x80 | c & 0x3F)
        return 3
    out[0] = <uint8_t>(0xF0 | c >> 18)
    out[1] = <uint8_t>(0x80 | c >> 12 & 0x3F)
    out[2] = <uint8_t>(0x80 | c >> 6 & 0x3F)
    out[3] = <uint8_t>(0x80 | c & 0x3F)
    return 4


cdef const NamedReference* _look_up(const char* text, Py_ssize_t size) noexcept nogil:
    cdef uint32_t place = _place(text, size)
    while _names[place].size != 0:
        if _names[place].size == size and memcmp(_names[place].text, text, size) == 0:
            return &_names[place]
        place = (place + 1) & (PLACES - 1)
    return NULL


cdef inline int _digit(uint8_t c, bint hexadecimal) noexcept nogil:
    if 48 <= c <= 57:
        return c - 48
    if hexadecimal and 97 <= (c | 0x20) <= 102:
        return (c | 0x20) - 87
    return -1


cdef inline bint _is_alphanumeric(uint8_t c) noexcept nogil:
    return 48 <= c <= 57 or 97 <= (c | 0x20) <= 122


cdef void _read_number(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop, Reference* reference) noexcept nogil:
    """Read what follows &# from `start` on."""
    cdef Py_ssize_t position = start
    cdef bint hexadecimal = position < stop and (source[position] | 0x20) == 120
    cdef uint32_t value = 0
    cdef int digit
    position += hexadecimal
    cdef Py_ssize_t digits = position
    while position < stop:
        digit = _digit(source[position], hexadecimal)
        if digit < 0:
            break
        if value <= 0x10FFFF:       # more digits cannot bring it back into range
            value = value * (16 if hexadecimal else 10) + digit
        position += 1
    if position == digits:
        return
    if position < stop and source[position] == 59:
        position += 1
    if value == 0 or value > 0x10FFFF or 0xD800 <= value <= 0xDFFF:
        value = REPLACEMENT
    elif 0x80 <= value <= 0x9F:
        value = _C1[value - 0x80]
    reference.stop = position
    reference.first = value


cdef void read_reference(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop, bint in_attribute,
                         Reference* reference) noexcept nogil:
    """Read the reference whose ampersand stands at `start`, as far as `stop`."""
    cdef const char* name = <const char*>source + start + 1
    cdef Py_ssize_t most = stop - start - 1
    cdef Py_ssize_t size = 0
    cdef const NamedReference* found = NULL
    reference.stop = start + 1
    reference.first = reference.second = 0
    if most > 0 and source[start + 1] == 35:
        _read_number(source, start + 2, stop, reference)
        return
    while size < most and size < LONGEST and _is_alphanumeric(<uint8_t>name[size]):
        size += 1
    if 0 < size < most and size < LONGEST and name[size] == 59:
        found = _look_up(name, size + 1)
        if found != NULL:
            size += 1
    if found == NULL:
        size = min(size, LONGEST_BARE)
        while size >= 2:
            found = _look_up(name, size)
            if found != NULL:
                break
            size -= 1
        if found == NULL:
            return
        if in_attribute and size < most and (name[size] == 61 or _is_alphanumeric(<uint8_t>name[size])):
            return
    reference.stop = start + 1 + size
    reference.first = found.first
    reference.second = found.second


cdef bytes _decode(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop, bint references, bint in_attribute,
                   bint replace_nul):
    """Character data as UTF-8: references read, line ends normalised to LF, NUL bytes optionally replaced."""
    # A NUL becomes three bytes; a reference never becomes more than twice its own length.
    cdef uint8_t* out = <uint8_t*>malloc(3 * (stop - start) + 8)
    cdef Py_ssize_t size = 0
    cdef Py_ssize_t position = start
    cdef Reference reference
    cdef uint8_t c
    if out == NULL:
        raise MemoryError
    while position < stop:
        c = source[position]
        position += 1
        if c == 38 and references:
            read_reference(source, position - 1, stop, in_attribute, &reference)
            if reference.first:
                position = reference.stop
                size += encode(reference.first, out + size)
                if reference.second:
                    size += encode(reference.second, out + size)
                continue
        elif c == 13:
            if position < stop and source[position] == 10:
                position += 1
            c = 10
        elif c == 0 and replace_nul:
            size += encode(REPLACEMENT, out + size)
            continue
        out[size] = c
        size += 1
    result = out[:size]
    free(out)
    return result


def character_data(bytes source, Py_ssize_t start, Py_ssize_t stop, int content):
    """The text of the character data source[start:stop], which was read in state `content`."""
    if not 0 <= start <= stop <= len(source):
        raise IndexError(f"no span of the source: {start}:{stop}")
    prepare()
    references = content == DATA_TEXT or content == RCDATA
    replace_nul = content in (RCDATA, RAWTEXT, SCRIPT_DATA, PLAIN_TEXT)
    return _decode(source, start, stop, references, False, replace_nul).decode("utf-8", "replace")


def tag_name(bytes source, Py_ssize_t start, Py_ssize_t stop):
    """The name source[start:stop] of a tag or an attribute, in lower case."""
    name = source[start:stop]
    return name.lower().replace(b"\0", b"\xef\xbf\xbd").decode("utf-8", "replace")


cdef str attribute_value(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop):
    """The value of an attribute; most need no decoding."""
    cdef Py_ssize_t position = start
    cdef uint64_t eight
    while position + 8 <= stop:
        eight = eight_at(source + position)
        if equal(eight, 38) | equal(eight, 13) | equal(eight, 0):
            break
        position += 8
    while position < stop and source[position] != 38 and source[position] != 13 and source[position] != 0:
        position += 1
    if position < stop:
        return _decode(source, start, stop, True, True, True).decode("utf-8", "replace")
    return source[start:stop].decode("utf-8", "replace")
