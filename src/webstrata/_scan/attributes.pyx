# cython: language_level=3
"""The attributes of start tags, and the elements that are found by them."""

from libc.stdint cimport int16_t, int32_t, uint64_t, uint8_t
from libc.string cimport memchr

from webstrata._scan.columns cimport Columns
from webstrata._scan.references cimport attribute_value, prepare
from webstrata._scan.rows cimport (
    E_DEPTH, E_FLAGS, E_OPEN_STOP, E_SOURCE_START, E_TAG, IMPLIED, ints, octets, shorts,
)
from webstrata._scan.swar cimport eight_at, equal, first_of

from webstrata._scan.references import tag_name


cpdef attribute(bytes source, Py_ssize_t start, Py_ssize_t stop, bytes name):
    """The first attribute of a name, in lower case, of the start tag source[start:stop], or None."""
    return some_attributes(source, start, stop, (name,))[0]


cpdef list some_attributes(bytes source, Py_ssize_t start, Py_ssize_t stop, tuple names):
    """The first attribute of each of some names, in lower case, of the start tag source[start:stop], read in one go.

    None stands for a missing attribute.
    """
    cdef Attribute here
    cdef const uint8_t* text = source
    cdef Py_ssize_t i, size, position = start + 1, left = len(names)
    cdef list found = [None] * left
    cdef bytes name
    if not 0 <= start < stop <= len(source):
        raise IndexError(f"no tag of the source: {start}:{stop}")
    prepare()
    while position < stop and not (is_space(text[position]) or text[position] == 47 or text[position] == 62):
        position += 1
    while position < stop and left:
        position = next_attribute(text, position, stop, &here)
        size = here.name_stop - here.name_start
        if position < 0 or size == 0:
            break
        for i in range(len(names)):
            name = names[i]
            if len(name) == size and found[i] is None and same_name(text + here.name_start, <const uint8_t*>name, size):
                found[i] = attribute_value(text, here.value_start, here.value_stop)
                left -= 1
                break
    return found


def rows_holding(bytes source, Columns elements, uint8_t wanted, bytes word):
    """The rows of the elements of one tag whose start tag holds a word, in either case."""
    cdef const uint8_t* text = source
    cdef const uint8_t* letters = word
    cdef const uint8_t* tag = octets(&elements.table, E_TAG)
    cdef const int32_t* starts = ints(&elements.table, E_SOURCE_START)
    cdef const int32_t* stops = ints(&elements.table, E_OPEN_STOP)
    cdef Py_ssize_t row = -1, size = len(word), count = elements.table.rows
    cdef const void* place
    cdef list found = []
    while row + 1 < count:
        place = memchr(tag + row + 1, wanted, count - row - 1)
        if place == NULL:
            break
        row = <const uint8_t*>place - tag
        if _holds(text, starts[row], stops[row], letters, size):
            found.append(row)
    return found


cdef bint _holds(const uint8_t* text, Py_ssize_t start, Py_ssize_t stop, const uint8_t* word, Py_ssize_t size) noexcept nogil:
    """Whether a part of the source holds a word, in either case."""
    cdef Py_ssize_t ahead, sign = 0
    cdef const void* place
    # Characters other than letters have no case and are rarer.
    while sign < size and is_letter(word[sign]):
        sign += 1
    if sign < size:
        start += sign
        while start < stop:
            place = memchr(text + start, word[sign], stop - start)
            if place == NULL:
                return False
            start = <const uint8_t*>place - text
            if start - sign + size <= stop and same_name(text + start - sign, word, size):
                return True
            start += 1
        return False
    while start + size <= stop:
        if start + 8 <= stop:  # eight positions at once: few have the first letter
            ahead = first_of(equal(eight_at(text + start) | <uint64_t>0x2020202020202020, word[0] | 0x20))
            start += ahead
            if ahead == 8:
                continue
        if start + size <= stop and same_name(text + start, word, size):
            return True
        start += 1
    return False


def attributes_at(bytes source, Columns elements, Py_ssize_t row, tuple names):
    """Some attributes of the element of a row, as `some_attributes` gives them; all None without a start tag."""
    if not 0 <= row < elements.table.rows:
        raise IndexError(f"there is no element {row}")
    if octets(&elements.table, E_FLAGS)[row] & IMPLIED:
        return [None] * len(names)
    return some_attributes(source, ints(&elements.table, E_SOURCE_START)[row], ints(&elements.table, E_OPEN_STOP)[row], names)


def deepest(Columns elements):
    """The depth of the deepest element."""
    cdef const int16_t* depth = shorts(&elements.table, E_DEPTH)
    cdef Py_ssize_t row
    cdef int most = 0
    for row in range(elements.table.rows):
        most = max(most, <int>depth[row])
    return most


def rows_longer(Columns elements, Py_ssize_t size):
    """The rows of the elements whose start tag has more than `size` bytes."""
    cdef const int32_t* starts = ints(&elements.table, E_SOURCE_START)
    cdef const int32_t* stops = ints(&elements.table, E_OPEN_STOP)
    cdef Py_ssize_t row
    return [row for row in range(elements.table.rows) if stops[row] - starts[row] > size]


def attribute_count(bytes source, Columns elements, Py_ssize_t row):
    """How many attributes the start tag of an element has, duplicates included."""
    cdef Attribute here
    cdef const uint8_t* text = source
    cdef Py_ssize_t position, stop, count = 0
    if not 0 <= row < elements.table.rows:
        raise IndexError(f"there is no element {row}")
    position, stop = ints(&elements.table, E_SOURCE_START)[row] + 1, ints(&elements.table, E_OPEN_STOP)[row]
    while position < stop and not (is_space(text[position]) or text[position] == 47 or text[position] == 62):
        position += 1
    while position < stop:
        position = next_attribute(text, position, stop, &here)
        if position < 0 or here.name_start == here.name_stop:
            break
        count += 1
    return count
