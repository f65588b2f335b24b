# cython: language_level=3
"""Elements that are marked for an author or a date by their classes and other attributes."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy

from webstrata._scan.attributes cimport Attribute, is_space, next_attribute, some_attributes
from webstrata._scan.columns cimport Columns
from webstrata._scan.swar cimport small_name
from webstrata._scan.rows cimport (
    CLONED, E_END_BLOCK, E_FIRST_BLOCK, E_FLAGS, E_OPEN_STOP, E_PARENT, E_SOURCE_START, E_TAG, Table, ints, octets,
)
from webstrata._scan.tags cimport ABBR, DATA, LINK, META, SPAN, TIME

# Names of attributes as `small_name` gives them.
cdef extern from *:
    """
    #define ID_NAME 0x6469u
    #define REL_NAME 0x6c6572u
    #define CLASS_NAME 0x7373616c63u
    #define ITEMPROP_NAME 0x706f72706d657469u
    """
    const uint64_t ID_NAME, REL_NAME, CLASS_NAME, ITEMPROP_NAME

cdef tuple _NAMES = (b"class", b"id")
cdef tuple _MARKS = (b"itemprop", b"rel", b"class", b"id")


cdef class MarkedElement:
    """An element and the attributes that may mark it.

    Attributes
    ----------
    row : of the element
    item, relation : its ``itemprop`` and its ``rel``
    words : its class and its id, in lower case
    """

    cdef readonly Py_ssize_t row
    cdef readonly str item, relation, words

    def __cinit__(self, elements, Py_ssize_t row, Py_ssize_t longest):
        cdef Columns columns = elements.columns
        cdef Py_ssize_t start = ints(&columns.table, E_SOURCE_START)[row], stop = ints(&columns.table, E_OPEN_STOP)[row]
        cdef list found = some_attributes(elements.source, start, stop, _MARKS)
        self.row, self.item, self.relation = row, found[0] or "", found[1] or ""
        self.words = f"{(found[2] or '')[:longest]} {(found[3] or '')[:longest]}".lower()


def names_around(elements, Py_ssize_t row, int levels, Py_ssize_t longest):
    """The classes and ids of the elements around one, up to some levels, in lower case and cut if too long."""
    cdef Columns columns = elements.columns
    cdef const int32_t* starts = ints(&columns.table, E_SOURCE_START)
    cdef const int32_t* stops = ints(&columns.table, E_OPEN_STOP)
    cdef bytes source = elements.source
    cdef list names = []
    cdef int level
    for level in range(levels):
        row = ints(&columns.table, E_PARENT)[row]
        if row < 0:
            break
        if stops[row] > starts[row]:
            names += [name[:longest] for name in some_attributes(source, starts[row], stops[row], _NAMES) if name]
    return " ".join(names).lower()


# Words in the start tags of elements for authors, then of those for dates.
_WORDS = (
    *(b"uthor", b"yline", b"poster", b"username", b"creator"),
    *(b"ublish", b"osted", b"date", b"yline", b"author", b"Date"),
)
cdef enum:
    SHORTEST_MARKED = 11     # bytes of a start tag with one of these: <p id=date>
    MOST_MARKED = 100        # elements for authors, and for dates, that are read
    WORDS = 11
    BY_AUTHOR = (1 << 5) - 1         # as bits, one for each word
    BY_DATE = (1 << 11) - (1 << 5)
cdef const char* _word[WORDS]
cdef Py_ssize_t[WORDS] _size
# A perfect hash of the first three characters of each word and of the three from the second on: only every other
# position of a text is looked up. A loop over all words at each position makes reading metadata 22 % slower.
cdef enum:
    PLACES_BITS = 7
    THREE = 0xFFFFFF         # three of four characters
cdef uint32_t[1 << PLACES_BITS] _threes
cdef uint32_t[WORDS] _beginning  # the first four characters of each word
cdef uint32_t _factor = 0


cdef inline uint32_t _place(uint32_t three) noexcept nogil:
    return (three * _factor) >> (32 - PLACES_BITS)


cdef inline uint32_t _four(const uint8_t* text) noexcept nogil:
    cdef uint32_t four
    memcpy(&four, text, 4)
    return four


def _fill():
    """Find a factor without collisions."""
    global _factor
    cdef int i
    for i, word in enumerate(_WORDS):
        _word[i], _size[i] = word, len(word)
        _beginning[i] = _four(<const uint8_t*>_word[i])
    threes = {_four(<const uint8_t*>_word[i] + at) & THREE for i in range(WORDS) for at in range(2)}
    _factor = 0x9E3779B1
    while len({_place(three) for three in threes}) < len(threes):
        _factor += 2
    for three in threes:
        _threes[_place(three)] = three


_fill()


cdef uint16_t _words_in(const uint8_t* text, Py_ssize_t size) noexcept nogil:
    """The kinds of words in a text, as bits; at least one byte must follow the text."""
    cdef uint16_t found = 0
    cdef uint32_t four
    cdef Py_ssize_t at, start
    cdef int i
    for at in range(1, size - 2, 2):
        four = _four(text + at) & THREE
        if _threes[_place(four)] == four:
            for start in range(at - 1, at + 1):
                four = _four(text + start)
                for i in range(WORDS):
                    if (_beginning[i] == four and start + _size[i] <= size
                            and memcmp(text + start, _word[i], _size[i]) == 0):
                        found |= BY_AUTHOR if 1 << i & BY_AUTHOR else BY_DATE
    return found


cdef uint16_t _marks_in(const uint8_t* text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """The kinds of words in the attributes of a start tag that `MarkedElement` reads, as bits."""
    cdef Attribute here
    cdef Py_ssize_t size, position = start + 1
    cdef uint16_t found = 0
    cdef uint64_t name
    while position < stop and not (is_space(text[position]) or text[position] == c"/" or text[position] == c">"):
        position += 1
    while position < stop:
        position = next_attribute(text, position, stop, &here)
        size = here.name_stop - here.name_start
        if position < 0 or size == 0:
            break
        if size <= 8:
            name = small_name(text + here.name_start, size, stop - here.name_start)
            if name == CLASS_NAME or name == ID_NAME or name == REL_NAME or name == ITEMPROP_NAME:
                found |= _words_in(text + here.value_start, here.value_stop - here.value_start)
    return found


cdef inline bint _holds_data(uint8_t tag) noexcept nogil:
    """Whether elements with this tag may have a date in an attribute, without text."""
    return tag == META or tag == LINK or tag == TIME or tag == SPAN or tag == DATA or tag == ABBR


def marked(elements, Py_ssize_t start, Py_ssize_t stop):
    """The rows of the first elements in a range of the source with a word for an author, and with one for a date."""
    cdef Columns columns = elements.columns
    cdef bytes source = elements.source
    cdef const uint8_t* text = source
    cdef int32_t[MOST_MARKED] authors
    cdef int32_t[MOST_MARKED] dates
    cdef Py_ssize_t named = 0, dated = 0, i
    with nogil:  # a fifth of the time of all metadata
        _find_marked(&columns.table, text, start, stop, authors, &named, dates, &dated)
    return [authors[i] for i in range(named)], [dates[i] for i in range(dated)]


cdef void _find_marked(Table* table, const uint8_t* text, Py_ssize_t start, Py_ssize_t stop,
                       int32_t* authors, Py_ssize_t* named, int32_t* dates, Py_ssize_t* dated) noexcept nogil:
    cdef const int32_t* starts = ints(table, E_SOURCE_START)
    cdef const int32_t* stops = ints(table, E_OPEN_STOP)
    cdef const uint8_t* flags = octets(table, E_FLAGS)
    cdef const uint8_t* tag = octets(table, E_TAG)
    cdef const int32_t* firsts = ints(table, E_FIRST_BLOCK)
    cdef const int32_t* ends = ints(table, E_END_BLOCK)
    cdef Py_ssize_t row
    cdef uint16_t found
    for row in range(table.rows):
        if (starts[row] < start or stops[row] - starts[row] < SHORTEST_MARKED or flags[row] & CLONED
                or (ends[row] == firsts[row] and not _holds_data(tag[row]))):
            continue
        if starts[row] >= stop or (named[0] == MOST_MARKED and dated[0] == MOST_MARKED):
            break
        found = _marks_in(text, starts[row], stops[row])
        if found & BY_AUTHOR and named[0] < MOST_MARKED:
            authors[named[0]] = <int32_t>row
            named[0] += 1
        if found & BY_DATE and dated[0] < MOST_MARKED:
            dates[dated[0]] = <int32_t>row
            dated[0] += 1
