# cython: language_level=3
"""Finds the elements that declare metadata."""

from cpython.unicode cimport PyUnicode_1BYTE_DATA
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memchr

from webstrata._scan.attributes cimport Attribute, is_space, next_attribute, same_name
from webstrata._scan.columns cimport Columns
from webstrata._scan.swar cimport eight_at, small_name
from webstrata._scan.references cimport attribute_value
from webstrata._scan.rows cimport (
    B_FLAGS, B_TEXT_START, B_TEXT_STOP, E_FLAGS, E_OPEN_STOP, E_SOURCE_START, E_TAG, HIDDEN, RELATED, ints, octets,
)
from webstrata._scan.tags cimport A, BODY, H1, H2, LINK, META, TIME

from webstrata._escaping import one_line, unescape, well_formed
from webstrata._lengths import LONGEST_DESCRIPTION

cdef Py_ssize_t _LONGEST_DESCRIPTION = LONGEST_DESCRIPTION

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(str text)


# Names of attributes as `small_name` gives them.
cdef extern from *:
    """
    #define NAME_NAME 0x656d616eu
    #define CONTENT_NAME 0x746e65746e6f63u
    #define ITEMPROP_NAME 0x706f72706d657469u
    #define PROPERTY_NAME 0x79747265706f7270u
    """
    const uint64_t NAME_NAME, CONTENT_NAME, ITEMPROP_NAME, PROPERTY_NAME


cdef enum:
    MOST_ROWS = 100          # elements with a tag that are read


# The relations of links in ``rel``.
cdef enum:
    RELATIONS = 5
    CANONICAL = 1            # as bits
    TAG = 2
    CATEGORY = 4
    LICENCE = 8 | 16         # two spellings
cdef const char* _RELATIONS[RELATIONS]
_RELATIONS[:] = [b"canonical", b"tag", b"category", b"license", b"licence"]
cdef Py_ssize_t[RELATIONS] _RELATION_SIZES = [9, 3, 8, 7, 7]


