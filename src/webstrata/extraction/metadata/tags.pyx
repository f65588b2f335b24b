# cython: language_level=3
"""Finds where a page may speak of itself; `sources` says what it means."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memcmp, memcpy

from webstrata._scan.attributes cimport Attribute, is_space, next_attribute, same_name
from webstrata._scan.references cimport some_attributes
from webstrata._scan.rows cimport CLONED, HIDDEN, RELATED
from webstrata._scan.tags cimport A, ABBR, BODY, DATA, H1, LINK, META, SPAN, TIME


cdef tuple _META = (b"content", b"property", b"name", b"itemprop")
# What a link may say in ``rel`` of where it leads.
cdef enum:
    RELATIONS = 5
    CANONICAL = 1            # as bits
    TAG = 2
    CATEGORY = 4
    LICENCE = 8 | 16         # it is spelt in two ways
cdef const char* _RELATIONS[RELATIONS]
_RELATIONS[:] = [b"canonical", b"tag", b"category", b"license", b"licence"]
cdef Py_ssize_t[RELATIONS] _RELATION_SIZES = [9, 3, 8, 7, 7]


cdef int _relations(const uint8_t* text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """What the ``rel`` of a start tag says, as bits."""
    cdef Attribute here
    cdef Py_ssize_t begin, end, position = start + 1
    cdef int i, found = 0
    while position < stop and not (is_space(text[position]) or text[position] == c"/"):
        position += 1
    while position < stop:
        position = next_attribute(text, position, stop, &here)
        if position < 0 or here.name_start == here.name_stop:
            break
        if here.name_stop - here.name_start == 3 and same_name(text + here.name_start, b"rel", 3):
            begin = here.value_start
            while begin < here.value_stop:
                end = begin
                while end < here.value_stop and not is_space(text[end]):
                    end += 1
                for i in range(RELATIONS):
                    if end - begin == _RELATION_SIZES[i] and same_name(text + begin, <const uint8_t*>_RELATIONS[i],
                                                                       end - begin):
                        found |= 1 << i
                begin = end + 1
            break
    return found


cdef class Survey:
    """Where a page may speak of itself, found in one pass over its elements.

    Attributes
    ----------
    headings, times : the rows of the ``h1`` and ``time`` elements
    body : the row of the first ``body``, or -1
    canonical : the rows of the ``link`` elements that lead to the page itself
    tags, categories : the rows of the links to them
    licences : the rows of the links and ``link`` elements that lead to a licence
    """

    cdef dict _meta          # the contents of the meta elements by their names
    cdef readonly list headings, times, canonical, tags, categories, licences
    cdef readonly Py_ssize_t body

    def __cinit__(self, elements):
        cdef const int32_t[::1] starts = elements.source_start
        cdef const int32_t[::1] stops = elements.open_stop
        cdef const uint8_t[::1] tags = elements.tag
        cdef const uint8_t[::1] flags = elements.flags
        cdef bytes source = elements.source
        cdef const uint8_t* text = source
        cdef Py_ssize_t row
        cdef uint8_t tag
        self._meta, self.headings, self.times, self.body = {}, [], [], -1
        self.canonical, self.tags, self.categories, self.licences = [], [], [], []
        for row in range(tags.shape[0]):
            tag = tags[row]
            if tag == A or tag == LINK:
                if flags[row] & RELATED:
                    self._add_link(row, tag, _relations(text, starts[row], stops[row]))
            elif tag == META:
                self._add_meta(some_attributes(source, starts[row], stops[row], _META))
            elif tag == H1:
                self.headings.append(row)
            elif tag == TIME:
                self.times.append(row)
            elif tag == BODY and self.body < 0:
                self.body = row

    def contents(self, tuple names not None):
        """For each of some names, in lower case, that meta elements have, what these say, in the order of the names.

        A name is a property or an itemprop as well.
        """
        return [self._meta[name] for name in names if name in self._meta]

    cdef int _add_meta(self, list attributes) except -1:
        cdef str name, content = attributes[0]
        cdef int i
        if content:
            for i in range(1, 4):
                name = attributes[i]
                if name:
                    (<list>self._meta.setdefault(name.strip().lower(), [])).append(content)
        return 0

    cdef int _add_link(self, Py_ssize_t row, uint8_t tag, int relations) except -1:
        if relations & CANONICAL and tag == LINK:
            self.canonical.append(row)
        if relations & TAG and tag == A:
            self.tags.append(row)
        if relations & CATEGORY and tag == A:
            self.categories.append(row)
        if relations & LICENCE:
            self.licences.append(row)
        return 0


cdef tuple _NAMES = (b"class", b"id")
cdef tuple _MARKS = (b"itemprop", b"rel", b"class", b"id")


cdef class Mark:
    """How an element is marked.

    Attributes
    ----------
    row : of the element
    item, relation : its ``itemprop`` and its ``rel``
    words : those of its class and its id, in lower case
    """

    cdef readonly Py_ssize_t row
    cdef readonly str item, relation, words

    def __cinit__(self, elements, Py_ssize_t row, Py_ssize_t longest):
        cdef bytes source = elements.source
        cdef list found = some_attributes(source, elements.source_start[row], elements.open_stop[row], _MARKS)
        self.row, self.item, self.relation = row, found[0] or "", found[1] or ""
        self.words = f"{(found[2] or '')[:longest]} {(found[3] or '')[:longest]}".lower()


def names_around(elements, Py_ssize_t row, int levels, Py_ssize_t longest):
    """The classes and ids of the elements around one, up to so many levels, in lower case and cut where too long."""
    cdef const int32_t[::1] starts = elements.source_start
    cdef const int32_t[::1] stops = elements.open_stop
    cdef const int32_t[::1] parent = elements.parent
    cdef bytes source = elements.source
    cdef list names = []
    cdef int level
    for level in range(levels):
        row = parent[row]
        if row < 0:
            break
        if stops[row] > starts[row]:
            names += [name[:longest] for name in some_attributes(source, starts[row], stops[row], _NAMES) if name]
    return " ".join(names).lower()


cdef Py_ssize_t _first_from(const int32_t[::1] places, Py_ssize_t place) noexcept nogil:
    """The first row whose place, of places in order, is not before one."""
    cdef Py_ssize_t low = 0, high = places.shape[0], middle
    while low < high:
        middle = (low + high) // 2
        if places[middle] < place:
            low = middle + 1
        else:
            high = middle
    return low


def shown_around(blocks, Py_ssize_t end, Py_ssize_t before, Py_ssize_t after):
    """The text that is shown around the end of some block, or around the beginning of the page, so many characters
    before and after it, as spans: one between two hidden blocks, with what separates the blocks in it."""
    cdef const int32_t[::1] starts = blocks.text_start
    cdef const int32_t[::1] stops = blocks.text_stop
    cdef const uint8_t[::1] flags = blocks.flags
    cdef Py_ssize_t middle = stops[end - 1] if end else 0
    cdef Py_ssize_t row, first = _first_from(starts, middle - before), last = _first_from(starts, middle + after)
    cdef list spans = []
    for row in range(first, last + 1):
        if row == last or flags[row] & HIDDEN:
            if first < row:
                spans.append((stops[first - 1] if first else starts[0], stops[row - 1]))
            first = row + 1
    return spans


def objects_of(root, Py_ssize_t most):
    """The dictionaries in a value of JSON, outer ones first; only so many values are looked into."""
    cdef list queue = [root], found = []
    cdef Py_ssize_t at = 0
    while at < len(queue) and at < most:
        item = queue[at]
        at += 1
        if type(item) is dict:
            found.append(item)
            for inner in (<dict>item).values():
                if type(inner) is dict or type(inner) is list:
                    queue.append(inner)
        elif type(item) is list:
            queue += <list>item
    return found


cpdef bint is_one_of(dict node, tuple endings):
    """Whether a node of JSON-LD says that it is of a type that ends in one of these."""
    types = node.get("@type")
    if isinstance(types, str):
        return (<str>types).endswith(endings)
    if isinstance(types, list):
        for kind in <list>types:
            if isinstance(kind, str) and (<str>kind).endswith(endings):
                return True
    return False


def most_like(list nodes, tuple endings, tuple others):
    """The nodes of JSON-LD of a type that ends in one of some, then those of one of the others or of none."""
    cdef list first = [], second = []
    for node in nodes:
        if is_one_of(node, endings):
            first.append(node)
        elif (<dict>node).get("@type") is None or is_one_of(node, others):
            second.append(node)
    return first + second


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
# Their first three characters and the three from the second on, each where a multiplication puts them: of any two places
# in a row, one need be looked at. A place without such has zeros, which no start tag has three of.
cdef enum:
    PLACES_BITS = 7
    THREE = 0xFFFFFF         # of four characters
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
    """Find a factor by which no two get the same place."""
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
    """Whether a text, after which at least one byte stands, holds a word for an author and one for a date."""
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
