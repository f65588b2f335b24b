# cython: language_level=3
"""The URL of an image: the best of its candidates.

A page may give many URLs for an image: in ``src``, in ``srcset`` for each size, in the ``source`` elements of a
``picture``, in attributes that a script reads when the image comes into view (lazy loading), and in a ``noscript``
beside it. The candidate with the largest declared size comes first, of a ``picture`` before that of its ``img``, as in
browsers; then a lazy one, because ``src`` is a placeholder then; then ``src``; then the URL of an image in any other
``data-`` attribute.
"""

import re
from operator import itemgetter

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND
from libc.stdint cimport uint32_t

from webstrata._scan.attributes cimport is_space, same_name, some_attributes
from webstrata._scan.rows cimport (
    E_DEPTH, E_END_BLOCK, E_FIRST_BLOCK, E_FLAGS, E_OPEN_STOP, E_PARENT, E_SOURCE_START, E_TAG, HIDDEN, Table, ints,
    octets, shorts,
)
from webstrata._scan.tags cimport IMG, NOSCRIPT, PICTURE, SOURCE
from webstrata.extraction.structure.buffer cimport character_at

from webstrata._escaping import one_line
from webstrata._scan.references import STATES, character_data
from webstrata._lengths import LONGEST_TITLE

# The attributes to read; the enumeration has their indexes. The last ones are those of lazy loading, without the ones
# for a certain screen.
cdef tuple _NAMES = (
    b"width", b"height", b"alt", b"style", b"src",
    b"srcset", b"data-srcset", b"data-lazy-srcset",
    b"data-src", b"data-original", b"data-lazy-src", b"data-lazy", b"data-original-src", b"data-hi-res-src",
    b"data-url",
)
cdef enum:
    WIDTH, HEIGHT, ALT, STYLE, SRC, FIRST_SET
    FIRST_LATE = 8
    END = 15
# File names of placeholders, which may end in a number or a size.
_PLACEHOLDER = re.compile(
    r"(?:^|/)(?:img|image)?[-_]?(?:blank|spacer|placeholder|pixel|transparent|loading|lazy|lazyload|dummy|empty|trans|clear"
    r"|grey|gray|1x1|x)(?:[-_.]?\d+(?:x\d+)?|[-_]?(?:img|image|pixel|gif))?\.(?:gif|png|svg|jpe?g|webp)(?:[?#]|$)",
    re.IGNORECASE,
)
# Their first letters, except for "x". Most file names are ruled out by them, without the regular expression.
cdef const char* _BEGINNINGS = b"bla spa pla pix tra loa laz dum emp cle gre gra 1x1 "
_HIDES = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_DENSITY = re.compile(r"(\d{1,6}(?:\.\d{1,9})?|\.\d{1,9})(?:[eE][+-]?\d)?x")
_SIZE = itemgetter(1, 2)
# The URL of an image in an attribute that a script of the page reads.
_OTHER_LATE = re.compile(
    rb"\sdata-[\w-]{1,40}=[\"']?((?:https?:/)?/[^\"'\s<>]{1,1000}?\.(?:jpe?g|png|gif|webp|avif)(?:\?[^\"'\s<>]{0,1000})?)[\"'\s>]",
    re.IGNORECASE,
)

cdef enum:
    NEAR = 4                 # elements before and after a noscript, and levels above it, that are searched
    MOST_SOURCES = 32        # of a picture; real ones have a few
    LONGEST_TAG = 10000      # bytes of a start tag that are searched for other attributes


def srcset(str value not None):
    """The candidates of a ``srcset``: the HTML standard's "parse a srcset attribute".

    Each is a URL, its width in pixels (0 if there is none) and its pixel density. A URL ends at white space, so it may
    contain commas; a comma at its end separates it from the next candidate. A candidate with unknown descriptors is
    left out.

    >>> [candidate[0] for candidate in srcset("a.jpg?w=1,h=2 300w, b.jpg 600w,c.jpg, d.jpg 2y")]
    ['a.jpg?w=1,h=2', 'b.jpg', 'c.jpg']
    """
    cdef int kind = PyUnicode_KIND(value)
    cdef const void* data = PyUnicode_DATA(value)
    cdef Py_ssize_t start, stop, described, width, at = 0, size = len(value)
    cdef list found = []
    while True:
        while at < size and (_is_space(character_at(kind, data, at)) or character_at(kind, data, at) == c","):
            at += 1
        if at == size:
            return found
        start = at
        while at < size and not _is_space(character_at(kind, data, at)):
            at += 1
        stop = described = at
        if character_at(kind, data, stop - 1) == c",":
            while character_at(kind, data, stop - 1) == c",":
                stop -= 1
        else:
            at = _descriptors_stop(kind, data, at, size)
        width = _width(kind, data, described, at)
        if width >= 0:
            found.append((value[start:stop], width, 1.0))
            continue
        candidate = _described(value[start:stop], value[described:at])
        if candidate is not None:
            found.append(candidate)


