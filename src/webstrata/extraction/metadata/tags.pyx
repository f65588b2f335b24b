# cython: language_level=3
"""Finds the elements in which a page may speak of itself, and reads meta elements; `sources` says what they mean."""

from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memcmp, strlen

from webstrata._scan.references cimport attribute
from webstrata._scan.rows cimport CLONED
from webstrata._scan.tags cimport BODY, H1, LINK, META, TIME
from webstrata._scan.tokenizer cimport same_name


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


def read_meta(elements, list rows):
    """The contents of meta elements by their names, in lower case; a name is a property or an itemprop as well."""
    cdef const int32_t[::1] starts = elements.source_start
    cdef const int32_t[::1] stops = elements.open_stop
    cdef bytes source = elements.source
    cdef Py_ssize_t row
    cdef dict found = {}
    cdef str content, name
    for row in rows:
        content = attribute(source, starts[row], stops[row], b"content")
        if not content:
            continue
        for key in (b"property", b"name", b"itemprop"):
            name = attribute(source, starts[row], stops[row], key)
            if name:
                name = name.strip().lower()
                if name in found:
                    (<list>found[name]).append(content)
                else:
                    found[name] = [content]
    return found


# What stands in the start tags of elements that name the author, and of those that name the day of publication.
cdef enum:
    AUTHOR_WORDS = 5
    DATE_WORDS = 6
cdef const char* _AUTHOR[AUTHOR_WORDS]
cdef const char* _DATE[DATE_WORDS]
_AUTHOR[:] = [b"uthor", b"yline", b"poster", b"username", b"creator"]
_DATE[:] = [b"ublish", b"osted", b"date", b"yline", b"author", b"Date"]
# Which characters any of these begins with.
cdef uint8_t[256] _BEGINS


def _fill():
    cdef int i
    for i in range(AUTHOR_WORDS):
        _BEGINS[<uint8_t>_AUTHOR[i][0]] = True
    for i in range(DATE_WORDS):
        _BEGINS[<uint8_t>_DATE[i][0]] = True


_fill()


cdef bint _has_one(const uint8_t* text, Py_ssize_t size, const char** words, int count) noexcept nogil:
    """Whether a text begins with one of some words."""
    cdef int i
    cdef Py_ssize_t length
    for i in range(count):
        length = strlen(words[i])
        if length <= size and memcmp(text, words[i], length) == 0:
            return True
    return False


def marked(elements, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t most):
    """The first elements whose start tag, between two places of the source, holds a word for an author, and those for
    a date."""
    cdef const int32_t[::1] starts = elements.source_start
    cdef const int32_t[::1] stops = elements.open_stop
    cdef const uint8_t[::1] flags = elements.flags
    cdef bytes source = elements.source
    cdef const uint8_t* text = source
    cdef Py_ssize_t row, at, end
    cdef bint by_author, by_date
    cdef list authors = [], dates = []
    for row in range(starts.shape[0]):
        if starts[row] < start or flags[row] & CLONED:
            continue
        if starts[row] >= stop or (len(authors) >= most and len(dates) >= most):
            break
        by_author = by_date = False
        end = min(<Py_ssize_t>stops[row], stop)
        for at in range(starts[row], end):
            if _BEGINS[text[at]]:
                by_author = by_author or _has_one(text + at, end - at, _AUTHOR, AUTHOR_WORDS)
                by_date = by_date or _has_one(text + at, end - at, _DATE, DATE_WORDS)
        if by_author and len(authors) < most:
            authors.append(row)
        if by_date and len(dates) < most:
            dates.append(row)
    return authors, dates
