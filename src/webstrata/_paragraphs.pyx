# cython: language_level=3
"""Ends of lines and paragraphs between blocks; `webstrata.paragraphs` defines a paragraph."""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_FromKindAndData, PyUnicode_KIND, PyUnicode_WRITE
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from webstrata._scan.columns cimport Columns
from webstrata._scan.rows cimport B_FLAGS, B_GAP, B_TEXT_START, B_TEXT_STOP, GAP_WORDS, HIDDEN, Table, ints, octets
from webstrata._scan.swar cimport lowest_bit
from webstrata._scan.tags cimport BOXED, BR, INLINE, OTHER, TAG_COUNT, TRAITS

cdef extern from "Python.h":
    Py_UCS4 PyUnicode_READ(int kind, const void* data, Py_ssize_t index) noexcept nogil

import numpy as np

from webstrata._scan.tags import TAGS
from webstrata.errors import InputError

# What each tag ends.
cdef uint8_t[256] _ENDS
# Tags within a paragraph, as the bits of a gap; most gaps have no others.
cdef uint64_t[GAP_WORDS] _WITHIN_TAGS

# Tags that begin a new line but no new paragraph of text: items, rows and cells.
_ITEM_TAGS = ("li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "colgroup", "col", "option")


def _fill():
    cdef int tag
    for tag in range(TAG_COUNT):
        _ENDS[tag] = WITHIN if TRAITS[tag] & (INLINE | BOXED) else PARAGRAPH
    for name in _ITEM_TAGS:
        _ENDS[TAGS.index(name)] = ITEM
    _ENDS[BR] = LINE
    for tag in range(TAG_COUNT):
        if _ENDS[tag] == WITHIN and tag != OTHER:
            _WITHIN_TAGS[tag >> 6] |= <uint64_t>1 << (tag & 63)


_fill()


cdef uint8_t _ended_by(const uint64_t* gap, bint new_line) noexcept nogil:
    """What the strongest tag of a gap ends. A name that HTML does not know ends a paragraph if it began a new line."""
    cdef uint8_t found = WITHIN
    cdef uint64_t left
    cdef int word, tag
    for word in range(GAP_WORDS):
        left = gap[word] & ~_WITHIN_TAGS[word]
        while left:
            tag = 64 * word + lowest_bit(left)
            left &= left - 1
            found = max(found, PARAGRAPH if tag == OTHER and new_line else _ENDS[tag])
            if found == PARAGRAPH:
                return found
    return found


cdef void fill_ends(const Table* blocks, const void* text, int kind, uint8_t* out) noexcept nogil:
    """For each block, what ends before it: WITHIN, LINE, ITEM or PARAGRAPH. `kind` is the width of the characters."""
    cdef const uint64_t* gap = <const uint64_t*>blocks.column[B_GAP]
    cdef const int32_t* text_start = <const int32_t*>blocks.column[B_TEXT_START]
    cdef Py_ssize_t i
    cdef bint new_line
    for i in range(blocks.rows):
        # The separator of the text matters for unknown names only.
        new_line = gap[0] & 1 and text_start[i] > 0 and PyUnicode_READ(kind, text, text_start[i] - 1) == 10
        out[i] = _ended_by(gap, new_line)
        gap += GAP_WORDS
    if blocks.rows:
        out[0] = PARAGRAPH


def ends(blocks):
    """For each block, what ends before it: WITHIN, LINE, ITEM or PARAGRAPH."""
    cdef Columns columns = blocks.columns
    cdef str text = blocks.text
    result = np.empty(columns.table.rows, np.uint8)
    cdef uint8_t[::1] out = result
    if columns.table.rows:
        fill_ends(&columns.table, PyUnicode_DATA(text), PyUnicode_KIND(text), &out[0])
    return result


def _fitting(blocks, keep):
    if len(keep) != len(blocks):
        raise InputError(f"keep has {len(keep)} rows, but the page has {len(blocks)} blocks: give one decision a block")
    return np.ascontiguousarray(keep, bool).view(np.uint8)


def ends_kept(blocks, keep):
    """For each kept block, what ends between the kept one before it and this one.

    Where a line ends and something that is shown was left out, a paragraph does.
    """
    cdef const uint8_t[::1] end = ends(blocks)
    cdef Columns columns = blocks.columns
    cdef const uint8_t* flags = octets(&columns.table, B_FLAGS)
    cdef const uint8_t[::1] kept = _fitting(blocks, keep)
    cdef uint8_t between = PARAGRAPH
    cdef bint left_out = False
    cdef Py_ssize_t i, count = 0
    found = np.zeros(np.count_nonzero(keep), np.uint8)
    cdef uint8_t[::1] out = found
    for i in range(kept.shape[0]):
        between = max(between, end[i])
        if kept[i]:
            out[count] = PARAGRAPH if left_out and between != WITHIN else between
            count += 1
            between = WITHIN
            left_out = False
        elif not flags[i] & HIDDEN:
            left_out = True
    return found


# A run of kept blocks within which no paragraph ends and nothing is left out: one slice of the text.
cdef struct Run:
    int32_t start
    int32_t stop
    Py_ssize_t before        # the last block before, where its paragraph goes on across what was left out; -1 elsewhere
    Py_ssize_t first


cdef Py_ssize_t _find_runs(const Table* blocks, const uint8_t* kept, const uint8_t* end, Run* runs) noexcept nogil:
    """Fill the runs of kept blocks; `end` has what ends before each of these. Returns how many there are."""
    cdef const int32_t* text_start = <const int32_t*>blocks.column[B_TEXT_START]
    cdef const int32_t* text_stop = <const int32_t*>blocks.column[B_TEXT_STOP]
    cdef Py_ssize_t i, last = -1, count = 0
    for i in range(blocks.rows):
        if not kept[i]:
            continue
        if end[0] == PARAGRAPH or last != i - 1:
            runs[count].start = text_start[i]
            runs[count].first = i
            runs[count].before = last if end[0] != PARAGRAPH else -1
            count += 1
        runs[count - 1].stop = text_stop[i]
        last = i
        end += 1
    return count


cdef str _joined(str text, const Run* runs, Py_ssize_t count, list separators):
    """The runs with their separators before them."""
    cdef int kind = PyUnicode_KIND(text)
    cdef Py_ssize_t i, size = 0, at = 0
    cdef str separator
    cdef char* out
    for i in range(count):
        size += len(<str>separators[i]) + runs[i].stop - runs[i].start
    out = <char*>malloc(size * kind + 1)
    if out == NULL:
        raise MemoryError
    try:
        for i in range(count):
            separator = separators[i]
            for character in separator:
                PyUnicode_WRITE(kind, out, at, character)
                at += 1
            memcpy(out + at * kind, <char*>PyUnicode_DATA(text) + runs[i].start * kind,
                   (runs[i].stop - runs[i].start) * kind)
            at += runs[i].stop - runs[i].start
        return PyUnicode_FromKindAndData(kind, out, size)
    finally:
        free(out)


cdef class _KeptRuns:
    """The runs of the kept blocks, with their separators."""

    cdef Run* runs
    cdef Py_ssize_t count
    cdef list separators

    def __cinit__(self, blocks, keep, separator):
        cdef const uint8_t[::1] kept = _fitting(blocks, keep)
        cdef const uint8_t[::1] end = ends_kept(blocks, keep)
        cdef Columns columns = blocks.columns
        cdef Py_ssize_t i
        self.separators = []
        if not end.shape[0]:
            return
        self.runs = <Run*>malloc(end.shape[0] * sizeof(Run))
        if self.runs == NULL:
            raise MemoryError
        self.count = _find_runs(&columns.table, &kept[0], &end[0], self.runs)
        self.separators = ["\n\n"] * self.count
        self.separators[0] = ""
        for i in range(1, self.count):
            if self.runs[i].before >= 0:
                self.separators[i] = separator(self.runs[i].before, self.runs[i].first)

    def __dealloc__(self):
        free(self.runs)


def kept_text(blocks, keep, separator):
    """The text of the kept blocks, paragraphs with a blank line between.

    ``separator(last, first)`` returns the text between two kept blocks of one paragraph with dropped blocks between them.
    It must be made of characters of the page, spaces and line breaks.
    """
    cdef _KeptRuns found = _KeptRuns(blocks, keep, separator)
    return _joined(blocks.text, found.runs, found.count, found.separators) if found.count else ""


def kept_places(blocks, keep, separator):
    """For each kept block where its text begins in `kept_text`."""
    cdef _KeptRuns found = _KeptRuns(blocks, keep, separator)
    cdef const uint8_t[::1] kept = _fitting(blocks, keep)
    cdef const int32_t* text_start = ints(&(<Columns>blocks.columns).table, B_TEXT_START)
    cdef Py_ssize_t i, run = -1, at = 0, count = 0
    places = np.zeros(np.count_nonzero(keep), np.int64)
    cdef int64_t[::1] out = places
    for i in range(kept.shape[0]):
        if not kept[i]:
            continue
        if run + 1 < found.count and found.runs[run + 1].first == i:
            if run >= 0:
                at += found.runs[run].stop - found.runs[run].start
            run += 1
            at += len(<str>found.separators[run])
        out[count] = at + text_start[i] - found.runs[run].start
        count += 1
    return places
