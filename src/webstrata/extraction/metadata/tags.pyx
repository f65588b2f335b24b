# cython: language_level=3
"""Finds the elements in which a page may speak of itself, and reads meta elements; `sources` says what they mean."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memcmp, memcpy

from webstrata._scan.references cimport attribute, attribute_value, prepare
from webstrata._scan.rows cimport CLONED
from webstrata._scan.tags cimport ABBR, BODY, DATA, H1, LINK, META, SPAN, TIME
from webstrata._scan.tokenizer cimport Attribute, next_attribute, same_name


def find_rows(elements):
    """The rows of all ``meta``, ``link``, ``h1`` and ``time`` elements, and of the first ``body`` or -1."""
    cdef const uint8_t[::1] tag = elements.tag
    cdef Py_ssize_t row, body = -1
    cdef list metas = [], links = [], headings = [], times = []
    for row in range(tag.shape[0]):
        if tag[row] == META:
            metas.append(row)
        elif tag[row] == LINK:
            links.append(row)
        elif tag[row] == H1:
            headings.append(row)
        elif tag[row] == TIME:
            times.append(row)
        elif tag[row] == BODY and body < 0:
            body = row
    return metas, links, headings, times, body


def rows_with(elements, list rows, bytes word):
    """Those of some rows whose start tag holds a word, in either case."""
    cdef const int32_t[::1] starts = elements.source_start
    cdef const int32_t[::1] stops = elements.open_stop
    cdef bytes source = elements.source
    cdef const uint8_t* text = source
    cdef const uint8_t* wanted = word
    cdef Py_ssize_t row, at, size = len(word)
    cdef list found = []
    for row in rows:
        for at in range(starts[row], stops[row] - size + 1):
            if (text[at] | 0x20) == (wanted[0] | 0x20) and same_name(text + at, wanted, size):
                found.append(row)
                break
    return found


def attributes_of(elements, Py_ssize_t row, tuple names):
    """Some attributes of an element, "" for those that it has not."""
    cdef const int32_t[::1] starts = elements.source_start
    cdef const int32_t[::1] stops = elements.open_stop
    return [attribute(elements.source, starts[row], stops[row], name) or "" for name in names]


cdef enum:
    KEYS = 4
cdef const char* _KEYS[KEYS]
_KEYS[:] = [b"content", b"property", b"name", b"itemprop"]
cdef Py_ssize_t[KEYS] _KEY_SIZES = [7, 8, 4, 8]


def read_meta(elements, list rows):
    """The contents of meta elements by their names, in lower case; a name is a property or an itemprop as well."""
    cdef const int32_t[::1] starts = elements.source_start
    cdef const int32_t[::1] stops = elements.open_stop
    cdef bytes source = elements.source
    cdef const uint8_t* text = source
    cdef Attribute[KEYS] found
    cdef Attribute here
    cdef Py_ssize_t row, position
    cdef dict contents = {}
    cdef str name
    cdef int key
    prepare()
    for row in rows:
        for key in range(KEYS):
            found[key].value_start = found[key].value_stop = 0
        position = starts[row] + 5  # after "<meta"
        while position < stops[row]:
            position = next_attribute(text, position, stops[row], &here)
            if position < 0 or here.name_start == here.name_stop:
                break
            for key in range(KEYS):
                # The first of a name counts, and only that one.
                if (found[key].value_start == 0 and here.name_stop - here.name_start == _KEY_SIZES[key]
                        and same_name(text + here.name_start, <const uint8_t*>_KEYS[key], _KEY_SIZES[key])):
                    found[key] = here
        if found[0].value_start == found[0].value_stop:
            continue
        content = attribute_value(text, found[0].value_start, found[0].value_stop)
        for key in range(1, KEYS):
            if found[key].value_start < found[key].value_stop:
                name = attribute_value(text, found[key].value_start, found[key].value_stop).strip().lower()
                (<list>contents.setdefault(name, [])).append(content)
    return contents


# What stands in the start tags of elements that name the author, and then of those that name the day of publication.
_WORDS = (
    *(b"uthor", b"yline", b"poster", b"username", b"creator"),
    *(b"ublish", b"osted", b"date", b"yline", b"author", b"Date"),
)
cdef enum:
    WORDS = 11
    BY_AUTHOR = (1 << 5) - 1         # as bits, one for each word
    BY_DATE = (1 << 11) - (1 << 5)
cdef const char* _word[WORDS]
cdef Py_ssize_t[WORDS] _size
# The first four characters of the words, each where a multiplication puts it; a place without a word has zeros, which
# no start tag has four of.
cdef enum:
    PLACES_BITS = 6
cdef uint32_t[1 << PLACES_BITS] _starts
cdef uint32_t _factor = 0


cdef inline uint32_t _place(uint32_t four) noexcept nogil:
    return (four * _factor) >> (32 - PLACES_BITS)


cdef inline uint32_t _four(const uint8_t* text) noexcept nogil:
    cdef uint32_t four
    memcpy(&four, text, 4)
    return four


def _fill():
    """Find a factor by which no two beginnings get the same place."""
    global _factor
    cdef int i
    for i, word in enumerate(_WORDS):
        _word[i], _size[i] = word, len(word)
    fours = {_four(<const uint8_t*>_word[i]) for i in range(WORDS)}
    _factor = 0x9E3779B1
    while len({_place(four) for four in fours}) < len(fours):
        _factor += 2
    for four in fours:
        _starts[_place(four)] = four


_fill()


cdef uint16_t _words_in(const uint8_t* text, Py_ssize_t size) noexcept nogil:
    """Whether a text holds a word for an author and one for a date."""
    cdef uint16_t found = 0
    cdef uint32_t four
    cdef Py_ssize_t at
    cdef int i
    for at in range(size - 3):
        four = _four(text + at)
        if _starts[_place(four)] == four:
            for i in range(WORDS):
                if at + _size[i] <= size and memcmp(text + at, _word[i], _size[i]) == 0:
                    found |= BY_AUTHOR if 1 << i & BY_AUTHOR else BY_DATE
    return found


cdef inline bint _holds_data(uint8_t tag) noexcept nogil:
    """Whether elements of a tag may name a day in an attribute, without any text."""
    return tag == META or tag == LINK or tag == TIME or tag == SPAN or tag == DATA or tag == ABBR


def marked(elements, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t most):
    """The first elements whose start tag, between two places of the source, holds a word for an author, and those for
    a date."""
    cdef const int32_t[::1] starts = elements.source_start
    cdef const int32_t[::1] stops = elements.open_stop
    cdef const uint8_t[::1] flags = elements.flags
    cdef const uint8_t[::1] tag = elements.tag
    cdef const int32_t[::1] firsts = elements.first_block
    cdef const int32_t[::1] ends = elements.end_block
    cdef bytes source = elements.source
    cdef const uint8_t* text = source
    cdef Py_ssize_t row
    cdef uint16_t found
    cdef list authors = [], dates = []
    for row in range(starts.shape[0]):
        if starts[row] < start or flags[row] & CLONED or (ends[row] == firsts[row] and not _holds_data(tag[row])):
            continue
        if starts[row] >= stop or (len(authors) >= most and len(dates) >= most):
            break
        found = _words_in(text + starts[row], min(<Py_ssize_t>stops[row], stop) - starts[row])
        if found & BY_AUTHOR and len(authors) < most:
            authors.append(row)
        if found & BY_DATE and len(dates) < most:
            dates.append(row)
    return authors, dates
