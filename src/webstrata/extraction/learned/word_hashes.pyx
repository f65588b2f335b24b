# cython: language_level=3
"""Words of classes, ids, roles, and of the metadata of a page, as hashes."""

from libc.stdint cimport uint32_t, uint8_t
from libc.stdlib cimport realloc
from libc.string cimport memcmp

from webstrata._scan.attributes cimport Attribute, is_letter, is_space, next_attribute
from webstrata._scan.tags cimport LINK

cdef enum:
    MOST_NAME_WORDS = 32         # of one element: generated classes can be thousands
    WHOLE = 0x5bd1e995           # tells a whole name from a part with the same letters


cdef bint grow(Hashes* words) noexcept nogil:
    cdef Py_ssize_t capacity = 2 * words.capacity + 64
    cdef uint32_t* larger = <uint32_t*>realloc(words.hash, capacity * sizeof(uint32_t))
    if larger == NULL:
        return False
    words.hash, words.capacity = larger, capacity
    return True


cdef inline bint _is(const uint8_t* source, const Attribute* attribute, const char* name, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t i
    if attribute.name_stop - attribute.name_start != size:
        return False
    for i in range(size):
        if (source[attribute.name_start + i] | 0x20) != <uint8_t>name[i]:
            return False
    return True


cdef bint _read_names(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop, uint32_t kind, Hashes* out,
                      Py_ssize_t limit, uint32_t* first) noexcept nogil:
    """Add the words of a class, an id or the like: the parts of camelCase and dashed names, and the whole names.

    Digits separate words and are not hashed, so that `post-123` and `post-124` are one name. `first` gets the hash of
    the first whole name unless it is set; no word is added beyond `limit`.
    """
    cdef uint32_t whole = HASH_START ^ kind, part = HASH_START ^ kind
    cdef int parts = 0, size = 0
    cdef Py_ssize_t at = start
    cdef uint8_t c, before = 32
    while at <= stop:
        c = source[at] if at < stop else 32
        if is_letter(c) or c >= 128:
            if c <= 90 and before >= 97 and before <= 122:
                if size > 1:
                    if out.count < limit and not add_hash(out, part):
                        return False
                    parts += 1
                part = HASH_START ^ kind
                size = 0
            part = fnv(part, c | 0x20 if c < 128 else c)
            whole = fnv(whole, c | 0x20 if c < 128 else c)
            size += 1
        else:
            if size > 1:
                if out.count < limit and not add_hash(out, part):
                    return False
                parts += 1
            if is_space(c):
                if parts > 1 and out.count < limit and not add_hash(out, whole ^ WHOLE):
                    return False
                if parts and first[0] == 0:
                    first[0] = whole | 1
                whole = HASH_START ^ kind
                parts = 0
            elif c < 48 or c > 57:
                whole = fnv(whole, 45)
            part = HASH_START ^ kind
            size = 0
        before = c
        at += 1
    return True


cdef inline Py_ssize_t _after_name(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    while start < stop and not is_space(source[start]) and source[start] != 47 and source[start] != 62:
        start += 1
    return start


cdef bint read_element(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop, Hashes* out,
                       uint32_t* first_class) noexcept nogil:
    """Add the words of the names in a start tag, from its classes, ids, roles, items and labels."""
    cdef Attribute attribute
    cdef Py_ssize_t at = _after_name(source, start + 1, stop)
    cdef Py_ssize_t limit = out.count + MOST_NAME_WORDS
    cdef uint32_t kind, ignored = 1
    cdef uint8_t c
    while at >= 0 and at < stop:
        at = next_attribute(source, at, stop, &attribute)
        if attribute.name_stop == attribute.name_start:
            break
        if attribute.value_stop == attribute.value_start:
            continue
        c = source[attribute.name_start] | 0x20
        if c == 99 and _is(source, &attribute, b"class", 5):
            if not _read_names(source, attribute.value_start, attribute.value_stop, CLASS_KIND, out, limit,
                               first_class):
                return False
            continue
        if c == 105 and _is(source, &attribute, b"id", 2):
            kind = CLASS_KIND
        elif c == 114 and _is(source, &attribute, b"role", 4):
            kind = ROLE_KIND
        elif c == 105 and (_is(source, &attribute, b"itemprop", 8) or _is(source, &attribute, b"itemtype", 8)):
            kind = ITEM_KIND
        elif c == 97 and _is(source, &attribute, b"aria-label", 10):
            kind = LABEL_KIND
        else:
            continue
        if not _read_names(source, attribute.value_start, attribute.value_stop, kind, out, limit, &ignored):
            return False
    return True


cdef void _read_address(AddressShape* self, const uint8_t* source, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """The depth of an address, and the characters of its last part."""
    cdef Py_ssize_t at = start
    cdef int slashes = 0
    cdef uint8_t c
    self.depth = self.hyphens = self.digits = self.length = 0
    while at < stop:
        c = source[at]
        if c == 63 or c == 35:
            break
        if c == 47:
            slashes += 1
            if at + 1 < stop and slashes > 2:
                self.depth += 1
                self.hyphens = self.digits = self.length = 0
        elif slashes > 2:
            self.length += 1
            self.hyphens += c == 45 or c == 95
            self.digits += 48 <= c <= 57
        at += 1


cdef bint read_head(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop, uint8_t tag, Hashes* out,
                    AddressShape* address) noexcept nogil:
    """Add the type, the generator or the address of the page from a `meta` or `link` element."""
    cdef Attribute attribute
    cdef Py_ssize_t at = _after_name(source, start + 1, stop)
    cdef Py_ssize_t key_start = 0, key_stop = 0, value_start = 0, value_stop = 0
    cdef Py_ssize_t limit = out.count + 16
    cdef uint32_t ignored = 1
    while at >= 0 and at < stop:
        at = next_attribute(source, at, stop, &attribute)
        if attribute.name_stop == attribute.name_start:
            break
        if (_is(source, &attribute, b"property", 8) or _is(source, &attribute, b"name", 4)
                or _is(source, &attribute, b"rel", 3)):
            key_start, key_stop = attribute.value_start, attribute.value_stop
        elif _is(source, &attribute, b"content", 7) or _is(source, &attribute, b"href", 4):
            value_start, value_stop = attribute.value_start, attribute.value_stop
    if tag == LINK:
        if key_stop - key_start == 9 and memcmp(source + key_start, b"canonical", 9) == 0:
            _read_address(address, source, value_start, value_stop)
            return _read_names(source, value_start, value_stop, ADDRESS_KIND, out, limit, &ignored)
        return True
    if key_stop - key_start == 7 and memcmp(source + key_start, b"og:type", 7) == 0 or (
            key_stop - key_start == 9 and memcmp(source + key_start, b"generator", 9) == 0):
        return _read_names(source, value_start, value_stop, META_KIND, out, limit, &ignored)
    return True


cdef bint read_linked_data(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop, Hashes* out) noexcept nogil:
    """Add the types of the JSON-LD in a script, which follow "@type"."""
    cdef Py_ssize_t at = start, end
    cdef uint32_t ignored = 1
    cdef Py_ssize_t limit = out.count + 32
    while at + 7 < stop:
        if source[at] == 64 and memcmp(source + at, b"@type", 5) == 0:
            at += 6
            end = at
            while end < stop and end < at + 80 and source[end] != 44 and source[end] != 125 and source[end] != 10:
                end += 1
            if not _read_names(source, at, end, TYPE_KIND, out, limit, &ignored):
                return False
            at = end
        else:
            at += 1
    return True


cdef bint is_linked_data(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Whether the start tag of a script declares JSON-LD."""
    cdef Py_ssize_t at
    for at in range(start, stop - 7):
        if source[at] == 108 and memcmp(source + at, b"ld+json", 7) == 0:
            return True
    return False
