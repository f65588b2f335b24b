# cython: language_level=3
"""Paragraphs of a page, and what their ancestors are: the columns that both passes of the learned extractor read.

`webstrata.extraction.learned.build` makes an outline; here it says what it holds.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.stdlib cimport free

from webstrata.extraction.learned.tokens cimport CLASS_KIND, SEED, fnv
from webstrata.extraction.learned.paragraph cimport Unit

import numpy as np

cdef enum:
    REPEATED_WORDS = 8           # a shorter text may well be meant each time


def _name_hash(str name):
    """The hash of one lower-case word of a class or id."""
    cdef uint32_t hash = SEED ^ CLASS_KIND
    for byte in name.encode():
        hash = fnv(hash, byte)
    return hash


cdef class Outline:
    """The paragraphs of a page with their surroundings, held in C."""

    def __dealloc__(self):
        free(self.unit)
        free(self.node)
        free(self.sums)
        free(self.images)
        free(self.controls)
        free(self.groups.row)
        free(self.groups.slot)
        free(self.unit_tokens.hash)
        free(self.element_tokens.hash)
        free(self.page_tokens.hash)

    def __len__(self):
        return self.units

    @property
    def first_block(self):
        """The first block of each unit; a unit ends where the next one begins."""
        result = np.empty(self.units, np.int32)
        cdef int32_t[::1] out = result
        cdef Py_ssize_t i
        for i in range(self.units):
            out[i] = self.unit[i].first_block
        return result

    def _fitting(self, keep):
        if len(keep) != self.units:
            raise ValueError("there is one decision a unit")
        return np.ascontiguousarray(keep, bool).view(np.uint8)

    def words(self, keep):
        """How many words the kept units have together."""
        cdef const uint8_t[::1] kept = self._fitting(keep)
        cdef Py_ssize_t i, total = 0
        for i in range(self.units):
            if kept[i]:
                total += self.unit[i].words
        return total

    def spread(self, *columns):
        """Columns over the units as columns over the blocks: each block has what its unit has."""
        cdef Py_ssize_t blocks = self.unit[self.units - 1].end_block if self.units else 0
        unit_of = np.empty(blocks, np.intp)
        cdef Py_ssize_t[::1] out = unit_of
        cdef Py_ssize_t i, block
        for i in range(self.units):
            for block in range(self.unit[i].first_block, self.unit[i].end_block):
                out[block] = i
        return [column.take(unit_of) for column in columns]

    def repeats(self, keep):
        """Which of the kept units say once more, word for word, what an earlier kept one says at some length."""
        cdef Py_ssize_t i
        cdef const uint8_t[::1] kept = self._fitting(keep)
        result = np.zeros(self.units, bool)
        cdef uint8_t[::1] out = result.view(np.uint8)
        cdef uint8_t[::1] said = np.zeros(self.groups.count, np.uint8)
        for i in range(self.units):
            if kept[i] and self.unit[i].words >= REPEATED_WORDS:
                out[i] = said[self.unit[i].text]
                said[self.unit[i].text] = True
        return result

    def under(self, names):
        """Which units stand under an element that has one of these words in its class or id."""
        cdef Py_ssize_t i, k
        cdef int32_t parent
        hashes = {_name_hash(name) for name in names}
        inside = np.zeros(self.elements, bool)
        cdef uint8_t[::1] flag = inside.view(np.uint8)
        for i in range(self.elements):
            parent = self.parent[i]
            flag[i] = parent >= 0 and flag[parent]
            if self.units and not flag[i]:
                for k in range(self.node[i].first_token, self.node[i].end_token):
                    if self.element_tokens.hash[k] in hashes:
                        flag[i] = True
        return inside[[self.unit[i].element for i in range(self.units)]] if self.units else np.zeros(0, bool)

    def tokens(self):
        """For learning: (row starts, hashes) of the tokens of each unit, and the tokens of the page.

        The tokens of a unit are those of the elements above it, its own first words, and those of the heading above.
        """
        cdef Py_ssize_t i, k, count = 0
        cdef int32_t element, heading = -1
        cdef Unit* unit
        starts = np.zeros(self.units + 1, np.int64)
        cdef int64_t[::1] start = starts
        for i in range(self.units):
            unit = &self.unit[i]
            element = unit.element
            while element >= 0:
                count += self.node[element].end_token - self.node[element].first_token
                element = self.parent[element]
            count += unit.end_token - unit.first_token
            if heading >= 0 and not unit.heading:
                count += self.unit[heading].end_token - self.unit[heading].first_token
            if unit.heading:
                heading = <int32_t>i
            start[i + 1] = count
        hashes = np.empty(count, np.uint32)
        cdef uint32_t[::1] out = hashes
        count = 0
        heading = -1
        for i in range(self.units):
            unit = &self.unit[i]
            element = unit.element
            while element >= 0:
                for k in range(self.node[element].first_token, self.node[element].end_token):
                    out[count] = self.element_tokens.hash[k]
                    count += 1
                element = self.parent[element]
            for k in range(unit.first_token, unit.end_token):
                out[count] = self.unit_tokens.hash[k]
                count += 1
            if heading >= 0 and not unit.heading:
                for k in range(self.unit[heading].first_token, self.unit[heading].end_token):
                    out[count] = self.unit_tokens.hash[k] ^ HEADING_SALT
                    count += 1
            if unit.heading:
                heading = <int32_t>i
        page = np.array([self.page_tokens.hash[k] for k in range(self.page_tokens.count)], np.uint32)
        return starts, hashes, page
