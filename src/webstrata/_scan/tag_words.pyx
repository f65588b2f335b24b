# cython: language_level=3
"""Words in start tags: one pass finds the elements whose tag has one of some words."""

from libc.stdint cimport int32_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memcmp, memcpy

from webstrata._scan.columns cimport Columns
from webstrata._scan.rows cimport (
    E_FLAGS, E_OPEN_STOP, E_SOURCE_START, E_TAG, IMPLIED, ints, octets,
)
from webstrata._scan.tags cimport A, BASE, BUTTON, FORM, INPUT, LINK, META, OPTION, SCRIPT, SELECT, STYLE

from webstrata.errors import InputError

cdef enum:
    PIECE = 4                # bytes of a word that are compared first
    SLOTS = 4096             # of the table of these bytes

# Tags that are never read: they are many and long, and have no such words.
cdef uint8_t[256] _SKIPPED


def _fill():
    for tag in (A, BASE, BUTTON, FORM, INPUT, LINK, META, OPTION, SCRIPT, SELECT, STYLE):
        _SKIPPED[tag] = 1


_fill()


cdef inline uint32_t _slot(uint32_t piece) noexcept nogil:
    return (piece * <uint32_t>2654435761) >> 20


cdef inline uint32_t _piece_at(const uint8_t* place) noexcept nogil:
    cdef uint32_t piece
    memcpy(&piece, place, PIECE)
    return piece


cdef class TagWords:
    """At most 64 words of at least four bytes.

    A table knows the first four bytes of each word, or the last four, if the first ones are common in tags.
    """

    cdef readonly tuple words
    cdef uint64_t[SLOTS] found   # by slot: the words with such bytes, as bits
    cdef uint8_t[SLOTS] filled
    cdef Py_ssize_t[64] offset   # of these bytes in the word

    def __init__(self, words):
        cdef Py_ssize_t number
        cdef bytes word
        cdef uint32_t slot
        self.words = tuple(words)
        if len(self.words) > 64 or min(map(len, self.words), default=PIECE) < PIECE:
            raise InputError("give at most 64 words, of at least four bytes each")
        for number, word in enumerate(self.words):
            is_common = word.startswith((b"data", b"class", b"id=", b"alt=", b"code", b"line"))
            self.offset[number] = len(word) - PIECE if is_common else 0
            slot = _slot(_piece_at(<const uint8_t*>word + self.offset[number]))
            self.found[slot] |= <uint64_t>1 << number
            self.filled[slot] = 1

    def rows(self, bytes source, Columns elements):
        """For each word that is found, the rows of the elements whose start tag has it, in document order."""
        cdef const uint8_t* text = source
        cdef const uint8_t* tag = octets(&elements.table, E_TAG)
        cdef const uint8_t* flags = octets(&elements.table, E_FLAGS)
        cdef const int32_t* starts = ints(&elements.table, E_SOURCE_START)
        cdef const int32_t* stops = ints(&elements.table, E_OPEN_STOP)
        cdef Py_ssize_t row, at, end
        cdef uint64_t found
        cdef dict rows = {}
        for row in range(elements.table.rows):
            if _SKIPPED[tag[row]] or flags[row] & IMPLIED:
                continue
            found = 0
            at, end = starts[row] + 1, stops[row] - PIECE
            while at <= end:
                if self.filled[_slot(_piece_at(text + at))]:
                    found |= self._words_at(text, at, starts[row], stops[row])
                at += 1
            if found:
                for number, word in enumerate(self.words):
                    if found >> <int>number & 1:
                        rows.setdefault(word, []).append(row)
        return rows

    cdef uint64_t _words_at(self, const uint8_t* text, Py_ssize_t at, Py_ssize_t start, Py_ssize_t stop):
        """The words, as bits, whose first or last bytes are at a place, and that are whole."""
        cdef uint64_t candidates = self.found[_slot(_piece_at(text + at))], words = 0
        cdef int number
        cdef Py_ssize_t begin
        cdef bytes word
        for number in range(64):
            if not candidates >> number:
                break
            if candidates >> number & 1:
                word, begin = self.words[number], at - self.offset[number]
                if begin >= start and begin + len(word) <= stop and not memcmp(text + begin, <const uint8_t*>word, len(word)):
                    words |= <uint64_t>1 << number
        return words
