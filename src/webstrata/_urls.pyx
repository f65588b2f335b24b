# cython: language_level=3
"""A fast path for plain references; `webstrata.urls` handles the others.

Most references need no cleaning, and joining puts the same prefix of the page's address before all references of one
form. The prefix is computed once, by joining an example. Without this, Markdown and HTML take 9 % more time.
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND
from libc.stdint cimport uint8_t
from libc.string cimport memcmp

from webstrata._lengths import LONGEST_URL

cdef Py_ssize_t _LONGEST = LONGEST_URL

# The forms of a plain reference.
cdef enum:
    NOT_PLAIN
    ABSOLUTE                 # an absolute URL
    HOST                     # begins with a host name
    ROOT                     # begins with the root of the host
    BESIDE                   # a path relative to the page
    ABOVE                    # a path one level above
    PLACE                    # a fragment

# An example of each form; the reference is its end.
cdef tuple _EXAMPLES = ("", "", "//x", "/x", "x", "../x", "#x")
cdef Py_ssize_t[7] _REPLACED = [0, 0, 3, 2, 1, 1, 2]


cdef inline bint _is_name(uint8_t c) noexcept nogil:
    return c"a" <= (c | 0x20) <= c"z" or c"0" <= c <= c"9" or c == c"_"


cdef inline bint _is_mark(uint8_t c) noexcept nogil:
    """Whether a character ends the path of a URL."""
    return c == c"?" or c == c"#" or c == c";"


cdef bint _is_relative(const uint8_t* text, Py_ssize_t at, Py_ssize_t size, int way) noexcept nogil:
    """Whether joining changes nothing in a reference from a position on.

    A mark with nothing behind it is dropped, and dots between slashes go up. A name beside the page may not have a
    colon, which could make a scheme of its beginning, nor an empty level.
    """
    cdef uint8_t c, following
    for at in range(at, size):
        c, following = text[at], text[at + 1] if at + 1 < size else c"#"
        if c <= 32 or c >= 127:
            return False
        if c == c"/":
            if (way == BESIDE or way == ABOVE) and at + 1 < size and following == c"/":
                return False
        elif c == c":":
            if way == BESIDE or way == ABOVE:
                return False
        elif _is_mark(c) or c == c".":
            if _is_mark(following) or (c == c"." and (following == c"/" or following == c".")):
                return False
        elif way == HOST and (c == c"[" or c == c"]"):
            return False
    return True


cdef bint _is_absolute(const uint8_t* text, Py_ssize_t at, Py_ssize_t size) noexcept nogil:
    """Whether a URL needs no cleaning and has no ``..``, after its scheme."""
    if at >= size:
        return False
    for at in range(at, size):
        if text[at] <= 32 or text[at] >= 127:
            return False
        if text[at] == c"." and at + 1 < size and (text[at + 1] == c"/" or text[at + 1] == c"."):
            return False
    return True


cdef int _way(const uint8_t* text, Py_ssize_t size) noexcept nogil:
    """The form of a plain reference."""
    cdef Py_ssize_t at
    cdef int way = NOT_PLAIN
    if text[0] == c"h" and size > 7 and memcmp(text, b"http", 4) == 0:
        at = 5 if text[4] == c"s" else 4
        if memcmp(text + at, b"://", 3) == 0:
            return ABSOLUTE if _is_absolute(text, at + 3, size) else NOT_PLAIN
    if text[0] == c"#":
        for at in range(1, size):
            if text[at] <= 32 or text[at] >= 127:
                return NOT_PLAIN
        return PLACE if size > 1 else NOT_PLAIN
    at = 1
    if _is_name(text[0]):
        way = BESIDE
    elif text[0] == c"/":
        way = ROOT
        if size > 1 and text[1] == c"/":
            way = HOST if size > 2 and _is_name(text[2]) else NOT_PLAIN
            at = 3
    elif size > 3 and memcmp(text, b"../", 3) == 0 and _is_name(text[3]):
        way, at = ABOVE, 4
    return way if way != NOT_PLAIN and _is_relative(text, at, size, way) else NOT_PLAIN


cdef int _way_of(str reference) except -1:
    cdef Py_ssize_t size = len(reference)
    if not 0 < size <= _LONGEST or PyUnicode_KIND(reference) != 1:
        return NOT_PLAIN
    return _way(<const uint8_t*>PyUnicode_DATA(reference), size)


def is_plain(str reference not None):
    """Whether a reference is an absolute web address that needs no cleaning."""
    return _way_of(reference) == ABSOLUTE


cdef class PlainResolver:
    """Gives the safe URLs of one page while there is room for them; subclasses implement `join` for other references.

    Parameters
    ----------
    base : the address of the page
    left : how many characters of URLs there is room for
    """

    def __init__(self, str base not None, Py_ssize_t left):
        self.base, self.left, self.prefixes = base, left, [None] * len(_EXAMPLES)

    cpdef str safe(self, str reference):
        """The same as `webstrata.urls.safe`; None once there is no room left."""
        cdef int way
        if not self.left:
            return None
        way = _way_of(reference)
        if way == ABSOLUTE:
            return reference
        if way == NOT_PLAIN or len(reference) > _LONGEST - len(self.base):
            return self.join(reference)
        return self._prefix(way) + (reference[3:] if way == ABOVE else reference)

    cdef str _prefix(self, int way):
        cdef str joined
        if self.prefixes[way] is None:
            joined = self.join(_EXAMPLES[way]) or _EXAMPLES[way]
            self.prefixes[way] = joined[: len(joined) - _REPLACED[way]]
        return self.prefixes[way]

    cpdef bint has_room(self, str url):
        """Reserve room for a URL. False if there is not enough, and from then on."""
        if len(url) > self.left:
            self.left = 0
            return False
        self.left -= len(url)
        return True