cdef inline bint _is_space(uint32_t c) noexcept nogil:
    return c < 128 and is_space(<uint8_t>c)


cdef Py_ssize_t _descriptors_stop(int kind, const void* data, Py_ssize_t at, Py_ssize_t size) noexcept nogil:
    """The next comma outside of parentheses."""
    cdef bint inside = False
    cdef uint32_t c
    for at in range(at, size):
        c = character_at(kind, data, at)
        if c == c"," and not inside:
            return at
        inside = c == c"(" or (inside and c != c")")
    return size


cdef Py_ssize_t _width(int kind, const void* data, Py_ssize_t at, Py_ssize_t stop) noexcept nogil:
    """The width of a candidate that has a width only, as most do, or 0 without descriptors; -1 for all others."""
    cdef Py_ssize_t start, width = 0
    while at < stop and character_at(kind, data, at) == c" ":
        at += 1
    if at == stop:
        return 0
    start = at
    while at < stop and at - start < 9 and c"0" <= character_at(kind, data, at) <= c"9":
        width = 10 * width + character_at(kind, data, at) - c"0"
        at += 1
    return width if at > start and at + 1 == stop and character_at(kind, data, at) == c"w" else -1


cdef tuple _described(str url, str descriptors):
    cdef Py_ssize_t width = 0
    cdef double density = 1
    cdef str descriptor, number
    cdef Py_UCS4 unit
    for descriptor in descriptors.split():
        number, unit = descriptor[: len(descriptor) - 1], descriptor[len(descriptor) - 1]
        if (unit == c"w" or unit == c"h") and len(number) < 10 and number.isascii() and number.isdecimal():
            width = int(number) if unit == c"w" else width
        elif _DENSITY.fullmatch(descriptor):
            density = float(number)
        else:
            return None
    return url, width, density


cdef bint _may_be_placeholder(str name) except -1:
    """Whether a file name may be that of a placeholder."""
    cdef const uint8_t* text = <const uint8_t*>PyUnicode_DATA(name)
    cdef const uint8_t* beginning
    cdef Py_ssize_t start, at, size = len(name)
    if not name.isascii():
        return True
    for start in range(size):
        if start and text[start - 1] != c"/":
            continue
        at = start
        if size - at > 5 and same_name(text + at, b"im", 2):
            at += 5 if same_name(text + at, b"image", 5) else 3 if same_name(text + at, b"img", 3) else 0
        if at < size and (text[at] == c"-" or text[at] == c"_"):
            at += 1
        if at + 3 > size:
            return False
        if text[at] | 0x20 == c"x":
            return True
        beginning = <const uint8_t*>_BEGINNINGS
        while beginning[0]:
            if same_name(text + at, beginning, 3):
                return True
            beginning += 4
    return False


cdef bint _is_placeholder(str url) except -1:
    cdef str name = url if len(url) <= 200 else url[len(url) - 200 :]
    return _may_be_placeholder(name) and _PLACEHOLDER.search(name) is not None