cdef int _relations(const uint8_t* text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """The relations in a start tag, as bits."""
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


# A name of a meta element and its content, as spans of the source.
cdef struct Named:
    Py_ssize_t name_start
    Py_ssize_t name_stop
    Py_ssize_t content_start
    Py_ssize_t content_stop
    Py_ssize_t read          # the index of the name among those with references or non-ASCII; -1 for plain names


cdef inline Py_ssize_t _next_of(const uint8_t* tags, uint8_t tag, Py_ssize_t row, Py_ssize_t rows) noexcept nogil:
    """The next element with a tag, from a row on; the number of rows if there is none."""
    cdef const void* place = memchr(tags + row, tag, rows - row)
    return rows if place == NULL else <const uint8_t*>place - tags


cdef list _rows_of(const uint8_t* tags, uint8_t tag, Py_ssize_t rows):
    """The first rows with a tag."""
    cdef Py_ssize_t row = _next_of(tags, tag, 0, rows)
    cdef list found = []
    while row < rows and len(found) < MOST_ROWS:
        found.append(row)
        row = _next_of(tags, tag, row + 1, rows)
    return found


cdef inline Py_ssize_t _next_related(const uint8_t* flags, Py_ssize_t row, Py_ssize_t rows) noexcept nogil:
    """The next element with a ``rel``, in the same way. Few have one: eight rows are tested at once."""
    while row + 8 <= rows and not eight_at(flags + row) & <uint64_t>RELATED * <uint64_t>0x0101010101010101:
        row += 8
    while row < rows and not flags[row] & RELATED:
        row += 1
    return row


cdef class Declarations:
    """The elements of a page that declare metadata, found in the column of tags.

    Attributes
    ----------
    headings, subheadings, times : the rows of the first ``h1``, ``h2`` and ``time`` elements
    body : the row of the first ``body``, or -1
    canonical : the rows of the ``link`` elements to the page itself
    tags, categories : the rows of links to tags and categories
    licences : the rows of links and ``link`` elements to a licence
    """

    cdef bytes _source
    cdef Named* _meta        # in document order
    cdef Py_ssize_t _count, _capacity
    cdef list _read          # the names with references or non-ASCII characters
    cdef readonly list headings, subheadings, times, canonical, tags, categories, licences
    cdef readonly Py_ssize_t body

    def __cinit__(self, elements):
        cdef Columns columns = elements.columns
        cdef const int32_t* starts = ints(&columns.table, E_SOURCE_START)
        cdef const int32_t* stops = ints(&columns.table, E_OPEN_STOP)
        cdef const uint8_t* tags = octets(&columns.table, E_TAG)
        cdef const uint8_t* flags = octets(&columns.table, E_FLAGS)
        cdef Py_ssize_t row, rows = columns.table.rows
        self._source, self._read = elements.source, []
        self.headings, self.times = _rows_of(tags, H1, rows), _rows_of(tags, TIME, rows)
        self.subheadings = _rows_of(tags, H2, rows)
        self.body = _next_of(tags, BODY, 0, rows)
        if self.body == rows:
            self.body = -1
        row = _next_of(tags, META, 0, rows)
        while row < rows:
            self._add_meta(self._source, starts[row], stops[row])
            row = _next_of(tags, META, row + 1, rows)
        self.canonical, self.tags, self.categories, self.licences = [], [], [], []
        row = _next_related(flags, 0, rows)
        while row < rows:
            if tags[row] == A or tags[row] == LINK:
                self._add_link(row, tags[row], _relations(self._source, starts[row], stops[row]))
            row = _next_related(flags, row + 1, rows)

    def __dealloc__(self):
        free(self._meta)

    def contents(self, *names):
        """For each of these names (in lower case) that meta elements have, their contents that are not empty.

        The name is a name, a property or an itemprop. Contents are in the order of the names, then of the page.
        """
        cdef list found = [], contents
        cdef Py_ssize_t i
        cdef str name
        for name in names:
            contents = []
            for i in range(self._count):
                if self._is_named(i, name) and (content := self._content(i)):
                    contents.append(content)
            if contents:
                found.append(contents)
        return found

    def first(self, *names):
        """The first content of a meta element with one of these names, or ""."""
        cdef Py_ssize_t i
        cdef str name
        for name in names:
            for i in range(self._count):
                if self._is_named(i, name) and (content := self._content(i)):
                    return content
        return ""

    cdef bint _is_named(self, Py_ssize_t i, str name) except -1:
        """Whether a meta element has a name (ASCII, in lower case)."""
        cdef const Named* named = &self._meta[i]
        cdef Py_ssize_t size = len(name)
        if named.read >= 0:
            return self._read[named.read] == name
        return named.name_stop - named.name_start == size and same_name(
            <const uint8_t*>self._source + named.name_start, PyUnicode_1BYTE_DATA(name), size)

    cdef str _content(self, Py_ssize_t i):
        """The content of a meta element, folded."""
        return folded(attribute_value(self._source, self._meta[i].content_start, self._meta[i].content_stop))

    cdef int _add_meta(self, const uint8_t* text, Py_ssize_t start, Py_ssize_t stop) except -1:
        """Add a meta element under each of its names."""
        cdef Attribute here
        cdef Named[3] named              # as the property, as the name and as the item
        cdef Named content
        cdef Py_ssize_t size, position = start + 5
        cdef uint64_t name
        cdef str decoded
        cdef int i
        content.content_start = content.content_stop = 0
        for i in range(3):
            named[i].name_start = named[i].name_stop = 0
        while position < stop:
            position = next_attribute(text, position, stop, &here)
            size = here.name_stop - here.name_start
            if position < 0 or size == 0:
                break
            name = small_name(text + here.name_start, size, stop - here.name_start) if size <= 8 else 0
            if name == CONTENT_NAME and content.content_start == 0:
                content.content_start, content.content_stop = here.value_start, here.value_stop
            i = 0 if name == PROPERTY_NAME else 1 if name == NAME_NAME else 2 if name == ITEMPROP_NAME else 3
            if i < 3 and named[i].name_start == 0:
                named[i].name_start, named[i].name_stop = here.value_start, here.value_stop
        for i in range(3):
            if named[i].name_stop > named[i].name_start and content.content_stop > content.content_start:
                named[i].content_start, named[i].content_stop = content.content_start, content.content_stop
                named[i].read = -1
                for position in range(named[i].name_start, named[i].name_stop):
                    if not 32 < text[position] < 127 or text[position] == c"&":
                        decoded = attribute_value(text, named[i].name_start, named[i].name_stop)
                        named[i].read = len(self._read)
                        self._read.append(decoded.strip().lower())
                        break
                self._note(named[i])
        return 0

    cdef int _note(self, Named named) except -1:
        cdef void* room
        if self._count == self._capacity:
            room = realloc(self._meta, (2 * self._capacity + 32) * sizeof(Named))
            if room == NULL:
                raise MemoryError
            self._meta, self._capacity = <Named*>room, 2 * self._capacity + 32
        self._meta[self._count] = named
        self._count += 1
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


cpdef str folded(str text):
    """A text on one line, with character references decoded, cut if it is too long."""
    cdef Py_ssize_t i, size = len(text)
    cdef const uint8_t* letters
    if size <= _LONGEST_DESCRIPTION and PyUnicode_IS_ASCII(text):
        letters = PyUnicode_1BYTE_DATA(text)
        for i in range(size):  # most texts have nothing to decode, to fold or to cut
            if letters[i] == c"&" or letters[i] < c" " or (letters[i] == c" " and (
                    i == 0 or i + 1 == size or letters[i - 1] == c" ")):
                break
        else:
            return text
    return one_line(unescape(well_formed(text[: 8 * _LONGEST_DESCRIPTION])), _LONGEST_DESCRIPTION)


cdef Py_ssize_t _first_from(const int32_t* places, Py_ssize_t count, Py_ssize_t place) noexcept nogil:
    """The first index of a sorted column with at least this value."""
    cdef Py_ssize_t low = 0, high = count, middle
    while low < high:
        middle = (low + high) // 2
        if places[middle] < place:
            low = middle + 1
        else:
            high = middle
    return low


def shown_around(blocks, Py_ssize_t end, Py_ssize_t before, Py_ssize_t after):
    """The visible text before and after the end of the block before `end`, or the start of the page, as spans.

    There is a span for each run of blocks without hidden ones; `before` and `after` are numbers of characters."""
    cdef Columns columns = blocks.columns
    cdef const int32_t* starts = ints(&columns.table, B_TEXT_START)
    cdef const int32_t* stops = ints(&columns.table, B_TEXT_STOP)
    cdef const uint8_t* flags = octets(&columns.table, B_FLAGS)
    cdef Py_ssize_t row, middle = stops[end - 1] if end else 0
    cdef Py_ssize_t first = _first_from(starts, columns.table.rows, middle - before)
    cdef Py_ssize_t last = _first_from(starts, columns.table.rows, middle + after)
    cdef list spans = []
    for row in range(first, last + 1):
        if row == last or flags[row] & HIDDEN:
            if first < row:
                spans.append((stops[first - 1] if first else starts[0], stops[row - 1]))
            first = row + 1
    return spans


def objects_of(root, Py_ssize_t most):
    """The dictionaries in a JSON value, outer ones first, of at most `most` values. Native: metadata is 5 % faster."""
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
    """Whether the type of a JSON-LD node ends in one of these."""
    types = node.get("@type")
    if isinstance(types, str):
        return (<str>types).endswith(endings)
    if isinstance(types, list):
        for kind in <list>types:
            if isinstance(kind, str) and (<str>kind).endswith(endings):
                return True
    return False


def most_like(list nodes, tuple endings, tuple others):
    """The JSON-LD nodes with a type that ends in one of these, then those with one of the others or without a type."""
    cdef list first = [], second = []
    for node in nodes:
        if is_one_of(node, endings):
            first.append(node)
        elif (<dict>node).get("@type") is None or is_one_of(node, others):
            second.append(node)
    return first + second