cdef class Images:
    """The images of a page.

    Parameters
    ----------
    resolver : resolves their URLs
    """

    def __cinit__(self, page, PlainResolver resolver not None):
        self.source, self.resolver, self.elements = page.source, resolver, page.elements.columns
        cdef Table* table = &self.elements.table
        self.count = table.rows
        self.tag, self.flags = octets(table, E_TAG), octets(table, E_FLAGS)
        self.parent, self.depth = ints(table, E_PARENT), shorts(table, E_DEPTH)
        self.first_block, self.end_block = ints(table, E_FIRST_BLOCK), ints(table, E_END_BLOCK)
        self.source_start, self.open_stop = ints(table, E_SOURCE_START), ints(table, E_OPEN_STOP)

    cpdef tuple image(self, Py_ssize_t row):
        """The URL and the text of an image that can be shown, or None.

        Tracking pixels and placeholders cannot be shown. An image in a ``noscript`` replaces one beside it that cannot
        be shown.
        """
        cdef list attributes = self._attributes(row)
        cdef Py_ssize_t around = self._noscript(row) if self.flags[row] & HIDDEN else -1
        cdef str src
        if attributes[WIDTH] in ("0", "1") or attributes[HEIGHT] in ("0", "1"):
            return None
        if around >= 0 and not self._is_replacement(row, around, attributes):
            return None
        src = self._best(row, attributes)
        return None if src is None else (src, one_line(attributes[ALT] or "", LONGEST_TITLE))

    cdef list _attributes(self, Py_ssize_t row):
        return some_attributes(self.source, self.source_start[row], self.open_stop[row], _NAMES)

    cdef str _best(self, Py_ssize_t row, list attributes):
        """The best candidate that is safe."""
        cdef str src, url, own = (attributes[SRC] or "").strip()
        cdef list urls = []
        sets = self._sets(row, attributes)
        if sets:
            candidates = [each for value in sets for each in srcset(value) if not (<str>each[0]).startswith("data:")]
            candidates.sort(key=_SIZE, reverse=True)
            # A candidate without a width or a higher density is no better than ``src``.
            urls = [each[0] for each in candidates if each[1] or each[2] > 1]
            own = own or (candidates[0][0] if candidates else "")
        urls += [late for late in attributes[FIRST_LATE:END] if late is not None]
        urls.append(own)
        for url in urls:
            url = url.strip()
            if url and not url.startswith("data:") and not _is_placeholder(url):
                src = self.resolver.safe(url)
                if src is not None:
                    return src
        found = _OTHER_LATE.search(self.source, self.source_start[row],
                                   min(self.open_stop[row], self.source_start[row] + LONGEST_TAG))
        return self.resolver.safe(character_data(found[1], 0, len(found[1]), STATES["data"])) if found is not None else None

    cdef list _sets(self, Py_ssize_t row, list attributes):
        """The ``srcset`` values of the sources of a picture around an image, and of the image."""
        cdef Py_ssize_t each, above = self.parent[row]
        cdef list sets = []
        if self.tag[above] == PICTURE:
            for each in range(max(above + 1, row - MOST_SOURCES), row):
                if self.tag[each] == SOURCE:
                    sets += [value for value in self._attributes(each)[FIRST_SET:FIRST_LATE] if value is not None]
        return sets + [value for value in attributes[FIRST_SET:FIRST_LATE] if value is not None]

    cdef Py_ssize_t _noscript(self, Py_ssize_t row) noexcept nogil:
        """The ``noscript`` around an image, or -1."""
        cdef int level
        for level in range(NEAR):
            row = self.parent[row]
            if row < 0 or self.tag[row] == NOSCRIPT:
                return row
        return -1

    cdef bint _is_replacement(self, Py_ssize_t row, Py_ssize_t around, list attributes) except -1:
        """Whether an image in a ``noscript`` is the only one there that can be shown."""
        cdef Py_ssize_t each, after, count = self.count
        if _HIDES.search((attributes[STYLE] or "")[:1000]):
            return False
        after = around + 1
        while after < count and after - around <= 2 * NEAR and self.depth[after] > self.depth[around]:
            after += 1
        for each in range(max(around - NEAR, 0), min(after + NEAR, count)):
            if (not around <= each < after and self.tag[each] == IMG and not self.flags[each] & HIDDEN
                    and self._is_beside(each, around) and self._best(each, self._attributes(each)) is not None):
                return False
        return True

    cdef bint _is_beside(self, Py_ssize_t row, Py_ssize_t other) noexcept nogil:
        """Whether two elements have no text between them, and the parent of one is at most some levels above the other."""
        cdef Py_ssize_t up = row
        cdef int level
        if self.first_block[row] != self.first_block[other] and self.first_block[row] != self.end_block[other]:
            return False
        for level in range(NEAR):
            up = self.parent[up]
            if up < 0 or up == self.parent[other]:
                break
        return up >= 0 and up == self.parent[other]
